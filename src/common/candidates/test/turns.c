/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test turns.c - the candidates of a queue with turns
 *
 * Random queues: what a stream gives, and what the search has taken note of, is
 * what a look at all that run there tells. And a plan does not look at all of
 * them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "test/terms.h"
#include "candidates/candidate.h"
#include "holding/elastic.h"
#include "holding/holding.h"
#include "holding/unit.h"
#include "random/draw.h"
#include "single.h"

#define RUNS 120
#define WORLDS 300
#define TURN 40
#define NOW 100

static uint64_t seed = 7;

static int64_t draw(int64_t n)
{
	return (int64_t) random_below(&seed, (uint64_t) n);
}

static void terms_draw(struct engine *e, struct workload *w)
{
	static const int64_t exempt[] = {
		0, 0, 0, NOW - 5, NOW + 1, NOW + 20, NOW + 60, INT64_MAX,
	};
	struct eviction_terms terms = {
		.exempt_until = exempt[draw(COUNT(exempt))],
		.cost = draw(3),
		.min_available = -1,
	};

	if (!draw(8)) {
		terms.group = 1 + (uint64_t) draw(3);
		terms.min_available = 1 + draw(4);
	}
	assert_int_equal(engine_set_terms(e, w, &terms), 0);
	assert_int_equal(terms_set_evictions(e, w, draw(10) ? 0 : 2), 0);
	engine_evicting(e, w, !draw(3));
}

static void runs_draw(struct engine *e, struct workload **ws)
{
	for (size_t i = 0; i < RUNS; i++) {
		const struct single single = { 0, draw(3), draw(20), 1 };
		int64_t since = draw(5) ? 20 + draw(NOW) : 0;

		ws[i] = single_run(e, single, draw(8) ? 0 : 1, since);
		if (draw(2))
			terms_draw(e, ws[i]);
		if (i && !draw(15))
			assert_int_equal(terms_join(e, ws[i],
						    ws[draw((int64_t) i)]), 0);
	}
}

/* ---- what a look at all tells ---- */

static int64_t since(const struct holding *h)
{
	return h->reserved_at ? h->reserved_at : NOW;
}

static bool is_equal(const struct search *s, const struct holding *h)
{
	return h->priority == s->w->shape->priority;
}

static bool is_over(const struct search *s, const struct holding *h)
{
	return is_equal(s, h) && since(h) + TURN < NOW;
}

static bool is_allowed(const struct search *s, const struct holding *h)
{
	if (is_equal(s, h))
		return s->q->spec.within == POLICY_LOWER_OR_NEWER_EQUAL
		       && h->queue_order_at > s->w->queue_order_at;
	return h->priority < s->w->shape->priority;
}

static bool is_spent(const struct holding *h)
{
	return !h->evicting && h->lost >= 2;
}

static bool unit_is_spent(struct holding *h)
{
	for_each_in_unit(m, h) {
		if (is_spent(m))
			return true;
	}
	return false;
}

static int64_t kept_until(const struct search *s, const struct holding *h)
{
	int64_t runtime = s->q->spec.preempt_min_runtime;
	int64_t until = h->exempt_until;

	if (h->evicting)
		return 0;
	return runtime > 0 && since(h) + runtime > until ? since(h) + runtime
							 : until;
}

/* INT64_MAX: for good, whatever the turns are */
static int64_t free_at(const struct search *s, const struct holding *h)
{
	int64_t until = kept_until(s, h);

	if (!is_allowed(s, h) && !is_equal(s, h))
		return INT64_MAX;
	if (!is_allowed(s, h) && since(h) + TURN + 1 > until)
		until = since(h) + TURN + 1;
	return until;
}

static bool is_exempt(const struct holding *h)
{
	return !h->evicting && h->exempt_until > NOW;
}

/* More members run, and are not on the way out, than its group needs. */
static bool has_spare(const struct holding *h)
{
	int64_t n = 0;

	for (const struct holding *m = h->q->holdings; h->elastic && m; m = m->next)
		n += m->elastic == h->elastic && !m->evicting && !m->gone;
	return h->elastic && n > h->elastic->min_available;
}

