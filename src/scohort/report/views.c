/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views.c - the columns of reports
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "report/views.h"
#include "status/cells.h"

static void hours_text(struct json_object *row, struct json_object *value,
		       char *buf, size_t size)
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

static void lender_text(struct json_object *row, struct json_object *value,
			char *buf, size_t size)
{
	snprintf(buf, size, strcmp(json_text(row, "lenderKind"), "cohort") != 0
		 ? "%s" : "%s (cohort)", json_object_get_string(value));
}

#define PERIOD \
	{ "TIME", "time", "the hour, day, week or month (--by)", \
	  COLUMN_IF_ANY, 0, NULL, NULL }, \
	{ "BEGIN", "begin", "the same in seconds since 1970", COLUMN_ASKED, 0, \
	  NULL, NULL }
#define RESOURCE { "RESOURCE", "resource", "what the hours are of: of memory " \
		   "MB", 0, 0, resource_text, NULL }
#define HOURS(name_, key_, help_) \
	{ name_, key_, help_, COLUMN_RIGHT, 0, hours_text, NULL }

const struct column use_columns[] = {
	PERIOD,
	{ "QUEUE", "clusterQueue", "cluster queue", 0, 0, NULL, NULL },
	RESOURCE,
	HOURS("OWNED[h]", "ownedHours", "nominal quota"),
	HOURS("OWN[h]", "ownHours", "nominal quota in use by the queue itself"),
	HOURS("BORROWED[h]", "borrowedHours", "use above nominal quota"),
	HOURS("LENT[h]", "lentHours", "nominal quota in use by others"),
	HOURS("IDLE[h]", "idleHours", "nominal quota in use by nobody while a "
	      "job of the queue waited"),
	HOURS("LOST[h]", "lostHours", "what evicted runs had used"),
	{ "EVICTED", "evicted", "evictions of jobs of the queue", COLUMN_RIGHT,
	  1, NULL, NULL },
	{ "CAUSED", "caused", "evictions for jobs of the queue", COLUMN_RIGHT,
	  2, NULL, NULL },
	{ "DELAY50[s]", "delayMedianSeconds", "from eligible to start, of jobs "
	  "within nominal quota: the median", COLUMN_RIGHT, 3, hours_text,
	  NULL },
	{ "DELAY95[s]", "delay95Seconds", "the same: 95 % waited no longer",
	  COLUMN_RIGHT, 4, hours_text, NULL },
	{ .name = NULL }
};

const struct column matrix_columns[] = {
	PERIOD,
	{ "LENDER", "lender", "cluster queue, or cohort with quota of its own",
	  0, 0, lender_text, NULL },
	{ "BORROWER", "borrower", "cluster queue", 0, 0, NULL, NULL },
	RESOURCE,
	HOURS("LENT[h]", "lentHours", "what the one had of the other"),
	{ "KIND", "lenderKind", "what the lender is", COLUMN_ASKED, 0, NULL,
	  NULL },
	{ .name = NULL }
};

#define QUEUE { "QUEUE", "clusterQueue", "cluster queue of the evicted job", 0, \
		0, NULL, NULL }
#define FOR { "FOR", "byClusterQueue", "cluster queue that got its place", 0, \
	      0, NULL, NULL }
#define RULE { "RULE", "rule", "why it was evicted", COLUMN_ELASTIC, 0, NULL, \
	       NULL }
#define LOST HOURS("LOST[h]", "lostHours", "what the evicted run had used")

const struct column eviction_columns[] = {
	PERIOD,
	QUEUE, FOR, RULE,
	{ "EVICTED", "evicted", "how many evictions", COLUMN_RIGHT, 0, NULL,
	  NULL },
	RESOURCE, LOST,
	{ .name = NULL }
};

const struct column costliest_columns[] = {
	{ "ENDED", "ended", "when the run ended", 0, 2, cell_date, NULL },
	{ "JOBID", "jobId", "the evicted job", COLUMN_RIGHT, 0, NULL, NULL },
	QUEUE, RULE,
	{ "BYJOB", "byJobId", "the job that got its place", COLUMN_RIGHT, 0,
	  NULL, NULL },
	FOR,
	{ "RAN", "ran", "how long it had run", COLUMN_RIGHT, 1, cell_duration,
	  NULL },
	RESOURCE, LOST,
	{ "STARTED", "started", "when the run began", COLUMN_ASKED, 0,
	  cell_date, NULL },
	{ .name = NULL }
};
