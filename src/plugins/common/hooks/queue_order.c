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
#include "hooks/queue_order.h"

#include <stdlib.h>

#include "jobs/jobs.h"
#include "jobs/planned.h"

/* What Slurm orders by, for the place that a job takes */
struct slot {
	bool first;			/* before all of Slurm's places */
	bool last;			/* after all of Slurm's places */
	bool resv;
	uint16_t tier;
	uint32_t priority;
	time_t submit;
	uint32_t id;
	uint32_t task;
};

struct place_holder {
	struct slot slot;		/* its own by Slurm's order */
	uint64_t rank;			/* in the plan */
	uint32_t number;		/* of its slot, from 1 on */
	uint32_t came;			/* as which one it was added */
	uint32_t *place;		/* out: the number of the slot that it takes */
};

static struct {
	struct place_holder *holders;
	struct slot *slots;		/* each once, in Slurm's order */
	uint32_t *numbers;		/* of the holders' slots, in Slurm's order */
	size_t nholders, size;
} order;

/* ---- Slurm's own order ---- */

static inline int _cmp(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int _tier_cmp(const struct slot *a, const struct slot *b)
{
	int cmp = _cmp(b->first, a->first);

	if (!cmp)
		cmp = _cmp(a->last, b->last);
	if (!cmp)
		cmp = _cmp(b->resv, a->resv);
	return cmp ? cmp : _cmp(b->tier, a->tier);
}

static int _slot_cmp(const struct slot *a, const struct slot *b)
{
	int cmp = _tier_cmp(a, b);

	if (!cmp)
		cmp = _cmp(b->priority, a->priority);
	if (!cmp)
		cmp = _cmp(a->submit, b->submit);
	if (!cmp)
		cmp = _cmp(a->id, b->id);
	return cmp ? cmp : _cmp(a->task, b->task);
}

static inline void _take_slot(struct slot *slot, const job_record_t *job_ptr,
			      const part_record_t *part_ptr, uint32_t priority, bool resv)
{
	slot->first = slot->last = false;
	slot->resv = resv || job_ptr->resv_id;
	slot->tier = part_ptr ? part_ptr->priority_tier : 0;
	slot->priority = priority;
	slot->submit = job_ptr->details ? job_ptr->details->submit_time : 0;
	slot->task = job_ptr->array_task_id;
	slot->id = slot->task != NO_VAL ? job_ptr->array_job_id : job_ptr->job_id;
}

static int _holders_by_slot(const void *x, const void *y)
{
	return _slot_cmp(&((const struct place_holder *) x)->slot,
			 &((const struct place_holder *) y)->slot);
}

/* No job leaves its tier. Those of one rank have Slurm's order. */
static int _holders_by_rank(const void *x, const void *y)
{
	const struct place_holder *a = x, *b = y;
	int cmp = _tier_cmp(&a->slot, &b->slot);

	if (!cmp)
		cmp = _cmp(a->rank, b->rank);
	if (!cmp)
		cmp = _cmp(a->number, b->number);
	return cmp ? cmp : _cmp(a->came, b->came);
}

/* The jobs take the slots of all of them by their rank. Two entries of a job with
 * several partitions may have the same slot. */
extern void queue_order_assign(void)
{
	uint32_t n = 0;

	qsort(order.holders, order.nholders, sizeof(*order.holders), _holders_by_slot);
	for (size_t i = 0; i < order.nholders; i++) {
		struct place_holder *holder = &order.holders[i];

		if (!n || _slot_cmp(&order.slots[n - 1], &holder->slot))
			order.slots[n++] = holder->slot;
		holder->number = order.numbers[i] = n;
	}
	qsort(order.holders, order.nholders, sizeof(*order.holders), _holders_by_rank);
	for (size_t i = 0; i < order.nholders; i++)
		*order.holders[i].place = order.numbers[i];
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

	if (order.nholders == order.size) {
		order.size = MAX(2 * order.size, 256);
		xrecalloc(order.holders, order.size, sizeof(*order.holders));
		xrecalloc(order.slots, order.size, sizeof(*order.slots));
		xrecalloc(order.numbers, order.size, sizeof(*order.numbers));
	}
	holder = &order.holders[order.nholders];
	holder->came = order.nholders++;
	ctld.ordered = true;
	holder->place = place;
	_take_slot(&holder->slot, entry->job->job_ptr, part_ptr, priority, false);
	holder->slot.first = _goes_first(entry, v);
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

extern void queue_order_note_last(void)
{
	ctld.ordered = true;
}

/* ---- the comparison ---- */

static const struct via *_via_of(const struct job *job,
				 const part_record_t *part_ptr)
{
	for (int i = 0; i < job_nvias(job); i++) {
		if (job->vias->all[i].part_ptr == part_ptr)
			return &job->vias->all[i];
	}
	return NULL;
}

/* The place that the plan gives the job, or 0. A job that must wait has none: it is skipped
 * wherever it stands. */
static uint64_t _place_of(const job_queue_rec_t *rec)
{
	const job_record_t *job_ptr = rec->job_ptr;
	const struct job *job = job_ptr->preempt_in_progress ? NULL :
		jobs_find(job_ptr->job_id);
	const struct via *via;

	if (!job || !job_nvias(job))
		return job ? job->slot : 0;
	via = _via_of(job, rec->part_ptr);
	return via ? via->slot : job->slot;
}

/* One without a place keeps Slurm's. True: it is a job of ours that comes last. */
static bool _slurms_slot(const job_queue_rec_t *rec, struct slot *slot)
{
	const struct job *job = rec->job_ptr->preempt_in_progress ? NULL :
		jobs_find(rec->job_ptr->job_id);
	const struct via *via = job ? _via_of(job, rec->part_ptr) : NULL;

	_take_slot(slot, rec->job_ptr, rec->part_ptr,
		   rec->job_ptr->part_ptr_list ? rec->priority :
		   rec->job_ptr->priority, rec->resv_ptr != NULL);
	/* one that backfill plans although it has no quota is not tried last */
	slot->last = via && via->entry && !(job->marked && planned_any());
	return slot->last;
}

static bool _slot_for(const job_queue_rec_t *rec, uint64_t place,
		      struct slot *slot)
{
	if (!place)
		return _slurms_slot(rec, slot);
	*slot = order.slots[place - 1];
	return true;
}

extern bool queue_order_before(const job_queue_rec_t *rec1,
			       const job_queue_rec_t *rec2)
{
	uint64_t place1 = _place_of(rec1), place2 = _place_of(rec2);
	struct slot slot1, slot2;
	bool managed1, managed2;

	if (place1 && place2)
		return place1 < place2;
	managed1 = _slot_for(rec1, place1, &slot1);
	managed2 = _slot_for(rec2, place2, &slot2);
	return (managed1 || managed2) && (_slot_cmp(&slot1, &slot2) < 0);
}
