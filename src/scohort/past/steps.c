/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.c - what one cluster queue, or all, had in each step of a range
 */
#include "past/steps.h"

#include <stdio.h>

#include "lib/sat.h"
#include "output/output.h"
#include "past/range.h"
#include "report/periods.h"

static const struct {
	const char *key;
	enum db_amount amount;
} means[] = {
	{ "owned", DB_NOMINAL }, { "own", DB_OWN }, { "borrowed", DB_BORROWED },
	{ "lent", DB_LENT }, { "idle", DB_IDLE },
};

#define NMEANS (sizeof(means) / sizeof(*means))

struct filling {
	const struct range *range;
	const struct catalog *catalog;
	int queue;
	int64_t begun, until, at;	/* at: the begin of the next step */
	struct json_object *begins, *times, *means[NMEANS];
	struct json_object *median, *most, *evicted;
};

static struct json_object *list_add(struct json_object *o, const char *key)
{
	struct json_object *list = json_object_new_array();

	json_object_object_add(o, key, list);
	return list;
}

static struct json_object *real_json(double value)
{
	char text[64];

	snprintf(text, sizeof(text), "%.3f", value);
	return json_object_new_double_s(value, text);
}

/* NULL, which is null: there was none */
static struct json_object *delay_json(const struct delays *d, double part)
{
	double seconds = delays_quantile(d, part);

	return seconds < 0 ? NULL : real_json(seconds);
}

/* What the queue had; of all, what they had together */
static void amounts_sum(const struct filling *f, const struct period *p,
			struct amounts *sum)
{
	size_t n = f->catalog->resources.n;

	for (size_t q = 0; n && q < f->catalog->queues.n; q++) {
		const struct amounts *a = &p->amounts[q * n];

		if (f->queue >= 0 && q != (size_t) f->queue)
			continue;
		sum->any |= a->any;
		for (int i = 0; i < DB_AMOUNTS; i++)
			sum->of[i] = sat_add(sum->of[i], a->of[i]);
	}
}

static void events_sum(const struct filling *f, const struct period *p,
		       struct queue_events *sum)
{
	for (size_t q = 0; q < f->catalog->queues.n; q++) {
		if (f->queue >= 0 && q != (size_t) f->queue)
			continue;
		sum->evicted = sat_add(sum->evicted, p->events[q].evicted);
		delays_merge(&sum->delays, &p->events[q].delays);
	}
}

/* A range has been checked: this holds whatever a check has missed. -1 after a message */
static int room_check(const struct filling *f)
{
	if (json_object_array_length(f->begins) < RANGE_STEPS_MAX + 2)
		return 0;
	stderr_line("scohort web: more than %d steps are too many",
		    RANGE_STEPS_MAX);
	return -1;
}

/* A step from `begin` on of which that is known, NULL: nothing. The first and the last
 * may be cut by the range, and by what is recorded. */
static void step_add(struct filling *f, int64_t begin, int64_t next,
		     const struct amounts *a, const struct queue_events *e)
{
	int64_t end = next < f->range->end ? next : f->range->end;
	int64_t known = f->begun > begin && f->begun < end ? f->begun : begin;
	char name[64];

	if (f->until > begin && f->until < end)
		end = f->until;
	span_name(f->range->by, begin, name, sizeof(name));
	json_object_array_add(f->begins, json_object_new_int64(begin));
	json_object_array_add(f->times, json_object_new_string(name));
	for (size_t i = 0; i < NMEANS; i++)
		json_object_array_add(f->means[i], !a || !a->any ? NULL :
			real_json((double) a->of[means[i].amount]
				  / (double) (end - known)));
	json_object_array_add(f->median, e ? delay_json(&e->delays, 0.5)
					   : NULL);
	json_object_array_add(f->most, e ? delay_json(&e->delays, 0.95) : NULL);
	json_object_array_add(f->evicted, e ? json_object_new_int64(e->evicted)
					    : NULL);
}

/* Steps of which nothing is known, up to that time. -1 after a message */
static int steps_skip(struct filling *f, int64_t until)
{
	while (f->at < until) {
		int64_t next = span_next(f->range->by,
					 span_begin(f->range->by, f->at));

		if (room_check(f) < 0)
			return -1;
		step_add(f, f->at, next, NULL, NULL);
		f->at = next;
	}
	return 0;
}

static int period_take(void *arg, const struct period *p)
{
	struct queue_events events = { .evicted = 0 };
	struct amounts amounts = { .any = false };
	struct filling *f = arg;

	if (steps_skip(f, p->begin) < 0 || room_check(f) < 0)
		return -1;
	amounts_sum(f, p, &amounts);
	events_sum(f, p, &events);
	step_add(f, f->at, span_next(f->range->by, p->begin), &amounts,
		 &events);
	f->at = span_next(f->range->by, p->begin);
	return 0;
}

int steps_fill(const struct db *db, const struct range *range,
	       const struct catalog *catalog, int queue, int64_t begun,
	       int64_t until, struct json_object *steps)
{
	struct filling f = {
		.range = range, .catalog = catalog, .queue = queue,
		.begun = begun, .until = until, .at = range->start,
	};

	f.begins = list_add(steps, "begin");
	f.times = list_add(steps, "time");
	for (size_t i = 0; i < NMEANS; i++)
		f.means[i] = list_add(steps, means[i].key);
	f.median = list_add(steps, "delayMedianSeconds");
	f.most = list_add(steps, "delay95Seconds");
	f.evicted = list_add(steps, "evicted");
	if (periods_each(db, range, catalog, period_take, &f) < 0)
		return -1;
	return steps_skip(&f, range->end);
}
