/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test least.c - what all holdings of a queue use, at the least
 */
#include <stdio.h>

#include "core/uses.h"
#include "holding/least.h"
#include "world.h"

/* "pair=amount ..." */
static const char *pairs_say(struct world *w, int64_t safe_after, uint64_t pairs)
{
	static char text[64];
	size_t n, length = 0;
	const struct use *least = queue_least(&w->engine->queues[0], safe_after,
					      pairs, &n);

	*text = '\0';
	for (int pair = 0; pair < 2; pair++) {
		int amount = (int) uses_of_pair(least, n, pair);

		if (amount)
			length += (size_t) snprintf(text + length, sizeof(text) - length,
						    "%s%d=%d", length ? " " : "", pair,
						    amount);
	}
	return text;
}

static const char *unsafe_say(struct world *w, int64_t safe_after)
{
	return pairs_say(w, safe_after, UINT64_MAX);
}

static const char *least_say(struct world *w)
{
	return unsafe_say(w, INT64_MAX);
}

static void test_least(void **state)
{
	struct world *w = world_create("queue q cpu@f=9 mem@f=9\n");

	(void) state;
	assert_string_equal(least_say(w), "");
	world_tell(w, "run a in q cpu@f=5 mem@f=2");
	assert_string_equal(least_say(w), "0=5 1=2");
	world_tell(w, "run b in q cpu@f=3 mem@f=4");
	assert_string_equal(least_say(w), "0=3 1=2");
	/* it is remembered until a holding goes or changes */
	assert_true(w->engine->queues[0].least.known);
	world_tell(w, "start b cpu@f=7 mem@f=1");
	assert_string_equal(least_say(w), "0=5 1=1");
	world_tell(w, "run c in q cpu@f=1");
	assert_string_equal(least_say(w), "0=1");
	world_tell(w, "run d in q mem@f=1");
	assert_string_equal(least_say(w), "");
	world_tell(w, "remove d\nremove c\nremove a");
	assert_string_equal(least_say(w), "0=7 1=1");
	world_destroy(w);
}

/* No pair twice, whatever a job was charged */
static void test_merged(void **state)
{
	struct world *w = world_create("queue q cpu@f=9 mem@f=9\n");
	struct charge charges[] = { { 0, 0, 2 }, { 0, 1, 1 }, { 0, 0, 3 } };

	(void) state;
	world_tell(w, "run a in q cpu@f=5");
	assert_int_equal(engine_start(w->engine, world_workload(w, "a"),
				      charges, 3, 0), 0);
	assert_string_equal(least_say(w), "0=5 1=1");
	world_tell(w, "run b in q cpu@f=4 mem@f=4");
	assert_string_equal(least_say(w), "0=4 1=1");
	world_destroy(w);
}

/* A plan starts one job after the other: it looks at no other holding for that. */
static void test_started(void **state)
{
	struct use use = { 0, 2 };
	struct world *w = world_create("queue q cpu@f=9 mem@f=9\n"
				       "wait x in q cpu=2\n");
	struct queue *q = &w->engine->queues[0];
	struct holding h = { .w = world_workload(w, "x"), .uses = &use,
			     .nuses = 1, .reserved_at = 1 };

	(void) state;
	/* what none uses says nothing of the first one */
	assert_string_equal(least_say(w), "");
	holding_list(&h, q);
	assert_string_equal(least_say(w), "0=2");
	holding_unlist(&h);
	world_tell(w, "run a in q cpu@f=5 mem@f=2");
	assert_string_equal(least_say(w), "0=5 1=2");
	holding_list(&h, q);
	assert_true(q->least.known);
	assert_string_equal(least_say(w), "0=2");
	holding_unlist(&h);
	world_destroy(w);
}

static void test_safe(void **state)
{
	struct world *w = world_create("queue q cpu@f=99 mem@f=99\n"
		"run a in q cpu@f=5 mem@f=2 since=10\n"
		"run b in q cpu@f=3 mem@f=4 since=20\n"
		"run c in q cpu@f=1 mem@f=7 since=30\n");
	struct queue *q = &w->engine->queues[0];

	(void) state;
	assert_string_equal(unsafe_say(w, 9), "");
	assert_string_equal(unsafe_say(w, 10), "0=5 1=2");
	assert_string_equal(unsafe_say(w, 29), "0=3 1=2");
	assert_string_equal(unsafe_say(w, 30), "0=1 1=2");
	assert_string_equal(unsafe_say(w, 10), "0=5 1=2");
	assert_string_equal(least_say(w), "0=1 1=2");
	/* the one does not make the other forget */
	assert_true(q->least.known && q->least_unsafe.known);
	/* what is safe comes and goes, and nothing is asked again */
	world_tell(w, "run d in q cpu@f=2 since=40\nremove d");
	assert_true(q->least_unsafe.known);
	assert_false(q->least.known);
	/* what goes anyway is not safe */
	world_tell(w, "evicting c");
	assert_string_equal(unsafe_say(w, 10), "0=1 1=2");
	world_tell(w, "evicting c no");
	assert_string_equal(unsafe_say(w, 10), "0=5 1=2");
	world_destroy(w);
}

