/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.c - what the database of scohort record knows of a range, for a page
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "history/reading.h"
#include "input/json_members.h"
#include "output/output.h"
#include "past/notes.h"
#include "past/past.h"
#include "past/private.h"
#include "past/steps.h"
#include "report/gaps.h"
#include "report/rows.h"
#include "slurm/conf_path.h"

#define BUSY_MS 500		/* a writer never holds readers up, but a copy might */
#define COSTLIEST 20
#define STEPS_OF_SQLITE 10000	/* between two looks at the clock */

struct asking {
	struct past *p;
	const struct past_query *q;
	struct db db;
	struct reading last;
	struct catalog catalog;
	struct choice choice;
	struct range range;
	struct timespec until;
	bool late;
	bool private;		/* jobs are */
};

/* ---- what is wrong ---- */

static void error_add(struct past *p, enum past_status status,
		      const char *text)
{
	p->status = status;
	json_add_text(p->document, "error", text);
}

/* Messages that functions of report have for people at a terminal, without the name of a
 * command: the first line */
static void error_of_messages(struct asking *a, const char *path,
			      char *messages)
{
	size_t n = strlen(path);
	char text[512];
	char *line, *end = messages + strcspn(messages, "\n");

	*end = '\0';
	line = messages;
	if (!strncmp(line, "scohort", 7) && strstr(line, ": "))
		line = strstr(line, ": ") + 2;
	/* readers need not know where the file is */
	if (!strncmp(line, path, n) && line[n] == ':') {
		line += n + 1 + strspn(line + n + 1, " ");
	} else if (!strncmp(line, path, n) && line[n] == ' ') {
		snprintf(text, sizeof(text), "The database%s", line + n);
		line = text;
	}
	if (a->late)
		line = "This takes too long: a shorter time would do.";
	error_add(a->p, PAST_FAILED, *line ? line : "out of memory");
}

/* Of an answer that failed in the middle, what is chosen stays, for the form. */
static void results_drop(struct past *p)
{
	static const char *const kept[] = {
		"error", "choices", "resource", "flavor", "clusterQueue",
	};
	struct json_object *rest = json_object_new_object(), *value;

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (json_object_object_get_ex(p->document, kept[i], &value))
			json_object_object_add(rest, kept[i],
					       json_object_get(value));
	json_object_put(p->document);
	p->document = rest;
}

static int is_late(void *arg)
{
	struct asking *a = arg;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	a->late = now.tv_sec > a->until.tv_sec
		  || (now.tv_sec == a->until.tv_sec
		      && now.tv_nsec > a->until.tv_nsec);
	return a->late;
}

/* ---- what is asked ---- */

/* RESOURCE@FLAVOR, and RESOURCE for those that have several */
static int choices_add(const struct asking *a, struct json_object *of)
{
	sqlite3_stmt *s = db_prepare(&a->db, "SELECT DISTINCT resource,"
		" resource || '@' || flavor FROM pair UNION SELECT resource,"
		" resource FROM pair ORDER BY 1, 2");
	int rc = SQLITE_ERROR;

	if (!s)
		return -1;
	while ((rc = sqlite3_step(s)) == SQLITE_ROW)
		json_object_array_add(of, json_object_new_string(
			(const char *) sqlite3_column_text(s, 1)));
	if (rc != SQLITE_DONE)
		db_error(&a->db);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? 0 : -1;
}

static bool is_given(const char *text)
{
	return text && *text;
}

static const char *item_text(struct json_object *list, size_t i)
{
	return json_object_get_string(json_object_array_get_idx(list, i));
}

/* The item of that name; without one the first GRES, else the first. NULL: none */
static const char *of_find(struct json_object *of, const char *wanted)
{
	size_t n = json_object_array_length(of);

	for (size_t i = 0; i < n; i++)
		if (is_given(wanted) ? !strcmp(item_text(of, i), wanted)
				     : !strncmp(item_text(of, i), "gres/", 5))
			return item_text(of, i);
	return is_given(wanted) || !n ? NULL : item_text(of, 0);
}

/* buf: for the name of the resource; it has room for all of `of` */
static void choice_set(struct asking *a, const char *of, char *buf)
{
	char *at;

	strcpy(buf, of);
	at = strrchr(buf, '@');
	a->choice.resource = buf;
	if (at) {
		*at = '\0';
		a->choice.flavor = at + 1;
	}
}

