/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  books.c - job records into events for the engine
 *
 *  slurmctld tells its plugins when a job gets and releases its nodes, but not
 *  when one is submitted, changed, held or cancelled while it waits. So every
 *  pass looks at all job records once; a fingerprint says at little cost that
 *  nothing has changed, and only what did change becomes an event.
\*****************************************************************************/
#include "ctld_priv.h"

static struct {
	uint32_t number;
	uint32_t seen;			/* jobs it saw */
	time_t at;			/* when it was made; 0: none yet */
	time_t due;			/* a job gets in line by the clock, or 0 */
	bool unsettled;			/* a job may get in line unannounced */
} scan;

/* ---- charges ---- */

extern size_t books_charges(const int *flavors, const int64_t *amounts,
			    struct charge *charges)
{
	size_t n = 0;

	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		if ((flavors[i] < 0) || (amounts[i] <= 0))
			continue;
		charges[n++] = (struct charge) {
			.flavor = flavors[i],
			.resource = (int) i,
			.amount = amounts[i],
		};
	}
	return n;
}

/* The first flavor of the group that holds all nodes of the job */
static int _flavor_by_nodes(const struct spec_group *group, bitstr_t *nodes)
{
	for (size_t i = 0; i < group->nflavors; i++) {
		bitstr_t *of_flavor = flavor_nodes(group->flavors[i]);

		if (!of_flavor || !nodes || bit_super_set(nodes, of_flavor))
			return group->flavors[i];
	}
	return group->flavors[0];
}

extern void books_flavors_by_nodes(int queue, bitstr_t *nodes, int *flavors)
{
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];

	for (size_t i = 0; i < ctld.conf->spec->nresources; i++)
		flavors[i] = -1;
	for (size_t i = 0; i < q->ngroups; i++) {
		int flavor = _flavor_by_nodes(&q->groups[i], nodes);

		for (size_t j = 0; j < q->groups[i].nresources; j++)
			flavors[q->groups[i].resources[j]] = flavor;
	}
}

/* ---- waiting jobs ---- */

static bool _covers(const struct spec_queue *queue, int resource)
{
	for (size_t i = 0; i < queue->ngroups; i++) {
		for (size_t j = 0; j < queue->groups[i].nresources; j++) {
			if (queue->groups[i].resources[j] == resource)
				return true;
		}
	}
	return false;
}

/* What the queue does not cover is not limited by it: leave it out. */
static size_t _requests(int queue, const int64_t *amounts,
			struct request *requests)
{
	const struct spec *spec = ctld.conf->spec;
	size_t n = 0;

	for (size_t i = 0; i < spec->nresources; i++) {
		if ((amounts[i] > 0) && _covers(&spec->queues[queue], i))
			requests[n++] = (struct request) { i, amounts[i] };
	}
	return n;
}

static void _submit(struct job *job, int queue)
{
	const struct spec *spec = ctld.conf->spec;
	job_record_t *job_ptr = job->job_ptr;
	int64_t *amounts = xcalloc(spec->nresources + 1, sizeof(*amounts));
	struct request *requests = xcalloc(spec->nresources + 1,
					   sizeof(*requests));
	bool *ineligible = xcalloc(spec->nflavors + 1, sizeof(*ineligible));
	struct podset_desc podset = {
		.name = "job", .count = 1, .group = -1,
		.requests = requests, .ineligible = ineligible,
	};
	struct workload_desc desc = {
		.queue = queue,
		.local_queue = who_local_queue(queue, job_ptr),
		.priority = who_priority(job_ptr),
		.created_at = ns_of(job_ptr->details->submit_time),
		.queue_order_at = ns_of(job->order_at),
		.tiebreak = job->job_id,
		.tasks = who_tasks(job_ptr),
		.max_starts = who_max_starts(job_ptr),
		.podsets = &podset, .npodsets = 1,
		.owner = job,
	};

	demand_of(job_ptr, job, amounts);
	podset.nrequests = _requests(queue, amounts, requests);
	for (size_t i = 0; i < spec->nflavors; i++)
		ineligible[i] = !flavor_suits(i, job_ptr);
	if (job->work && !workload_running(job->work)) {
		if (engine_update(ctld.engine, job->work, &desc))
			error(PREFIX "%pJ: %m", job_ptr);
	} else if (!(job->work = engine_submit(ctld.engine, &desc))) {
		error(PREFIX "%pJ: %m", job_ptr);
	}
	xfree(amounts);
	xfree(requests);
	xfree(ineligible);
}

