/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.c - what the database of scohort record knows of a time
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "lib/sat.h"
#include "report/ask.h"

#define STEPS_OF_SQLITE 10000	/* between two calls of `watch` */
#define STEPS_MAX 100000
#define DAY_MAX (26 * 3600)
#define BOUNDS_MAX 64		/* of delays; other versions may have had others */

/* ---- quantile(WHAT, N, PART) of rows of `tally` ---- */

/* A histogram of seconds */
struct delays {
	double part;
	size_t n;
	double bounds[BOUNDS_MAX];	/* ascending; INFINITY: above all */
	int64_t counts[BOUNDS_MAX];
};

static void delay_add(struct delays *d, double bound, int64_t count)
{
	size_t i = d->n;

	for (size_t k = 0; k < d->n; k++) {
		if (d->bounds[k] == bound) {
			d->counts[k] = sat_add(d->counts[k], count);
			return;
		}
	}
	if (d->n == BOUNDS_MAX)
		return;
	for (d->n++; i && d->bounds[i - 1] > bound; i--) {
		d->bounds[i] = d->bounds[i - 1];
		d->counts[i] = d->counts[i - 1];
	}
	d->bounds[i] = bound;
	d->counts[i] = count;
}

static void quantile_step(sqlite3_context *context, int n, sqlite3_value **of)
{
	struct delays *d = sqlite3_aggregate_context(context, sizeof(*d));
	const char *what = (const char *) sqlite3_value_text(of[0]);
	double bound = INFINITY;

	(void) n;
	if (!d || !what)
		return;
	d->part = sqlite3_value_double(of[2]);
	if (!strcmp(what, "delay inf") || sscanf(what, "delay %lf", &bound) == 1)
		delay_add(d, bound, sqlite3_value_int64(of[1]));
}

/* As Prometheus has it: evenly within a bucket, and of those above all the highest
 * bound. NULL: there are none. */
static void quantile_end(sqlite3_context *context)
{
	const struct delays *d = sqlite3_aggregate_context(context, 0);
	double all = 0, below = 0, low = 0;

	for (size_t i = 0; d && i < d->n; i++)
		all += (double) d->counts[i];
	for (size_t i = 0; all > 0 && i < d->n; i++) {
		double here = (double) d->counts[i], part = d->part * all - below;

		if (here > 0 && here >= part) {
			sqlite3_result_double(context, isinf(d->bounds[i]) ? low
				: low + (d->bounds[i] - low) * part / here);
			return;
		}
		below += here;
		if (!isinf(d->bounds[i]))
			low = d->bounds[i];
	}
}

/* ---- opening ---- */

/* quota: pairs of chosen queues, by resource; part: what of a period is read from which
 * level; use and told: what each of these has */
static const char tables_sql[] =
	"PRAGMA temp_store = MEMORY;"
	"CREATE TEMP TABLE wanted(name TEXT);"
	"CREATE TEMP TABLE queue(id INTEGER PRIMARY KEY, name TEXT);"
	"CREATE TEMP TABLE quota(id INTEGER PRIMARY KEY, queue TEXT,"
	" resource TEXT);"
	"CREATE TEMP TABLE part(begin, level, first, last);"
	"CREATE TEMP TABLE use(begin, queue, resource, nominal, own, borrowed,"
	" lent, idle, lost);"
	"CREATE TEMP TABLE told(begin, queue, what, n);";

int ask_open(struct ask *a, const char *path, int busy_ms, int (*watch)(void *arg), void *arg)
{
	if (db_open(&a->db, path, false, busy_ms) < 0)
		return -1;
	if (watch)
		sqlite3_progress_handler(a->db.handle, STEPS_OF_SQLITE, watch, arg);
	if (sqlite3_create_function(a->db.handle, "quantile", 3,
				    SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL,
				    quantile_step, quantile_end) != SQLITE_OK)
		return db_error(&a->db);
	if (db_run(&a->db, "BEGIN") < 0 || reading_load(&a->last, &a->db) < 0
	    || db_run(&a->db, tables_sql) < 0)
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
	return a->private && a->range.by < SPAN_DAY;
}

/* ---- what is chosen ---- */

static bool text_add(void *list, sqlite3_stmt *row)
{
	json_object_array_add(list, json_object_new_string(
		(const char *) sqlite3_column_text(row, 0)));
	return true;
}

