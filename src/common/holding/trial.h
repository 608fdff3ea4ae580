/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial.h - trying something on the books
 */
#ifndef COHORT_TRIAL_H
#define COHORT_TRIAL_H

#include <stddef.h>

struct engine;

/* Opens a trial on the books; trial_end() undoes it. Was the log lost? Then it
 * sets e->no_memory, as the books are wrong until the last trial has ended and
 * rebuilds the usage, without what queues withhold. */
size_t trial_begin(struct engine *e);
void trial_end(struct engine *e, size_t mark);

#endif /* COHORT_TRIAL_H */
