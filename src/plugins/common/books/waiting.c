/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waiting.c - what waits, and in which cluster queues
 *
 *  A job that names one partition has one entry in the books. One that names
 *  several may start in any of them, and they need not be of the same cluster
 *  queue: it has an entry, and a place, in each queue that one of them
 *  matches, and one of the entries may go. The first one is our record of the
 *  job itself, the others hang on it.
\*****************************************************************************/
#include "books/waiting.h"

#include "state/job.h"
#include "slurm/waker.h"
#include "match/queue_of_job.h"
#include "request/demand.h"
#include "request/learn.h"
#include "request/podset.h"
#include "books/het.h"
#include "books/hold.h"
#include "books/jobs.h"
#include "tell/reason.h"
#include "estimate/estimate.h"

extern part_record_t *waiting_partition(const struct job *entry, int n)
{
	const struct job *job = job_first(entry);

	if (!job->nvias)
		return n ? NULL : entry->job_ptr->part_ptr;
	for (int i = 0; i < job->nvias; i++) {
		if ((job->vias[i].entry == entry) && !n--)
			return job->vias[i].part_ptr;
	}
	return NULL;
}

/* Components of one job stand in line as one */
static int64_t _priority(job_record_t *job_ptr, part_record_t *part_ptr)
{
	job_record_t *leader = het_leader(job_ptr);

	return leader == job_ptr ? priority_of_job(job_ptr, part_ptr) :
		priority_of_job(leader, partition_of_job(leader));
}

static void _tell(struct job *entry, const struct workload_desc *desc)
{
	if (entry->work && !workload_running(entry->work)) {
		if (engine_update(ctld.engine, entry->work, desc))
			error(PREFIX "%pJ: %m", entry->job_ptr);
		/* what was freed is not what it asks for now */
		if (entry->own_until && !workload_owns(entry->work))
			jobs_set_own(entry, 0);
	} else if (!(entry->work = engine_submit(ctld.engine, desc))) {
		error(PREFIX "%pJ: %m", entry->job_ptr);
	}
}

static void _submit(struct job *entry, int queue)
{
	job_record_t *job_ptr = entry->job_ptr;
	struct podset podset;
	struct workload_desc desc = {
		.queue = queue,
		.local_queue = local_queue_take(entry, queue),
		.priority = _priority(job_ptr, waiting_partition(entry, 0)),
		.created_at = ns_of(job_ptr->details->submit_time),
		.queue_order_at = ns_of(job_first(entry)->order_at),
		.tiebreak = entry->job_id,
		.tasks = job_waiting_tasks(job_ptr),
		.max_starts = job_max_starts(job_ptr),
		.follower = het_is_follower(entry, queue),
		.podsets = &podset.desc, .npodsets = 1,
		.owner = entry,
	};

	entry->queue = queue;
	podset_of(&podset, entry, queue);
	_tell(entry, &desc);
	podset_free(&podset);
}

extern bool waiting_submit(struct job *job)
{
	int queue = queue_of_job(job->job_ptr, job->job_ptr->part_ptr);

	if (queue != SPEC_NONE)
		_submit(job, queue);
	return job->work;
}

/* ---- entries of one job ---- */

static void _clear(struct job *entry)
{
	if (entry->work && workload_running(entry->work))
		learn_released();
	if (entry->work)
		engine_remove(ctld.engine, entry->work);
	entry->work = NULL;
	entry->queue = SPEC_NONE;
	local_queue_release(entry);
	jobs_set_own(entry, 0);
}

static void _drop_others(struct job *job)
{
	while (job->other) {
		_clear(job->other);
		jobs_drop_other(job, job->other);
	}
	xfree(job->vias);
	job->nvias = 0;
	job->outside = false;
}

extern void waiting_unbook(struct job *job)
{
	_drop_others(job);
	_clear(job);
	job->fingerprint = 0;
	reason_clear(job);
	estimate_clear(job);
	job->waits = false;
}

extern struct job *waiting_entry(struct job *job, const part_record_t *part_ptr)
{
	for (int i = 0; i < job->nvias; i++) {
		if (job->vias[i].part_ptr == part_ptr)
			return job->vias[i].entry;
	}
	return job->nvias ? NULL : job;
}

