/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish.c - what only the plugin knows, in a file that all users may read
 *
 *  visibility.publish, by default cohort_status.json in StateSaveLocation. It
 *  holds the ledger, counts, counters, and which places in line belong to one
 *  local queue. It has no names of users, and job ids only where all users may see
 *  all jobs: facts about single jobs come from slurmctld, with the rights of the
 *  user who asks. scohort(1) has the form.
 *
 *  The document is made under the job lock, and written without any lock, beside
 *  the old one and renamed, when its text is new and at most once per
 *  visibility.updateInterval, or soon after a user has asked what if. The
 *  thread does nothing else: the file may lie on a file system of the network,
 *  and when that hangs no other thread must hang.
\*****************************************************************************/
#include <json-c/json.h>
#include <unistd.h>

#include "tell/tell.h"

#include "state/json.h"
#include "slurm/worker.h"
#include "match/match.h"
#include "events/events.h"
#include "request/request.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "tally/tally.h"
#include "books/books.h"

#include "query.h"

#define PUBLISH_VERSION 1
#define DEFAULT_NAME "cohort_status.json"

/* ---- jobs on the nodes of each flavor: of which queues, and of none ---- */

/* "flavors": the nodes of each. Where jobs have quota and wait for nodes, people
 * want to know what stands in the way: "held" has for each cluster queue how many
 * jobs are on nodes of the flavor, when the first of them ends by its time limit,
 * and from when the first of them may be evicted for an owner.
 *
 * "outside": what jobs outside all cluster queues have of each flavor and
 * resource. Quota that is free says nothing of nodes that such jobs hold.
 *
 * "justStarted": a reader who sees that a queue uses so much, and looks at a job
 * of it, has to know whether the job is in that. It is if it started in an earlier
 * second; of jobs that started in the very second this tells how many are in it.
 *
 * No job is named. */

#define TOLD_FOR 600		/* seconds after a text said so */
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

/* For list_find_first(), as none is found */
static int _look_at(void *x, void *arg)
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
	bool asked = all->now - reason_nodes_at() < TOLD_FOR;

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

/* Looks at all records */
static void _add_nodes(struct json_object *document, time_t now)
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
	(void) list_find_first(job_list, _look_at, &all);
	json_add(document, "flavors", _flavors_json(&all));
	json_add(document, "outside", _outside_json(&all));
	json_add(document, "justStarted", _started_json(&all));
	xfree(all.holders);
	xfree(all.protected);
	xfree(all.outside);
	xfree(all.started);
}

/* ---- the document ---- */

struct publication {
	char *path;
	uint32_t term;			/* the term of control in which it was made */
	struct json_object *document;
	struct config_seen *seen;
	struct account_copy *account;
};

static const char *const priority_names[] = {
	[CONF_PRIORITY_DEFAULT] = "default", [CONF_PRIORITY_QOS] = "qos",
	[CONF_PRIORITY_PARTITION] = "partition", [CONF_PRIORITY_JOB] = "job",
};

static struct json_object *_document(time_t now)
{
	const struct conf *conf = ctld.conf;
	struct json_object *o = json_object_new_object();

	json_add_number(o, "version", PUBLISH_VERSION);
	json_add_number(o, "time", now);
	json_add_number(o, "pid", getpid());
	json_add_text(o, "enforcement", conf->observe ? "observe" : "enforce");
	json_add_text(o, "priority", priority_names[conf->priority]);
	json_add_text(o, "localQueue",
		     conf->local_queue == CONF_LOCAL_USER ? "user" : "account");
	json_add_text(o, "usageFrom", conf->slurm_usage ? "slurm" : "cohort");
	json_add_bool(o, "fairSharing", conf->spec->fair_sharing);
	json_add_number(o, "updateInterval", conf->update_interval / SPEC_SEC);
	json_add_number(o, "maxPosition", conf->max_position);
	_add_nodes(o, now);
	json_add(o, "cohorts", publish_cohorts());
	json_add(o, "clusterQueues", publish_queues(ns_of(now)));
	json_add(o, "counters", count_json());
	json_add(o, "events", events_json());
	/* the size of our tables, which follow those of slurmctld */
	json_add_number(json_member(o, "memory"), "records", ctld.njobs);
	json_add_number(json_member(o, "memory"), "localQueues", local_queue_count());
	json_add(o, "work", count_work_json());
	json_add(o, "asked", asked_json());
	json_add(o, "configuration", config_told_json());
	return o;
}

static struct publication *_make(void)
{
	struct publication *p = xmalloc(sizeof(*p));

	p->path = ctld.conf->publish ? xstrdup(ctld.conf->publish) :
		file_state_path(DEFAULT_NAME);
	p->term = control_term();
	history_advance_now();
	p->document = _document(time(NULL));
	p->account = account_to_publish();
	p->seen = config_told_seen();
	return p;
}

static struct written_file file = {
	.name = " (visibility.publish)",
	.loss = "; scohort can't show quota and usage",
};

/* What is behind the time is news. */
static void _publish(struct publication *p)
{
	char *text;

	config_told_look(p->seen, p->document);
	account_publish(p->account, p->document);
	text = xstrdup_printf("%s\n", json_object_to_json_string_ext(p->document,
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(p->document);
	(void) file_put(&file, p->path, text, strstr(text, "\"pid\""), 0644, p->term);
	xfree(text);
	xfree(p->path);
	xfree(p);
}

/* ---- the thread ---- */

#define PAUSE_NS 300000000	/* between two documents, however many users ask */

static int64_t _round(void)
{
	struct publication *p = NULL;
	int64_t interval = SPEC_SEC;

	if (control_lock()) {
		interval = MAX(ctld.conf->update_interval, SPEC_SEC);
		p = _make();
		control_unlock();
	}
	if (p)
		_publish(p);
	events_complain();
	return interval;
}

struct worker publisher = WORKER(.name = "cohort_publish", .round = _round, .pause = PAUSE_NS);