int ask_texts(const struct ask *a, const char *sql, struct json_object *list)
{
	return db_ask(&a->db, text_add, list, sql, "");
}

/* There is no such thing. */
static bool unknown_tell(void *arg, sqlite3_stmt *row)
{
	const struct db **db = arg;

	db_fail(*db, " knows no %s \"%s\"", sqlite3_column_text(row, 0),
		sqlite3_column_text(row, 1));
	*db = NULL;
	return false;
}

int ask_choose(struct ask *a, const struct choice *c)
{
	const struct db *db = &a->db;
	int rc = 0;

	for (size_t i = 0; !rc && i < c->nqueues; i++)
		rc = db_do(&a->db, "INSERT INTO wanted VALUES (?1)", "t", c->queues[i]);
	if (rc < 0
	    || db_run(&a->db, "INSERT INTO queue SELECT id, name FROM node"
		      " WHERE NOT is_cohort AND (name IN wanted"
		      " OR NOT EXISTS (SELECT 1 FROM wanted))") < 0
	    || db_do(&a->db, "INSERT INTO quota SELECT p.id, q.name,"
		     " p.resource FROM pair p JOIN queue q ON q.id = p.node"
		     " WHERE (?1 IS NULL OR p.resource = ?1)"
		     " AND (?2 IS NULL OR p.flavor = ?2)", "tt", c->resource, c->flavor) < 0
	    || db_ask(&a->db, unknown_tell, &db, "SELECT 'cluster queue', name"
		      " FROM wanted WHERE name NOT IN (SELECT name FROM queue)"
		      " UNION ALL SELECT 'quota for resource', ?1"
		      " WHERE ?1 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM quota)",
		      "t", c->resource) < 0)
		return -1;
	return db ? 0 : -1;
}

/* ---- the range ---- */

static bool day_check(void *fits, sqlite3_stmt *row)
{
	int64_t slot = sqlite3_column_int64(row, 0);

	return *(bool *) fits = span_begin(SPAN_DAY, slot) == slot;
}

/* Do all days of the database in the range begin as those of the local time do? */
static int days_check(const struct ask *a, const struct range *r)
{
	bool fits = true;

	/* a day that begins before the range may reach into it */
	if (db_ask(&a->db, day_check, &fits, "SELECT DISTINCT slot FROM usage"
		   " WHERE level = ?1 AND slot >= ?2 AND slot < ?3", "iii",
		   (int64_t) SPAN_DAY, r->start - DAY_MAX, r->end) < 0)
		return -1;
	return fits ? 0 : db_fail(&a->db, ": its days are not those of its time zone %s on this "
				  "host: are the files of zones the same here (Debian: package "
				  "tzdata) as where it was recorded?", a->last.zone);
}

/* A period: begin 0 stands for the whole range */
static int period_add(const struct ask *a, const struct range *period, int64_t begin)
{
	struct part parts[RANGE_PARTS];
	size_t n = range_parts(period, parts);
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = db_do(&a->db, "INSERT INTO temp.part"
			   " VALUES (?1, ?2, ?3, ?4)", "iiii", begin,
			   (int64_t) parts[i].level, parts[i].begin, parts[i].end);
	return rc;
}

int ask_range(struct ask *a, const struct range *range)
{
	struct range rest = *range;
	int rc = days_check(a, range) < 0 ? -1 : db_run(&a->db, "DELETE FROM temp.part");

	a->range = *range;
	while (!rc && rest.start < range->end) {
		int64_t begin = span_begin(rest.by, rest.start);
		int64_t next = span_next(rest.by, begin);

		rest.end = next < range->end ? next : range->end;
		rc = period_add(a, &rest, rest.by == SPAN_WHOLE ? 0 : begin);
		rest.start = rest.end;
	}
	return rc;
}

/* ---- rows ---- */

/* NULL: null. Hours have four decimals, and delays one. */
static struct json_object *cell_json(sqlite3_stmt *s, int column)
{
	static char hours[] = "%.4f", delay[] = "%.1f";
	struct json_object *real;

