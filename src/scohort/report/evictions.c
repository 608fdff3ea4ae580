/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictions.c - which evictions there were, and what they cost, as JSON
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "output/output.h"
#include "output/text.h"
#include "report/rows.h"

/* ---- columns ---- */

static void date_text(struct json_object *row, struct json_object *value,
		      char *buf, size_t size)
{
	(void) row;
	text_date(buf, size, json_object_get_int64(value));
}

static void duration_text(struct json_object *row, struct json_object *value,
			  char *buf, size_t size)
{
	(void) row;
	text_duration(buf, size, json_object_get_int64(value));
}

#define QUEUE { "QUEUE", "clusterQueue", "cluster queue of the evicted job", 0, \
		0, NULL, NULL }
#define FOR { "FOR", "byClusterQueue", "cluster queue that got its place", 0, \
	      0, NULL, NULL }
#define RULE { "RULE", "rule", "why it was evicted", COLUMN_ELASTIC, 0, NULL, \
	       NULL }
#define RESOURCE { "RESOURCE", "resource", "what the hours are of: of memory " \
		   "MB", 0, 0, resource_text, NULL }
#define LOST { "LOST[h]", "lostHours", "what the evicted run had used", \
	       COLUMN_RIGHT, 0, hours_text, NULL }

const struct column eviction_columns[] = {
	PERIOD_COLUMNS,
	QUEUE, FOR, RULE,
	{ "EVICTED", "evicted", "how many evictions", COLUMN_RIGHT, 0, NULL,
	  NULL },
	RESOURCE, LOST,
	{ .name = NULL }
};

const struct column costliest_columns[] = {
	{ "ENDED", "ended", "when the run ended", 0, 2, date_text, NULL },
	{ "JOBID", "jobId", "the evicted job", COLUMN_RIGHT, 0, NULL, NULL },
	QUEUE, RULE,
	{ "BYJOB", "byJobId", "the job that got its place", COLUMN_RIGHT, 0,
	  NULL, NULL },
	FOR,
	{ "RAN", "ran", "how long it had run", COLUMN_RIGHT, 1, duration_text,
	  NULL },
	RESOURCE, LOST,
	{ "STARTED", "started", "when the run began", COLUMN_ASKED, 0,
	  date_text, NULL },
	{ .name = NULL }
};

/* ---- rows ---- */

static const char *text_of(sqlite3_stmt *s, int column)
{
	return (const char *) sqlite3_column_text(s, column);
}

static void text_add(struct json_object *row, const char *key, sqlite3_stmt *s,
		     int column)
{
	const char *text = text_of(s, column);

	if (text)
		json_add_text(row, key, text);
}

static void lost_add(struct json_object *row, double seconds)
{
	double most = 9e18;

	json_object_object_add(row, "lostHours", hours_json(llround(
		seconds < most ? seconds : most)));
}

/* Of the chosen queues: the evicted job's, or that of the one that got its place */
static bool is_chosen(const struct catalog *c, sqlite3_stmt *s, int queue,
		      int by_queue)
{
	return index_find(&c->queue_of_node,
			  sqlite3_column_int64(s, queue)) >= 0
	       || index_find(&c->queue_of_node,
			     sqlite3_column_int64(s, by_queue)) >= 0;
}

