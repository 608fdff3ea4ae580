/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pass.c - a scheduling pass: plan, marks, order
 *
 *  slurmctld has no hook for the start of a pass, but it clears
 *  preempt_in_progress of every job when it builds the queue, and then sorts
 *  the queue with our comparison. So one job's flag is our sentinel: when it
 *  is found cleared, a new pass has begun. Then, once, all records are looked
 *  at, the plan is brought up to date, and every job that must wait is marked
 *  preempt_in_progress: the scheduler skips such a job without blocking
 *  anybody behind it.
 *
 *  Order: the managed jobs that may start take, by their rank in the plan, the
 *  places that managed jobs hold in Slurm's own order, within one priority
 *  tier. All other jobs keep theirs. So one total order results, whatever
 *  Slurm's order of the two kinds was.
\*****************************************************************************/
#include "ctld_priv.h"

/* Where no job can be sentinel, a pass is taken to last that long */
#define FRESH_USEC 100000

/* What Slurm orders by, for the place that a job takes */
struct slot {
	bool resv;
	uint16_t tier;
	uint32_t priority;
	time_t submit;
	uint32_t id;
	uint32_t task;
};

struct place_holder {
	struct job *job;
	part_record_t *part_ptr;
	struct slot slot;
	uint64_t rank;
};

static struct {
	uint32_t sentinel;		/* job id; 0: none */
	struct slot *slots;		/* by job->slot - 1 */
	struct place_holder *holders;
	size_t nholders, size;
	uint64_t fresh_until;		/* no sentinel: usec, by the clock */
	bool reset;
	bool released;			/* somebody may start who could not */
} pass;

/* ---- order ---- */

static int _slot_cmp(const struct slot *a, const struct slot *b)
{
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

	if (a->slot.resv != b->slot.resv)
		return a->slot.resv ? -1 : 1;
	if (a->slot.tier != b->slot.tier)
		return a->slot.tier > b->slot.tier ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Hand the places in Slurm's order to their holders by rank. Both sorts agree
 * in the first two keys, so nobody leaves his tier. */
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
		pass.holders[i].job->slot = i + 1;
}

static void _hold_place(struct job *job, uint64_t rank)
{
	job_record_t *job_ptr = job->job_ptr;

	if (pass.nholders == pass.size) {
		pass.size = pass.size ? pass.size * 2 : 256;
		xrecalloc(pass.holders, pass.size, sizeof(*pass.holders));
	}
	pass.holders[pass.nholders++] = (struct place_holder) {
		.job = job,
		.slot = _slot_of(job_ptr, job_ptr->part_ptr, job_ptr->priority,
				 false),
		.rank = rank,
	};
}

/* ---- marks ---- */

static void _observe(struct job *job, const struct verdict *v)
{
	bool waits = v->kind == VERDICT_WAIT;
	char text[REASON_SIZE];

	if (waits && !job->waits) {
		reason_text(job, text, sizeof(text));
		info(PREFIX "observe: %pJ would wait: %s", job->job_ptr, text);
	} else if ((v->kind == VERDICT_PREEMPT) && !job->waits) {
		info(PREFIX "observe: %pJ would preempt to start",
		     job->job_ptr);
	}
	job->waits = waits || (v->kind == VERDICT_PREEMPT);
}

/* Refused by the gate because of those before it, and none of them has left */
static bool _is_behind(struct job *job)
{
	struct position pos;

	if (!job->behind)
		return false;
	engine_position(ctld.engine, job->work, &pos);
	if (pos.place < job->behind)
		job->behind = 0;
	return job->behind != 0;
}

struct marking {
	time_t now;
	bool news;	/* records or plan have changed: texts may have to */
};

