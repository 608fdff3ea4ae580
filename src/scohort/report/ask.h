/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - what the database of scohort record knows of a time
 *
 * scohort report and the pages of scohort web ask the same questions, and get the same
 * rows. What is chosen and the periods of the range are temporary tables; a question
 * joins them with the record. So all sums agree.
 */
#ifndef SCOHORT_REPORT_ASK_H
#define SCOHORT_REPORT_ASK_H

#include <json.h>

#include "history/reading.h"
#include "output/table.h"
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
	struct range range;	/* of ask_range() */
	/* Evictions and reclaim delays of less than a day are mostly those of a single
	 * job. Where jobs are private, only whole days of them are shown. */
	bool private;
	char here[ZONE_MAX];	/* the time zone outside of this; "": not changed */
};

/* Opens the database (a->db.error has been set: db_open()) and loads the last reading. Until
 * ask_close(), local time is that of the database's zone, and a reading that comes meanwhile is
 * not seen. `busy_ms`: how long to wait for a lock. `watch` (or NULL) is called now and then, and
 * stops a question if it returns other than 0. -1 after a message; ask_close() in any case */
int ask_open(struct ask *a, const char *path, int busy_ms, int (*watch)(void *arg), void *arg);
void ask_close(struct ask *a);

/* For all later questions, once. -1 after a message, which may be that there is no such
 * queue or resource */
int ask_choose(struct ask *a, const struct choice *c);

/* For the questions that follow. -1 after a message, which may be that days of the
 * database in it begin at other times than days of its time zone do here */
int ask_range(struct ask *a, const struct range *range);

/* Are evictions and delays of a->range hidden? */
bool ask_hides(const struct ask *a);

/* Chosen queues; the first of the chosen resources, which is a GRES if there is any */
#define ASK_QUEUES "SELECT name FROM queue ORDER BY name"
#define ASK_RESOURCE "SELECT resource FROM quota" \
		     " ORDER BY resource NOT LIKE 'gres/%', resource LIMIT 1"

/* The texts of the first column become a list. -1 after a message */
int ask_texts(const struct ask *a, const char *sql, struct json_object *list);
/* Each row becomes an object; a cell, if it has a value, a member with the name of its column.
 * The values are those of db_ask(). A column "begin" is that of a period (0: of none). -1 after
 * a message */
int ask_rows(const struct ask *a, struct json_object *list, const char *sql,
	     const char *kinds, ...);

/*
 * Rows of a->range, as objects; cells without a value are left out. Amounts are hours of the
 * resource. -1 after a message
 */

/* By queue and resource, and by period or not; totals by resource. A queue without quota
 * that has events has a row without resource. */
int ask_use(struct ask *a, bool by_period, struct json_object *rows, struct json_object *totals);

/* After ask_use(): lists of the same length, by period, of one queue (NULL: all): begin,
 * time; mean amounts owned, own, borrowed, lent, idle of the resource;
 * delayMedianSeconds, delay95Seconds, evicted. null: not known */
int ask_steps(const struct ask *a, const char *queue, const char *resource,
	      struct json_object *lists);

/* By lender, borrower, resource and period; of chosen queues, those in which they are
 * either. resource: of the choice */
int ask_loans(const struct ask *a, const char *resource, struct json_object *rows,
	      struct json_object *totals);

/* By queue that has lost jobs, queue that got their place, rule, resource that they had
 * used (only that one; NULL: all), and period; of chosen queues, those in which they are
 * either */
int ask_evictions(const struct ask *a, const char *resource,
		  struct json_object *rows, struct json_object *totals);

/* So many evictions that have cost most of the chosen resource, that first: a GRES if there
 * is any and none is chosen. with_jobs: with the ids of jobs and their start */
int ask_costliest(const struct ask *a, const char *flavor, int64_t most,
		  bool with_jobs, struct json_object *rows);

/* ---- what is not known ---- */

/* Adds recordedFrom and recordedUntil, hoursFrom (null: all hours are kept) and
 * the list of gaps. */
int ask_gaps(const struct ask *a, struct json_object *document);
/* Instead, for evictions: evictionsFrom (null: none is kept) and recordedUntil */
int ask_evictions_from(const struct ask *a, struct json_object *document);
/* Adds a sentence for each of them that the reader of a->range has to know */
void ask_notes(const struct ask *a, struct json_object *document, struct json_object *notes);

/* ---- views.c: the columns of reports ---- */

extern const struct column use_columns[], matrix_columns[], eviction_columns[],
	costliest_columns[];

#endif /* SCOHORT_REPORT_ASK_H */