	switch (sqlite3_column_type(s, column)) {
	case SQLITE_TEXT:
		return json_object_new_string((const char *) sqlite3_column_text(s, column));
	case SQLITE_INTEGER:
		return json_object_new_int64(sqlite3_column_int64(s, column));
	case SQLITE_FLOAT:
		real = json_object_new_double(sqlite3_column_double(s, column));
		/* a text is made only of what is printed as JSON */
		json_object_set_serializer(real, json_object_double_to_json_string,
			strncmp(sqlite3_column_name(s, column), "delay", 5) ? hours : delay, NULL);
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

		if (sqlite3_column_type(s, i) == SQLITE_NULL || (is_begin && !begin))
			continue;
		if (is_begin) {
			span_name(a->range.by, begin, time, sizeof(time));
			json_add_text(row, "time", time);
		}
		json_object_object_add_ex(row, key, cell_json(s, i), JSON_C_OBJECT_ADD_KEY_IS_NEW);
	}
	return row;
}

struct rows {
	const struct ask *a;
	struct json_object *list;
};

static bool row_add(void *arg, sqlite3_stmt *row)
{
	const struct rows *rows = arg;

	json_object_array_add(rows->list, row_json(rows->a, row));
	return true;
}

int ask_rows(const struct ask *a, struct json_object *list, const char *sql, const char *kinds, ...)
{
	struct rows rows = { a, list };
	va_list args;
	int rc;

	va_start(args, kinds);
	rc = db_vask(&a->db, row_add, &rows, sql, kinds, args);
	va_end(args);
	return rc;
}

/* Of sums beyond all bounds the largest whole number is shown. */
#define HOURS(sum) "min(" sum ", 9223372036854775807.0) / 3600"

/* ---- use ---- */

/* CROSS JOIN: in that order */
static const char use_collect[] =
	"DELETE FROM temp.use; DELETE FROM temp.told;"
	"INSERT INTO temp.use SELECT u.begin, q.queue, q.resource, u.nominal, u.own,"
	" u.borrowed, u.lent, u.idle, u.lost FROM (SELECT p.begin, u.pair,"
	" total(nominal) AS nominal, total(own) AS own, total(borrowed) AS borrowed,"
	" total(lent) AS lent, total(idle) AS idle, total(lost) AS lost"
	" FROM temp.part p CROSS JOIN usage u ON u.level = p.level"
	" AND u.slot >= p.first AND u.slot < p.last GROUP BY p.begin, u.pair) u"
	" JOIN quota q ON q.id = u.pair";

static const char told_collect[] =
	"INSERT INTO temp.told SELECT t.begin, q.name, w.name, t.n"
	" FROM (SELECT p.begin, t.node, t.what, total(t.n) AS n"
	" FROM temp.part p CROSS JOIN tally t ON t.level = p.level"
	" AND t.slot >= p.first AND t.slot < p.last GROUP BY p.begin, t.node, t.what) t"
	" JOIN queue q ON q.id = t.node JOIN what w ON w.id = t.what"
	" WHERE w.name <> 'starts'";

/* ?1: by period; ?2: by queue; ?3: only this queue; ?4: only this resource; ?5: events are
 * hidden */
#define KEYS "CASE WHEN ?1 THEN begin ELSE 0 END AS begin," \
	     " CASE WHEN ?2 THEN queue ELSE 'TOTAL' END AS name"

static const char use_rows[] =
	"WITH u AS (SELECT " KEYS ", resource, total(nominal) AS nominal,"
	" total(own) AS own, total(borrowed) AS borrowed, total(lent) AS lent,"
	" total(idle) AS idle, total(lost) AS lost FROM temp.use"
	" WHERE (?3 IS NULL OR queue = ?3) AND (?4 IS NULL OR resource = ?4)"
	" GROUP BY 1, 2, 3),"
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
	" CASE WHEN NOT ?5 THEN " HOURS("u.lost") " END AS \"lostHours\","
	" CASE WHEN NOT ?5 THEN coalesce(e.evicted, 0) END AS \"evicted\","
	" CASE WHEN NOT ?5 THEN coalesce(e.caused, 0) END AS \"caused\","
	" e.median AS \"delayMedianSeconds\", e.most AS \"delay95Seconds\""
	" FROM u LEFT JOIN e ON e.begin = u.begin AND e.name = u.name"
	/* no quota, and no use of any: the events are shown all the same */
	" UNION ALL SELECT e.begin, e.name, NULL, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,"
	" e.evicted, e.caused, e.median, e.most FROM e WHERE (?1 OR ?2)"
	" AND (e.begin, e.name) NOT IN (SELECT begin, name FROM u)"
	" ORDER BY 1, 2, 3";

