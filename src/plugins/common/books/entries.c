/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  entries.c - jobs that wait: their entries in cluster queues
 *
 *  A job that names one partition has one entry in the books. A job that names
 *  several may start in any of them, and they need not be of the same cluster
 *  queue: the job has an entry, and a place, in each queue that one of its
 *  partitions matches, and one of the entries may start. The first entry is our
 *  record of the job itself, the others hang on it.
\*****************************************************************************/
#include "books/books.h"

#include "match/match.h"
#include "request/request.h"
#include "record/record.h"
#include "jobs/jobs.h"

/* Components of one job stand in line as one entry */
extern int64_t entry_priority(job_record_t *job_ptr, part_record_t *part_ptr)
{
	job_record_t *leader = het_leader(job_ptr);

	return leader == job_ptr ? priority_of_job(job_ptr, part_ptr) :
		priority_of_job(leader, partition_of_job(leader));
}

/* Of an array that can do with some of its tasks (--comment), only so many are
 * non-preemptible. */
static void _describe_kind(struct workload_desc *desc, const struct entry *entry)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	int64_t members = demand_min_available(job_ptr);

	desc->nonpreemptible = (members != 0) &&
		preemptibility_is_non(job_ptr, job_partition(entry, 0),
				      desc->queue, desc->priority);
	if (!desc->nonpreemptible || (members < 0))
		return;
	desc->group = job_ptr->array_job_id;
	desc->fixed_members = members;
}

static void _tell(struct entry *entry, const struct workload_desc *desc)
{
	if (entry->work && !workload_running(entry->work)) {
		if (engine_update(ctld.engine, entry->work, desc))
			error(PREFIX "%pJ: %m", entry->job->job_ptr);
		/* the freed quota is not what the job asks for now */
		if (entry->own_until && !workload_owns(entry->work))
			jobs_set_own(entry, 0);
	} else if (!(entry->work = engine_submit(ctld.engine, desc))) {
		error(PREFIX "%pJ: %m", entry->job->job_ptr);
	}
}

extern void entry_submit(struct entry *entry, int queue)
{
	const struct evictions *evictions = &run_of(entry->job)->evictions;
	job_record_t *job_ptr = entry->job->job_ptr;
	struct podset podset;
	struct workload_desc desc = {
		.queue = queue,
		.local_queue = local_queue_take(entry, queue),
		.priority = entry_priority(job_ptr, job_partition(entry, 0)),
		.queue_order_at = ns_of(entry->job->order_at),
		.tiebreak = entry->job->job_id,
		.tasks = job_waiting_tasks(job_ptr),
		.max_starts = job_max_starts(job_ptr),
		.follower = het_is_follower(job_ptr),
		.podsets = &podset.desc, .npodsets = 1,
		.evictions = evictions->count, .lost = evictions->lost,
		.turns = evictions->turns,
		.owner = entry,
	};

	count_work(WORK_BOOKED);
	ctld.changes++;
	entry->queue = queue;
	_describe_kind(&desc, entry);
	podset_of(&podset, entry, queue);
	_tell(entry, &desc);
	if (job_has_moved(entry->job, job_ptr))
		job_keep(entry->job);
	podset_free(&podset);
}

/* ---- entries of one job ---- */

static void _clear(struct entry *entry)
{
	if (entry->work && workload_running(entry->work)) {
		ctld.releases++;
		jobs_set_alone(entry->job, false);
	}
	if (entry->work)
		engine_remove(ctld.engine, entry->work);
	entry->work = NULL;
	entry->queue = SPEC_NONE;
	ctld.changes++;
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
	job->outside = false;
}

extern void entries_unbook(struct job *job)
{
	_drop_others(job);
	_clear(&job->first);
	job->fingerprint = 0;
	shown_clear_reason(job);
	shown_clear_start(job);
	jobs_unmark(job);
}

/* Move what belongs to an entry to another entry of the same job, which has to be out of the
 * books */
static void _move(struct entry *to, struct entry *from)
{
	local_queue_release(to);
	to->work = from->work;
	to->queue = from->queue;
	to->local_queue = from->local_queue;
	xfree(to->flavors);
	to->flavors = from->flavors;
	from->flavors = NULL;
	learn_move(to, from);
	chance_move(to, from);
	jobs_set_own(to, from->own_until);
	if (from->cleared)
		hold_nodes(to, from->cleared);
	jobs_set_own(from, 0);
	from->work = NULL;
	from->local_queue = 0;
}

extern void entries_settle(struct job *job, const part_record_t *part_ptr)
{
	struct entry *entry = job_entry_by_partition(job, part_ptr);

	job->offer.first_try = 0;
	if (!job_nvias(job))
		return;
	if (entry != &job->first)
		_clear(&job->first);
	if (entry && (entry != &job->first)) {
		_clear(entry);		/* book it anew, as the first entry */
		_move(&job->first, entry);
	}
	_drop_others(job);
}

/* ---- jobs with several partitions ---- */

