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

#include "src/common/xhash.h"

/* ---- local queues: a number for each account (or user) of a queue ---- */

struct local_queue {
	char *key;
	int number;
};

static xhash_t *local_queues;
static uint32_t scan_number, nseen;	/* of the scan, jobs it saw */

static void _local_queue_id(void *item, const char **key, uint32_t *len)
{
	*key = ((struct local_queue *) item)->key;
	*len = strlen(*key);
}

/* ---- who a job is ---- */

static part_record_t *_partition(job_record_t *job_ptr)
{
	/* part_ptr moves along the list while Slurm tries one after another */
	if (job_ptr->part_ptr_list && list_count(job_ptr->part_ptr_list))
		return list_peek(job_ptr->part_ptr_list);
	return job_ptr->part_ptr;
}

/* No look-up of names here: it could block, under slurmctld's locks. */
static const char *_user(job_record_t *job_ptr, char *number, size_t size)
{
	if (job_ptr->assoc_ptr && job_ptr->assoc_ptr->user)
		return job_ptr->assoc_ptr->user;
	if (job_ptr->user_name)
		return job_ptr->user_name;
	snprintf(number, size, "%u", job_ptr->user_id);
	return number;
}

static int _queue_of(job_record_t *job_ptr)
{
	part_record_t *part_ptr = _partition(job_ptr);
	char number[16];

	return conf_match_queue(ctld.conf, part_ptr ? part_ptr->name : NULL,
				job_ptr->qos_ptr ? job_ptr->qos_ptr->name : NULL,
				job_ptr->account,
				_user(job_ptr, number, sizeof(number)));
}

static int _local_queue(int queue, job_record_t *job_ptr)
{
	const char *name = job_ptr->account;
	struct local_queue *local;
	char *key = NULL, number[16];

	if (ctld.conf->local_queue == CONF_LOCAL_USER)
		name = _user(job_ptr, number, sizeof(number));
	if (!local_queues)
		local_queues = xhash_init(_local_queue_id, NULL);
	xstrfmtcat(key, "%d/%s", queue, name ? name : "");
	if ((local = xhash_get(local_queues, key, strlen(key)))) {
		xfree(key);
		return local->number;
	}
	local = xmalloc(sizeof(*local));
	local->key = key;
	local->number = xhash_count(local_queues);
	xhash_add(local_queues, local);
	return local->number;
}

static int64_t _class_priority(job_record_t *job_ptr)
{
	part_record_t *part_ptr = _partition(job_ptr);
	enum conf_priority source = ctld.conf->priority;

	if (source == CONF_PRIORITY_DEFAULT)
		source = job_ptr->qos_ptr ? CONF_PRIORITY_QOS :
			CONF_PRIORITY_PARTITION;
	switch (source) {
	case CONF_PRIORITY_QOS:
		return job_ptr->qos_ptr ? job_ptr->qos_ptr->priority : 0;
	case CONF_PRIORITY_JOB:
		return job_ptr->priority;
	default:
		return part_ptr ? part_ptr->priority_tier : 0;
	}
}

static int64_t _tasks(job_record_t *job_ptr)
{
	if (job_ptr->array_recs && (job_ptr->array_task_id == NO_VAL))
		return MAX(job_ptr->array_recs->task_cnt, 1);
	return 1;
}

/* Tasks of an array that its own limit (%N) lets start; 0: no limit */
static int64_t _max_starts(job_record_t *job_ptr)
{
	const job_array_struct_t *array = job_ptr->array_recs;

	if (!array || !array->max_run_tasks)
		return 0;
	if (array->tot_run_tasks >= array->max_run_tasks)
		return -1;
	return array->max_run_tasks - array->tot_run_tasks;
}

/* Is the job in line? One that is held, depends on others or is not yet due
 * has no place and blocks nobody. */
static bool _in_line(job_record_t *job_ptr, time_t now)
{
	const struct job_details *details = job_ptr->details;
	part_record_t *part_ptr = _partition(job_ptr);

	if (!IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr) || !details)
		return false;
	if (!job_ptr->priority || (details->begin_time > now))
		return false;
	if (details->depend_list && list_count(details->depend_list))
		return false;
	if (part_ptr && !(part_ptr->state_up & PARTITION_SCHED))
		return false;
	return _max_starts(job_ptr) >= 0;
}

static bool _holds_nodes(job_record_t *job_ptr)
{
	return (IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr)) &&
		!IS_JOB_COMPLETING(job_ptr) && job_ptr->node_bitmap;
}

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
		.local_queue = _local_queue(queue, job_ptr),
		.priority = _class_priority(job_ptr),
		.created_at = ns_of(job_ptr->details->submit_time),
		.queue_order_at = ns_of(job->order_at),
		.tiebreak = job->job_id,
		.tasks = _tasks(job_ptr),
		.max_starts = _max_starts(job_ptr),
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
		_class_priority(job_ptr);
	bool blocked;
	int queue;

	if (job->work && workload_running(job->work))
		_unbook(job);
	if (fingerprint != job->fingerprint) {
		if ((queue = _queue_of(job_ptr)) == SPEC_NONE) {
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
		if ((queue = _queue_of(job->job_ptr)) == SPEC_NONE)
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
		job->turn_over = job->turn_over && going;
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

extern void books_ended(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job)
		return;
	job->job_ptr = job_ptr;
	if (job->turn_over)	/* it had its turn: behind those that waited */
		job->order_at = time(NULL);
	job->turn_over = false;
	_unbook(job);
	xfree(job->flavors);
	waker_save();
}

/* ---- scans ---- */

extern struct job *books_sync(job_record_t *job_ptr)
{
	bool waiting = _in_line(job_ptr, time(NULL));
	bool running = !waiting && _holds_nodes(job_ptr);
	struct job *job;

	setup_check_layout(job_ptr);
	if (ctld.broken)
		return NULL;
	job = jobs_find(job_ptr->job_id);
	if (!job && !waiting && !running)
		return NULL;
	job = jobs_get(job_ptr);
	if (job->scan != scan_number)
		nseen++;
	job->scan = scan_number;
	if (waiting)
		_sync_waiting(job);
	else if (running)
		_sync_running(job);
	else if (job->work)
		_unbook(job);
	return job;
}

static void _drop_purged(struct job *job, void *arg UNUSED)
{
	if (job->scan == scan_number)
		return;
	job->job_ptr = NULL;	/* its record is gone */
	_unbook(job);
	jobs_drop(job);
}

static void _forget_fingerprint(struct job *job, void *arg UNUSED)
{
	job->fingerprint = 0;
}

extern void books_scan(void)
{
	compat_itr_t iter = list_iterator_create(job_list);
	job_record_t *job_ptr;

	scan_number++;
	nseen = 0;
	if (flavor_refresh())
		jobs_each(_forget_fingerprint, NULL);
	while ((job_ptr = list_next(iter)) && !ctld.broken)
		(void) books_sync(job_ptr);
	list_iterator_destroy(iter);
	if (!ctld.broken && (nseen < jobs_count()))
		jobs_each(_drop_purged, NULL);
}

extern struct job *books_waiting(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job || !job->work || workload_running(job->work))
		return NULL;
	return job;
}