/* What belongs to an entry, to another record of the same job */
static void _move(struct job *to, struct job *from)
{
	xfree(to->flavors);
	xfree(to->learned);
	local_queue_release(to);
	to->work = from->work;
	to->queue = from->queue;
	to->local_queue = from->local_queue;
	to->flavors = from->flavors;
	to->learned = from->learned;
	to->learned_from = from->learned_from;
	to->learned_at = from->learned_at;
	to->behind = from->behind;
	to->no_nodes = from->no_nodes;
	jobs_set_own(to, from->own_until);
	if (from->cleared)
		hold_nodes(to, from->cleared);
	jobs_set_own(from, 0);
	from->work = NULL;
	from->local_queue = 0;
	from->flavors = NULL;
	from->learned = NULL;
}

extern void waiting_settle(struct job *job, const part_record_t *part_ptr)
{
	struct job *entry = waiting_entry(job, part_ptr);

	job->crowded = 0;
	if (!job->nvias)
		return;
	if (entry != job)
		_clear(job);
	if (entry && (entry != job)) {
		_clear(entry);		/* booked anew, as the job itself */
		_move(job, entry);
	}
	_drop_others(job);
}

/* ---- several partitions ---- */

/* The order in which Slurm tries them */
static int _by_tier(const void *x, const void *y)
{
	const struct via *a = x, *b = y;

	if (a->part_ptr->priority_tier != b->part_ptr->priority_tier)
		return a->part_ptr->priority_tier > b->part_ptr->priority_tier ?
			-1 : 1;
	return a->listed - b->listed;
}

/* Those that take jobs now */
static void _gather(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;
	int n = list_count(job_ptr->part_ptr_list), listed = 0;
	compat_itr_t iter = list_iterator_create(job_ptr->part_ptr_list);
	part_record_t *part_ptr;

	xfree(job->vias);
	job->vias = xcalloc(n, sizeof(*job->vias));
	job->nvias = 0;
	for (; (part_ptr = list_next(iter)); listed++) {
		if (!(part_ptr->state_up & PARTITION_SCHED))
			continue;
		job->vias[job->nvias++] = (struct via) {
			.part_ptr = part_ptr,
			.queue = queue_of_job(job_ptr, part_ptr),
			.listed = listed,
		};
	}
	list_iterator_destroy(iter);
	job->nlisted = n;
	qsort(job->vias, job->nvias, sizeof(*job->vias), _by_tier);
}

static bool _leads_to(const struct job *job, int queue)
{
	for (int i = 0; i < job->nvias; i++) {
		if (job->vias[i].queue == queue)
			return true;
	}
	return false;
}

/* No entries in queues that no partition leads to any more */
static void _prune(struct job *job)
{
	struct job *entry = job->other, *next;

	for (; entry; entry = next) {
		next = entry->other;
		if (_leads_to(job, entry->queue))
			continue;
		_clear(entry);
		jobs_drop_other(job, entry);
	}
	if (job->work && !_leads_to(job, job->queue))
		_clear(job);
	if (!job->work && job->other) {
		_move(job, job->other);
		jobs_drop_other(job, job->other);
	}
}

static struct job *_entry_in(struct job *job, int queue)
{
	struct job *entry;

	for (entry = job; entry; entry = entry->other) {
		if (entry->queue == queue)
			return entry;
	}
	entry = job->queue == SPEC_NONE ? job : jobs_add_other(job);
	entry->queue = queue;
	return entry;
}

static bool _is_first_of_entry(const struct job *job, int i)
{
	if (!job->vias[i].entry)
		return false;
	for (int k = 0; k < i; k++) {
		if (job->vias[k].entry == job->vias[i].entry)
			return false;
	}
	return true;
}

/* One of the entries may go: the first one that can, in Slurm's order */
static void _bind(struct job *job)
{
	struct job *first = NULL;

	for (struct job *e = job; e; e = e->other) {
		if (e->work)
			engine_unbond(ctld.engine, e->work);
	}
	for (int i = 0; i < job->nvias; i++) {
		struct job *entry = job->vias[i].entry;

		if (!_is_first_of_entry(job, i) || !entry->work)
			continue;
		if (!first)
			first = entry;
		else if (engine_bond(ctld.engine, entry->work, first->work,
				     BOND_EITHER))
			error(PREFIX "%pJ: %m", job->job_ptr);
	}
}

static void _sync_several(struct job *job)
{
	_gather(job);
	_prune(job);
	job->outside = false;
	for (int i = 0; i < job->nvias; i++) {
		if (job->vias[i].queue == SPEC_NONE)
			job->outside = true;
		else
			job->vias[i].entry = _entry_in(job, job->vias[i].queue);
	}
	for (struct job *e = job; e; e = e->other) {
		e->job_ptr = job->job_ptr;
		if (e->queue != SPEC_NONE)
			_submit(e, e->queue);
	}
	_bind(job);
}