static bool is_candidate(const struct search *s, struct holding *h)
{
	bool stays = unit_is_spent(h) || is_exempt(h);

	if (h->uses[0].pair != s->need[0])
		return false;
	for_each_in_unit(m, h) {
		if (m != h && (is_spent(m) || free_at(s, m) > NOW))
			return false;
	}
	return (is_over(s, h) || is_allowed(s, h)) && !stays
	       && (has_spare(h) || kept_until(s, h) <= NOW);
}

/* Its min-runtime does not matter. */
static int64_t exemption_ends(const struct search *s, const struct holding *h)
{
	int64_t turn = is_allowed(s, h) ? 0 : since(h) + TURN + 1;

	if (free_at(s, h) == INT64_MAX)
		return INT64_MAX;
	return turn > h->exempt_until ? turn : h->exempt_until;
}

/* What is noted of h and its unit */
static void expect_wait(const struct search *s, struct holding *h,
			struct passed_over *passed)
{
	int64_t until = 0;
	bool spent = false;

	for_each_in_unit(m, h) {
		int64_t at = m == h && h->elastic && is_exempt(h)
			     ? exemption_ends(s, h) : free_at(s, m);

		if (at == INT64_MAX)
			return;
		if (is_spent(m)) {
			spent = true;
			at = is_allowed(s, m) ? 0 : since(m) + TURN + 1;
		}
		until = at > until ? at : until;
	}
	if (!spent && until <= NOW)
		return;
	passed->protected = true;
	if (spent)
		passed->spent = true;
	else if (!passed->until || until < passed->until)
		passed->until = until;
}

static void expect_turn(const struct search *s, struct holding *h,
			struct passed_over *passed)
{
	int64_t end = since(h) + TURN + 1;

	if (!is_equal(s, h) || is_over(s, h) || unit_is_spent(h))
		return;
	if (!h->evicting && (h->exempt_until == INT64_MAX
			     || end < (has_spare(h) ? h->exempt_until
						    : kept_until(s, h))))
		return;
	if (!passed->turn || end < passed->turn)
		passed->turn = end;
}

static struct passed_over expect_passed(const struct search *s)
{
	struct passed_over passed = { .protected = false };

	for (struct holding *h = s->q->holdings; h; h = h->next) {
		if (h->uses[0].pair != s->need[0])
			continue;
		expect_wait(s, h, &passed);
		expect_turn(s, h, &passed);
	}
	return passed;
}

static const struct search *sorted_for;

static int candidates_compare(const void *x, const void *y)
{
	const struct holding *a = *(struct holding *const *) x;
	const struct holding *b = *(struct holding *const *) y;
	bool over = is_over(sorted_for, a);

	if (a->evicting != b->evicting)
		return a->evicting ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	if (over != is_over(sorted_for, b))
		return over ? -1 : 1;
	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	if (holding_start(a) != holding_start(b))
		return (holding_start(a) < holding_start(b)) == over ? -1 : 1;
	return a->tiebreak < b->tiebreak ? -1 : 1;
}

static size_t expect_candidates(const struct search *s, struct holding **list)
{
	size_t n = 0;

	for (struct holding *h = s->q->holdings; h; h = h->next) {
		if (is_candidate(s, h))
			list[n++] = h;
	}
	sorted_for = s;
	qsort(list, n, sizeof(*list), candidates_compare);
	return n;
}

/* ---- the stream ---- */

static void stream_compare(struct search *s, struct holding *const *list,
			   size_t n)
{
	struct stream *st = stream_own(s);
	size_t i = 0;

	if (!n) {
		assert_null(st);
		return;
	}
	assert_non_null(st);
	for (; st->head.h; stream_next(s, st), i++) {
		assert_in_range(i, 0, n - 1);
		assert_ptr_equal(st->head.h, list[i]);
		assert_int_equal(st->head.expired, is_over(s, list[i]));
		assert_int_equal(st->head.surplus,
				 kept_until(s, list[i]) > NOW);
		assert_int_equal(st->head.reason, is_over(s, list[i])
				 ? VICTIM_TIME_BASED : VICTIM_IN_CLUSTER_QUEUE);
	}
	assert_int_equal(i, n);
}

