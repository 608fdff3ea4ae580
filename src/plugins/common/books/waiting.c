/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waiting.c - jobs that wait, and in which cluster queues
 *
 *  A job that names one partition has one entry in the books. A job that names
 *  several may start in any of them, and they need not be of the same cluster
 *  queue: the job has an entry, and a place, in each queue that one of its
 *  partitions matches, and one of the entries may start. The first entry is our
 *  record of the job itself, the others hang on it.
\*****************************************************************************/
#include "books/waiting.h"

#include "state/job.h"
#include "match/fingerprint.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "request/demand.h"
#include "request/learn.h"
#include "jobs/jobs.h"
#include "books/entries.h"
#include "books/het.h"

/* ---- jobs with several partitions ---- */

/* The order in which Slurm tries the partitions */
static int _by_tier(const void *x, const void *y)
{
	const struct via *a = x, *b = y;

	if (a->part_ptr->priority_tier != b->part_ptr->priority_tier)
		return a->part_ptr->priority_tier > b->part_ptr->priority_tier ?
			-1 : 1;
	return a->listed - b->listed;
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
		entry_clear(entry);
		jobs_drop_entry(entry);
	}
	if (first->work && !_leads_to(job, first->queue))
		entry_clear(first);
	if (!first->work && first->next) {
		entry_move(first, first->next);
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

	entries_drop_others(job);
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
