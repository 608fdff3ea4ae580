/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_order.h - the order of slurmctld's queue in a pass
\*****************************************************************************/
#ifndef COHORT_HOOKS_QUEUE_ORDER_H
#define COHORT_HOOKS_QUEUE_ORDER_H

#include "state/job.h"

/* From here on, no job has a place. */
extern void queue_order_begin(void);
/* The entry may start by this partition, in which its job has this priority. Where
 * *place is kept tells queue_order_before() later which place it got. */
extern void queue_order_add(const struct entry *entry, part_record_t *part_ptr,
			    uint32_t priority, uint32_t *place);
/* One of several partitions by which a job must wait: it is tried there
 * last. */
extern void queue_order_note_last(void);
/* All entries are there: they get their places. */
extern void queue_order_assign(void);
/* Does it differ from Slurm's own? */
static inline bool queue_order_is_ours(void)
{
	return ctld.ordered;
}

/* How many places jobs of ours have taken in this pass */
extern size_t queue_order_places(void);
/* Does the first job go before the second? */
extern bool queue_order_before(const job_queue_rec_t *rec1,
			       const job_queue_rec_t *rec2);

/* Where the first one does not, slurmctld's sort asks next, and at once, whether the second
 * one goes before it (sort_job_queue2(), read in 22.05.8, 24.11.5 and 26.05.3). That is
 * known by then. */
struct order_answer {
	const job_queue_rec_t *first, *second;	/* the next question; NULL: none */
	bool before;
};
extern struct order_answer queue_order_next;

/* Is it that question? Then *before is the answer. */
static inline bool queue_order_is_known(const job_queue_rec_t *rec1,
					const job_queue_rec_t *rec2, bool *before)
{
	if ((queue_order_next.first != rec1) || (queue_order_next.second != rec2))
		return false;
	queue_order_next.first = NULL;
	*before = queue_order_next.before;
	return true;
}

/* It may not be asked. */
static inline void queue_order_forget_next(void)
{
	queue_order_next.first = NULL;
}

#endif /* COHORT_HOOKS_QUEUE_ORDER_H */
