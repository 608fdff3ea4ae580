/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * victim_queue.h - which queue has to give next, by fair share
 *
 * On the way down from the root it is the child with the largest share, and of equal shares
 * the one with the best candidate.
 */
#ifndef COHORT_VICTIM_QUEUE_H
#define COHORT_VICTIM_QUEUE_H

#include "candidates/candidate.h"

/* Begins a pass: all queues whose streams have candidates may give. */
void victim_queues_begin(const struct search *s);

/* The queue that has to give next, on the books as they are; SPEC_NONE: none can */
int victim_queue_next(const struct search *s);

/* Nothing below the node gives more in this pass. */
void victim_queue_close(const struct search *s, int node);

#endif /* COHORT_VICTIM_QUEUE_H */
