/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_order.h - the order of slurmctld's queue in a pass
\*****************************************************************************/
#ifndef COHORT_HOOKS_QUEUE_ORDER_H
#define COHORT_HOOKS_QUEUE_ORDER_H

#include "state/job.h"
#include "jobs/changes.h"

/* From here on, no job has a place. */
extern void queue_order_begin(void);
/* The entry may start by this partition, in which its job has this priority; v: what the plan
 * says of the entry. Where *place is kept tells queue_order_before() later which place it got. */
extern void queue_order_add(const struct entry *entry, const struct verdict *v,
			    part_record_t *part_ptr, uint32_t priority, uint32_t *place);
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

/* What is asked next, and its answer; returns the answer now. */
static inline bool queue_order_answer(const job_queue_rec_t *rec1, const job_queue_rec_t *rec2,
				      bool before, bool after)
{
	queue_order_next.first = before ? NULL : rec2;
	queue_order_next.second = rec1;
	queue_order_next.before = after;
	return before;
}

/* The places of a pass, found without our records, as a sort asks for each some twenty
 * times. Once any of our records has changed, only these tell. */
struct order_place {
	const part_record_t *part_ptr;
	uint32_t job_id;		/* 0: none */
	uint32_t place;
};
struct order_known {
	struct order_place *all;
	size_t last;			/* of those in use: a power of two, less one */
	size_t size;			/* there is room for so many */
	uint64_t changes;		/* changes_count() when they were given */
};
extern struct order_known queue_order_known;

/* Ids are given in turn: those of one partition meet nobody. */
static inline struct order_place *order_place_of(uint32_t job_id, const part_record_t *part_ptr)
{
	size_t apart = ((uintptr_t) part_ptr >> 4) * 0x9e3779b1u;

	return &queue_order_known.all[(job_id + apart) & queue_order_known.last];
}

/* One without a mark: 0 if its place is not known */
static inline uint32_t queue_order_place(const job_queue_rec_t *rec)
{
	const struct order_place *p = order_place_of(rec->job_ptr->job_id, rec->part_ptr);

	return (p->job_id == rec->job_ptr->job_id) && (p->part_ptr == rec->part_ptr) ?
		p->place : 0;
}

static inline bool queue_order_has_places(void)
{
	return queue_order_known.changes == changes_count();
}

#endif /* COHORT_HOOKS_QUEUE_ORDER_H */