static void _unbook(struct job *job)
{
	if (job->work)
		engine_remove(ctld.engine, job->work);
	job->work = NULL;
	job->fingerprint = 0;
	jobs_set_own(job, 0);
	reason_clear(job);
	job->waits = false;
}

static void _sync_waiting(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;
	uint64_t fingerprint = demand_fingerprint(job_ptr) * 31 +
		who_priority(job_ptr);
	bool blocked;
	int queue;

	if (job->work && workload_running(job->work))
		_unbook(job);
	if (fingerprint != job->fingerprint) {
		if ((queue = who_queue(job_ptr)) == SPEC_NONE) {
			_unbook(job);
			job->fingerprint = fingerprint;
			return;
		}
		_submit(job, queue);
		job->fingerprint = fingerprint;
	}
	/* Quota is there, but another of Slurm's limits holds the job back */
	blocked = job->no_nodes || !acct_policy_job_runnable_state(job_ptr);
	if (job->work)
		engine_blocked(ctld.engine, job->work, blocked);
}

/* ---- running jobs ---- */

/* selected: from job_begin, where GRES and whole nodes are chosen, but not yet
 * entered in the record. The next scan charges what was. */
static void _charge(struct job *job, bool selected)
{
	size_t nresources = ctld.conf->spec->nresources, n;
	job_record_t *job_ptr = job->job_ptr;
	int64_t *amounts = xcalloc(nresources + 1, sizeof(*amounts));
	struct charge *charges = xcalloc(nresources + 1, sizeof(*charges));

	if (!job->flavors) {
		job->flavors = xcalloc(nresources + 1, sizeof(int));
		books_flavors_by_nodes(workload_queue(job->work),
				       job_ptr->node_bitmap, job->flavors);
	}
	demand_allocated(job_ptr, selected, amounts);
	n = books_charges(job->flavors, amounts, charges);
	job->provisional = selected;
	job->paused = job_ptr->tot_sus_time;
	if (engine_start(ctld.engine, job->work, charges, n,
			 ns_of(job_ptr->start_time + job->paused)))
		error(PREFIX "%pJ: %m", job_ptr);
	xfree(amounts);
	xfree(charges);
}

static void _book_running(struct job *job, bool selected)
{
	int queue;

	if (!job->work) {
		if ((queue = who_queue(job->job_ptr)) == SPEC_NONE)
			return;
		_submit(job, queue);
		if (!job->work)
			return;
	}
	_charge(job, selected);
	reason_clear(job);
	job->waits = false;
	job->no_nodes = false;
	jobs_set_own(job, 0);
}

/* Time spent suspended does not count as run time. */
static void _sync_pause(struct job *job)
{
	time_t paused = job->job_ptr->tot_sus_time;

	if (paused == job->paused)
		return;
	engine_pause(ctld.engine, job->work, ns_of(paused - job->paused));
	job->paused = paused;
}

/* The tasks of an array that says so are one elastic group. */
static void _sync_elastic(struct job *job)
{
	int64_t min_available = demand_min_available(job->job_ptr);

	if ((min_available >= 0) &&
	    engine_elastic(ctld.engine, job->work, job->job_ptr->array_job_id,
			   min_available))
		error(PREFIX "%pJ: %m", job->job_ptr);
}

static void _sync_running(struct job *job)
{
	bool going = job->job_ptr->preempt_time != 0;

	if (!job->work || !workload_running(job->work))
		_book_running(job, false);
	else if (job->provisional)
		_charge(job, false);
	if (!job->work)
		return;
	if (going != workload_evicting(job->work)) {
		engine_evicting(ctld.engine, job->work, going);
		if (!going)
			job->turn_over = 0;
	}
	_sync_pause(job);
	_sync_elastic(job);
	engine_exempt(ctld.engine, job->work,
		      evict_exempt_until(job->job_ptr));
}

