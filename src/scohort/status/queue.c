/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - scohort queue: waiting jobs in order
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/lookup.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "output/watch.h"
#include "slurm/job_views.h"
#include "status/status.h"
#include "status/queue.h"

/* ---- columns ---- */

/* 3/41; 4000+; 2-5/41 for jobs that are not seen */
static void place_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	int64_t place = json_object_get_int64(value);
	int64_t last = json_number(row, "lastPlace");
	int64_t total = json_number(row, "total");

	if (place)
		snprintf(buf, size, "%"PRId64, place);
	else
		snprintf(buf, size, "%"PRId64"+", json_number(row, "beyond"));
	if (place && last > place)
		text_append(buf, size, "-%"PRId64, last);
	if (place && total)
		text_append(buf, size, "/%"PRId64, total);
}

static enum paint verdict_paint(struct json_object *row)
{
	const char *verdict = json_text(row, "verdict");

	if (!strncmp(verdict, "never", 5))
		return PAINT_RED;
	return !strcmp(verdict, "starting") || !strcmp(verdict, "nodes") ? PAINT_GREEN : PAINT_NONE;
}

static const struct column queue_columns[] = {
	COLUMN("JOBID", "jobId", "job, array task, or waiting tasks of an array",
	       .flags = COLUMN_ELASTIC),
	COLUMN("QUEUE", "clusterQueue", "cluster queue", .flags = COLUMN_ELASTIC),
	COLUMN("PLACE", "place", "position in the cluster queue, of how many",
	       .flags = COLUMN_RIGHT, .text = place_text),
	COLUMN("LOCAL", "localPlace", "position in the local queue (its account or user)",
	       .flags = COLUMN_RIGHT, .spare = 2, .text = cell_local_place),
	COLUMN("CLASS", "class", "QOS, partition or job priority, as `priority` in cohort.yaml "
	       "says", .flags = COLUMN_ELASTIC, .spare = 8),
	COLUMN("AGE", "age", "how long it has waited", .flags = COLUMN_RIGHT, .spare = 4,
	       .text = cell_duration),
	COLUMN("REQUEST", "request", "TRES that it requests", .flags = COLUMN_ELASTIC, .spare = 5),
	COLUMN("VERDICT", "verdict", "what it waits for", .flags = COLUMN_WHOLE,
	       .paint = verdict_paint),
	COLUMN("NEED", "need", "how much it needs of that",
	       .flags = COLUMN_RIGHT | COLUMN_IF_ANY, .spare = 6, .text = cell_amount),
	COLUMN("FREE", "free", "how much of that its queue could get",
	       .flags = COLUMN_RIGHT | COLUMN_IF_ANY, .spare = 7, .text = cell_amount),
	COLUMN("START", "start", "estimated start", .flags = COLUMN_IF_ANY, .spare = 1,
	       .text = cell_time),
	COLUMN("ACCOUNT", "account", "account", .flags = COLUMN_ASKED),
	COLUMN("USER", "user", "user", .flags = COLUMN_ASKED),
	COLUMN("NAME", "name", "name of the job", .flags = COLUMN_ASKED),
	COLUMN("PARTITION", "partition", "partition", .flags = COLUMN_ASKED),
	COLUMN("QOS", "qos", "QOS", .flags = COLUMN_ASKED),
	COLUMN("PRIORITY", "priority", "Slurm's priority", .flags = COLUMN_ASKED | COLUMN_RIGHT),
	COLUMN("TASKS", "tasks", "waiting tasks in this row", .flags = COLUMN_ASKED | COLUMN_RIGHT),
	{ .name = NULL }
};

/* ---- rows ---- */

static void place_add(struct json_object *o, const struct pending_job *w)
{
	const struct reason *r = &w->reason;

	if (r->place || r->known)
		json_add_number(o, "place", r->place);
	if (!r->place && r->known)
		json_add_number(o, "beyond", r->known);
	if (r->total)
		json_add_number(o, "total", r->total);
	if (w->local) {
		json_add_number(o, "localPlace", w->local);
		json_add_number(o, "localTotal", w->local_total);
	}
}

static void verdict_add(struct json_object *o, const struct reason *r)
{
	json_add_text(o, "verdict", r->shown);
	if (*r->resource)
		json_add_text(o, "resource", r->resource);
	if (*r->flavor)
		json_add_text(o, "flavor", r->flavor);
	if (r->numbers[REASON_NEED] >= 0)
		json_add_number(o, "need", r->numbers[REASON_NEED]);
	if (r->numbers[REASON_FREE] >= 0)
		json_add_number(o, "free", r->numbers[REASON_FREE]);
}

