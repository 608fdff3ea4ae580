/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.c - questions to the database of scohort record about a time
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "output/output.h"
#include "report/ask.h"
#include "report/delays.h"

#define STEPS_OF_SQLITE 10000	/* between two calls of `watch` */

/* ---- opening ---- */

int ask_open(struct ask *a, const char *path, int busy_ms,
	     int (*watch)(void *arg), void *arg)
{
	if (db_open_within(&a->db, path, busy_ms) < 0)
		return -1;
	if (watch)
		sqlite3_progress_handler(a->db.handle, STEPS_OF_SQLITE, watch,
					 arg);
	if (delays_register(&a->db) < 0 || db_run(&a->db, "BEGIN") < 0
	    || reading_load(&a->last, &a->db) < 0)
		return -1;
	zone_here(a->here, sizeof(a->here));
	if (!*a->last.zone)
		memcpy(a->last.zone, a->here, sizeof(a->last.zone));
	zone_use(a->last.zone);
	return 0;
}

void ask_close(struct ask *a)
{
	db_close(&a->db);
	zone_use(a->here);
}

bool ask_hides(const struct ask *a)
{
	return a->private
	       && (a->range.by == SPAN_MINUTE || a->range.by == SPAN_HOUR);
}

/* ---- what is chosen ---- */

/* quota: pairs of chosen queues, by resource */
static const char choice_sql[] =
	"PRAGMA temp_store = MEMORY;"
	"CREATE TEMP TABLE wanted(name TEXT);"
	"CREATE TEMP TABLE queue(id INTEGER PRIMARY KEY, name TEXT);"
	"CREATE TEMP TABLE quota(id INTEGER PRIMARY KEY, queue TEXT,"
	" resource TEXT);";

int ask_texts(const struct ask *a, const char *sql, const char *text,
	      struct json_object *list)
{
	sqlite3_stmt *s = db_prepare(&a->db, sql);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "t", text);
	while ((rc = sqlite3_step(s)) == SQLITE_ROW)
		json_object_array_add(list, json_object_new_string(
			(const char *) sqlite3_column_text(s, 0)));
	if (rc != SQLITE_DONE)
		db_error(&a->db);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? 0 : -1;
}

/* -1 after a message about the first text, if there is any */
static int none_check(const struct ask *a, const char *sql, const char *text,
		      const char *what)
{
	struct json_object *list = json_object_new_array();
	int rc = ask_texts(a, sql, text, list);

	if (!rc && json_object_array_length(list)) {
		stderr_line("scohort report: %s knows no %s \"%s\"", a->db.path,
			    what, json_object_get_string(
				    json_object_array_get_idx(list, 0)));
		rc = -1;
	}
	json_object_put(list);
	return rc;
}

int ask_choose(struct ask *a)
{
	const struct choice *c = &a->choice;
	int rc = db_run(&a->db, choice_sql);

	for (size_t i = 0; !rc && i < c->nqueues; i++)
		rc = db_once(&a->db, NULL, "INSERT INTO wanted VALUES (?1)",
			     "t", c->queues[i]);
	if (rc < 0
	    || db_run(&a->db, "INSERT INTO queue SELECT id, name FROM node"
		      " WHERE NOT is_cohort AND (name IN wanted"
		      " OR NOT EXISTS (SELECT 1 FROM wanted))") < 0
	    || db_once(&a->db, NULL, "INSERT INTO quota SELECT p.id, q.name,"
		       " p.resource FROM pair p JOIN queue q ON q.id = p.node"
		       " WHERE (?1 IS NULL OR p.resource = ?1)"
		       " AND (?2 IS NULL OR p.flavor = ?2)", "tt", c->resource,
		       c->flavor) < 0)
		return -1;
	return none_check(a, "SELECT name FROM wanted WHERE name NOT IN"
			  " (SELECT name FROM queue) AND ?1 IS NULL", NULL,
			  "cluster queue") < 0
	       || none_check(a, "SELECT ?1 WHERE ?1 IS NOT NULL"
			     " AND NOT EXISTS (SELECT 1 FROM quota)",
			     c->resource, "quota for resource") < 0 ? -1 : 0;
}

/* ---- collecting: each period of the range, from the levels that have it ---- */

/* ?1: begin of the period (0: the whole range); ?2: level; ?3, ?4: first slot, and the
 * one after the last; ?5: text */
static int part_collect(const struct ask *a, sqlite3_stmt *s, int64_t begin,
			const struct part *part, const char *text)
{
	db_bind(s, "iiiit", begin, (int64_t) part->level, part->begin,
		part->end, text);
	return db_do(&a->db, s);
}

