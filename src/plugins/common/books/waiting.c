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
#include "match/fingerprint.h"
#include "match/het_records.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "request/learn.h"
#include "request/podset.h"
#include "record/shown.h"
#include "books/chance.h"
#include "books/het.h"
#include "books/hold.h"
#include "books/jobs.h"

/* Components of one job stand in line as one */
static int64_t _priority(job_record_t *job_ptr, part_record_t *part_ptr)
{
	job_record_t *leader = het_leader(job_ptr);

	return leader == job_ptr ? priority_of_job(job_ptr, part_ptr) :
		priority_of_job(leader, partition_of_job(leader));
}

static void _tell(struct entry *entry, const struct workload_desc *desc)
{
	if (entry->work && !workload_running(entry->work)) {
		if (engine_update(ctld.engine, entry->work, desc))
			error(PREFIX "%pJ: %m", entry->job->job_ptr);
		/* what was freed is not what it asks for now */
		if (entry->own_until && !workload_owns(entry->work))
			jobs_set_own(entry, 0);
	} else if (!(entry->work = engine_submit(ctld.engine, desc))) {
		error(PREFIX "%pJ: %m", entry->job->job_ptr);
	}
}

static void _submit(struct entry *entry, int queue)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	struct podset podset;
	struct workload_desc desc = {
		.queue = queue,
		.local_queue = local_queue_take(entry, queue),
		.priority = _priority(job_ptr, job_partition(entry, 0)),
		.created_at = ns_of(job_ptr->details->submit_time),
		.queue_order_at = ns_of(entry->job->order_at),
		.tiebreak = entry->job->job_id,
		.tasks = job_waiting_tasks(job_ptr),
		.max_starts = job_max_starts(job_ptr),
		.follower = het_is_follower(entry->job, queue),
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
		_submit(&job->first, queue);
	return job->first.work;
}

/* ---- entries of one job ---- */

static void _clear(struct entry *entry)
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
	while (job->first.next) {
		_clear(job->first.next);
		jobs_drop_entry(job->first.next);
	}
	xfree(job->vias);
	job->nvias = 0;
	job->outside = false;
}

extern void waiting_unbook(struct job *job)
{
	_drop_others(job);
	_clear(&job->first);
	job->fingerprint = 0;
	shown_clear_reason(job);
	shown_clear_start(job);
	job->marked = false;
}

/* What belongs to an entry, to another one of the same job */
static void _move(struct entry *to, struct entry *from)
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
	chance_move(to, from);
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
	struct entry *entry = job_entry_by_partition(job, part_ptr);

	chance_forget_tries(job);
	if (!job->nvias)
		return;
	if (entry != &job->first)
		_clear(&job->first);
	if (entry && (entry != &job->first)) {
		_clear(entry);		/* booked anew, as the first one */
		_move(&job->first, entry);
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
	struct entry *first = &job->first, *entry = first->next, *next;

	for (; entry; entry = next) {
		next = entry->next;
		if (_leads_to(job, entry->queue))
			continue;
		_clear(entry);
		jobs_drop_entry(entry);
	}
	if (first->work && !_leads_to(job, first->queue))
		_clear(first);
	if (!first->work && first->next) {
		_move(first, first->next);
		jobs_drop_entry(first->next);
	}
}

static struct entry *_find_or_add_entry(struct job *job, int queue)
{
	struct entry *entry;

	for_each_entry(e, job) {
		if (e->queue == queue)
			return e;
	}
	entry = job->first.queue == SPEC_NONE ? &job->first :
		jobs_add_entry(job);
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
	struct entry *first = NULL;

	for_each_entry(e, job) {
		if (e->work)
			engine_unbond(ctld.engine, e->work);
	}
	for (int i = 0; i < job->nvias; i++) {
		struct entry *entry = job->vias[i].entry;

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
			job->vias[i].entry =
				_find_or_add_entry(job, job->vias[i].queue);
	}
	for_each_entry(e, job) {
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
		_submit(&job->first, queue);
	if (job_ptr->het_job_id)
		het_bind(job);
}

/* ---- all of them ---- */

static uint64_t _fingerprint(job_record_t *job_ptr)
{
	uint64_t hash = fingerprint_of_demand(job_ptr);
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

	if (job_runs(job))
		waiting_unbook(job);
	for_each_entry(e, job)
		learn_check(e);
	if (fingerprint != job->fingerprint) {
		if (_names_several(job->job_ptr))
			_sync_several(job);
		else
			_sync_one(job);
		job->fingerprint = fingerprint;
	}
	for_each_entry(e, job) {
		/* Quota is there, but another of Slurm's limits holds it back */
		if (e->work)
			engine_blocked(ctld.engine, e->work,
				       chance_was_missed(e) ||
				       compat_limit_holds(job->job_ptr) ||
				       compat_lacks_licenses(job->job_ptr));
	}
}

/* ---- which one to speak of ---- */

/* How far an entry is from its start, nearest first */
static int _distance(const struct entry *entry)
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

static bool _is_nearer(const struct entry *entry, const struct entry *than)
{
	int closer = _distance(than) - _distance(entry);
	struct position a, b;

	engine_position(ctld.engine, entry->work, &a);
	engine_position(ctld.engine, than->work, &b);
	return (closer > 0) || (!closer && (a.place < b.place));
}

extern const struct entry *waiting_nearest(const struct entry *entry)
{
	const struct job *job = entry->job;
	int n = entry == &job->first ? job->nvias : 0;
	const struct entry *nearest = NULL;

	for (int i = 0; i < n; i++) {
		const struct entry *e = job->vias[i].entry;

		if (!e || !e->work || (e == nearest))
			continue;
		if (!nearest || _is_nearer(e, nearest))
			nearest = e;
	}
	/* of components, the one that keeps it from going */
	return nearest ? nearest :
		entry_of(engine_waits_for(ctld.engine, entry->work));
}