extern void books_started(job_record_t *job_ptr)
{
	struct job *job = jobs_get(job_ptr), *array = NULL;

	/* what was evicted for it is over, for the array's next task too */
	job_ptr->details->preempt_start_time = 0;

	if (job_ptr->array_job_id && (job_ptr->array_job_id != job_ptr->job_id))
		array = jobs_find(job_ptr->array_job_id);
	if (array && array->work && !workload_running(array->work)) {
		/* A task has left its array: what was decided for the array
		 * was decided for this task. */
		if (!job->flavors && array->flavors) {
			job->flavors = array->flavors;
			array->flavors = NULL;
		}
		job->order_at = array->order_at;
		/* the record the array had until now is the task's */
		array->job_ptr = find_job_record(array->job_id);
		if (array->job_ptr && array->job_ptr->details)
			array->job_ptr->details->preempt_start_time = 0;
		engine_disown(ctld.engine, array->work);
		jobs_set_own(array, 0);
		array->no_nodes = false;
		array->started++;
	}
	_book_running(job, true);
	waker_save();
}

extern void books_resized(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job || !job->work || !workload_running(job->work))
		return;
	job->job_ptr = job_ptr;
	_book_running(job, false);
}

/* slurmctld tells of the end of a job when it begins: processes are still to
 * be killed, epilogs to run. Until its nodes are free it keeps its quota, or
 * that would be promised twice. */
static bool _is_leaving(const struct job *job)
{
	return job->work && workload_running(job->work) &&
		IS_JOB_COMPLETING(job->job_ptr);
}

static void _release(struct job *job)
{
	_unbook(job);
	xfree(job->flavors);
}

extern void books_ended(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job)
		return;
	job->job_ptr = job_ptr;
	if (job->turn_over)	/* it had its turn: behind those that waited */
		job->order_at = job->turn_over;
	job->turn_over = 0;
	if (_is_leaving(job))
		engine_evicting(ctld.engine, job->work, true);
	else
		_release(job);
	books_stale();
	waker_save();
}

/* ---- scans ---- */

extern struct job *books_sync(job_record_t *job_ptr)
{
	bool waiting = who_in_line(job_ptr, time(NULL));
	bool running = !waiting && who_holds_nodes(job_ptr);
	struct job *job;

	setup_check_layout(job_ptr);
	if (ctld.broken)
		return NULL;
	job = jobs_find(job_ptr->job_id);
	if (!job && !waiting && !running)
		return NULL;
	job = jobs_get(job_ptr);
	if (job->scan != scan.number)
		scan.seen++;
	job->scan = scan.number;
	if (waiting)
		_sync_waiting(job);
	else if (running)
		_sync_running(job);
	else if (job->work && !_is_leaving(job))
		_release(job);
	return job;
}

static void _drop_purged(struct job *job, void *arg UNUSED)
{
	if (job->scan == scan.number)
		return;
	job->job_ptr = NULL;	/* its record is gone */
	_unbook(job);
	jobs_drop(job);
}

static void _forget_fingerprint(struct job *job, void *arg UNUSED)
{
	job->fingerprint = 0;
}

/* Slurm stamps every change of jobs, partitions and nodes, to the second. What
 * it does not stamp is a job that becomes due, or loses its dependency. */
static bool _nothing_new(time_t now)
{
	return scan.at && !scan.unsettled && !(scan.due && (now >= scan.due)) &&
		(last_job_update < scan.at) && (last_part_update < scan.at) &&
		(last_node_update < scan.at);
}

static void _note_due(const job_record_t *job_ptr)
{
	const struct job_details *details = job_ptr->details;

	if (!IS_JOB_PENDING(job_ptr) || !details)
		return;
	if (details->depend_list)
		scan.unsettled = true;
	if ((details->begin_time > scan.at) &&
	    (!scan.due || (details->begin_time < scan.due)))
		scan.due = details->begin_time;
}

extern void books_stale(void)
{
	scan.at = 0;
}

extern bool books_scan(void)
{
	time_t now = time(NULL);
	compat_itr_t iter;
	job_record_t *job_ptr;

	if (_nothing_new(now))
		return false;
	scan.number++;
	scan.seen = 0;
	scan.at = now;
	scan.due = 0;
	scan.unsettled = false;
	if (flavor_refresh())
		jobs_each(_forget_fingerprint, NULL);
	iter = list_iterator_create(job_list);
	while ((job_ptr = list_next(iter)) && !ctld.broken) {
		(void) books_sync(job_ptr);
		_note_due(job_ptr);
	}
	list_iterator_destroy(iter);
	if (!ctld.broken && (scan.seen < jobs_count()))
		jobs_each(_drop_purged, NULL);
	return true;
}

extern struct job *books_waiting(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job || !job->work || workload_running(job->work))
		return NULL;
	return job;
}