/* Those that use some pairs are known for themselves; with too many sets of pairs, as all. */
static void test_pairs(void **state)
{
	struct world *w = world_create("queue q cpu@f=9 mem@f=9\n");

	(void) state;
	world_tell(w, "run a in q cpu@f=5\nrun b in q mem@f=4");
	assert_string_equal(least_say(w), "");
	assert_string_equal(pairs_say(w, INT64_MAX, 1), "0=5");
	assert_string_equal(pairs_say(w, INT64_MAX, 2), "1=4");
	assert_string_equal(pairs_say(w, INT64_MAX, 3), "");
	assert_string_equal(pairs_say(w, INT64_MAX, 4), "");
	world_tell(w, "start b cpu@f=3 mem@f=2");
	assert_string_equal(pairs_say(w, INT64_MAX, 1), "0=3");
	assert_string_equal(pairs_say(w, INT64_MAX, 2), "0=3 1=2");
	for (uint64_t i = 4; i < 30; i++)
		assert_string_equal(pairs_say(w, INT64_MAX, 1 + (i << 2)), "0=3");
	world_tell(w, "run c in q mem@f=1");
	assert_string_equal(pairs_say(w, INT64_MAX, 1), "0=3");
	assert_string_equal(pairs_say(w, INT64_MAX, 1 + (4 << 2)), "0=3");
	assert_string_equal(pairs_say(w, INT64_MAX, 1 + (29 << 2)), "");
	world_destroy(w);
}

/* ---- whatever happens ---- */

#define RUN_FOR 50			/* a min-runtime */

/* The same by a look at each */
static const char *plain_say(struct world *w, int64_t safe_after, uint64_t pairs)
{
	static char text[64];
	int64_t least[2] = { INT64_MAX, INT64_MAX };
	size_t length = 0, n = 0;

	for (const struct holding *h = w->engine->queues[0].holdings; h;
	     h = h->next) {
		if (holding_reserved_at(h) > safe_after && !h->evicting
		    && !h->may_shrink)
			continue;
		if (pairs != UINT64_MAX && !(h->pairs & pairs))
			continue;
		n++;
		for (int pair = 0; pair < 2; pair++) {
			int64_t amount = 0;

			for (size_t i = 0; i < h->nuses; i++)
				amount += h->uses[i].pair == pair
					  ? h->uses[i].amount : 0;
			least[pair] = amount < least[pair] ? amount
							   : least[pair];
		}
	}
	*text = '\0';
	for (int pair = 0; n && pair < 2; pair++) {
		if (least[pair])
			length += (size_t) sprintf(text + length, "%s%d=%d",
						   length ? " " : "", pair,
						   (int) least[pair]);
	}
	return text;
}

static unsigned draw(uint32_t *random, unsigned n)
{
	*random = *random * 1664525 + 1013904223;
	return (*random >> 12) % n;
}

static void job_begin(struct world *w, const char *name, uint32_t *random,
		      int64_t now)
{
	/* since=0: it is not known when */
	int64_t since = draw(random, 4) ? now - draw(random, 2 * RUN_FOR) : 0;
	unsigned cpu = 1 + draw(random, 5), mem = 1 + draw(random, 5);
	char text[96];

	snprintf(text, sizeof(text), "run %s in q %s@f=%u %s@f=%u since=%lld "
		 "prio=%u", name, draw(random, 8) ? "cpu" : "mem", cpu,
		 mem > 1 ? "mem" : "cpu", mem,
		 (long long) since, draw(random, 2));
	world_tell(w, text);
}

static void job_change(struct world *w, const char *name, uint32_t *random)
{
	struct eviction_terms terms = { .min_available = -1 };
	char text[32];

	switch (draw(random, 4)) {
	case 0:
		terms.min_available = 1;
		terms.group = 1 + draw(random, 2);
		/* fall through */
	case 1:
		assert_int_equal(engine_set_terms(w->engine,
						  world_workload(w, name),
						  &terms), 0);
		return;
	case 2:
		snprintf(text, sizeof(text), "evicting %s%s", name,
			 draw(random, 2) ? " no" : "");
		break;
	default:
		snprintf(text, sizeof(text), "remove %s", name);
	}
	world_tell(w, text);
}

#define JOBS 8

static void life_play(const char *forest, uint32_t random)
{
	struct world *w = world_create(forest);
	struct queue *q = &w->engine->queues[0];
	int64_t now = 1000;

	for (int step = 0; step < 400; step++) {
		size_t job = draw(&random, JOBS);
		char name[] = { 'a', (char) ('0' + job), '\0' };
		bool runs = false;

		for (size_t i = 0; i < w->nworkloads; i++)
			runs |= w->workloads[i] && !strcmp(w->names[i], name);
		if (runs)
			job_change(w, name, &random);
		else
			job_begin(w, name, &random, now);
		/* clocks may go back, too */
		now += (int64_t) draw(&random, 20) - 4;
		if (!draw(&random, 3))
			continue;
		holdings_date(q, now);
		assert_string_equal(unsafe_say(w, now - RUN_FOR),
				    plain_say(w, now - RUN_FOR, UINT64_MAX));
		if (!draw(&random, 3))
			assert_string_equal(least_say(w),
					    plain_say(w, INT64_MAX, UINT64_MAX));
		for (uint64_t pairs = 1; pairs < 4; pairs++) {
			if (draw(&random, 3))
				continue;
			assert_string_equal(pairs_say(w, now - RUN_FOR, pairs),
					    plain_say(w, now - RUN_FOR, pairs));
			assert_string_equal(pairs_say(w, INT64_MAX, pairs),
					    plain_say(w, INT64_MAX, pairs));
		}
	}
	world_destroy(w);
}

static void test_life(void **state)
{
	(void) state;
	for (uint32_t seed = 1; seed <= 60; seed++)
		life_play(seed % 3 ? "queue q cpu@f=99 mem@f=99\n"
				   : "queue q turn=30 cpu@f=99 mem@f=99\n",
			  seed * 2654435761u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_started),
		cmocka_unit_test(test_safe),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_life),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
