/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  starts.c - starts and ends, as slurmctld tells of them
 *
 *  A job whose end has begun keeps its quota until its nodes are free, which they
 *  become one after the other, as their epilogs end. CPUs, memory, GRES and nodes
 *  are charged as far as they are on nodes that are not free yet; what is on no
 *  node, licenses for example, until all of them are free.
 *
 *  slurmctld does not tell when a node or the last one of them is free: each walk
 *  looks, and so does a job that is submitted between two walks.
\*****************************************************************************/
#include "books/books.h"

#include "slurm/passes.h"
#include "slurm/worker.h"
#include "match/match.h"
#include "events/events.h"
#include "request/request.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "query.h"

/* ---- who is to be looked at ---- */

/* Ids of jobs whose end went on when we last looked; some may be there twice. */
static struct {
	uint32_t *ids;
	size_t n, size;
} awaited;

static void _await(const struct job *job)
{
	grow_list(awaited.ids, awaited.n, awaited.size);
	awaited.ids[awaited.n++] = job->job_id;
}

extern void ending_await_none(void)
{
	awaited.n = 0;
}

extern void ending_look(void (*look)(uint32_t job_id))
{
	size_t n = awaited.n;

	for (size_t i = 0; i < n; i++)
		look(awaited.ids[i]);
	/* those that are awaited again came behind */
	awaited.n -= n;
	if (awaited.n)
		memmove(awaited.ids, awaited.ids + n, awaited.n * sizeof(*awaited.ids));
}

/* ---- what it still uses ---- */

/* What is left of an amount: the part that is on nodes that are still in use, of what is on all
 * of them. Rounded up: nothing is promised twice. */
static int64_t _left_of(int64_t amount, job_record_t *job_ptr, const struct resource *r)
{
	int64_t left = 0, all = 0;
	node_record_t *node_ptr;
	uint32_t host = 0;

	for_each_node_in(node_ptr, job_ptr->job_resrcs->node_bitmap) {
		int64_t there = allocated_on(job_ptr, r, host++);

		all += there;
		if (bit_test(job_ptr->node_bitmap_cg, node_ptr->index))
			left += there;
	}
	if (left == all)
		return amount;
	return (int64_t) (((__int128) amount * left + all - 1) / all);
}

/* How many of its nodes are in use, if some of them are free; else 0. */
static uint32_t _nodes_left(const job_record_t *job_ptr)
{
	const job_resources_t *resrcs = job_ptr->job_resrcs;
	uint32_t nodes;

	if (!resrcs || !resrcs->node_bitmap || !job_ptr->node_bitmap_cg ||
	    (bit_size(resrcs->node_bitmap) != bit_size(job_ptr->node_bitmap_cg)))
		return 0;
	nodes = bit_set_count(job_ptr->node_bitmap_cg);
	return nodes < resrcs->nhosts ? nodes : 0;
}

/* Each walk and each submission comes here, and a job may have thousands of nodes. */
static void _charge_rest(struct job *job)
{
	size_t nresources = ctld.conf->spec->nresources, n;
	uint32_t left = _nodes_left(job->job_ptr);
	struct charge *charges;
	int64_t *amounts;

	if (!left || (left == run_of(job)->nodes_left))
		return;
	job_get_run(job)->nodes_left = left;
	amounts = xcalloc(nresources + 1, sizeof(*amounts));
	charges = xcalloc(nresources + 1, sizeof(*charges));
	allocated_of(job->job_ptr, NULL, amounts);
	for (size_t i = 0; i < nresources; i++)
		amounts[i] = _left_of(amounts[i], job->job_ptr, &ctld.resources[i]);
	n = charge_list(entry_get_flavors(&job->first), amounts, charges);
	charge_set(job, charges, n);
	xfree(amounts);
	xfree(charges);
}

/* ---- its end ---- */

/* slurmctld tells of the end of a job when the end begins: processes are still
 * to be killed, and epilogs to run. The job keeps its quota until its nodes are
 * free, or the same quota would be promised twice. */
extern bool ending_is(const struct job *job)
{
	return job_runs(job) && IS_JOB_COMPLETING(job->job_ptr);
}

extern void ending_sync(struct job *job)
{
	/* It may have ended before the books were begun (restart, reconfigure). */
	if (!job->first.work)
		running_book(job, false);
	if (!job_runs(job))
		return;
	engine_evicting(ctld.engine, job->first.work, true);
	_charge_rest(job);
	_await(job);
}

extern void ending_over(struct job *job)
{
	entries_unbook(job);
	xfree(job->first.flavors);
}

/* ---- starts and evictions are counted, and evictions told ---- */

