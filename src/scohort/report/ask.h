/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - questions to the database of scohort record about a time
 *
 * The reports and the pages of the past ask the same questions, and get the same rows. A
 * question first collects what each period has into temporary tables, which the sums of
 * periods, queues and all are then made of. So all sums agree.
 */
#ifndef SCOHORT_REPORT_ASK_H
#define SCOHORT_REPORT_ASK_H

#include <json.h>

#include "history/reading.h"
#include "report/span.h"

/* Only these. NULL or 0: all */
struct choice {
	char **queues;
	size_t nqueues;
	const char *resource, *flavor;
};

struct ask {
	struct db db;
	struct reading last;	/* its zone is never "" */
	struct choice choice;
	struct range range;
	/* Evictions and reclaim delays of less than a day are mostly those of a single
	 * job. Where jobs are private, only whole days of them are told. */
	bool private;
	char here[ZONE_MAX];	/* the time zone outside of this; "": not changed */
};

/* Opens the database and loads the last reading. Until ask_close(), local time is that of
 * the database's zone, and a reading that comes meanwhile is not seen. `busy_ms`: how long
 * to wait for a lock. `watch` (or NULL) is called now and then, and stops a question if it
 * returns other than 0. -1 after a message; ask_close() in any case */
int ask_open(struct ask *a, const char *path, int busy_ms,
	     int (*watch)(void *arg), void *arg);
void ask_close(struct ask *a);

/* For all later questions: a->choice. -1 after a message, which may be that there is no such
 * queue or resource */
int ask_choose(struct ask *a);

/* Are evictions and delays of a->range hidden? */
bool ask_hides(const struct ask *a);

/* Chosen queues; the first of the chosen resources, which is a GRES if there is any */
#define ASK_QUEUES "SELECT name FROM queue ORDER BY name"
#define ASK_RESOURCE "SELECT resource FROM quota" \
		     " ORDER BY resource NOT LIKE 'gres/%', resource LIMIT 1"

/* The texts of the first column become a list. `text` (or NULL) is ?1. -1 after a message */
int ask_texts(const struct ask *a, const char *sql, const char *text,
	      struct json_object *list);

/* ---- use of a->choice ---- */

/* Collects a->range, for the two below. -1 after a message */
int ask_use(struct ask *a);

/* How rows of use are summed up */
struct use_view {
	bool by_period;		/* else one row for the whole range */
	bool by_queue;		/* else one row, "TOTAL" */
	const char *queue;	/* only this one; NULL: all */
};

/* The columns of a row of use. Amounts are hours of the resource. */
enum use_column {
	USE_BEGIN, USE_QUEUE, USE_RESOURCE, USE_OWNED, USE_OWN, USE_BORROWED,
	USE_LENT, USE_IDLE, USE_LOST, USE_EVICTED, USE_CAUSED, USE_MEDIAN,
	USE_MOST,
};

/* By begin, queue and resource. A queue without quota that has events has a row without
 * resource. What is hidden is NULL. NULL after a message; sqlite3_finalize() it. */
sqlite3_stmt *ask_use_rows(const struct ask *a, const struct use_view *view);

/* The same as JSON: cells that are NULL are left out. -1 after a message */
int ask_use_list(const struct ask *a, const struct use_view *view,
		 struct json_object *list);

/* ---- others: rows, and totals by resource, of a->range. -1 after a message ---- */

/* By lender, borrower, resource and period; of chosen queues, those in which they are
 * either */
int ask_loans(const struct ask *a, struct json_object *rows,
	      struct json_object *totals);

/* By queue that has lost jobs, queue that got their place, rule, resource that they had
 * used (only that one; NULL: all), and period; of chosen queues, those in which they are
 * either */
int ask_evictions(const struct ask *a, const char *resource,
		  struct json_object *rows, struct json_object *totals);

/* So many evictions that have cost most of the chosen resource, that first: a GRES if there
 * is any and none is chosen. with_jobs: with the numbers of jobs and their start */
int ask_costliest(const struct ask *a, int64_t most, bool with_jobs,
		  struct json_object *rows);

#endif /* SCOHORT_REPORT_ASK_H */
