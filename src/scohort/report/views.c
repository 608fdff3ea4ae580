/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views.c - the columns of reports
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "report/ask.h"
#include "status/status.h"

static void hours_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%.1f", json_object_get_double(value));
}

static void resource_text(struct json_object *row, struct json_object *value,
			  char *buf, size_t size)
{
	const char *name = json_object_get_string(value);

	(void) row;
	snprintf(buf, size, !strcmp(name, "mem") ? "mem[MB]" : "%s", name);
}

static void lender_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	snprintf(buf, size, strcmp(json_text(row, "lenderKind"), "cohort") != 0
		 ? "%s" : "%s (cohort)", json_object_get_string(value));
}

#define PERIOD \
	COLUMN("TIME", "time", "the hour, day, week or month (--by)", .flags = COLUMN_IF_ANY), \
	COLUMN("BEGIN", "begin", "the same in seconds since 1970", .flags = COLUMN_ASKED)
#define RESOURCE \
	COLUMN("RESOURCE", "resource", "what the hours are of: of memory MB", \
	       .text = resource_text)
#define HOURS(name_, key_, help_) \
	COLUMN(name_, key_, help_, .flags = COLUMN_RIGHT, .text = hours_text)

const struct column use_columns[] = {
	PERIOD,
	COLUMN("QUEUE", "clusterQueue", "cluster queue"),
	RESOURCE,
	HOURS("OWNED[h]", "ownedHours", "nominal quota"),
	HOURS("OWN[h]", "ownHours", "nominal quota in use by the queue itself"),
	HOURS("BORROWED[h]", "borrowedHours", "use above nominal quota"),
	HOURS("LENT[h]", "lentHours", "nominal quota in use by others"),
	HOURS("IDLE[h]", "idleHours", "nominal quota in use by nobody while a job of the queue "
	      "waited"),
	HOURS("LOST[h]", "lostHours", "what evicted runs had used since their last checkpoints"),
	COLUMN("EVICTED", "evicted", "evictions of jobs of the queue",
	       .flags = COLUMN_RIGHT, .spare = 1),
	COLUMN("CAUSED", "caused", "evictions for jobs of the queue",
	       .flags = COLUMN_RIGHT, .spare = 2),
	COLUMN("DELAY50[s]", "delayMedianSeconds", "from eligible to start, of jobs within nominal "
	       "quota: the median", .flags = COLUMN_RIGHT, .spare = 3, .text = hours_text),
	COLUMN("DELAY95[s]", "delay95Seconds", "the same: 95 % waited no longer",
	       .flags = COLUMN_RIGHT, .spare = 4, .text = hours_text),
	{ .name = NULL }
};

const struct column matrix_columns[] = {
	PERIOD,
	COLUMN("LENDER", "lender", "cluster queue, or cohort with quota of its own",
	       .text = lender_text),
	COLUMN("BORROWER", "borrower", "cluster queue"),
	RESOURCE,
	HOURS("LENT[h]", "lentHours", "what the one had of the other"),
	COLUMN("KIND", "lenderKind", "what the lender is", .flags = COLUMN_ASKED),
	{ .name = NULL }
};

#define QUEUE COLUMN("QUEUE", "clusterQueue", "cluster queue of the evicted job")
#define FOR COLUMN("FOR", "byClusterQueue", "cluster queue that got its place")
#define RULE COLUMN("RULE", "rule", "why it was evicted", .flags = COLUMN_ELASTIC)
#define LOST HOURS("LOST[h]", "lostHours", "what the evicted run had used since its last checkpoint")

const struct column eviction_columns[] = {
	PERIOD,
	QUEUE, FOR, RULE,
	COLUMN("EVICTED", "evicted", "how many evictions", .flags = COLUMN_RIGHT),
	RESOURCE, LOST,
	{ .name = NULL }
};

const struct column costliest_columns[] = {
	COLUMN("ENDED", "ended", "when the run ended", .spare = 2, .text = cell_date),
	COLUMN("JOBID", "jobId", "the evicted job", .flags = COLUMN_RIGHT),
	QUEUE, RULE,
	COLUMN("BYJOB", "byJobId", "the job that got its place", .flags = COLUMN_RIGHT),
	FOR,
	COLUMN("RAN", "ran", "how long it had run", .flags = COLUMN_RIGHT, .spare = 1,
	       .text = cell_duration),
	RESOURCE, LOST,
	COLUMN("STARTED", "started", "when the run began", .flags = COLUMN_ASKED,
	       .text = cell_date),
	{ .name = NULL }
};