static void _mark(struct job *job, void *arg)
{
	const struct marking *marking = arg;
	const struct verdict *v;
	bool waits;

	job->slot = 0;
	job->started = 0;
	if (!job->work || workload_running(job->work))
		return;
	v = engine_verdict(ctld.engine, job->work);
	if (ctld.conf->observe) {
		_observe(job, v);
		return;
	}
	waits = (v->kind == VERDICT_WAIT) || _is_behind(job);
	if (job->waits && !waits) {
		job->job_ptr->preempt_in_progress = false;
		pass.released = true;
	}
	job->waits = waits;
	if (waits) {
		job->job_ptr->preempt_in_progress = true;
		pass.sentinel = job->job_id;
		if (marking->news)
			reason_set(job, marking->now);
		return;
	}
	if (!reason_is_nodes(job))
		reason_clear(job);
	else if (marking->news)
		reason_set(job, marking->now);
	_hold_place(job, v->rank);
}

static uint64_t _usec(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t) t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* No job waits: the flag of one that runs (nobody looks at it) serves. */
static int _lend_flag(void *x, void *arg UNUSED)
{
	job_record_t *job_ptr = x;

	if (IS_JOB_PENDING(job_ptr))
		return 0;
	job_ptr->preempt_in_progress = true;
	pass.sentinel = job_ptr->job_id;
	return 1;
}

/* ---- start of a pass ---- */

static void _disown_expired(struct job *job, void *arg)
{
	time_t now = *(time_t *) arg;

	if (!job->own_until || !job->work || (now < job->own_until))
		return;
	info(PREFIX "%pJ did not start in time: the quota freed for it is free again",
	     job->job_ptr);
	engine_disown(ctld.engine, job->work);
	jobs_set_own(job, 0);
}

static void _start(void)
{
	time_t now = time(NULL);
	struct marking marking;

	if (pass.reset)
		books_stale();
	pass.reset = false;
	marking.now = now;
	marking.news = books_scan();
	if (ctld.broken)
		return;
	if (ctld.owners)
		jobs_each(_disown_expired, &now);
	marking.news |= engine_plan(ctld.engine, ns_of(now));
	pass.sentinel = 0;
	pass.nholders = 0;
	jobs_each(_mark, &marking);
	_assign_slots();
	if (!pass.sentinel &&
	    !list_find_first(job_list, _lend_flag, NULL))
		pass.fresh_until = _usec() + FRESH_USEC;
	waker_at_ns(engine_next_expiry(ctld.engine));
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

extern void pass_touch(void)
{
	job_record_t *job_ptr;

	if (!ctld_works())
		return;
	if (!pass.reset && pass.sentinel) {
		job_ptr = find_job_record(pass.sentinel);
		if (job_ptr && job_ptr->preempt_in_progress)
			return;
	} else if (!pass.reset && (_usec() < pass.fresh_until)) {
		return;
	}
	_start();
}

/* ---- the comparison ---- */

/* One that waits is skipped wherever it stands: it keeps its place. */
static bool _slot_for(const job_queue_rec_t *rec, struct slot *slot)
{
	struct job *job = rec->job_ptr->preempt_in_progress ? NULL :
		jobs_find(rec->job_ptr->job_id);

	if (job && job->slot) {
		*slot = pass.slots[job->slot - 1];
		return true;
	}
	*slot = _slot_of(rec->job_ptr, rec->part_ptr,
			 rec->job_ptr->part_ptr_list ? rec->priority :
			 rec->job_ptr->priority, rec->resv_ptr != NULL);
	return false;
}

extern bool ctld_job_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2)
{
	struct slot slot1, slot2;
	bool managed1, managed2;

	/* A mark that is set was set in this pass: no need to ask further.
	 * In long queues nearly all jobs wait. */
	if (rec1->job_ptr->preempt_in_progress &&
	    rec2->job_ptr->preempt_in_progress)
		return false;
	if (!rec1->job_ptr->preempt_in_progress &&
	    !rec2->job_ptr->preempt_in_progress)
		pass_touch();
	if (!pass.nholders || !ctld_enforces())
		return false;
	managed1 = _slot_for(rec1, &slot1);
	managed2 = _slot_for(rec2, &slot2);
	if (!managed1 && !managed2)
		return false;
	return _slot_cmp(&slot1, &slot2) < 0;
}