static void view_json(struct json_object *o, const struct published *p,
		      const struct view *v, int64_t now)
{
	int64_t since = v->eligible > v->submitted ? v->eligible : v->submitted;
	char buf[1024];

	json_add_text(o, "class", class_text(p, v, buf, sizeof(buf)));
	json_add_number(o, "age", now > since ? now - since : 0);
	json_add_text(o, "request", request_text(v, buf, sizeof(buf)));
	if (v->start > now)
		json_add_number(o, "start", v->start);
}

static void details_json(struct json_object *o, const struct view *v)
{
	json_add_number(o, "submitted", v->submitted);
	json_add_text(o, "account", v->account);
	json_add_text(o, "user", view_user(v));
	json_add_text(o, "name", v->name);
	json_add_text(o, "partition", v->partition);
	json_add_text(o, "qos", v->qos);
	json_add_number(o, "priority", v->priority);
	json_add_number(o, "tasks", v->tasks);
}

struct json_object *pending_job_json(const struct pending_list *l,
				     const struct pending_job *w, bool details, int64_t now)
{
	struct json_object *o = json_object_new_object();
	char buf[256];

	json_add_text(o, "jobId", w->view ? view_name(w->view, buf, sizeof(buf)) : NULL);
	json_add_text(o, "clusterQueue", l->queues[w->queue].name);
	place_add(o, w);
	if (w->view) {
		verdict_add(o, &w->reason);
		view_json(o, l->published, w->view, now);
		if (details)
			details_json(o, w->view);
	} else {
		json_add_number(o, "lastPlace", w->last);
		json_add_text(o, "verdict", "hidden");
	}
	return o;
}

/* ---- which jobs ---- */

#define SINGLE_MAX 200		/* more jobs are not asked for one by one */

struct options {
	bool local, watch, is_page;
	int64_t seconds, limit, offset;
};

static const struct cli_option options[] = {
	{ "local", 'l', NULL, "sort by local queue, and by the position in it",
	  OPTION(FLAG, local) },
	{ "limit", 0, "N", "only so many rows", OPTION_SEEN(NUMBER, limit, is_page) },
	{ "offset", 0, "N", "without the first N rows", OPTION(NUMBER, offset) },
	{ "watch", 'w', "[SECONDS]", "show it again every 2 SECONDS, in place",
	  OPTION_SEEN(NUMBER, seconds, watch) },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "[QUEUE...]", .max = CLI_ANY,
	.about = "Waiting jobs of all cluster queues, or of those named, in "
		 "order.\n",
	.options = options, .output = CLI_TABLE, .columns = queue_columns,
};

/* What is shown, and how */
struct queue_ask {
	struct call call;
	struct options o;
};

/* Are all jobs of the line listed? Not behind maxPosition */
static bool is_whole(const struct published *p, struct json_object *queue)
{
	return json_number(queue, "waiting") <= json_number(p->document, "maxPosition");
}

/* The ids of the jobs of the page, by the published lines; at most o.limit. -1: the file
 * does not list them, as jobs are private or too many */
static int page_ids(const struct queue_ask *r, const struct published *p, uint32_t *ids)
{
	int64_t skip = r->o.offset;
	int n = 0;

	for (size_t i = 0; i < json_items(p->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(p->document, "clusterQueues", i);
		const char *text = json_text(queue, "jobs");
		char *end;

		if (!queue_is_asked(json_text(queue, "name"), r->call.args, r->call.nargs))
			continue;
		if (!json_member(queue, "jobs"))
			return -1;
		for (; *text && n < r->o.limit; text = end + (*end == ',')) {
			uint32_t id = (uint32_t) strtoul(text, &end, 10);

			if (end == text)
				return -1;
			if (skip-- <= 0)
				ids[n++] = id;
		}
		if (n == r->o.limit)
			return n;
		if (!is_whole(p, queue))
			return -1;
	}
	return p->document ? n : -1;
}

/* The jobs that are shown, in lists as slurmctld has sent them */
struct jobs {
	struct view_list lists[SINGLE_MAX];
	struct view views[SINGLE_MAX];
	size_t nlists;
	struct view_list all;	/* what follows in them */
	bool is_page;		/* no others were asked for */
};

/* A waiting job has one record of its id. */
static void job_take(struct jobs *jobs, const struct view_list *list, uint32_t id)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->views[i].id == id) {
			jobs->views[jobs->all.n++] = list->views[i];
			return;
		}
	}
}