/* How long the job stood in line before it started */
static time_t _waited(const job_record_t *job_ptr)
{
	return job_ptr->start_time - MAX(job_ptr->details->submit_time,
					 job_ptr->details->begin_time);
}

static void _count_start(const struct job *job)
{
	count_admission(workload_queue(job->first.work), _waited(job->job_ptr),
			!job_queue_borrows(job));
}

/* The queue of the job for which it was evicted, if that is still known */
static int _evicted_by(const struct job *job)
{
	const struct job *by = jobs_find(run_of(job)->noted_by);
	const struct entry *owner = by ? job_owner(by) : NULL;

	return owner ? owner->queue : by ? by->first.queue : SPEC_NONE;
}

/* Its charges are still in the books. */
static void _count_eviction(struct job *job)
{
	time_t now = time(NULL), lost = job_would_lose(job->job_ptr, now);
	struct json_object *event = eviction_ended(job, job_ran_for(job->job_ptr, now), lost);
	int queue = workload_queue(job->first.work);
	const struct charge *charges;
	size_t n;

	if (run_of(job)->told) {
		json_object_put(event);
		return;
	}
	job_get_run(job)->told = true;
	count_eviction(queue, _evicted_by(job), run_of(job)->noted_for);
	charges = workload_charges(job->first.work, &n);
	for (size_t i = 0; job_runs(job) && (i < n); i++)
		count_loss(queue, &charges[i], lost);
	if (event)
		events_put(event);
}

/* ---- slurmctld tells ---- */

/* A task has left its array: what was decided for the array was decided for this task. */
static void _leave_array(struct job *job, struct job *array, part_record_t *part_ptr)
{
	struct entry *entry = job_entry_by_partition(array, part_ptr);
	/* the record that the array had until now is the task's */
	job_record_t *job_ptr = find_job_record(array->job_id);

	job->order_at = array->order_at;
	chance_end_wait(array, entry);
	planned_end_wait_of_task(array);
	array->job_ptr = job_ptr;
	if (job_ptr && job_ptr->details)
		job_ptr->details->preempt_start_time = 0;
	if (!entry)
		return;
	if (!job->first.flavors && entry->flavors) {
		job->first.flavors = entry->flavors;
		entry->flavors = NULL;
	}
	engine_disown(ctld.engine, entry->work);
	jobs_set_own(entry, 0);
	entry->started++;
}

/* Nothing is kept of a job that starts outside all queues, unless it was in one.
 * The list of its partitions is not looked at: slurmctld may have it locked. */
static bool _is_kept(job_record_t *job_ptr)
{
	return jobs_find(job_ptr->job_id) ||
		(job_ptr->array_job_id && jobs_find(job_ptr->array_job_id)) ||
		(queue_of_job(job_ptr, job_ptr->part_ptr) != SPEC_NONE);
}

static void _book_start(job_record_t *job_ptr)
{
	struct job *job = jobs_get(job_ptr), *array = NULL;

	if (job_ptr->array_job_id && (job_ptr->array_job_id != job_ptr->job_id))
		array = jobs_find(job_ptr->array_job_id);
	if (array && job_waits(array))
		_leave_array(job, array, job_ptr->part_ptr);
	job_get_run(job)->kind = RUN_IS_NEW;
	entries_settle(job, job_ptr->part_ptr);
	running_book(job, true);
	if (job->first.work) {
		_count_start(job);
		exempt_started(job);
	}
	saver_save();
}

extern void books_started(job_record_t *job_ptr)
{
	history_advance_now();
	/* the eviction for it is over, for the array's next task too */
	job_ptr->details->preempt_start_time = 0;
	eviction_clear_admin(job_ptr);
	if (_is_kept(job_ptr))
		_book_start(job_ptr);
	sentinel_offer(job_ptr);
}

extern void books_resized(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job || !job_runs(job))
		return;
	history_advance_now();
	job->job_ptr = job_ptr;
	running_book(job, false);
	/* licenses and TRES are set later */
	job->provisional = true;
}

extern void books_ended(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);
	struct run *run;

	ctld.releases++;
	if (!job)
		return;
	history_advance_now();
	if (job_ptr->het_job_id)
		het_ended(job_ptr);
	job->job_ptr = job_ptr;
	run = job_get_run(job);
	if (run->turn_over)	/* it had its turn: it goes behind the jobs that waited */
		job->order_at = job_time(run->turn_over);
	run->turn_over = 0;
	if (run->noted && job->first.work)
		_count_eviction(job);
	run->noted = false;
	job_keep(job);		/* slurmctld may requeue it */
	if (ending_is(job)) {
		engine_evicting(ctld.engine, job->first.work, true);
		_await(job);
	} else {
		ending_over(job);
	}
	saver_save();
}