/* The periods of a range, by the one who reads them */
static int collect(const struct ask *a, const char *sql, bool by_slot,
		   const char *text)
{
	sqlite3_stmt *s = db_prepare(&a->db, sql);
	struct range rest = a->range;
	int rc = s ? 0 : -1;

	while (!rc && rest.start < a->range.end) {
		int64_t begin = span_begin(rest.by, rest.start);
		int64_t next = span_next(rest.by, begin);
		struct part parts[RANGE_PARTS];
		size_t n = 1;

		rest.end = next < a->range.end ? next : a->range.end;
		parts[0] = (struct part) { DB_MINUTE, rest.start, rest.end };
		if (by_slot)
			n = range_parts(&rest, parts);
		for (size_t i = 0; !rc && i < n; i++)
			rc = part_collect(a, s, rest.by == SPAN_WHOLE ? 0 : begin,
					  &parts[i], text);
		rest.start = rest.end;
	}
	sqlite3_finalize(s);
	return rc;
}

/* NULL: null. Hours have four decimals, and delays one. */
static struct json_object *cell_json(sqlite3_stmt *s, int column)
{
	static char hours[] = "%.4f", delay[] = "%.1f";
	struct json_object *real;

	switch (sqlite3_column_type(s, column)) {
	case SQLITE_TEXT:
		return json_object_new_string(
			(const char *) sqlite3_column_text(s, column));
	case SQLITE_INTEGER:
		return json_object_new_int64(sqlite3_column_int64(s, column));
	case SQLITE_FLOAT:
		real = json_object_new_double(sqlite3_column_double(s, column));
		/* a text is made only of what is printed as JSON */
		json_object_set_serializer(
			real, json_object_double_to_json_string,
			strncmp(sqlite3_column_name(s, column), "delay", 5)
			? hours : delay, NULL);
		return real;
	default:
		return NULL;
	}
}

/* A cell becomes a member with the name of its column, if it has a value. A begin is that of a
 * period, which has a name, too; 0: of none. */
static struct json_object *row_json(const struct ask *a, sqlite3_stmt *s)
{
	struct json_object *row = json_object_new_object();
	char time[64];

	for (int i = 0; i < sqlite3_column_count(s); i++) {
		const char *key = sqlite3_column_name(s, i);
		bool is_begin = !strcmp(key, "begin");
		int64_t begin = is_begin ? sqlite3_column_int64(s, i) : 0;

		if (sqlite3_column_type(s, i) == SQLITE_NULL
		    || (is_begin && !begin))
			continue;
		if (is_begin) {
			span_name(a->range.by, begin, time, sizeof(time));
			json_add_text(row, "time", time);
		}
		json_object_object_add(row, key, cell_json(s, i));
	}
	return row;
}

/* Ends the statement, which has its values (NULL after a message). */
static int rows_add(const struct ask *a, sqlite3_stmt *s,
		    struct json_object *list)
{
	int rc = SQLITE_ERROR;

	if (!s)
		return -1;
	while ((rc = sqlite3_step(s)) == SQLITE_ROW)
		json_object_array_add(list, row_json(a, s));
	if (rc != SQLITE_DONE)
		db_error(&a->db);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? 0 : -1;
}

/* Of sums beyond all bounds the largest whole number is told. */
#define HOURS(sum) "min(" sum ", 9223372036854775807.0) / 3600"

/* ---- use ---- */

static const char use_sql[] =
	"DROP TABLE IF EXISTS temp.use; DROP TABLE IF EXISTS temp.told;"
	"CREATE TEMP TABLE use(begin, queue, resource, nominal, own, borrowed,"
	" lent, idle, lost);"
	"CREATE TEMP TABLE told(begin, queue, what, n);";

/* CROSS JOIN: in that order */
static const char use_collect[] =
	"INSERT INTO temp.use SELECT ?1, q.queue, q.resource, total(nominal),"
	" total(own), total(borrowed), total(lent), total(idle), total(lost)"
	" FROM usage u CROSS JOIN quota q ON q.id = u.pair"
	" WHERE u.level = ?2 AND u.slot >= ?3 AND u.slot < ?4"
	" GROUP BY q.queue, q.resource";

static const char told_collect[] =
	"INSERT INTO temp.told SELECT ?1, q.name, w.name, total(t.n)"
	" FROM tally t CROSS JOIN queue q ON q.id = t.node"
	" CROSS JOIN what w ON w.id = t.what"
	" WHERE t.level = ?2 AND t.slot >= ?3 AND t.slot < ?4"
	" AND w.name <> 'starts' GROUP BY q.name, w.id";

