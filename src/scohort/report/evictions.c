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

/* What a row is of: indices of names, -1: none */
struct group {
	int queue, by_queue, rule, resource;
	int64_t n, last;		/* evictions; the last one that counted */
	double lost;			/* base units times seconds */
};

/* A total of a resource, or of evictions that have lost none */
struct sum {
	struct json_object *row;	/* NULL: there are none */
	int64_t n;
	double lost;
};

struct grouping {
	const struct range *range;
	const struct catalog *catalog;
	const char *resource;		/* only that one; NULL: all */
	struct naming queues, rules, resources;
	struct group *groups;		/* a hash table; n == 0: free */
	size_t ngroups, room;
	bool failed;			/* after a message */
	struct sum *sums;		/* by 1 + resource */
	struct json_object *rows, *totals;
};

static const char *name_of(const struct naming *naming, int index)
{
	return index < 0 ? NULL : naming->names.names[index];
}

/* -1 after a message */
static int sums_make(struct grouping *g)
{
	g->sums = calloc(g->resources.names.n + 1, sizeof(*g->sums));
	if (g->sums)
		return 0;
	stderr_line("scohort report: out of memory");
	return -1;
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

static void name_add(struct json_object *row, const char *key,
		     const struct naming *naming, int index)
{
	if (index >= 0)
		json_object_object_add_ex(
			row, key, json_object_get(json_object_array_get_idx(
				naming->texts, (size_t) index)),
			JSON_C_OBJECT_KEY_IS_CONSTANT);
}

static void sum_add(struct grouping *g, const struct group *group)
{
	struct sum *sum = &g->sums[group->resource + 1];

	if (!sum->row) {
		sum->row = json_object_new_object();
		json_add_text(sum->row, "clusterQueue", "TOTAL");
		name_add(sum->row, "resource", &g->resources, group->resource);
		json_object_array_add(g->totals, sum->row);
	}
	sum->n += group->n;
	sum->lost += group->lost;
}

static void sums_take(struct grouping *g)
{
	for (size_t i = 0; i <= g->resources.names.n; i++) {
		if (!g->sums[i].row)
			continue;
		json_add_number(g->sums[i].row, "evicted", g->sums[i].n);
		lost_add(g->sums[i].row, g->sums[i].lost);
	}
}

/* Rows of a period share what names it; its keys are literals. */
static void group_add(struct grouping *g, const struct group *group,
		      struct json_object *period)
{
	struct json_object *row = json_object_new_object();

	json_object_object_foreach(period, key, value)
		json_object_object_add_ex(row, key, json_object_get(value),
					  JSON_C_OBJECT_KEY_IS_CONSTANT);
	name_add(row, "clusterQueue", &g->queues, group->queue);
	name_add(row, "byClusterQueue", &g->queues, group->by_queue);
	name_add(row, "rule", &g->rules, group->rule);
	json_add_number(row, "evicted", group->n);
	name_add(row, "resource", &g->resources, group->resource);
	lost_add(row, group->lost);
	json_object_array_add(g->rows, row);
	sum_add(g, group);
}

/* By name */
static int group_compare(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

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
	struct json_object *period = json_object_new_object();
	size_t n = 0;

	period_add(period, g->range->by, begin);
	for (size_t i = 0; i < g->room; i++)
		if (g->groups[i].n)
			g->groups[n++] = g->groups[i];
	if (n)
		qsort(g->groups, n, sizeof(*g->groups), group_compare);
	for (size_t i = 0; i < n; i++)
		group_add(g, &g->groups[i], period);
	json_object_put(period);
	if (n)
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
			    " ORDER BY resource")
	    && !sums_make(&g))
		rc = periods_take(&g, db);
	if (!rc)
		sums_take(&g);
	naming_free(&g.queues);
	naming_free(&g.rules);
	naming_free(&g.resources);
	free(g.groups);
	free(g.sums);
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
