/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * periods.c - what all cluster queues had, hour by hour, day by day
 */
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "output/output.h"
#include "report/periods.h"

static const char usage_sql[] =
	"SELECT slot, pair, nominal, own, borrowed, lent, shared, idle, lost"
	" FROM usage WHERE level = ?1 AND slot >= ?2 AND slot < ?3"
	" ORDER BY slot";

static const char tally_sql[] =
	"SELECT slot, node, what, n FROM tally"
	" WHERE level = ?1 AND slot >= ?2 AND slot < ?3 ORDER BY slot";

struct walk {
	const struct catalog *catalog;
	struct slots usage, tally;
	struct period period;
	size_t cells;
};

static void usage_add(struct walk *w)
{
	int64_t pair = sqlite3_column_int64(w->usage.s, 1);
	int queue = index_find(&w->catalog->queue_of_pair, pair);
	int resource = index_find(&w->catalog->resource_of_pair, pair);
	struct amounts *a;

	if (queue < 0 || resource < 0)
		return;
	a = &w->period.amounts[(size_t) queue * w->catalog->resources.n
			       + (size_t) resource];
	a->any = true;
	for (int i = 0; i < DB_AMOUNTS; i++)
		a->of[i] = sat_add(a->of[i],
				   sqlite3_column_int64(w->usage.s, 2 + i));
}

static void tally_add(struct walk *w)
{
	int queue = index_find(&w->catalog->queue_of_node,
			       sqlite3_column_int64(w->tally.s, 1));
	int64_t what = sqlite3_column_int64(w->tally.s, 2);
	int64_t n = sqlite3_column_int64(w->tally.s, 3);
	const struct event_kind *kind;
	struct queue_events *to;

	if (queue < 0 || what < 0 || (uint64_t) what >= w->catalog->nevents)
		return;
	kind = &w->catalog->events[what];
	to = &w->period.events[queue];
	if (kind->event == EVENT_EVICTED)
		to->evicted = sat_add(to->evicted, n);
	else if (kind->event == EVENT_CAUSED)
		to->caused = sat_add(to->caused, n);
	else if (kind->event == EVENT_DELAY)
		delays_add(&to->delays, kind->bound, n);
}

static void period_clear(struct walk *w)
{
	memset(w->period.amounts, 0, w->cells * sizeof(*w->period.amounts));
	memset(w->period.events, 0,
	       w->catalog->queues.n * sizeof(*w->period.events));
}

/* One period after the other; both tables are in the order of time. */
static int walk_all(struct walk *w, enum span_by by,
		    int (*f)(void *arg, const struct period *p), void *arg)
{
	while (w->usage.slot < INT64_MAX || w->tally.slot < INT64_MAX) {
		int64_t first = w->usage.slot < w->tally.slot ? w->usage.slot
							      : w->tally.slot;
		int64_t next;

		period_clear(w);
		w->period.begin = span_begin(by, first);
		next = span_next(by, w->period.begin);
		for (; w->usage.slot < next; slots_next(&w->usage))
			usage_add(w);
		for (; w->tally.slot < next; slots_next(&w->tally))
			tally_add(w);
		if (f(arg, &w->period) < 0)
			return -1;
	}
	return 0;
}

int periods_each(const struct db *db, const struct range *range,
		 const struct catalog *catalog,
		 int (*f)(void *arg, const struct period *p), void *arg)
{
	struct walk w = { .catalog = catalog };
	int rc = -1;

	w.cells = catalog->queues.n * catalog->resources.n;
	w.period.amounts = calloc(w.cells + 1, sizeof(*w.period.amounts));
	w.period.events = calloc(catalog->queues.n + 1,
				 sizeof(*w.period.events));
	if (!w.period.amounts || !w.period.events)
		stderr_line("scohort report: out of memory");
	else if (!slots_begin(&w.usage, db, range, usage_sql)
		 && !slots_begin(&w.tally, db, range, tally_sql))
		rc = walk_all(&w, range->by, f, arg);
	if (slots_end(&w.usage) < 0 || slots_end(&w.tally) < 0)
		rc = -1;
	free(w.period.amounts);
	free(w.period.events);
	return rc;
}
