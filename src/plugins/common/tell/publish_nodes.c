/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_nodes.c - jobs on the nodes of each flavor: of which queues, and of
 *  none
 *
 *  "flavors": the nodes of each. Where jobs have quota and wait for nodes, people
 *  want to know what stands in the way: "held" has for each cluster queue how many
 *  jobs are on nodes of the flavor, when the first of them ends by its time limit,
 *  and from when the first of them may be evicted for an owner.
 *
 *  "outside": what jobs outside all cluster queues have of each flavor and
 *  resource. Quota that is free says nothing of nodes that such jobs hold.
 *
 *  "justStarted": a reader who sees that a queue uses so much, and looks at a job
 *  of it, has to know whether the job is in that. It is if it started in an earlier
 *  second; of jobs that started in the very second this tells how many are in it.
 *
 *  No job is named.
\*****************************************************************************/
#include "tell/tell.h"

#include "state/json.h"
#include "match/match.h"
#include "request/request.h"
#include "jobs/jobs.h"

#include "query.h"

#define TOLD_FOR 600		/* seconds */
#define YEAR (365 * 24 * 60)	/* minutes: Slurm sets that where there is no limit */

/* Jobs of one queue, or of none, on nodes of one flavor */
struct holder {
	int64_t jobs;
	time_t ends;		/* the first of them; 0: no one has a limit */
	time_t goes;		/* may be evicted then; 0: none of them */
};

struct look {
	time_t now;
	size_t nqueues;			/* with one more, for no queue */
	struct holder *holders;		/* by flavor and queue */
	int64_t *protected;		/* by queue, ns: minRuntime towards others */
	int64_t *outside;		/* used, by flavor and resource */
	int64_t *started;		/* by queue: jobs that started now */
};

static time_t asked_at;

extern void publish_nodes_asked(void)
{
	asked_at = time(NULL);
}

/* ---- jobs of cluster queues ---- */

static time_t _earlier(time_t a, time_t b)
{
	return (!a || (b && (b < a))) ? b : a;
}

/* From when may others evict it, if its queue borrows? 0: never */
static time_t _goes(const struct look *all, const struct job *job, int queue)
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

/* ---- one look at all records ---- */

/* For list_find_first(), as none is found */
static int _look(void *x, void *arg)
{
	struct look *all = arg;
	job_record_t *job_ptr = x;
	size_t queue = all->nqueues - 1;
	struct job *job;
	time_t goes = 0;

	if (!job_holds_nodes(job_ptr) || !job_ptr->job_resrcs ||
	    !job_ptr->job_resrcs->node_bitmap)
		return 0;
	job = jobs_find(job_ptr->job_id);
	if (job && job_runs(job)) {
		queue = workload_queue(job->first.work);
		goes = _goes(all, job, queue);
		all->started[queue] += job_ptr->start_time == all->now;
	} else {
		allocated_by_flavor(job_ptr, all->outside);
	}
	for (size_t f = 0; f < ctld.conf->spec->nflavors; f++) {
		bitstr_t *nodes = flavor_nodes(f);

		if (nodes && !bit_overlap_any(nodes, job_ptr->job_resrcs->node_bitmap))
			continue;
		_count(&all->holders[f * all->nqueues + queue], job_ptr, goes);
	}
	return 0;
}

/* ---- the document ---- */

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

static struct json_object *_held_json(const struct look *all, int flavor)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();
	bool asked = asked_at && (all->now - asked_at < TOLD_FOR);

	for (size_t q = 0; asked && (q < all->nqueues); q++) {
		const struct holder *h = &all->holders[flavor * all->nqueues + q];
		bool ours = q < spec->nqueues;
		struct json_object *o;

		if (!h->jobs)
			continue;
		o = json_append(list);
		json_add_text(o, "clusterQueue", ours ? spec->queues[q].name : NULL);
		json_add_number(o, "running", h->jobs);
		json_add_known(o, "ends", h->ends, h->ends);
		json_add_known(o, "goesFrom", ours && h->goes && _borrows(q, flavor), h->goes);
	}
	return list;
}

static struct json_object *_flavors_json(const struct look *all)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < spec->nflavors; i++) {
		struct json_object *o = json_append(list);
		bitstr_t *nodes = flavor_nodes(i);
		char *names = nodes ? bitmap2node_name(nodes) : NULL;

		json_add_text(o, "name", spec->flavors[i]);
		json_add_text(o, "nodes", names);	/* null: every node */
		json_add(o, "held", _held_json(all, i));
		xfree(names);
	}
	return list;
}

static struct json_object *_outside_json(const struct look *all)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < spec->nflavors * spec->nresources; i++) {
		size_t f = i / spec->nresources;
		struct json_object *o;

		if (!all->outside[i])
			continue;
		o = json_append(list);
		json_add_pair(o, spec, f, i % spec->nresources);
		json_add_number(o, "used", all->outside[i]);
		json_add_number(o, "running", all->holders[(f + 1) * all->nqueues - 1].jobs);
	}
	return list;
}

static struct json_object *_started_json(const struct look *all)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t q = 0; q < spec->nqueues; q++) {
		struct json_object *o;

		if (!all->started[q])
			continue;
		o = json_append(list);
		json_add_text(o, "clusterQueue", spec->queues[q].name);
		json_add_number(o, "started", all->started[q]);
	}
	return list;
}

extern void publish_nodes(struct json_object *document, time_t now)
{
	const struct spec *spec = ctld.conf->spec;
	size_t n = spec->nqueues + 1;
	struct look all = {
		.now = now, .nqueues = n,
		.holders = xcalloc(spec->nflavors * n + 1, sizeof(*all.holders)),
		.protected = xcalloc(n, sizeof(*all.protected)),
		.outside = xcalloc(spec->nflavors * spec->nresources + 1, sizeof(*all.outside)),
		.started = xcalloc(n, sizeof(*all.started)),
	};
	int64_t within;

	for (size_t q = 0; q < spec->nqueues; q++)
		engine_min_runtimes(ctld.engine, q, &within, &all.protected[q]);
	(void) list_find_first(job_list, _look, &all);
	json_add(document, "flavors", _flavors_json(&all));
	json_add(document, "outside", _outside_json(&all));
	json_add(document, "justStarted", _started_json(&all));
	xfree(all.holders);
	xfree(all.protected);
	xfree(all.outside);
	xfree(all.started);
}
