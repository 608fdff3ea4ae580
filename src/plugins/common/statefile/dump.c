/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  dump.c - the contents of the state file, as text
\*****************************************************************************/
#include <json-c/json.h>

#include "statefile/dump.h"

#include "state/job.h"
#include "match/flavor_nodes.h"
#include "request/charge.h"
#include "record/count.h"
#include "record/event.h"
#include "jobs/hold.h"
#include "jobs/jobs.h"
#include "books/history.h"

static struct json_object *_charges_json(const struct charge *charges, size_t n)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *object = json_object_new_object();

	for (size_t i = 0; i < n; i++) {
		char key[256];

		snprintf(key, sizeof(key), "%s@%s",
			 spec->resources[charges[i].resource],
			 spec->flavors[charges[i].flavor]);
		json_object_object_add(object, key, json_object_new_int64(
					       charges[i].amount));
	}
	return object;
}

static struct json_object *_charged_json(const struct workload *w)
{
	size_t n;
	const struct charge *charges = workload_charges(w, &n);

	return _charges_json(charges, n);
}

static bool _flavor_is_open(const struct job *job, const job_record_t *job_ptr)
{
	size_t n = ctld.conf->spec->nresources;
	int *flavors;
	bool open;

	if (!job->first.flavors || !job_ptr->node_bitmap)
		return false;
	flavors = xcalloc(n + 1, sizeof(int));
	charge_flavors_by_nodes(workload_queue(job->first.work),
				job_ptr->node_bitmap, flavors);
	open = memcmp(flavors, job->first.flavors, n * sizeof(int));
	xfree(flavors);
	return open;
}

/* The entry that owns freed quota, or NULL */
static const struct entry *_owner(const struct job *job)
{
	for_each_entry(e, job) {
		if (e->work && workload_owns(e->work))
			return e;
	}
	return NULL;
}

static void _dump_owner(const struct entry *owner, struct json_object *o)
{
	const struct spec *spec = ctld.conf->spec;
	struct charge *owned = xcalloc(spec->nflavors * spec->nresources + 1,
				       sizeof(*owned));
	size_t n = engine_owned(ctld.engine, owner->work, owned);

	json_object_object_add(o, "owns", _charges_json(owned, n));
	xfree(owned);
	json_object_object_add(o, "ownsIn", json_object_new_string(
				spec->queues[owner->queue].name));
	json_object_object_add(o, "ownUntil",
			       json_object_new_int64(owner->own_until));
	hold_dump(owner, o);
}

static void _dump_evictions(const struct evictions *evictions,
			    struct json_object *o)
{
	json_object_object_add(o, "evictions",
			       json_object_new_int64(evictions->count));
	json_object_object_add(o, "lost",
			       json_object_new_int64(evictions->lost));
	json_object_object_add(o, "turns",
			       json_object_new_int64(evictions->turns));
}

/* False: there is nothing to tell of it */
static bool _dump_job(const struct job *job, const job_record_t *job_ptr,
		      struct json_object *jobs)
{
	bool moved = job_has_moved(job, job_ptr);
	bool running = job_runs(job);
	const struct entry *owner = running ? NULL : _owner(job);
	bool open = running && _flavor_is_open(job, job_ptr);
	/* what a run began as counts as long as it runs, whatever the rules
	 * then say */
	bool kept = running && workload_is_nonpreemptible(job->first.work);
	bool settled = running && workload_settled(job->first.work);
	const struct evictions *evictions = &run_of(job)->evictions;
	struct json_object *o, *evicted;

	if (!moved && !evictions->count && !evictions->turns && !owner && !open &&
	    !kept)
		return false;
	o = json_object_new_object();
	json_object_object_add(o, "id", json_object_new_int64(job->job_id));
	json_object_object_add(o, "queueOrderAt",
			       json_object_new_int64(job->order_at));
	_dump_evictions(evictions, o);
	if (run_of(job)->evicted_in)
		json_object_object_add(o, "evictedIn", json_object_new_int64(
					run_of(job)->evicted_in));
	if (run_of(job)->told)
		json_object_object_add(o, "told", json_object_new_boolean(true));
	if (run_of(job)->turn_over)
		json_object_object_add(o, "turnOver", json_object_new_int64(
					run_of(job)->turn_over));
	if (kept)
		json_object_object_add(o, "nonPreemptible",
				       json_object_new_boolean(true));
	if (settled)
		json_object_object_add(o, "settled",
				       json_object_new_boolean(true));
	if (open)
		json_object_object_add(o, "charged",
				       _charged_json(job->first.work));
	if (owner)
		_dump_owner(owner, o);
	if ((evicted = event_dump(job)))
		json_object_object_add(o, "evicted", evicted);
	json_object_array_add(jobs, o);
	return true;
}

struct dump {
	struct json_object *jobs;
	bool all;
};

/* Most jobs have nothing in the file. */
static void _dump_if_any(struct job *job, void *arg)
{
	const struct dump *dump = arg;
	const job_record_t *job_ptr;

	if (!dump->all && !run_of(job)->keep)
		return;
	count_work(WORK_SAVE);
	/* job->job_ptr is as of the last walk, and may be freed since */
	job_ptr = find_job_record(job->job_id);
	if (job_ptr && _dump_job(job, job_ptr, dump->jobs))
		job_keep(job);
	else if (job->run)
		job->run->keep = false;
}

/* Where nodes have other flavors than before, what jobs are charged on may be another
 * flavor than that of their nodes. All jobs are looked at then. */
static void _dump_jobs(struct json_object *jobs, bool last)
{
	static uint64_t flavors = 0;
	struct dump dump = { jobs, last || (flavors != flavor_generation()) };

	jobs_each(_dump_if_any, &dump);
	flavors = flavor_generation();
}

extern struct json_object *dump_state(bool last)
{
	struct json_object *root = json_object_new_object();
	struct json_object *jobs = json_object_new_array(), *history;

	json_object_object_add(root, "version",
			       json_object_new_int(STATE_VERSION));
	json_object_object_add(root, "jobs", jobs);
	_dump_jobs(jobs, last);
	json_object_object_add(root, "counters", count_dump());
	if ((history = history_dump()))
		json_object_object_add(root, "history", history);
	return root;
}
