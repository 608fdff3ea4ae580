/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pass.c - a scheduling pass: plan, marks, order
 *
 *  slurmctld has no hook for the start of a pass, but it clears
 *  preempt_in_progress of every job when it builds the queue, and then sorts
 *  the queue with our comparison. So one job's flag is our sentinel
 *  (sentinel.c): when it is found cleared, a new pass has begun. Then, once,
 *  all records are looked at, the plan is brought up to date, and every job
 *  that must wait is marked preempt_in_progress: the scheduler skips such a job
 *  without blocking anybody behind it.
 *
 *  Order: the managed jobs that may start take, by their rank in the plan, the
 *  places that managed jobs hold in Slurm's own order, within one priority
 *  tier. Those for whom nodes were cleared go before everybody, as soon as their
 *  victims have left. All other jobs keep their places. So one total order
 *  results, whatever Slurm's order of the two kinds was.
 *
 *  A job with several partitions is in Slurm's queue once for each, and has one
 *  flag for all. It is marked only if it must wait in all of them; where it
 *  must wait in some, it is tried there last of all, as a refusal may end the
 *  partition's turn in that pass.
\*****************************************************************************/
#include "hooks/pass.h"

#include "state/job.h"
#include "slurm/clock.h"
#include "slurm/passes.h"
#include "slurm/sentinel.h"
#include "slurm/waker.h"
#include "match/job_standing.h"
#include "record/count.h"
#include "record/shown.h"
#include "jobs/chance.h"
#include "jobs/hold.h"
#include "jobs/jobs.h"
#include "jobs/leaving.h"
#include "books/books.h"
#include "books/exempt.h"
#include "books/het.h"
#include "placement/unmanaged.h"
#include "tell/observe.h"
#include "tell/reason.h"
#include "estimate/estimate.h"
#include "hooks/asker.h"
#include "hooks/ctld.h"

/* What Slurm orders by, for the place that a job takes */
struct slot {
	bool first;			/* no place of Slurm's: before all others */
	bool last;			/* the same, after them */
	bool resv;
	uint16_t tier;
	uint32_t priority;
	time_t submit;
	uint32_t id;
	uint32_t task;
};

struct place_holder {
	uint64_t *place;		/* out: its index in the slots + 1 */
	struct slot slot;
	uint64_t rank;
};

static struct {
	struct slot *slots;		/* by job->slot - 1 */
	struct place_holder *holders;
	size_t nholders, size;
	bool sorting;			/* in one: else between two of them */
	bool lasts;			/* somebody is tried last */
	bool testing;			/* begun by a job that is being tried */
	bool reset;
	bool released;			/* somebody may start who could not */
} pass;

/* ---- order ---- */

static int _slot_cmp(const struct slot *a, const struct slot *b)
{
	if (a->first != b->first)
		return a->first ? -1 : 1;
	if (a->last != b->last)
		return a->last ? 1 : -1;
	if (a->resv != b->resv)
		return a->resv ? -1 : 1;
	if (a->tier != b->tier)
		return a->tier > b->tier ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return 0;
}

static struct slot _slot_of(job_record_t *job_ptr, part_record_t *part_ptr,
			    uint32_t priority, bool resv)
{
	bool task = job_ptr->array_task_id != NO_VAL;

	return (struct slot) {
		.resv = resv || job_ptr->resv_id,
		.tier = part_ptr ? part_ptr->priority_tier : 0,
		.priority = priority,
		.submit = job_ptr->details ? job_ptr->details->submit_time : 0,
		.id = task ? job_ptr->array_job_id : job_ptr->job_id,
		.task = job_ptr->array_task_id,
	};
}

static int _by_slot(const void *x, const void *y)
{
	const struct place_holder *a = x, *b = y;

	return _slot_cmp(&a->slot, &b->slot);
}

