/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * me.c - scohort me: the user's own jobs
 *
 * A line for each, with what scohort why tells of it: those that run first, as
 * long as they have run, then those that wait, by cluster queue and place.
 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "input/json_members.h"
#include "ledger/published.h"
#include "lib/sat.h"
#include "output/exit_status.h"
#include "output/table.h"
#include "output/text.h"
#include "slurm/job_views.h"
#include "status/status.h"
#include "why/why.h"

/* ---- columns ---- */

static void place_text(struct json_object *row, struct json_object *value,
		       char *buf, size_t size)
{
	int64_t place = json_object_get_int64(value);

	if (place)
		snprintf(buf, size, "%"PRId64"/%"PRId64, place,
			 json_number(row, "total"));
	else
		snprintf(buf, size, "%s", "-");
}

/* Only a job that runs may be evicted. */
static void evict_text(struct json_object *row, struct json_object *value,
		       char *buf, size_t size)
{
	int64_t when = json_number(row, "evictableFrom");

	if (!json_object_get_boolean(value))
		snprintf(buf, size, "no");
	else if (when > json_number(row, "time"))
		text_time(buf, size, when, json_number(row, "time"));
	else
		snprintf(buf, size, "now");
}

static enum paint state_paint(struct json_object *row)
{
	return strcmp(json_text(row, "state"), "RUNNING") ? PAINT_NONE
							  : PAINT_GREEN;
}

static const struct column me_columns[] = {
	COLUMN("JOBID", "jobId", "job, array task, or waiting tasks of an array",
	       .flags = COLUMN_ELASTIC),
	COLUMN("STATE", "state", "state of the job", .paint = state_paint),
	COLUMN("QUEUE", "clusterQueue", "cluster queue", .flags = COLUMN_ELASTIC,
	       .spare = 3),
	COLUMN("PLACE", "place", "position in the cluster queue, of how many",
	       .flags = COLUMN_RIGHT, .text = place_text),
	COLUMN("LOCAL", "localPlace", "position in the local queue (its account or user)",
	       .flags = COLUMN_RIGHT | COLUMN_IF_ANY, .spare = 5, .text = cell_local_place),
	COLUMN("START", "start", "start, or the estimate of it", .spare = 1,
	       .text = cell_time),
	COLUMN("EVICT", "evictable", "from when it may be evicted: now, a time, or no",
	       .text = evict_text),
	COLUMN("END", "end", "when its time limit is reached", .spare = 4,
	       .text = cell_time),
	COLUMN("VERDICT", "verdict", "what it waits for", .flags = COLUMN_WHOLE,
	       .spare = 2),
	COLUMN("REQUEST", "request", "TRES that it requests", .flags = COLUMN_ELASTIC,
	       .spare = 6),
	COLUMN("NAME", "name", "name of the job", .flags = COLUMN_ELASTIC, .spare = 7),
	COLUMN("ACCOUNT", "account", "account", .flags = COLUMN_ASKED),
	COLUMN("PARTITION", "partition", "partition", .flags = COLUMN_ASKED),
	COLUMN("QOS", "qos", "QOS", .flags = COLUMN_ASKED),
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "", .max = 0,
	.about = "Your own jobs: the position and the estimated start of those "
		 "that wait, and from\nwhen those that run may be evicted. scohort why JOBID "
		 "--fit tells what would start\none sooner.\n",
	.output = CLI_TABLE, .columns = me_columns,
};

/* ---- rows ---- */

static struct json_object *row_of(const struct published *p,
				  const struct view *v, int64_t now)
{
	struct json_object *row = why_tell(p, v, now);

	json_object_object_del(row, "sentences");
	json_add_text(row, "name", v->name);
	if (v->state != VIEW_PENDING && *json_text(row, "clusterQueue"))
		json_add_truth(row, "evictable", json_number(row, "evictableFrom") != 0);
	return row;
}

static bool waits(struct json_object *row)
{
	return !strcmp(json_text(row, "state"), "PENDING");
}

/* Those that have no place come last. */
static int64_t place_of(struct json_object *row)
{
	int64_t place = json_number(row, "place");

	return place ? place : INT64_MAX;
}

static int by_place(const void *x, const void *y)
{
	struct json_object *a = *(struct json_object *const *) x;
	struct json_object *b = *(struct json_object *const *) y;
	int order = waits(a) - waits(b);

	if (!order && !waits(a))
		order = compare64(json_number(a, "start"),
				  json_number(b, "start"));
	if (!order)
		order = strcmp(json_text(a, "clusterQueue"),
			       json_text(b, "clusterQueue"));
	return order ? order : compare64(place_of(a), place_of(b));
}

/* Components of a heterogeneous job ("8123+0", "8123+1") go together: when the last of
 * those may that somebody can evict. */
static void components_agree(struct json_object *rows, struct json_object *row)
{
	const char *id = json_text(row, "jobId"), *plus = strchr(id, '+');
	int64_t latest = 0;

	if (!plus || !json_member(row, "evictable"))
		return;
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *other = json_object_array_get_idx(rows, i);

		if (!strncmp(json_text(other, "jobId"), id, (size_t) (plus - id) + 1))
			latest = max64(latest, json_number(other, "evictableFrom"));
	}
	json_add_time(row, "evictableFrom", latest);
	json_add_truth(row, "evictable", latest != 0);
}

static struct json_object *rows_make(const struct published *p,
				     const struct view_list *list, int64_t now)
{
	struct json_object *rows = json_object_new_array();

	for (size_t i = 0; i < list->n; i++) {
		if (list->views[i].state != VIEW_DONE)
			json_object_array_add(rows, row_of(p, &list->views[i], now));
	}
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		components_agree(rows, json_object_array_get_idx(rows, i));
	json_object_array_sort(rows, by_place);
	return rows;
}

static int me_show(const struct output *out, const struct published *p)
{
	struct json_object *document, *rows;
	int64_t now = time(NULL);
	struct view_list list;
	char err[256];
	int status = views_load_user(&list, getuid(), err, sizeof(err));

	if (status) {
		complain("%s", err);
		return status;
	}
	document = json_object_new_object();
	rows = rows_make(p, &list, now);
	json_add_number(document, "time", now);
	json_object_object_add(document, "jobs", rows);
	if (output_is_data(out))
		output_document(out, document);
	else
		rows_show(me_columns, out, rows, now);
	json_object_put(document);
	views_free(&list);
	return STATUS_OK;
}

int cmd_me(int argc, char **argv)
{
	struct controller controller;
	char err[PATH_MAX + 256];
	struct published p;
	struct call call;
	int status;

	if (!cli_parse(&cli, argc, argv, NULL, &call))
		return call.status;
	status = controller_open_cohort(&controller);
	if (status)
		return status;
	/* Without the file, the jobs themselves tell some of it. */
	if (published_open(&p, &controller, err, sizeof(err)))
		complain("%s", err);
	status = me_show(&call.out, &p);
	published_close(&p);
	controller_close(&controller);
	return status;
}
