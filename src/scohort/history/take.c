/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * take.c - a reading of the published counters goes into the database
 *
 * All is in one transaction: what is added, and the counters that say up to
 * where. So nothing counts twice, whenever the process ends.
 */
#include <math.h>
#include <stdio.h>

#include "history/record.h"
#include "history/reading.h"
#include "input/json_members.h"
#include "output/output.h"

#define DAY 86400
#define MINUTES_MAX 7200	/* without a reading: no minutes are made up */
#define KEY_MAX 512

struct taking {
	const struct db *db;
	struct interval interval;
	int64_t oldest[SPAN_LEVELS];	/* what is older is not kept */
	struct names names;
};

/* A counter, and where that goes by which it has grown */
struct count {
	struct counter c;
	int64_t id, what;	/* its key, with the kind */
	const char *add;	/* SQL: level, slot, id, amount, and for some `what` */
	const struct stretch *over;
	enum span_by first, level;
	struct taking *t;
};

/* ---- counters ---- */

#define USAGE_ADD(name) \
	"INSERT INTO usage(level, slot, pair, " name ") VALUES (?1, ?2, ?3, ?4)" \
	" ON CONFLICT(level, slot, pair) DO UPDATE SET " name " = " name " + ?4"

static const char *const usage_add[DB_AMOUNTS] = {
	[DB_NOMINAL] = USAGE_ADD("nominal"), [DB_OWN] = USAGE_ADD("own"),
	[DB_BORROWED] = USAGE_ADD("borrowed"), [DB_LENT] = USAGE_ADD("lent"),
	[DB_SHARED] = USAGE_ADD("shared"), [DB_IDLE] = USAGE_ADD("idle"),
	[DB_LOST] = USAGE_ADD("lost"),
};
static const char loan_add[] =
	"INSERT INTO loan VALUES (?1, ?2, ?3, ?4)"
	" ON CONFLICT(level, slot, link) DO UPDATE SET amount = amount + ?4";
static const char tally_add[] =
	"INSERT INTO tally VALUES (?1, ?2, ?3, ?5, ?4)"
	" ON CONFLICT(level, slot, node, what) DO UPDATE SET n = n + ?4";

/* By what has it grown? It is remembered. */
static int64_t grown(struct count *k, int64_t value)
{
	struct taking *t = k->t;
	int64_t now = t->interval.since, last[3];	/* value, since, newest */
	int rc = db_numbers(t->db, last, 3, "SELECT value, since, newest FROM counter"
			    " WHERE kind = ?1 AND id = ?2 AND what = ?3", "iii",
			    (int64_t) k->c.kind, k->id, k->what);

	t->names.failed |= rc < 0;
	k->c.known = rc > 0;
	k->c.before = last[0];
	k->c.epoch = t->interval.epoch;
	if (k->c.known && k->c.epoch != EPOCH_OLD)
		k->c.epoch = epoch_of(last[1], last[2], now);
	if (value != k->c.before || (k->c.known && last[1] != now))
		t->names.failed |= db_do(t->db, "INSERT OR REPLACE INTO counter"
					 " VALUES (?1, ?2, ?3, ?4, ?5, max(?5, ?6))",
					 "iiiiii", (int64_t) k->c.kind, k->id, k->what,
					 value, now, k->c.known ? last[2] : now) < 0;
	return growth_of(&k->c, value);
}

static void put(void *arg, int64_t slot, int64_t part)
{
	const struct count *k = arg;

	k->t->names.failed |= db_do(k->t->db, k->add, k->c.kind == COUNTED_EVENT ? "iiiii" : "iiii",
				    (int64_t) k->level, slot, k->id, part, k->what) < 0;
}

/* Into the levels from `first` on */
static void count(struct taking *t, struct count k, int64_t value)
{
	bool long_ago = stretch_length(k.over) > MINUTES_MAX;
	int64_t amount;

	k.t = t;
	amount = grown(&k, value);
	for (k.level = k.first; amount && k.level < SPAN_LEVELS; k.level++) {
		if (k.level != SPAN_MINUTE || !long_ago)
			stretch_spread(k.over, k.level, t->oldest[k.level], amount, put, &k);
	}
}

/* A sum as published, to the next whole; negative or no number: 0 */
static int64_t sum_value(struct json_object *value)
{
	double real = json_object_get_double(value);

	if (json_object_is_type(value, json_type_int) && real > 0)
		return json_object_get_int64(value);
	return real > 0 && real < 9e18 ? llround(real) : 0;
}

/* ---- sums of a queue ---- */

static void pair_take(struct taking *t, int64_t node, struct json_object *pair)
{
	struct json_object *sums = json_member(pair, "account");
	struct count k = { .c.kind = COUNTED_SUM };

	if (!json_object_is_type(sums, json_type_array))
		return;
	k.id = name_number(&t->names, &k.c.gone, NAMED_PAIR, "itt", node,
			   json_text(pair, "resource"), json_text(pair, "flavor"));
	for (size_t i = 0; i <= DB_IDLE && i < json_object_array_length(sums); i++) {
		k.what = (int64_t) i;
		k.add = usage_add[i];
		k.over = i == DB_NOMINAL ? &t->interval.nominal : &t->interval.used;
		count(t, k, sum_value(json_object_array_get_idx(sums, i)));
	}
}

/* Above zero: its number is made as soon as something is lost. */
static void losses_take(struct taking *t, int64_t node, bool gone, struct json_object *lost)
{
	struct count k = { .c = { .kind = COUNTED_LOST, .gone = gone },
			   .add = usage_add[DB_LOST], .over = &t->interval.used };
	char resource[KEY_MAX];

	if (!json_object_is_type(lost, json_type_object))
		return;
	json_object_object_foreach(lost, key, sum) {
		const char *flavor = pair_key_cut(key, resource, sizeof(resource));

		if (!flavor)
			continue;
		k.id = name_number(&t->names, NULL, NAMED_PAIR, "itt", node, resource, flavor);
		count(t, k, sum_value(sum));
	}
}