/* Calls row() for each row. -1 after a message */
static int rows_each(const struct db *db, sqlite3_stmt *s,
		     bool (*row)(void *arg, sqlite3_stmt *s), void *arg)
{
	int rc;

	while ((rc = sqlite3_step(s)) == SQLITE_ROW)
		if (!row(arg, s))
			break;
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		db_error(db);
	sqlite3_reset(s);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

static bool can_tell(const struct db *db)
{
	if (!db->has_events)
		stderr_line("scohort report: %s is of version %d and has no "
			    "evictions: the next reading of scohort record "
			    "brings it up to date", db->path,
			    DB_VERSION_OLDEST);
	return db->has_events;
}

/* ---- by queue and rule ---- */

/* Rows of an event stand together. */
static const char losses_sql[] =
	"SELECT e.queue, e.by_queue, e.what, l.pair, e.id, l.amount"
	" FROM event e LEFT JOIN event_lost l ON l.event = e.id"
	" WHERE e.ended >= ?1 AND e.ended < ?2 ORDER BY e.ended, e.id";

/* Numbers of the database lead to indices of names in order */
struct naming {
	struct name_list names;
	struct index_list index;
};

/* What a row is of: indices of names, -1: none */
struct group {
	int queue, by_queue, rule, resource;
	int64_t n, last;		/* evictions; the last one that counted */
	double lost;			/* base units times seconds */
};

struct grouping {
	const struct range *range;
	const struct catalog *catalog;
	const char *resource;		/* only that one; NULL: all */
	struct naming queues, rules, resources;
	struct group *groups;		/* a hash table; n == 0: free */
	size_t ngroups, room;
	bool failed;			/* after a message */
	struct json_object *rows, *totals;
};

static int naming_load(struct naming *to, const struct db *db, const char *sql)
{
	sqlite3_stmt *s = db_prepare(db, sql);
	int rc = SQLITE_ERROR, result = s ? 0 : -1;

	while (!result && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		if (name_put(&to->names, text_of(s, 1)) < 0
		    || index_put(&to->index, sqlite3_column_int64(s, 0),
				 (int) to->names.n - 1) < 0)
			result = -1;
	}
	if (!result && rc != SQLITE_DONE)
		result = db_error(db);
	sqlite3_finalize(s);
	return result;
}

static void naming_free(struct naming *naming)
{
	name_list_free(&naming->names);
	free(naming->index.of);
}

static const char *name_of(const struct naming *naming, int index)
{
	return index < 0 ? NULL : naming->names.names[index];
}

static int number_find(const struct naming *naming, sqlite3_stmt *s, int column)
{
	return sqlite3_column_type(s, column) == SQLITE_NULL
	       ? -1 : index_find(&naming->index, sqlite3_column_int64(s, column));
}

/* Its place in the table, or the free one where it would be */
static struct group *place_find(const struct grouping *g,
				const struct group *key)
{
	uint64_t h = (uint64_t) (key->queue + 1);

	h = h * 0x9e3779b97f4a7c15 + (uint64_t) (key->by_queue + 1);
	h = h * 0x9e3779b97f4a7c15 + (uint64_t) (key->rule + 1);
	h = h * 0x9e3779b97f4a7c15 + (uint64_t) (key->resource + 1);
	for (size_t i = (size_t) (h >> 20) % g->room;; i = (i + 1) % g->room) {
		struct group *at = &g->groups[i];

		if (!at->n || (at->queue == key->queue
			       && at->by_queue == key->by_queue
			       && at->rule == key->rule
			       && at->resource == key->resource))
			return at;
	}
}

/* Room for one more. false after a message */
static bool groups_grow(struct grouping *g)
{
	struct grouping more = { .room = g->room ? 2 * g->room : 1024 };

	if (g->ngroups * 2 < g->room)
		return true;
	if (!(more.groups = calloc(more.room, sizeof(*more.groups)))) {
		stderr_line("scohort report: out of memory");
		return false;
	}
	for (size_t i = 0; i < g->room; i++)
		if (g->groups[i].n)
			*place_find(&more, &g->groups[i]) = g->groups[i];
	free(g->groups);
	g->groups = more.groups;
	g->room = more.room;
	return true;
}

static bool loss_row(void *arg, sqlite3_stmt *s)
{
	struct grouping *g = arg;
	struct group key = { .n = 0 }, *group;
	int64_t event = sqlite3_column_int64(s, 4);

	if (!is_chosen(g->catalog, s, 0, 1))
		return true;
	key.queue = number_find(&g->queues, s, 0);
	key.by_queue = number_find(&g->queues, s, 1);
	key.rule = number_find(&g->rules, s, 2);
	key.resource = number_find(&g->resources, s, 3);
	if (g->resource && (key.resource < 0
			    || strcmp(name_of(&g->resources, key.resource),
				      g->resource) != 0))
		return true;
	if (!groups_grow(g))
		return !(g->failed = true);
	group = place_find(g, &key);
	if (!group->n) {
		*group = key;
		g->ngroups++;
	}
	/* flavors of one resource are one eviction */
	group->n += !group->n || group->last != event;
	group->last = event;
	group->lost += sqlite3_column_double(s, 5);
	return true;
}

/* The total of a resource; NULL: of evictions that have lost none */
static struct json_object *total_of(struct json_object *totals,
				    const char *resource)
{
	struct json_object *row;

	for (size_t i = 0; i < json_object_array_length(totals); i++) {
		row = json_object_array_get_idx(totals, i);
		if (!strcmp(json_text(row, "resource"),
			    resource ? resource : ""))
			return row;
	}
	row = json_object_new_object();
	json_add_text(row, "clusterQueue", "TOTAL");
	if (resource)
		json_add_text(row, "resource", resource);
	json_object_array_add(totals, row);
	return row;
}

static void name_add(struct json_object *row, const char *key, const char *name)
{
	if (name)
		json_add_text(row, key, name);
}

static void group_add(struct grouping *g, const struct group *group,
		      int64_t begin)
{
	const char *resource = name_of(&g->resources, group->resource);
	struct json_object *row = json_object_new_object(), *total;

	period_add(row, g->range->by, begin);
	name_add(row, "clusterQueue", name_of(&g->queues, group->queue));
	name_add(row, "byClusterQueue", name_of(&g->queues, group->by_queue));
	name_add(row, "rule", name_of(&g->rules, group->rule));
	json_add_number(row, "evicted", group->n);
	name_add(row, "resource", resource);
	lost_add(row, group->lost);
	json_object_array_add(g->rows, row);
	total = total_of(g->totals, resource);
	json_add_number(total, "evicted",
			json_number(total, "evicted") + group->n);
	lost_add(total, json_real(total, "lostHours") * 3600 + group->lost);
}

/* By name; free places last */
static int group_compare(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (!a->n != !b->n)
		return !a->n - !b->n;
	if (a->queue != b->queue)
		return a->queue < b->queue ? -1 : 1;
	if (a->by_queue != b->by_queue)
		return a->by_queue < b->by_queue ? -1 : 1;
	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	return (a->resource > b->resource) - (a->resource < b->resource);
}

static void groups_take(struct grouping *g, int64_t begin)
{
	if (g->ngroups)
		qsort(g->groups, g->room, sizeof(*g->groups), group_compare);
	for (size_t i = 0; i < g->ngroups; i++)
		group_add(g, &g->groups[i], begin);
	if (g->ngroups)
		memset(g->groups, 0, g->room * sizeof(*g->groups));
	g->ngroups = 0;
}

static int periods_take(struct grouping *g, const struct db *db)
{
	sqlite3_stmt *s = db_prepare(db, losses_sql);
	int64_t at = g->range->start, next, begin;
	int rc = s ? 0 : -1;

	for (; !rc && at < g->range->end; at = next) {
		begin = span_begin(g->range->by, at);
		next = span_next(g->range->by, begin);
		if (next > g->range->end)
			next = g->range->end;
		db_bind(s, "ii", at, next);
		rc = rows_each(db, s, loss_row, g);
		if (g->failed)
			rc = -1;
		groups_take(g, begin);
	}
	sqlite3_finalize(s);
	return rc;
}

int evictions_fill(const struct db *db, const struct range *range,
		   const struct choice *choice, const struct catalog *catalog,
		   struct json_object *rows, struct json_object *totals)
{
	struct grouping g = {
		.range = range, .catalog = catalog, .rows = rows,
		.totals = totals, .resource = choice->resource,
	};
	int rc = -1;

	if (can_tell(db)
	    && !naming_load(&g.queues, db, "SELECT id, name FROM node"
			    " WHERE NOT is_cohort ORDER BY name")
	    && !naming_load(&g.rules, db, "SELECT id, substr(name, 9) FROM what"
			    " WHERE name LIKE 'evicted %' ORDER BY name")
	    && !naming_load(&g.resources, db, "SELECT id, resource FROM pair"
			    " ORDER BY resource"))
		rc = periods_take(&g, db);
	naming_free(&g.queues);
	naming_free(&g.rules);
	naming_free(&g.resources);
	free(g.groups);
	return rc;
}

/* ---- the costliest ---- */

static const char costliest_sql[] =
	"SELECT e.queue, e.by_queue, q.name, b.name, substr(w.name, 9),"
	" e.ended, e.job, e.started, e.ran, e.by_job, sum(l.amount * 1.0)"
	" FROM event e JOIN event_lost l ON l.event = e.id"
	" JOIN pair p ON p.id = l.pair AND p.resource = ?3"
	" AND (?4 IS NULL OR p.flavor = ?4)"
	" JOIN node q ON q.id = e.queue JOIN what w ON w.id = e.what"
	" LEFT JOIN node b ON b.id = e.by_queue"
	" WHERE e.ended >= ?1 AND e.ended < ?2 GROUP BY e.id"
	" ORDER BY 11 DESC, e.ended, e.job";

struct listing {
	const struct catalog *catalog;
	const char *resource;
	int64_t most;
	struct json_object *rows;
};

static bool costliest_row(void *arg, sqlite3_stmt *s)
{
	struct listing *l = arg;
	struct json_object *row;

	if (!is_chosen(l->catalog, s, 0, 1))
		return true;
	if ((int64_t) json_object_array_length(l->rows) >= l->most)
		return false;
	row = json_object_new_object();
	json_add_number(row, "ended", sqlite3_column_int64(s, 5));
	json_add_number(row, "jobId", sqlite3_column_int64(s, 6));
	text_add(row, "clusterQueue", s, 2);
	text_add(row, "rule", s, 4);
	json_add_number(row, "byJobId", sqlite3_column_int64(s, 9));
	text_add(row, "byClusterQueue", s, 3);
	json_add_number(row, "started", sqlite3_column_int64(s, 7));
	json_add_number(row, "ran", sqlite3_column_int64(s, 8));
	json_add_text(row, "resource", l->resource);
	lost_add(row, sqlite3_column_double(s, 10));
	json_object_array_add(l->rows, row);
	return true;
}

int costliest_fill(const struct db *db, const struct range *range,
		   const struct choice *choice, const struct catalog *catalog,
		   int64_t most, struct json_object *rows)
{
	size_t r = resource_find(catalog, choice->resource);
	struct listing l = { .catalog = catalog, .most = most, .rows = rows };
	sqlite3_stmt *s;
	int rc;

	if (!can_tell(db) || !(s = db_prepare(db, costliest_sql)))
		return -1;
	l.resource = r < catalog->resources.n ? catalog->resources.names[r]
					      : "";
	db_bind(s, "iitt", range->start, range->end, l.resource,
		choice->flavor);
	rc = rows_each(db, s, costliest_row, &l);
	sqlite3_finalize(s);
	return rc;
}
