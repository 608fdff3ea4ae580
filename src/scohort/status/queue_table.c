/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_table.c - waiting jobs as a table and as a document
 */
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/job_text.h"
#include "output/text.h"
#include "slurm/job_views.h"
#include "status/cells.h"
#include "status/queue.h"

/* ---- columns ---- */

/* 3/41; 4000+; 2-5/41 for jobs that are not seen */
static void place_text(struct json_object *row, struct json_object *value,
		       char *buf, size_t size)
{
	int64_t place = json_object_get_int64(value);
	int64_t last = json_number(row, "lastPlace");
	int64_t total = json_number(row, "total");
	int used;

	if (!place) {
		snprintf(buf, size, "%"PRId64"+", json_number(row, "beyond"));
		return;
	}
	used = snprintf(buf, size, "%"PRId64, place);
	if (last > place)
		used += snprintf(buf + used, size - used, "-%"PRId64, last);
	if (total)
		snprintf(buf + used, size - used, "/%"PRId64, total);
}

static void age_text(struct json_object *row, struct json_object *value,
		     char *buf, size_t size)
{
	(void) row;
	text_duration(buf, size, json_object_get_int64(value));
}

static void start_text(struct json_object *row, struct json_object *value,
		       char *buf, size_t size)
{
	text_time(buf, size, json_object_get_int64(value),
		  json_number(row, "time"));
}

static void amount_text(struct json_object *row, struct json_object *value,
			char *buf, size_t size)
{
	text_amount(buf, size, json_text(row, "resource"),
		    json_object_get_int64(value));
}

static enum paint verdict_paint(struct json_object *row)
{
	const char *verdict = json_text(row, "verdict");

	if (!strncmp(verdict, "never", 5))
		return PAINT_RED;
	return !strcmp(verdict, "starting") || !strcmp(verdict, "nodes")
	       ? PAINT_GREEN : PAINT_NONE;
}

const struct column queue_columns[] = {
	{ "JOBID", "jobId", "job, array task, or waiting tasks of an array",
	  COLUMN_ELASTIC, 0, NULL, NULL },
	{ "QUEUE", "clusterQueue", "cluster queue", COLUMN_ELASTIC, 0, NULL,
	  NULL },
	{ "PLACE", "place", "position in the cluster queue, of how many",
	  COLUMN_RIGHT, 0, place_text, NULL },
	{ "LOCAL", "localPlace", "position in the local queue (its account or "
	  "user)",
	  COLUMN_RIGHT, 2, cell_local_place, NULL },
	{ "CLASS", "class", "QOS, partition or job priority, as `priority` in "
	  "cohort.yaml says", COLUMN_ELASTIC, 8, NULL, NULL },
	{ "AGE", "age", "how long it has waited", COLUMN_RIGHT, 4,
	  age_text, NULL },
	{ "REQUEST", "request", "TRES that it requests", COLUMN_ELASTIC, 5,
	  NULL, NULL },
	{ "VERDICT", "verdict", "what it waits for", COLUMN_WHOLE, 0, NULL,
	  verdict_paint },
	{ "NEED", "need", "how much it needs of that",
	  COLUMN_RIGHT | COLUMN_IF_ANY, 6, amount_text, NULL },
	{ "FREE", "free", "how much of that its queue could get",
	  COLUMN_RIGHT | COLUMN_IF_ANY, 7, amount_text, NULL },
	{ "START", "start", "estimated start", COLUMN_IF_ANY, 1, start_text,
	  NULL },
	{ "ACCOUNT", "account", "account", COLUMN_ASKED, 0, NULL, NULL },
	{ "USER", "user", "user", COLUMN_ASKED, 0, NULL, NULL },
	{ "NAME", "name", "name of the job", COLUMN_ASKED, 0, NULL, NULL },
	{ "PARTITION", "partition", "partition", COLUMN_ASKED, 0, NULL, NULL },
	{ "QOS", "qos", "QOS", COLUMN_ASKED, 0, NULL, NULL },
	{ "PRIORITY", "priority", "Slurm's priority",
	  COLUMN_ASKED | COLUMN_RIGHT, 0, NULL, NULL },
	{ "TASKS", "tasks", "waiting tasks in this row",
	  COLUMN_ASKED | COLUMN_RIGHT, 0, NULL, NULL },
	{ .name = NULL }
};

/* ---- rows ---- */

/* slurmctld does not always tell the name. */
static const char *user_name(const struct view *v)
{
	static uint32_t last_uid = UINT32_MAX;
	static char last[64];
	struct passwd *pw;

	if (v->user)
		return v->user;
	if (v->uid != last_uid) {
		pw = getpwuid(v->uid);
		if (pw)
			snprintf(last, sizeof(last), "%s", pw->pw_name);
		else
			snprintf(last, sizeof(last), "%u", v->uid);
		last_uid = v->uid;
	}
	return last;
}

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
	json_add_text(o, "user", user_name(v));
	json_add_text(o, "name", v->name);
	json_add_text(o, "partition", v->partition);
	json_add_text(o, "qos", v->qos);
	json_add_number(o, "priority", v->priority);
	json_add_number(o, "tasks", v->tasks);
}

struct json_object *pending_job_json(const struct pending_list *l,
				     const struct pending_job *w, bool details,
				     int64_t now)
{
	struct json_object *o = json_object_new_object();
	char buf[256];

	json_add_text(o, "jobId",
		      w->view ? view_name(w->view, buf, sizeof(buf)) : NULL);
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