static void lender_take(struct taking *t, int64_t lender, int64_t borrower,
			struct json_object *pairs)
{
	struct count k = { .c.kind = COUNTED_LOAN, .add = loan_add,
			   .over = &t->interval.used, .first = SPAN_HOUR };
	char resource[KEY_MAX];

	json_object_object_foreach(pairs, key, sum) {
		const char *flavor = pair_key_cut(key, resource, sizeof(resource));

		if (!flavor)
			continue;
		k.id = name_number(&t->names, &k.c.gone, NAMED_LINK, "iitt", lender, borrower,
				   resource, flavor);
		count(t, k, sum_value(sum));
	}
}

static void lenders_take(struct taking *t, int64_t borrower, bool is_cohort,
			 struct json_object *lenders)
{
	if (!json_object_is_type(lenders, json_type_object))
		return;
	json_object_object_foreach(lenders, name, pairs) {
		bool gone;

		if (json_object_is_type(pairs, json_type_object))
			lender_take(t, name_number(&t->names, &gone, NAMED_NODE, "it",
						   (int64_t) is_cohort, name), borrower, pairs);
	}
}

/* ---- events of a queue ---- */

/* They are counted at the end of the time of the reading, when they were seen. */
static void event_take(struct taking *t, int64_t node, bool gone, const char *name, int64_t value)
{
	const int64_t end = stretch_last(&t->interval.used);
	const struct stretch then = { .begin = end, .end = end };

	count(t, (struct count) {
		.c = { .kind = COUNTED_EVENT, .gone = gone }, .id = node,
		.what = name_number(&t->names, NULL, NAMED_WHAT, "t", name),
		.add = tally_add, .over = &then,
	}, value > 0 ? value : 0);
}

static void events_take(struct taking *t, int64_t node, bool gone,
			const char *kind, struct json_object *by_rule)
{
	char name[KEY_MAX];

	if (!json_object_is_type(by_rule, json_type_object))
		return;
	json_object_object_foreach(by_rule, rule, n) {
		snprintf(name, sizeof(name), "%s %s", kind, rule);
		event_take(t, node, gone, name, json_object_get_int64(n));
	}
}

static void delays_take(struct taking *t, int64_t node, bool gone, struct json_object *delays)
{
	char name[KEY_MAX];

	for (size_t i = 0; i < json_items(delays, "buckets"); i++) {
		struct json_object *bound = json_item(delays, "bounds", i);

		if (bound)
			snprintf(name, sizeof(name), "delay %.10g", json_object_get_double(bound));
		else
			snprintf(name, sizeof(name), "delay inf");
		event_take(t, node, gone, name,
			   json_object_get_int64(json_item(delays, "buckets", i)));
	}
}

static void queue_take(struct taking *t, struct json_object *queue)
{
	struct json_object *from = json_member(queue, "borrowedFrom");
	struct json_object *counters = json_member(queue, "counters");
	bool gone;
	int64_t node = name_number(&t->names, &gone, NAMED_NODE, "it", (int64_t) false,
				   json_text(queue, "name"));

	for (size_t i = 0; i < json_items(queue, "quota"); i++)
		pair_take(t, node, json_item(queue, "quota", i));
	lenders_take(t, node, false, json_member(from, "clusterQueues"));
	lenders_take(t, node, true, json_member(from, "cohorts"));
	losses_take(t, node, gone, json_member(counters, "lost"));
	event_take(t, node, gone, "starts", json_number(counters, "admitted"));
	events_take(t, node, gone, "evicted", json_member(counters, "evicted"));
	events_take(t, node, gone, "caused", json_member(counters, "caused"));
	delays_take(t, node, gone, json_member(counters, "reclaimDelaySeconds"));
}

/* ---- a reading ---- */

static void drop_old(struct taking *t)
{
	static const char *const tables[] = { "usage", "loan", "tally" };
	char sql[128];

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		for (int level = 0; level < SPAN_LEVELS; level++) {
			snprintf(sql, sizeof(sql), "DELETE FROM %s WHERE"
				 " level = %d AND slot < %lld", tables[i], level,
				 (long long) t->oldest[level]);
			if (!t->names.failed && t->oldest[level])
				t->names.failed = db_run(t->db, sql) < 0;
		}
	}
}

static int all_take(struct taking *t, struct json_object *document)
{
	if (names_begin(&t->names, t->db) < 0)
		return -1;
	for (size_t i = 0; i < json_items(document, "clusterQueues"); i++)
		queue_take(t, json_item(document, "clusterQueues", i));
	names_mark_gone(&t->names);
	drop_old(t);
	return t->names.failed ? -1 : 0;
}

int take_reading(const struct db *db, struct json_object *document, int64_t now,
		 const struct keeping *keep)
{
	struct taking t = { .db = db };
	struct reading r, before;
	const struct reading *last = &before;

	if (reading_load(&before, db) < 0)
		return -1;
	if (!before.at)
		last = NULL;
	if (!reading_of(&r, document, now)) {
		complain("what slurmctld publishes has no account of quota over time: are its "
			 "plugins older than scohort?");
		return -1;
	}
	reading_follow(&r, last);
	zone_use(r.zone);
	if (interval_make(&t.interval, db, last, &r) < 0 || reading_store(&r, db) < 0)
		return -1;
	for (int level = 0; level < SPAN_LEVELS; level++)
		if (keep->days[level])
			t.oldest[level] = r.kept - keep->days[level] * DAY;
	return all_take(&t, document);
}