/* Is something kept at that level from `start` on, as far as the database goes back? */
static int is_kept(const struct asking *a, enum db_level level, int64_t start)
{
	sqlite3_stmt *s = db_prepare(&a->db, "SELECT min(slot) FROM usage"
					     " WHERE level = ?1");
	int64_t oldest = 0;
	int rc = -1;

	if (!s)
		return -1;
	db_bind(s, "i", (int64_t) level);
	rc = db_ask(&a->db, s, &oldest);
	sqlite3_finalize(s);
	if (rc < 0)
		return -1;
	return oldest && (oldest <= start
			  || oldest <= db_next_slot(level, a->last.begun));
}

/* Minutes and hours are kept for a while only: what is older has longer steps. */
static int range_make_kept(struct asking *a)
{
	static const enum db_level levels[] = {
		[SPAN_MINUTE] = DB_MINUTE, [SPAN_HOUR] = DB_HOUR,
	};
	struct past_range *r = &a->p->range;
	int kept = 0;

	while (!kept && r->by <= SPAN_HOUR) {
		kept = is_kept(a, levels[r->by], r->start);
		if (!kept)
			range_coarsen(r);
	}
	range_make(&a->range, r->start, r->end, r->by);
	return kept < 0 ? -1 : 0;
}

static void document_begin(struct asking *a)
{
	static const char *const names[] = {
		[SPAN_MINUTE] = "minute", [SPAN_HOUR] = "hour",
		[SPAN_DAY] = "day", [SPAN_WEEK] = "week",
		[SPAN_MONTH] = "month",
	};
	struct json_object *o = a->p->document;

	json_add_number(o, "start", a->range.start);
	json_add_number(o, "end", a->range.end);
	json_add_text(o, "zone", a->last.zone);
	json_add_text(o, "by", names[a->range.by]);
	json_add_text(o, "resource", a->choice.resource);
	json_add_text(o, "flavor", a->choice.flavor);
}

/* ---- answers ---- */

static struct json_object *list_add(struct asking *a, const char *key)
{
	struct json_object *list = json_object_new_array();

	json_object_object_add(a->p->document, key, list);
	return list;
}

/* Use by hour or minute is told without evictions. */
static bool hides_evictions(const struct asking *a)
{
	return a->private && a->range.by < SPAN_DAY;
}

static const char *private_note(const struct asking *a)
{
	return a->private ? private_says(hides_evictions(a)) : NULL;
}

static int usage_fill(struct asking *a, int queue)
{
	struct json_object *steps = json_object_new_object();
	struct range whole = a->range;

	/* the same rows of the database, so that steps and sums agree */
	whole.by = SPAN_WHOLE;
	json_object_object_add(a->p->document, "steps", steps);
	if (rows_fill(&a->db, &whole, &a->catalog, list_add(a, "rows"),
		      list_add(a, "totals")) < 0
	    || steps_fill(&a->db, &a->range, &a->catalog, queue, a->last.begun,
			  a->last.at, steps) < 0
	    || gaps_fill(&a->db, &a->range, a->p->document) < 0)
		return -1;
	if (hides_evictions(a))
		private_hide(a->p->document);
	return notes_fill(a->p->document, &a->range, private_note(a));
}

/* A run that was lost is a fact of a job: nobody learns which, and nothing of it where
 * jobs are private. */
static int costliest_add(struct asking *a)
{
	struct json_object *rows;

	if (a->private) {
		json_object_object_add(a->p->document, "costliest", NULL);
		return 0;
	}
	rows = list_add(a, "costliest");
	if (costliest_fill(&a->db, &a->range, &a->choice, &a->catalog,
			   COSTLIEST, rows) < 0)
		return -1;
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		json_object_object_del(row, "jobId");
		json_object_object_del(row, "byJobId");
		json_object_object_del(row, "started");
	}
	return 0;
}

static int evictions_add(struct asking *a)
{
	struct choice all = { .nqueues = 0 };
	struct range whole = a->range;
	struct json_object *rows;
	size_t n;

	whole.by = SPAN_WHOLE;
	rows = list_add(a, "rows");
	if (evictions_fill(&a->db, &whole, &all, &a->catalog, rows,
			   list_add(a, "totals")) < 0
	    || costliest_add(a) < 0
	    || evictions_known_fill(&a->db, a->p->document) < 0)
		return -1;
	/* when the oldest one ended is a fact of a job, too */
	if (a->private)
		json_object_object_add(a->p->document, "evictionsFrom", NULL);
	json_object_object_add(a->p->document, "wholeDays",
			       json_object_new_boolean(a->private));
	n = json_object_array_length(rows);
	if (n > PAST_ROWS_MAX)
		json_object_array_del_idx(rows, PAST_ROWS_MAX,
					  n - PAST_ROWS_MAX);
	json_add_number(a->p->document, "rowsLeftOut",
			n > PAST_ROWS_MAX ? (int64_t) (n - PAST_ROWS_MAX) : 0);
	return notes_fill(a->p->document, &a->range, private_note(a));
}