static int _by_tier_and_rank(const void *x, const void *y)
{
	const struct place_holder *a = x, *b = y;

	if (a->slot.first != b->slot.first)
		return a->slot.first ? -1 : 1;
	if (a->slot.resv != b->slot.resv)
		return a->slot.resv ? -1 : 1;
	if (a->slot.tier != b->slot.tier)
		return a->slot.tier > b->slot.tier ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Hand the places in Slurm's order to their holders by rank. Both sorts agree
 * in the first keys, so nobody leaves his tier. */
static void _assign_slots(void)
{
	xfree(pass.slots);
	if (!pass.nholders)
		return;
	pass.slots = xcalloc(pass.nholders, sizeof(struct slot));
	qsort(pass.holders, pass.nholders, sizeof(*pass.holders), _by_slot);
	for (size_t i = 0; i < pass.nholders; i++)
		pass.slots[i] = pass.holders[i].slot;
	qsort(pass.holders, pass.nholders, sizeof(*pass.holders),
	      _by_tier_and_rank);
	for (size_t i = 0; i < pass.nholders; i++)
		*pass.holders[i].place = i + 1;
}

/* It starts on what was cleared for it, and nobody may get in between: a job
 * of a higher tier that fails takes all nodes of its partition along, from
 * everybody behind it in a main pass. */
static bool _goes_first(const struct entry *entry)
{
	return entry->cleared && !entry->chance.no_nodes &&
		!hold_awaits(entry) &&
		!entry->job->job_ptr->het_job_id &&
		(engine_verdict(ctld.engine, entry->work)->kind ==
		 VERDICT_START);
}

static void _hold_place(const struct entry *entry, part_record_t *part_ptr,
			uint32_t priority, uint64_t rank, uint64_t *place)
{
	struct slot slot = _slot_of(entry->job->job_ptr, part_ptr, priority,
				    false);

	slot.first = _goes_first(entry);
	if (pass.nholders == pass.size) {
		pass.size = pass.size ? pass.size * 2 : 256;
		xrecalloc(pass.holders, pass.size, sizeof(*pass.holders));
	}
	pass.holders[pass.nholders++] = (struct place_holder) {
		.place = place,
		.slot = slot,
		.rank = rank,
	};
}

static bool _entry_waits(const struct entry *entry)
{
	if (entry->job->job_ptr->het_job_id)
		return !het_goes(entry->job) || entry->chance.behind;
	return (engine_verdict(ctld.engine, entry->work)->kind ==
		VERDICT_WAIT) || entry->chance.behind;
}

/* By each partition by which it may start. Components of several keep Slurm's
 * places: one after the other by all of them, the first would plan all nodes. */
static void _hold_places(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;

	if (!job->nvias && !(job_ptr->het_job_id && job_ptr->part_ptr_list))
		_hold_place(&job->first, job_ptr->part_ptr, job_ptr->priority,
			    engine_verdict(ctld.engine, job->first.work)->rank,
			    &job->slot);
	for (int i = 0; i < job->nvias; i++) {
		struct via *via = &job->vias[i];

		via->slot = 0;
		if (!via->entry)
			continue;
		if (_entry_waits(via->entry)) {
			pass.lasts = true;
			continue;
		}
		_hold_place(via->entry, via->part_ptr, compat_priority(job_ptr, via->listed, job->nlisted),
			    engine_verdict(ctld.engine, via->entry->work)->rank,
			    &via->slot);
	}
}

/* ---- marks ---- */

struct marking {
	time_t now;
	bool news;	/* records or plan have changed: texts may have to */
};

/* It must wait by all partitions */
static bool _must_wait(const struct job *job)
{
	bool waits = !job->outside;

	for_each_entry(e, job)
		waits &= _entry_waits(e);
	return waits;
}

/* What the plan has for it now. Must it wait? */
static bool _follow_plan(struct job *job)
{
	bool waits;

	for_each_entry(e, job) {
		e->started = 0;
		chance_release_if_in_turn(e);
	}
	waits = _must_wait(job);
	if (job->first.next) {
		for_each_entry(e, job)
			chance_note_offer(e, pass.sorting);
	}
	if (waits)
		chance_forget_tries(job);
	return waits;
}

static void _mark(struct job *job, void *arg)
{
	const struct marking *marking = arg;
	bool waits;

	job->slot = 0;
	if (!job_waits(job))
		return;
	if (ctld.conf->observe) {
		observe_judge(&job->first);
		return;
	}
	/* slurmctld ends a job that is too late when it tries it */
	waits = _follow_plan(job) &&
		!job_is_too_late(job->job_ptr, marking->now);
	if (job->marked && !waits) {
		job->job_ptr->preempt_in_progress = false;
		pass.released = true;
		shown_release_start(job);
	}
	job->marked = waits;
	if (waits) {
		chance_withdraw_offer(job);
		shown_update_start(job);
		job->job_ptr->preempt_in_progress = true;
		if (marking->news)
			reason_set(job, marking->now);
		return;
	}
	if (!reason_is_nodes(job))
		shown_clear_reason(job);
	else if (marking->news)
		reason_set(job, marking->now);
	_hold_places(job);
	/* one that is being tried was not passed over: it has been stamped
	 * for this very pass */
	if (!pass.testing)
		chance_watch_job(job, marking->now);
}

/* ---- start of a pass ---- */

static void _disown_expired(struct job *job, void *arg)
{
	time_t now = *(time_t *) arg;

	for_each_entry(e, job) {
		if (!e->own_until || !e->work || (now < e->own_until))
			continue;
		info(PREFIX "%pJ did not start in time: the quota freed for it is free again",
		     job->job_ptr);
		engine_disown(ctld.engine, e->work);
		jobs_set_own(e, 0);
	}
}

/* One that has to wait is marked in any case; nobody looks at the flag of one
 * that does not wait at all. */
static bool _may_be_sentinel(const job_record_t *job_ptr)
{
	const struct job *job;

	return !IS_JOB_PENDING(job_ptr) ||
		((job = jobs_find(job_ptr->job_id)) && job->marked);
}

static void _start(void)
{
	uint64_t begin = clock_usec();
	time_t now = time(NULL);
	struct marking marking;
	int planned;

	if (pass.reset)
		books_request_scan();
	pass.reset = false;
	marking.now = now;
	marking.news = books_scan();
	if (ctld.broken)
		return;
	if (ctld.owners)
		jobs_each(_disown_expired, &now);
	planned = engine_plan(ctld.engine, ns_of(now));
	if (planned < 0)
		error(PREFIX "plan: %m");
	marking.news |= planned != 0;
	if (marking.news)
		estimate_due();
	pass.nholders = 0;
	pass.lasts = false;
	leaving_look();
	jobs_each(_mark, &marking);
	_assign_slots();
	sentinel_choose(_may_be_sentinel);
	waker_at_ns(engine_next_expiry(ctld.engine));
	count_pass(clock_usec() - begin, planned);
}

extern void pass_reset(void)
{
	pass.reset = true;
}

extern void pass_refresh(void)
{
	if (!ctld_works())
		return;
	pass.released = false;
	_start();
	if (pass.released && ctld_enforces())
		compat_schedule();
}

/* Has slurmctld started a pass since the last one that we know of? Then it is
 * counted, and those whom that one started are as good as others. */
static bool _count_if_begun(void)
{
	if (!pass.reset && !sentinel_is_cleared())
		return false;
	pass_count_begun();
	if (exempt_forget_started())
		books_request_scan();
	return true;
}

extern void pass_begin_if_due(void)
{
	if (!ctld_works() || !_count_if_begun())
		return;
	pass.testing = true;
	_start();
	pass.testing = false;
}

/* ---- the comparison ---- */

static const struct via *_via_of(const struct job *job,
				 const part_record_t *part_ptr)
{
	for (int i = 0; i < job->nvias; i++) {
		if (job->vias[i].part_ptr == part_ptr)
			return &job->vias[i];
	}
	return NULL;
}

/* One that waits is skipped wherever it stands: it keeps its place. */
static bool _slot_for(const job_queue_rec_t *rec, struct slot *slot)
{
	struct job *job = rec->job_ptr->preempt_in_progress ? NULL :
		jobs_find(rec->job_ptr->job_id);
	const struct via *via = job ? _via_of(job, rec->part_ptr) : NULL;
	uint64_t place = via ? via->slot : job ? job->slot : 0;

	if (place) {
		*slot = pass.slots[place - 1];
		return true;
	}
	*slot = _slot_of(rec->job_ptr, rec->part_ptr,
			 rec->job_ptr->part_ptr_list ? rec->priority :
			 rec->job_ptr->priority, rec->resv_ptr != NULL);
	slot->last = via && via->entry;
	return slot->last;
}

extern bool ctld_job_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2)
{
	struct slot slot1, slot2;
	bool managed1, managed2;

	asker_sorted();
	/* A mark that is set was set in this pass: no need to ask further.
	 * In long queues nearly all jobs wait. */
	if (rec1->job_ptr->preempt_in_progress &&
	    rec2->job_ptr->preempt_in_progress)
		return false;
	if (!rec1->job_ptr->preempt_in_progress &&
	    !rec2->job_ptr->preempt_in_progress && ctld_works() &&
	    _count_if_begun()) {
		pass_count_sorted();
		pass.sorting = true;
		_start();
		pass.sorting = false;
	}
	/* Slurm's plugin may want an order that is none: only where no places
	 * are handed out, which need one. */
	if ((!pass.nholders && !pass.lasts) || !ctld_enforces())
		return unmanaged_before(rec1, rec2);
	managed1 = _slot_for(rec1, &slot1);
	managed2 = _slot_for(rec2, &slot2);
	if (!managed1 && !managed2)
		return false;
	return _slot_cmp(&slot1, &slot2) < 0;
}