enum use_column {
	USE_BEGIN, USE_QUEUE, USE_RESOURCE, USE_OWNED, USE_OWN, USE_BORROWED,
	USE_LENT, USE_IDLE, USE_LOST, USE_EVICTED, USE_CAUSED, USE_MEDIAN,
	USE_MOST,
};

int ask_use(struct ask *a, bool by_period, struct json_object *rows, struct json_object *totals)
{
	int64_t hides = ask_hides(a);
	const char *all = NULL;

	if (db_run(&a->db, use_collect) < 0 || (!hides && db_run(&a->db, told_collect) < 0))
		return -1;
	return ask_rows(a, rows, use_rows, "iitti", (int64_t) by_period, (int64_t) true,
			all, all, hides) < 0
	       || ask_rows(a, totals, use_rows, "iitti", (int64_t) false, (int64_t) false,
			   all, all, hides) < 0 ? -1 : 0;
}

/* ---- steps ---- */

static void value_add(struct json_object *steps, const char *key, struct json_object *value)
{
	struct json_object *list = json_object_object_get(steps, key);

	if (!list)
		list = json_add_list(steps, key);
	json_object_array_add(list, value);
}

static struct json_object *real_json(sqlite3_stmt *s, int column, double factor)
{
	double value = sqlite3_column_double(s, column) * factor;
	char text[64];

	if (sqlite3_column_type(s, column) == SQLITE_NULL)
		return NULL;
	snprintf(text, sizeof(text), "%.3f", value);
	return json_object_new_double_s(value, text);
}

/* Steps so far, up to a time */
struct steps {
	const struct ask *a;
	struct json_object *lists;
	int64_t at;
	int n;
};

/* The next step, and its row or NULL. The first and the last step may be cut by the range, and
 * by what is recorded. */
static void step_add(struct steps *steps, sqlite3_stmt *row)
{
	static const struct {
		const char *key;
		enum use_column column;
		bool is_mean;
	} values[] = {
		{ "owned", USE_OWNED, true }, { "own", USE_OWN, true },
		{ "borrowed", USE_BORROWED, true }, { "lent", USE_LENT, true },
		{ "idle", USE_IDLE, true },
		{ "delayMedianSeconds", USE_MEDIAN, false },
		{ "delay95Seconds", USE_MOST, false },
	};
	const struct ask *a = steps->a;
	/* a row without resource has events alone */
	bool has_use = row && sqlite3_column_type(row, USE_RESOURCE) != SQLITE_NULL;
	bool has_events = row && sqlite3_column_type(row, USE_EVICTED) != SQLITE_NULL;
	int64_t begin = steps->at, known = begin, end;
	char name[64];

	steps->n++;
	steps->at = end = min64(span_next(a->range.by, span_begin(a->range.by, begin)),
				a->range.end);
	if (a->last.begun > begin && a->last.begun < end)
		known = a->last.begun;
	if (a->last.at > begin && a->last.at < end)
		end = a->last.at;
	span_name(a->range.by, begin, name, sizeof(name));
	value_add(steps->lists, "begin", json_object_new_int64(begin));
	value_add(steps->lists, "time", json_object_new_string(name));
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		value_add(steps->lists, values[i].key,
			  !(values[i].is_mean ? has_use : row != NULL) ? NULL
			  : real_json(row, values[i].column, values[i].is_mean
				      ? 3600 / (double) (end - known) : 1));
	value_add(steps->lists, "evicted", !has_events ? NULL : json_object_new_int64(
		sqlite3_column_int64(row, USE_EVICTED)));
}

static void steps_add(struct steps *steps, int64_t until)
{
	while (steps->at < until && steps->n < STEPS_MAX)
		step_add(steps, NULL);
}

static bool step_take(void *arg, sqlite3_stmt *row)
{
	struct steps *steps = arg;

	steps_add(steps, sqlite3_column_int64(row, USE_BEGIN));
	if (steps->n < STEPS_MAX)
		step_add(steps, row);
	return steps->n < STEPS_MAX;
}

int ask_steps(const struct ask *a, const char *queue, const char *resource,
	      struct json_object *lists)
{
	struct steps steps = { a, lists, a->range.start, 0 };

	if (db_ask(&a->db, step_take, &steps, use_rows, "iitti", (int64_t) true,
		   (int64_t) false, queue, resource, (int64_t) ask_hides(a)) < 0)
		return -1;
	steps_add(&steps, a->range.end);
	if (steps.at < a->range.end)
		return db_fail(&a->db, ": more than %d steps: a longer --by or a shorter time "
			       "would do", STEPS_MAX);
	return 0;
}