/* -1: all; -2: there is no such queue */
static int queue_find(const struct asking *a)
{
	if (!is_given(a->q->queue))
		return -1;
	for (size_t i = 0; i < a->catalog.queues.n; i++)
		if (!strcmp(a->catalog.queues.names[i], a->q->queue))
			return (int) i;
	return -2;
}

/* -1 after a message or an error in the document */
static int answer(struct asking *a)
{
	struct json_object *queues = json_object_new_array();
	int queue;

	json_object_object_add(json_member(a->p->document, "choices"),
			       "queues", queues);
	if (catalog_load(&a->catalog, &a->db, &a->choice) < 0)
		return -1;
	for (size_t i = 0; i < a->catalog.queues.n; i++)
		json_object_array_add(queues, json_object_new_string(
					      a->catalog.queues.names[i]));
	if (a->p->kind == PAST_EVICTIONS)
		return evictions_add(a);
	queue = queue_find(a);
	if (queue < -1) {
		error_add(a->p, PAST_MISSING,
			  "The database knows no such cluster queue.");
		return -1;
	}
	json_add_text(a->p->document, "clusterQueue",
		      queue < 0 ? NULL : a->catalog.queues.names[queue]);
	return usage_fill(a, queue);
}

static int of_chosen(struct asking *a, char **buf)
{
	struct json_object *choices = json_object_new_object();
	struct json_object *list = json_object_new_array();
	const char *of;

	json_object_object_add(a->p->document, "choices", choices);
	json_object_object_add(choices, "of", list);
	if (choices_add(a, list) < 0)
		return -1;
	of = of_find(list, a->q->of);
	if (!of) {
		error_add(a->p, PAST_MISSING, is_given(a->q->of)
			  ? "The database knows no quota for such a resource."
			  : "The database has no quota yet.");
		return -1;
	}
	if (!(*buf = malloc(strlen(of) + 1)))
		return -1;
	choice_set(a, of, *buf);
	return 0;
}

/* Use by hour and minute stays as it was asked for, without evictions. */
static void range_make_private(struct asking *a)
{
	char unread[CONF_PATH_MAX];

	a->private = conf_jobs_are_private(unread);
	if (a->private && (a->p->kind == PAST_EVICTIONS
			   || a->p->range.by >= SPAN_DAY))
		range_to_days(&a->p->range);
}

static int range_ask(struct asking *a, int64_t now)
{
	const char *wrong = range_read(&a->p->range, a->q->range, a->q->from,
				       a->q->to, now);

	if (!wrong) {
		range_make_private(a);
		return 0;
	}
	error_add(a->p, PAST_WRONG, wrong);
	return -1;
}

static void zone_enter(struct asking *a)
{
	zone_here(a->p->here, sizeof(a->p->here));
	if (!*a->last.zone)
		memcpy(a->last.zone, a->p->here, sizeof(a->last.zone));
	zone_use(a->last.zone);
}

static int database_ask(struct asking *a, int64_t now)
{
	char *buf = NULL;
	int rc = -1;

	if (db_run(&a->db, "BEGIN") < 0 || reading_load(&a->last, &a->db) < 0)
		return -1;
	zone_enter(a);
	if (!range_ask(a, now) && !of_chosen(a, &buf) && !range_make_kept(a)
	    && !range_check(&a->range, &a->db, a->last.zone)) {
		document_begin(a);
		rc = answer(a);
	}
	catalog_destroy(&a->catalog);
	free(buf);
	return rc;
}

void past_open(struct past *p, const char *db, enum past_kind kind,
	       const struct past_query *q, int64_t now)
{
	struct asking a = { .p = p, .q = q };
	char *messages = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&messages, &size);
	int rc = -1;

	*p = (struct past) { .kind = kind, .range.kind = RANGE_DAY };
	p->document = json_object_new_object();
	clock_gettime(CLOCK_MONOTONIC, &a.until);
	a.until.tv_sec += PAST_SECONDS;
	output_messages_to(f);
	if (f && !db_open_within(&a.db, db, BUSY_MS)) {
		sqlite3_progress_handler(a.db.handle, STEPS_OF_SQLITE, is_late,
					 &a);
		rc = database_ask(&a, now);
	}
	db_close(&a.db);
	output_messages_to(NULL);
	if (f)
		fclose(f);
	if (rc < 0 && p->status == PAST_OK)
		error_of_messages(&a, db,
				  messages ? messages : (char[]) { "" });
	if (p->status != PAST_OK)
		results_drop(p);
	free(messages);
}

void past_close(struct past *p)
{
	zone_use(p->here);
	json_object_put(p->document);
	p->document = NULL;
}
