/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_order.c - the order of slurmctld's queue in a pass
 *
 *  The managed jobs that may start take, by their rank in the plan, the places
 *  that managed jobs hold in Slurm's own order, within one priority tier. Jobs
 *  for which nodes were cleared go before all others, as soon as their victims
 *  have left. All other jobs keep their places. The result is one total order,
 *  whatever Slurm's order of managed and unmanaged jobs was.
\*****************************************************************************/
#include "hooks/pass.h"

#include "jobs/jobs.h"

#include <stdlib.h>

/* What Slurm orders by, for the place that a job takes */
struct slot {
	uint32_t group;			/* no job leaves it: the lowest one goes first */
	uint32_t priority;
	time_t submit;
	uint32_t id;
	uint32_t task;
};

/* Jobs with a reservation, by tiers, and the others, by tiers. There are as many groups before
 * all of Slurm's places, and behind them. */
#define GROUPS_OF_RESV (1u << 16)
#define GROUPS (2 * GROUPS_OF_RESV)

struct place_holder {
	struct slot slot;		/* its own by Slurm's order */
	uint64_t rank;			/* in the plan */
	uint32_t number;		/* as which one it was added; then, of its slot */
	uint32_t *place;		/* out: the number of the slot that it takes, from 1 on */
};

static struct {
	struct place_holder *holders;
	struct slot *slots;		/* of the holders, in Slurm's order */
	size_t nholders, size;
} order;

/* ---- Slurm's own order ---- */

static int _slot_cmp(const struct slot *a, const struct slot *b)
{
	int cmp = compare64(a->group, b->group);

	if (!cmp)
		cmp = compare64(b->priority, a->priority);
	if (!cmp)
		cmp = compare64(a->submit, b->submit);
	if (!cmp)
		cmp = compare64(a->id, b->id);
	return cmp ? cmp : compare64(a->task, b->task);
}

static inline void _take_slot(struct slot *slot, const job_record_t *job_ptr,
			      const part_record_t *part_ptr, uint32_t priority, bool resv)
{
	slot->group = GROUPS + (resv || job_ptr->resv_id ? 0 : GROUPS_OF_RESV) +
		UINT16_MAX - (part_ptr ? part_ptr->priority_tier : 0);
	slot->priority = priority;
	slot->submit = job_ptr->details ? job_ptr->details->submit_time : 0;
	slot->task = job_ptr->array_task_id;
	slot->id = slot->task != NO_VAL ? job_ptr->array_job_id : job_ptr->job_id;
}

/* Two entries of a job with several partitions may have the same slot. */
static int _holders_by_slot(const void *x, const void *y)
{
	const struct place_holder *a = x, *b = y;
	int cmp = _slot_cmp(&a->slot, &b->slot);

	return cmp ? cmp : compare64(a->number, b->number);
}

/* Those of one rank have Slurm's order. */
static int _holders_by_rank(const void *x, const void *y)
{
	const struct place_holder *a = x, *b = y;
	int cmp = compare64(a->slot.group, b->slot.group);

	if (!cmp)
		cmp = compare64(a->rank, b->rank);
	return cmp ? cmp : compare64(a->number, b->number);
}

/* The jobs take the slots of all of them by their rank. */
extern void queue_order_assign(void)
{
	if (!order.nholders)
		return;
	xrecalloc(order.slots, order.nholders, sizeof(*order.slots));
	qsort(order.holders, order.nholders, sizeof(*order.holders), _holders_by_slot);
	for (size_t i = 0; i < order.nholders; i++) {
		order.slots[i] = order.holders[i].slot;
		order.holders[i].number = i;
	}
	qsort(order.holders, order.nholders, sizeof(*order.holders), _holders_by_rank);
	for (size_t i = 0; i < order.nholders; i++)
		*order.holders[i].place = i + 1;
}

/* ---- the places ---- */

/* The job starts on what was cleared for it, and no other job may come between:
 * if a job of a higher tier fails, the main scheduler closes all nodes of its
 * partition to all jobs behind it. */
static bool _goes_first(const struct entry *entry, const struct verdict *v)
{
	return entry->cleared && (entry->standing != STANDS_NO_NODES) &&
		!hold_awaits(entry) &&
		!entry->job->job_ptr->het_job_id && (v->kind == VERDICT_START);
}

extern void queue_order_add(const struct entry *entry, const struct verdict *v,
			    part_record_t *part_ptr, uint32_t priority, uint32_t *place)
{
	struct place_holder *holder;

	grow_list(order.holders, order.nholders, order.size);
	holder = &order.holders[order.nholders];
	holder->number = order.nholders++;
	ctld.ordered = true;
	holder->place = place;
	_take_slot(&holder->slot, entry->job->job_ptr, part_ptr, priority, false);
	if (_goes_first(entry, v))
		holder->slot.group -= GROUPS;
	holder->rank = v->rank;
}

extern void queue_order_begin(void)
{
	order.nholders = 0;
	ctld.ordered = false;
}

extern size_t queue_order_places(void)
{
	return order.nholders;
}

/* ---- the comparison ---- */

static const struct via *_via_of(const struct job *job, const part_record_t *part_ptr)
{
	for (int i = 0; i < job_nvias(job); i++) {
		if (job->vias->all[i].part_ptr == part_ptr)
			return &job->vias->all[i];
	}
	return NULL;
}

/* The place that the plan gives the job; Slurm's, if there is none: a job that must wait is
 * skipped wherever it stands. True: the place is ours. */
static bool _slot_of(const job_queue_rec_t *rec, struct slot *slot)
{
	const job_record_t *job_ptr = rec->job_ptr;
	const struct job *job = job_ptr->preempt_in_progress ? NULL :
		jobs_find(job_ptr->job_id);
	const struct via *via = job ? _via_of(job, rec->part_ptr) : NULL;
	uint32_t place = via ? via->slot : job ? job->slot : 0;

	if (place) {
		*slot = order.slots[place - 1];
		return true;
	}
	_take_slot(slot, job_ptr, rec->part_ptr,
		   job_ptr->part_ptr_list ? rec->priority : job_ptr->priority,
		   rec->resv_ptr != NULL);
	/* one that backfill plans although it has no quota is not tried last */
	if (!via || !via->entry || (job->marked && planned_any()))
		return false;
	slot->group += GROUPS;
	return true;
}

extern bool queue_order_before(const job_queue_rec_t *rec1, const job_queue_rec_t *rec2)
{
	struct slot slot1, slot2;
	bool ours1 = _slot_of(rec1, &slot1), ours2 = _slot_of(rec2, &slot2);

	return (ours1 || ours2) && (_slot_cmp(&slot1, &slot2) < 0);
}