int ask_use(struct ask *a)
{
	if (db_run(&a->db, use_sql) < 0
	    || collect(a, use_collect, true, NULL) < 0)
		return -1;
	return ask_hides(a) ? 0 : collect(a, told_collect, true, NULL);
}

/* ?1: by period; ?2: by queue; ?3: only this queue; ?4: events are hidden */
#define KEYS "CASE WHEN ?1 THEN begin ELSE 0 END AS begin," \
	     " CASE WHEN ?2 THEN queue ELSE 'TOTAL' END AS name"

static const char use_rows[] =
	"WITH u AS (SELECT " KEYS ", resource, total(nominal) AS nominal,"
	" total(own) AS own, total(borrowed) AS borrowed, total(lent) AS lent,"
	" total(idle) AS idle, total(lost) AS lost FROM temp.use"
	" WHERE ?3 IS NULL OR queue = ?3 GROUP BY 1, 2, 3),"
	" e AS (SELECT " KEYS ","
	" CAST(total(n * (what LIKE 'evicted %')) AS INTEGER) AS evicted,"
	" CAST(total(n * (what LIKE 'caused %')) AS INTEGER) AS caused,"
	" quantile(what, n, 0.5) AS median, quantile(what, n, 0.95) AS most"
	" FROM temp.told WHERE ?3 IS NULL OR queue = ?3 GROUP BY 1, 2)"
	" SELECT u.begin AS \"begin\", u.name AS \"clusterQueue\","
	" u.resource AS \"resource\", " HOURS("u.nominal") " AS \"ownedHours\","
	" " HOURS("u.own") " AS \"ownHours\","
	" " HOURS("u.borrowed") " AS \"borrowedHours\","
	" " HOURS("u.lent") " AS \"lentHours\","
	" " HOURS("u.idle") " AS \"idleHours\","
	" CASE WHEN NOT ?4 THEN " HOURS("u.lost") " END AS \"lostHours\","
	" CASE WHEN NOT ?4 THEN coalesce(e.evicted, 0) END AS \"evicted\","
	" CASE WHEN NOT ?4 THEN coalesce(e.caused, 0) END AS \"caused\","
	" e.median AS \"delayMedianSeconds\", e.most AS \"delay95Seconds\""
	" FROM u LEFT JOIN e ON e.begin = u.begin AND e.name = u.name"
	/* no quota, and no use of any: the events are told all the same */
	" UNION ALL SELECT e.begin, e.name, NULL, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,"
	" e.evicted, e.caused, e.median, e.most FROM e WHERE (?1 OR ?2)"
	" AND (e.begin, e.name) NOT IN (SELECT begin, name FROM u)"
	" ORDER BY 1, 2, 3";

sqlite3_stmt *ask_use_rows(const struct ask *a, const struct use_view *view)
{
	sqlite3_stmt *s = db_prepare(&a->db, use_rows);

	if (s)
		db_bind(s, "iiti", (int64_t) view->by_period,
			(int64_t) view->by_queue, view->queue,
			(int64_t) ask_hides(a));
	return s;
}

int ask_use_list(const struct ask *a, const struct use_view *view,
		 struct json_object *list)
{
	return rows_add(a, ask_use_rows(a, view), list);
}

/* ---- loans ---- */

#define CHOSEN(left, right) \
	"(" left " IN (SELECT id FROM queue) OR " right " IN (SELECT id FROM queue))"

static const char loans_collect[] =
	"INSERT INTO temp.lent SELECT ?1, l.name, l.is_cohort, b.name,"
	" k.resource, total(o.amount) FROM loan o"
	" CROSS JOIN link k ON k.id = o.link CROSS JOIN node l ON l.id = k.lender"
	" CROSS JOIN node b ON b.id = k.borrower"
	" WHERE o.level = ?2 AND o.slot >= ?3 AND o.slot < ?4"
	" AND (?5 IS NULL OR k.resource = ?5) AND "
	CHOSEN("k.lender", "k.borrower")
	" GROUP BY l.id, b.id, k.resource";

