/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_outside.c - what jobs outside all cluster queues have, and which have
 *  just started
 *
 *  Quota that is free says nothing of nodes that such jobs hold. Of each flavor
 *  and resource the document tells how much that is, and of how many jobs. No
 *  job is named.
 *
 *  Who reads that a queue uses so much, and looks at a job of it, has to know
 *  whether the job is in that. It is if it started in an earlier second; of jobs
 *  that started in the very second the document tells how many are in it.
\*****************************************************************************/
#include "document/publish_outside.h"

#include "state/job.h"
#include "match/flavor_nodes.h"
#include "match/job_standing.h"
#include "jobs/jobs.h"
#include "request/charge.h"
#include "document/publish_json.h"

struct outside {
	int64_t *used;			/* by flavor and resource */
	int64_t *jobs;			/* by flavor */
	int64_t *all;			/* of one job, by resource */
	int64_t *started;		/* by queue: jobs that started now */
	time_t now;
};

/* What a job has on the nodes of the flavor, if some of its nodes are others */
static void _add_part(job_record_t *job_ptr, bitstr_t *nodes, int64_t *used)
{
	uint32_t host = 0;
	node_record_t *node_ptr;

	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		if (!bit_test(job_ptr->job_resrcs->node_bitmap, node_ptr->index))
			continue;
		for (size_t r = 0; bit_test(nodes, node_ptr->index) &&
				   (r < ctld.conf->spec->nresources); r++)
			used[r] += allocated_on(job_ptr, &ctld.resources[r],
						host);
		host++;
	}
}

static void _add_flavor(struct outside *all, job_record_t *job_ptr, size_t flavor)
{
	int64_t *used = &all->used[flavor * ctld.conf->spec->nresources];
	bitstr_t *nodes = flavor_nodes(flavor), *has = job_ptr->job_resrcs->node_bitmap;

	if (nodes && !bit_overlap_any(nodes, has))
		return;
	all->jobs[flavor]++;
	if (nodes && !bit_super_set(has, nodes)) {
		_add_part(job_ptr, nodes, used);
		return;
	}
	for (size_t r = 0; r < ctld.conf->spec->nresources; r++)
		used[r] += all->all[r];
}

/* For list_find_first(), which looks at all records, as none is found */
static int _look(void *x, void *arg)
{
	struct outside *all = arg;
	job_record_t *job_ptr = x;
	struct job *job;

	if (!job_holds_nodes(job_ptr) || !job_ptr->job_resrcs ||
	    !job_ptr->job_resrcs->node_bitmap)
		return 0;
	job = jobs_find(job_ptr->job_id);
	if (job && job_runs(job)) {
		if (job_ptr->start_time == all->now)
			all->started[workload_queue(job->first.work)]++;
		return 0;
	}
	allocated_of(job_ptr, false, all->all);
	for (size_t f = 0; f < ctld.conf->spec->nflavors; f++)
		_add_flavor(all, job_ptr, f);
	return 0;
}

static struct json_object *_json(const struct outside *all)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < spec->nflavors * spec->nresources; i++) {
		size_t f = i / spec->nresources;
		struct json_object *o;

		if (!all->used[i])
			continue;
		o = json_object_new_object();
		publish_text(o, "flavor", spec->flavors[f]);
		publish_text(o, "resource", spec->resources[i % spec->nresources]);
		publish_number(o, "used", all->used[i]);
		publish_number(o, "running", all->jobs[f]);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *_started_json(const struct outside *all)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t q = 0; q < spec->nqueues; q++) {
		struct json_object *o;

		if (!all->started[q])
			continue;
		o = json_object_new_object();
		publish_text(o, "clusterQueue", spec->queues[q].name);
		publish_number(o, "started", all->started[q]);
		json_object_array_add(list, o);
	}
	return list;
}

extern void publish_outside(struct json_object *document, time_t now)
{
	const struct spec *spec = ctld.conf->spec;
	struct outside all = {
		.used = xcalloc(spec->nflavors * spec->nresources + 1,
				sizeof(*all.used)),
		.jobs = xcalloc(spec->nflavors + 1, sizeof(*all.jobs)),
		.all = xcalloc(spec->nresources + 1, sizeof(*all.all)),
		.started = xcalloc(spec->nqueues + 1, sizeof(*all.started)),
		.now = now,
	};

	(void) list_find_first(job_list, _look, &all);
	publish_add(document, "outside", _json(&all));
	publish_add(document, "justStarted", _started_json(&all));
	xfree(all.used);
	xfree(all.jobs);
	xfree(all.all);
	xfree(all.started);
}