static void search_check(struct engine *e, const struct workload *x)
{
	const int pair = 0;
	struct holding *list[RUNS];
	struct passed_over passed;
	struct search s = {
		.e = e, .q = x->shape->q, .w = x, .number = ++e->searches->made,
		.now = NOW, .need = &pair, .nneed = 1, .need_pairs = pair_bit(0),
	};
	size_t n = expect_candidates(&s, list);

	e->searches->need[pair] = true;
	e->searches->passed = (struct passed_over) { .protected = false };
	assert_true(streams_begin(&s));
	stream_open_own(&s);
	stream_compare(&s, list, n);
	if (n) {
		stream_rewind(&s, stream_own(&s));
		stream_compare(&s, list, n);
	}
	passed = expect_passed(&s);
	assert_int_equal(e->searches->passed.protected, passed.protected);
	assert_int_equal(e->searches->passed.spent, passed.spent);
	assert_int_equal(e->searches->passed.until, passed.until);
	assert_int_equal(e->searches->passed.turn, passed.turn);
	e->searches->need[pair] = false;
}

/* Of waiting workloads of each priority; then as searches have left the queue,
 * with bounds of all orders known */
static void one_queue(const char *within, int pmin)
{
	struct workload *ws[RUNS];
	struct world *world;
	struct engine *e;
	char text[128];

	snprintf(text, sizeof(text), "queue a within=%s turn=%d pmin=%d max=2"
		 " cpu@f=%d cpu@g=%d\nwait y in a", within, TURN, pmin, RUNS,
		 RUNS);
	world = world_create(text);
	e = world_engine(world);
	runs_draw(e, ws);
	for (int64_t i = 0; i < 6; i++) {
		if (i == 3)
			(void) engine_plan(e, NOW);
		search_check(e, single_submit(e, (struct single) {
			.priority = i % 3, .at = draw(20), .amount = 1 }));
	}
	world_destroy(world);
}

static void test_random(void **state)
{
	static const int runtimes[] = { 0, 15, 41, 90 };

	(void) state;
	for (size_t i = 0; i < WORLDS; i++)
		one_queue(i % 3 ? "newer" : "lower", runtimes[i % 4]);
}

/* ---- many ---- */

#define MANY 5000
#define WAITING 8

static const struct {
	const char *within;
	int64_t at;		/* of those that wait; all that run: 0 */
	int64_t runtime;
	int64_t now;		/* starts: 1..MANY */
	int64_t first;		/* the verdict is made again at that time */
} many[] = {
	/* all turns go on, half of them, none */
	{ "newer", -1, 0, MANY + 1, 10002 },
	{ "newer", 1, 0, MANY + 1, 10002 },
	{ "newer", -1, 0, 12500, 12501 },
	{ "newer", 1, 0, 12500, 12501 },
	{ "newer", 1, 0, 20000, 0 },
	{ "newer", -1, 0, 20000, 0 },
	{ "lower", -1, 0, 12500, 12501 },
	/* all are protected for longer, or for less time */
	{ "newer", 1, 30000, 12500, 30001 },
	{ "newer", -1, 30000, 12500, 30001 },
	{ "newer", 1, 4000, MANY + 1, 10002 },
	{ "newer", 1, 9000, 12500, 12501 },
	{ "newer", -1, 9000, 12500, 12501 },
};

static void many_check(size_t i)
{
	struct world *world;
	struct engine *e;
	char text[128];

	snprintf(text, sizeof(text), "queue a within=%s turn=10000 pmin=%lld"
		 " cpu@f=%d\nwait x in a cpu=%d prio=1 at=%lld", many[i].within,
		 (long long) many[i].runtime, MANY, MANY + 1,
		 (long long) many[i].at);
	world = world_create(text);
	e = world_engine(world);
	for (int64_t k = 0; k < MANY; k++) {
		(void) single_run(e, (struct single) { .amount = 1 }, 0,
				  1 + (k * 7919) % MANY);
	}
	for (int64_t k = 0; k < WAITING; k++)
		(void) single_submit(e, (struct single) {
			.at = many[i].at, .amount = 2 + k });
	assert_int_equal(engine_plan(e, many[i].now), 1);
	assert_int_equal(engine_next_expiry(e), many[i].first);
	world_destroy(world);
}

static void test_many(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(many); i++)
		many_check(i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_many),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