/* The order in which Slurm tries the partitions */
static int _by_tier(const void *x, const void *y)
{
	const struct via *a = x, *b = y;
	int cmp = compare64(b->part_ptr->priority_tier, a->part_ptr->priority_tier);

	return cmp ? cmp : a->listed - b->listed;
}

/* The partitions that take jobs now */
static void _gather(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;
	int n = list_count(job_ptr->part_ptr_list), listed = 0;
	part_record_t *part_ptr;
	struct vias *vias = xcalloc(1, sizeof(*vias) + n * sizeof(struct via));

	xfree(job->vias);
	job->vias = vias;
	vias->nlisted = n;
	for_each_in(part_ptr, job_ptr->part_ptr_list) {
		int place = listed++;

		if (!(part_ptr->state_up & PARTITION_SCHED))
			continue;
		vias->all[vias->n++] = (struct via) {
			.part_ptr = part_ptr,
			.queue = queue_of_job(job_ptr, part_ptr),
			.listed = place,
		};
	}
	qsort(vias->all, vias->n, sizeof(*vias->all), _by_tier);
}

static bool _leads_to(const struct job *job, int queue)
{
	for (int i = 0; i < job_nvias(job); i++) {
		if (job->vias->all[i].queue == queue)
			return true;
	}
	return false;
}

/* Drop entries in queues that no partition of the job leads to any more. */
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

/* One of the entries may start: the first one that can, in Slurm's order */
static void _bind(struct job *job)
{
	struct entry *first = NULL;

	for_each_entry(e, job) {
		if (e->work)
			engine_unbond(ctld.engine, e->work);
	}
	for (int i = 0; i < job_nvias(job); i++) {
		struct entry *entry = job->vias->all[i].entry;

		if (!entry || !entry->work || (entry == first) || workload_bonded(entry->work))
			continue;
		if (!first)
			first = entry;
		else if (engine_bond(ctld.engine, entry->work, first->work, BOND_EITHER))
			error(PREFIX "%pJ: %m", job->job_ptr);
	}
}

static void _sync_several(struct job *job)
{
	_gather(job);
	_prune(job);
	job->outside = false;
	for (int i = 0; i < job_nvias(job); i++) {
		struct via *via = &job->vias->all[i];

		if (via->queue == SPEC_NONE)
			job->outside = true;
		else
			via->entry = _find_or_add_entry(job, via->queue);
	}
	for_each_entry(e, job) {
		if (e->queue != SPEC_NONE)
			entry_submit(e, e->queue);
	}
	_bind(job);
}

static void _sync_one(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;
	int queue = queue_of_job(job_ptr, partition_of_job(job_ptr));

	_drop_others(job);
	if (queue == SPEC_NONE)
		entries_unbook(job);
	else
		entry_submit(&job->first, queue);
	if (job_ptr->het_job_id)
		het_bind(job);
}

/* ---- all waiting jobs ---- */

static uint64_t _fingerprint(job_record_t *job_ptr)
{
	uint64_t hash = fingerprint_of_demand(job_ptr) +
		preemptibility_word(job_ptr) +
		3 * (uint64_t) demand_min_available(job_ptr);
	part_record_t *part_ptr;

	hash = hash * 31 + het_is_follower(job_ptr);
	if (!job_ptr->part_ptr_list)
		return hash * 31 + entry_priority(job_ptr, job_ptr->part_ptr);
	for_each_in(part_ptr, job_ptr->part_ptr_list) {
		hash = hash * 31 + (uintptr_t) part_ptr;
		hash = hash * 31 + part_ptr->state_up;
		hash = hash * 31 + part_ptr->priority_tier;
		hash = hash * 31 + entry_priority(job_ptr, part_ptr);
	}
	return hash;
}

/* Do all the partitions by which it could start refuse the job? What is refused by its
 * one partition is not in line. */
static bool _is_refused(const struct entry *entry)
{
	const struct job *job = entry->job;
	int ways = 0;

	for (int i = 0; i < job_nvias(job); i++) {
		const struct via *via = &job->vias->all[i];

		if (via->entry != entry)
			continue;
		if (!job_is_refused_by(job->job_ptr, via->part_ptr))
			return false;
		ways++;
	}
	return ways > 0;
}

extern void waiting_sync(struct job *job)
{
	uint64_t fingerprint = _fingerprint(job->job_ptr);

	if (job_runs(job))
		entries_unbook(job);
	if (job->run)
		job->run->kind = RUN_IS_PREEMPTIBLE;
	for_each_entry(e, job)
		learn_check(e);
	if (fingerprint != job->fingerprint) {
		if (job_names_several(job->job_ptr) && !job->job_ptr->het_job_id)
			_sync_several(job);
		else
			_sync_one(job);
		job->fingerprint = fingerprint;
	}
	for_each_entry(e, job) {
		if (e->work)
			engine_blocked(ctld.engine, e->work,
				       standing_is_blocked(e->standing) || _is_refused(e));
	}
}