static void _sync_one(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;
	int queue = queue_of_job(job_ptr, partition_of_job(job_ptr));

	_drop_others(job);
	if (queue == SPEC_NONE)
		waiting_unbook(job);
	else
		_submit(job, queue);
	if (job_ptr->het_job_id)
		het_bind(job);
}

/* ---- all of them ---- */

static uint64_t _fingerprint(job_record_t *job_ptr)
{
	uint64_t hash = demand_fingerprint(job_ptr);
	part_record_t *part_ptr;
	compat_itr_t iter;

	if (!job_ptr->part_ptr_list)
		return hash * 31 + _priority(job_ptr, job_ptr->part_ptr);
	iter = list_iterator_create(job_ptr->part_ptr_list);
	while ((part_ptr = list_next(iter))) {
		hash = hash * 31 + (uintptr_t) part_ptr;
		hash = hash * 31 + part_ptr->state_up;
		hash = hash * 31 + part_ptr->priority_tier;
		hash = hash * 31 + _priority(job_ptr, part_ptr);
	}
	list_iterator_destroy(iter);
	return hash;
}

static bool _names_several(const job_record_t *job_ptr)
{
	return job_ptr->part_ptr_list && !job_ptr->het_job_id &&
		(list_count(job_ptr->part_ptr_list) > 1);
}

extern void waiting_sync(struct job *job)
{
	uint64_t fingerprint = _fingerprint(job->job_ptr);

	if (job->work && workload_running(job->work))
		waiting_unbook(job);
	for (struct job *e = job; e; e = e->other)
		learn_check(e);
	if (fingerprint != job->fingerprint) {
		if (_names_several(job->job_ptr))
			_sync_several(job);
		else
			_sync_one(job);
		job->fingerprint = fingerprint;
	}
	for (struct job *e = job; e; e = e->other) {
		e->job_ptr = job->job_ptr;
		/* Quota is there, but another of Slurm's limits holds it back */
		if (e->work)
			engine_blocked(ctld.engine, e->work, e->no_nodes ||
				       job->passed_over ||
				       compat_limit_holds(job->job_ptr) ||
				       compat_lacks_licenses(job->job_ptr));
	}
}

/* ---- which may start and does not ---- */

/* Slurm has tried it, or found its nodes down before it came to that */
static bool _has_no_nodes(const struct job *job)
{
	const job_record_t *job_ptr = job->job_ptr;

	switch (engine_verdict(ctld.engine, job->work)->kind) {
	case VERDICT_START:
		return job_ptr->last_sched_eval > job->may_since;
	case VERDICT_PREEMPT:	/* tried again while its victims go */
		return job_ptr->state_reason == WAIT_NODE_NOT_AVAIL;
	default:
		return false;
	}
}

extern void waiting_watch(struct job *job, time_t now)
{
	if (!job->may_since) {
		job->may_since = now;
		return;
	}
	if (job->passed_over || job->no_nodes || job->other ||
	    job->job_ptr->het_job_id || !_has_no_nodes(job))
		return;
	job->passed_over = true;
	engine_blocked(ctld.engine, job->work, true);
	waker_schedule();
}

/* ---- which one to speak of ---- */

/* How far an entry is from its start, nearest first */
static int _distance(const struct job *entry)
{
	static const int by_reason[] = {
		[WAIT_IS_PREEMPTING] = 2,
		[WAIT_IS_ORDER] = 3,
		[WAIT_IS_QUOTA] = 4,
		[WAIT_IS_PROTECTED] = 4,
		[WAIT_IS_HELD] = 5,
		[WAIT_IS_NEVER] = 6,
	};
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);

	if (v->kind == VERDICT_START)
		return 0;
	return v->kind == VERDICT_WAIT ? by_reason[v->reason] : 1;
}

extern const struct job *waiting_nearest(const struct job *job)
{
	const struct job *nearest = NULL;

	for (int i = 0; i < job->nvias; i++) {
		const struct job *entry = job->vias[i].entry;
		struct position a, b;
		int closer;

		if (!entry || !entry->work || (entry == nearest))
			continue;
		if (!nearest) {
			nearest = entry;
			continue;
		}
		closer = _distance(nearest) - _distance(entry);
		engine_position(ctld.engine, entry->work, &a);
		engine_position(ctld.engine, nearest->work, &b);
		if ((closer > 0) || (!closer && (a.place < b.place)))
			nearest = entry;
	}
	/* of components, the one that keeps it from going */
	return nearest ? nearest : workload_owner(
		engine_waits_for(ctld.engine, job->work));
}