static int jobs_load(struct jobs *jobs, const struct queue_ask *r,
		     const struct published *p, char *err, size_t size)
{
	uint32_t ids[SINGLE_MAX];
	int status = STATUS_OK, n = -1;

	if (r->o.is_page && r->o.limit <= SINGLE_MAX && !r->o.local)
		n = page_ids(r, p, ids);
	if (n < 0)
		return views_load(&jobs->all, 0, err, size);
	jobs->is_page = true;
	jobs->all.views = jobs->views;
	for (int i = 0; i < n && !status; i++) {
		struct view_list *list = &jobs->lists[jobs->nlists++];

		status = views_load(list, ids[i], err, size);
		job_take(jobs, list, ids[i]);
	}
	return status;
}

static void jobs_free(struct jobs *jobs)
{
	if (!jobs->is_page)
		views_free(&jobs->all);
	for (size_t i = 0; i < jobs->nlists; i++)
		views_free(&jobs->lists[i]);
}

/* ---- printing ---- */

static void list_show(const struct output *out, const struct queue_ask *r,
		      const struct pending_list *l, bool is_page)
{
	struct json_object *document = json_object_new_object(), *rows;
	bool details = output_is_data(out) || out->format;
	int64_t now = time(NULL);
	size_t first = is_page ? 0 : (size_t) r->o.offset;

	json_add_number(document, "time", now);
	json_add_number(document, "hidden", l->hidden);
	rows = json_add_list(document, "jobs");
	for (size_t i = first; i < l->n; i++) {
		if (r->o.is_page && i - first >= (size_t) r->o.limit)
			break;
		json_object_array_add(rows, pending_job_json(l, &l->jobs[i], details, now));
	}
	if (output_is_data(out))
		output_document(out, document);
	else
		rows_show(queue_columns, out, rows, now);
	json_object_put(document);
}

/* A user that sees a job of another user sees all jobs: a job that is missing
 * among them has come or gone between two looks. */
static bool sees_others(const struct view_list *views)
{
	for (size_t i = 0; i < views->n; i++) {
		if (views->views[i].uid != getuid())
			return true;
	}
	return getuid() == 0;
}

static int line_show(const struct output *out, const struct queue_ask *r,
		     const struct controller *controller, const struct published *p)
{
	static struct jobs jobs;
	struct pending_list pending = { .n = 0 };
	char err[256];
	int status;

	jobs = (struct jobs) { .nlists = 0 };
	status = jobs_load(&jobs, r, p, err, sizeof(err));
	if (status) {
		complain("%s", err);
	} else {
		pending_list_make(&pending, p, &jobs.all, !jobs.is_page
				  && controller->private_jobs && !sees_others(&jobs.all),
				  r->call.args, r->call.nargs, r->o.local);
		list_show(out, r, &pending, jobs.is_page);
	}
	if (!status && pending.hidden)
		complain("PrivateData=jobs hides other users' jobs: %" PRId64
			 " waiting job(s) show only their position", pending.hidden);
	pending_list_free(&pending);
	jobs_free(&jobs);
	return status;
}

static int queue_show(void *arg, const struct output *out)
{
	const struct queue_ask *r = arg;
	struct published p;
	struct controller controller;
	char err[PATH_MAX + 256];
	int status = controller_open_cohort(&controller);

	if (status)
		return status;
	/* Without the file, the jobs themselves tell most of it. */
	if (published_open(&p, &controller, err, sizeof(err))) {
		complain("%s", err);
		complain("so there are no positions in local queues");
	}
	status = STATUS_FAILED;
	if (!p.document || published_has_names(&p, r->call.args, r->call.nargs, false))
		status = line_show(out, r, &controller, &p);
	published_close(&p);
	controller_close(&controller);
	return status;
}

int cmd_queue(int argc, char **argv)
{
	struct queue_ask r = { .o.seconds = WATCH_SECONDS };

	if (!cli_parse(&cli, argc, argv, &r.o, &r.call))
		return r.call.status;
	if (r.o.watch)
		return watch_run(&r.call.out, r.o.seconds, argv[0], queue_show, &r);
	return queue_show(&r, &r.call.out);
}
