/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reason.h - sentences about what a job waits for
 */
#ifndef SCOHORT_REASON_H
#define SCOHORT_REASON_H

#include "text/reason.h"

struct json_object;

#define SENTENCE_SIZE 1024

/* What an entry of "line" in the published file says */
void reason_of_run(struct reason *r, struct json_object *run);

/* The sentence of the table; "" if nothing is known. `queue` is the published one, or NULL. */
void reason_sentence(const struct reason *r, const char *queue_name, struct json_object *queue,
		     char *text, size_t size);

#endif /* SCOHORT_REASON_H */
