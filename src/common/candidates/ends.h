/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ends.h - which queues could tell a search sooner when a protection ends
 *
 * A search has to know of all that is protected when the first of it may go
 * (survey.c). Where it opens no queue before it comes to it, this is what it looks at
 * instead of all of them: the queues of a tree in the order in which a protection could
 * end first, where priorities differ once for each that matters. The order holds for one
 * cycle. Queues count from when they borrow.
 */
#ifndef COHORT_ENDS_H
#define COHORT_ENDS_H

#include "candidates/candidate.h"

/* None (e->searches->ends is NULL) where nothing is protected, or without memory
 * (e->no_memory). */
void ends_begin(struct engine *e, const struct tree *tree, int64_t now);
void ends_end(struct engine *e);

/* The queue may use more than it did. Not for what a search tries. */
void ends_note(struct engine *e, const struct queue *q);

/* Takes note of what is protected in all other queues that borrow what is needed.
 * Without fair sharing the cohorts between them and the preemptor have to borrow it,
 * too. */
void ends_survey(struct search *s);

#endif /* COHORT_ENDS_H */
