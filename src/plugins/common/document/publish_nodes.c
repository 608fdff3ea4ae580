/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_nodes.c - flavors: their nodes, and which queues have them
 *
 *  Where jobs have quota and wait for nodes, people want to know what stands in
 *  the way: of each cluster queue how many jobs are on nodes of the flavor, when
 *  the first of them ends by its time limit, and from when the first of them may
 *  be evicted for an owner. No job is named.
\*****************************************************************************/
#include "document/publish_nodes.h"

#include "state/job.h"
#include "match/flavor_nodes.h"
#include "match/job_standing.h"
#include "jobs/jobs.h"
#include "document/publish_json.h"

#include "query.h"

#define TOLD_FOR 600		/* seconds */
#define YEAR (365 * 24 * 60)	/* minutes: Slurm sets that where there is no limit */

/* Jobs of one queue, or of none, on nodes of one flavor */
struct holder {
	int64_t jobs;
	time_t ends;		/* the first of them; 0: no one has a limit */
	time_t goes;		/* may be evicted then; 0: none of them */
};

struct holders {
	struct holder *list;	/* by flavor and queue; the last one: no queue */
	size_t nqueues;		/* with that last one */
	int64_t *protected;	/* by queue, ns: minRuntime towards others */
};

static time_t asked_at;

extern void publish_nodes_asked(void)
{
	asked_at = time(NULL);
}

static time_t _earlier(time_t a, time_t b)
{
	return (!a || (b && (b < a))) ? b : a;
}

/* Does the queue use more than its nominal quota of anything there? Nobody else
 * loses a job to an owner. */
static bool _borrows(int queue, int flavor)
{
	for (size_t r = 0; r < ctld.conf->spec->nresources; r++) {
		if (engine_borrows(ctld.engine, queue, flavor, r))
			return true;
	}
	return false;
}

/* From when may others evict it, if its queue borrows? 0: never */
static time_t _goes(const struct holders *all, const struct job *job, int queue)
{
	const struct workload *w = job->first.work;
	time_t start = job->job_ptr->start_time + run_of(job)->paused;
	struct eviction_terms terms;

	workload_terms(w, &terms);
	if (workload_is_nonpreemptible(w) || workload_settled(w) ||
	    (terms.exempt_until == INT64_MAX))
		return 0;
	return MAX(start + time_of(all->protected[queue]),
		   terms.exempt_until ? time_of(terms.exempt_until) : 0);
}

static void _count(struct holder *h, const job_record_t *job_ptr, time_t goes)
{
	h->jobs++;
	if (job_ptr->time_limit < YEAR)
		h->ends = _earlier(h->ends, job_ptr->end_time);
	h->goes = _earlier(h->goes, goes);
}

/* For list_find_first(), which looks at all records, as none is found */
static int _look(void *x, void *arg)
{
	const struct spec *spec = ctld.conf->spec;
	struct holders *all = arg;
	job_record_t *job_ptr = x;
	struct job *job;
	size_t queue = spec->nqueues;
	time_t goes = 0;

	if (!job_holds_nodes(job_ptr))
		return 0;
	job = jobs_find(job_ptr->job_id);
	if (job && job_runs(job)) {
		queue = workload_queue(job->first.work);
		goes = _goes(all, job, queue);
	}
	for (size_t f = 0; f < spec->nflavors; f++) {
		bitstr_t *nodes = flavor_nodes(f);

		if (!nodes || bit_overlap_any(nodes, job_ptr->node_bitmap))
			_count(&all->list[f * all->nqueues + queue], job_ptr,
			       goes);
	}
	return 0;
}

static void _take(struct holders *all)
{
	const struct spec *spec = ctld.conf->spec;
	int64_t within;

	all->nqueues = spec->nqueues + 1;
	all->list = xcalloc(spec->nflavors * all->nqueues + 1,
			    sizeof(*all->list));
	all->protected = xcalloc(all->nqueues, sizeof(*all->protected));
	for (size_t q = 0; q < spec->nqueues; q++)
		engine_min_runtimes(ctld.engine, q, &within,
				    &all->protected[q]);
	(void) list_find_first(job_list, _look, all);
}

static void _add_time(struct json_object *o, const char *key, time_t at)
{
	publish_add(o, key, at ? json_object_new_int64(at) : NULL);
}

static struct json_object *_held_json(const struct holders *all, int flavor)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t q = 0; all->list && (q < all->nqueues); q++) {
		const struct holder *h = &all->list[flavor * all->nqueues + q];
		bool ours = q < spec->nqueues;
		struct json_object *o;

		if (!h->jobs)
			continue;
		o = json_object_new_object();
		publish_text(o, "clusterQueue",
			     ours ? spec->queues[q].name : NULL);
		publish_number(o, "running", h->jobs);
		_add_time(o, "ends", h->ends);
		_add_time(o, "goesFrom",
			  ours && _borrows(q, flavor) ? h->goes : 0);
		json_object_array_add(list, o);
	}
	return list;
}

extern struct json_object *publish_flavors(time_t now)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();
	struct holders all = { .list = NULL };

	if (asked_at && (now - asked_at < TOLD_FOR))
		_take(&all);
	for (size_t i = 0; i < spec->nflavors; i++) {
		struct json_object *o = json_object_new_object();
		bitstr_t *nodes = flavor_nodes(i);
		char *names = nodes ? bitmap2node_name(nodes) : NULL;

		publish_text(o, "name", spec->flavors[i]);
		publish_text(o, "nodes", names);	/* null: every node */
		publish_add(o, "held", _held_json(&all, i));
		xfree(names);
		json_object_array_add(list, o);
	}
	xfree(all.list);
	xfree(all.protected);
	return list;
}
