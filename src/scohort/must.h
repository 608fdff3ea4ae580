/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * must.h - memory that a command cannot do without
 *
 * A command that runs once and prints has nothing to save: without memory each
 * of these ends it with a message and STATUS_FAILED. Not for what goes on for
 * days (web, record).
 */
#ifndef SCOHORT_MUST_H
#define SCOHORT_MUST_H

#include <stddef.h>

/* Returns what an allocation returned. */
void *must(void *memory);

/* A text, to be freed */
char *must_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A list of n items of that size, with room for one more. All n come from here. */
void *must_grow(void *list, size_t n, size_t size);

#endif /* SCOHORT_MUST_H */