/* ---- loans ---- */

#define CHOSEN(left, right) \
	"(" left " IN (SELECT id FROM queue) OR " right " IN (SELECT id FROM queue))"

static const char loans_collect[] =
	"CREATE TEMP TABLE lent AS SELECT x.begin, l.name AS lender, l.is_cohort,"
	" b.name AS borrower, k.resource, total(x.amount) AS amount"
	" FROM (SELECT p.begin, o.link, total(o.amount) AS amount"
	" FROM temp.part p CROSS JOIN loan o ON o.level = p.level"
	" AND o.slot >= p.first AND o.slot < p.last GROUP BY p.begin, o.link) x"
	" JOIN link k ON k.id = x.link JOIN node l ON l.id = k.lender"
	" JOIN node b ON b.id = k.borrower"
	" WHERE (?1 IS NULL OR k.resource = ?1) AND " CHOSEN("k.lender", "k.borrower")
	" GROUP BY x.begin, l.id, b.id, k.resource HAVING total(x.amount) > 0";

int ask_loans(const struct ask *a, const char *resource, struct json_object *rows,
	      struct json_object *totals)
{
	return db_do(&a->db, loans_collect, "t", resource) < 0
	       || ask_rows(a, rows, "SELECT begin, lender,"
			   " CASE WHEN is_cohort THEN 'cohort'"
			   " ELSE 'clusterQueue' END AS \"lenderKind\", borrower,"
			   " resource, " HOURS("amount") " AS \"lentHours\""
			   " FROM temp.lent ORDER BY begin, lender, is_cohort,"
			   " borrower, resource", "") < 0
	       || ask_rows(a, totals, "SELECT 'TOTAL' AS lender,"
			   " resource, " HOURS("total(amount)") " AS \"lentHours\""
			   " FROM temp.lent GROUP BY resource ORDER BY resource", "") < 0 ? -1 : 0;
}

/* ---- evictions ---- */

/* Losses of several flavors of a resource are one eviction. */
static const char evictions_collect[] =
	"CREATE TEMP TABLE evicted AS SELECT x.begin, q.name AS queue,"
	" b.name AS by_queue, substr(w.name, 9) AS rule, x.resource, x.n, x.lost"
	" FROM (SELECT p.begin, e.queue, e.by_queue, e.what, r.resource,"
	" count(DISTINCT e.id) AS n, total(l.amount) AS lost"
	" FROM temp.part p CROSS JOIN event e ON e.ended >= p.first AND e.ended < p.last"
	" LEFT JOIN event_lost l ON l.event = e.id LEFT JOIN pair r ON r.id = l.pair"
	" WHERE (?1 IS NULL OR r.resource = ?1) AND " CHOSEN("e.queue", "e.by_queue")
	" GROUP BY 1, 2, 3, 4, 5) x LEFT JOIN node q ON q.id = x.queue"
	" LEFT JOIN node b ON b.id = x.by_queue LEFT JOIN what w ON w.id = x.what";

int ask_evictions(const struct ask *a, const char *resource,
		  struct json_object *rows, struct json_object *totals)
{
	return db_do(&a->db, evictions_collect, "t", resource) < 0
	       || ask_rows(a, rows, "SELECT begin, queue AS \"clusterQueue\","
			   " by_queue AS \"byClusterQueue\", rule,"
			   " n AS \"evicted\", resource,"
			   " " HOURS("lost") " AS \"lostHours\" FROM temp.evicted"
			   " ORDER BY 1, 2, 3, 4, 6", "") < 0
	       || ask_rows(a, totals, "SELECT 'TOTAL'"
			   " AS \"clusterQueue\", resource, sum(n) AS \"evicted\","
			   " " HOURS("total(lost)") " AS \"lostHours\""
			   " FROM temp.evicted GROUP BY resource"
			   " ORDER BY resource IS NULL, resource", "") < 0 ? -1 : 0;
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

int ask_costliest(const struct ask *a, const char *flavor, int64_t most,
		  bool with_jobs, struct json_object *rows)
{
	return ask_rows(a, rows, costliest_rows, "iiiit", a->range.start, a->range.end, most,
			(int64_t) with_jobs, flavor);
}
