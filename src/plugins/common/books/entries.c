/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  entries.c - the entries of a job in the books
\*****************************************************************************/
#include "books/entries.h"

#include "state/job.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "request/demand.h"
#include "request/learn.h"
#include "request/podset.h"
#include "record/shown.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "books/het.h"

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

extern void entry_clear(struct entry *entry)
{
	if (entry->work && workload_running(entry->work)) {
		learn_released();
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

extern void entries_drop_others(struct job *job)
{
	while (job->first.next) {
		entry_clear(job->first.next);
		jobs_drop_entry(job->first.next);
	}
	xfree(job->vias);
	job->outside = false;
}

extern void entries_unbook(struct job *job)
{
	entries_drop_others(job);
	entry_clear(&job->first);
	job->fingerprint = 0;
	shown_clear_reason(job);
	shown_clear_start(job);
	jobs_unmark(job);
}

/* Move what belongs to an entry to another entry of the same job */
extern void entry_move(struct entry *to, struct entry *from)
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
		entry_clear(&job->first);
	if (entry && (entry != &job->first)) {
		entry_clear(entry);		/* book it anew, as the first entry */
		entry_move(&job->first, entry);
	}
	entries_drop_others(job);
}