int ask_loans(const struct ask *a, struct json_object *rows,
	      struct json_object *totals)
{
	if (db_run(&a->db, "CREATE TEMP TABLE lent(begin, lender, is_cohort,"
		   " borrower, resource, amount)") < 0
	    || collect(a, loans_collect, true, a->choice.resource) < 0
	    || rows_add(a, db_prepare(&a->db, "SELECT begin, lender,"
			" CASE WHEN is_cohort THEN 'cohort'"
			" ELSE 'clusterQueue' END AS \"lenderKind\", borrower,"
			" resource, " HOURS("total(amount)") " AS \"lentHours\""
			" FROM temp.lent GROUP BY begin, lender, is_cohort,"
			" borrower, resource HAVING total(amount) > 0"
			" ORDER BY begin, lender, is_cohort, borrower,"
			" resource"), rows) < 0)
		return -1;
	return rows_add(a, db_prepare(&a->db, "SELECT 'TOTAL' AS lender,"
			" resource, " HOURS("total(amount)") " AS \"lentHours\""
			" FROM temp.lent GROUP BY resource"
			" HAVING total(amount) > 0 ORDER BY resource"), totals);
}

/* ---- evictions ---- */

static bool has_evictions(const struct db *db)
{
	if (!db->has_events)
		stderr_line("scohort report: %s is of version %d and has no "
			    "evictions: the next reading of scohort record "
			    "brings it up to date", db->path,
			    DB_VERSION_OLDEST);
	return db->has_events;
}

/* Losses of several flavors of a resource are one eviction. */
static const char evictions_collect[] =
	"INSERT INTO temp.evicted SELECT ?1, q.name, b.name,"
	" substr(w.name, 9), p.resource, count(DISTINCT e.id), total(l.amount)"
	" FROM event e LEFT JOIN event_lost l ON l.event = e.id"
	" LEFT JOIN pair p ON p.id = l.pair LEFT JOIN node q ON q.id = e.queue"
	" LEFT JOIN node b ON b.id = e.by_queue"
	" LEFT JOIN what w ON w.id = e.what"
	" WHERE e.ended >= ?3 AND e.ended < ?4"
	" AND (?5 IS NULL OR p.resource = ?5) AND "
	CHOSEN("e.queue", "e.by_queue") " GROUP BY 2, 3, 4, 5";

int ask_evictions(const struct ask *a, const char *resource,
		  struct json_object *rows, struct json_object *totals)
{
	if (!has_evictions(&a->db)
	    || db_run(&a->db, "CREATE TEMP TABLE evicted(begin, queue, by_queue,"
		      " rule, resource, n, lost)") < 0
	    || collect(a, evictions_collect, false, resource) < 0
	    || rows_add(a, db_prepare(&a->db, "SELECT begin,"
			" queue AS \"clusterQueue\","
			" by_queue AS \"byClusterQueue\", rule,"
			" n AS \"evicted\", resource,"
			" " HOURS("lost") " AS \"lostHours\" FROM temp.evicted"
			" ORDER BY 1, 2, 3, 4, 6"), rows) < 0)
		return -1;
	return rows_add(a, db_prepare(&a->db, "SELECT 'TOTAL'"
			" AS \"clusterQueue\", resource, sum(n) AS \"evicted\","
			" " HOURS("total(lost)") " AS \"lostHours\""
			" FROM temp.evicted GROUP BY resource"
			" ORDER BY resource IS NULL, resource"), totals);
}

static const char costliest_rows[] =
	"SELECT e.ended AS \"ended\", CASE WHEN ?4 THEN e.job END AS \"jobId\","
	" q.name AS \"clusterQueue\", substr(w.name, 9) AS \"rule\","
	" CASE WHEN ?4 THEN e.by_job END AS \"byJobId\","
	" b.name AS \"byClusterQueue\","
	" CASE WHEN ?4 THEN e.started END AS \"started\", e.ran AS \"ran\","
	" p.resource AS \"resource\","
	" " HOURS("total(l.amount)") " AS \"lostHours\""
	" FROM event e JOIN event_lost l ON l.event = e.id"
	" JOIN pair p ON p.id = l.pair AND p.resource = (" ASK_RESOURCE ")"
	" AND (?5 IS NULL OR p.flavor = ?5)"
	" JOIN node q ON q.id = e.queue JOIN what w ON w.id = e.what"
	" LEFT JOIN node b ON b.id = e.by_queue"
	" WHERE e.ended >= ?1 AND e.ended < ?2 AND "
	CHOSEN("e.queue", "e.by_queue")
	" GROUP BY e.id ORDER BY total(l.amount) DESC, e.ended, e.job LIMIT ?3";

int ask_costliest(const struct ask *a, int64_t most, bool with_jobs,
		  struct json_object *rows)
{
	sqlite3_stmt *s = NULL;

	if (has_evictions(&a->db))
		s = db_prepare(&a->db, costliest_rows);
	if (s)
		db_bind(s, "iiiit", a->range.start, a->range.end, most,
			(int64_t) with_jobs, a->choice.flavor);
	return rows_add(a, s, rows);
}
