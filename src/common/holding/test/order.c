/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test order.c - the orders of what a queue holds, and the bounds in them
 */
#include "test/terms.h"
#include "holding/holding.h"
#include "random/draw.h"
#include "world.h"

/* ---- the order, kept by events, and built from nothing ---- */

#define RUNS 24

static int holding_compare(const void *x, const void *y)
{
	const struct holding *a = *(struct holding *const *) x;
	const struct holding *b = *(struct holding *const *) y;

	if (a->evicting != b->evicting)
		return a->evicting ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	if (holding_start(a) != holding_start(b))
		return holding_start(a) > holding_start(b) ? -1 : 1;
	return a->w->tiebreak < b->w->tiebreak ? -1 : 1;
}

static bool is_timed(const struct holding *h)
{
	return !h->left && !h->evicting && !h->fixed && h->exempt_until != INT64_MAX;
}

static void bounds_add(struct holding_bounds *b, const struct holding *h)
{
	if (h->left)
		return;
	b->pairs |= h->pairs;
	b->kinds |= (h->evicting ? HOLDING_IS_LEAVING : 0) | (h->w->lost >= 2 ? HOLDING_IS_SPENT : 0)
		    | (h->elastic ? HOLDING_IS_ELASTIC : 0) | (h->unit ? HOLDING_HAS_UNIT : 0)
		    | (h->exempt_until || h->w->lost >= 2 || h->unit ? HOLDING_MAY_STAY : 0);
	b->lowest_priority = min64(b->lowest_priority, h->priority);
	if (!is_timed(h))
		return;
	b->first_exempt = min64(b->first_exempt, h->exempt_until);
	b->last_exempt = max64(b->last_exempt, h->exempt_until);
	b->first_from = min64(b->first_from, holding_start(h));
	b->last_from = max64(b->last_from, holding_start(h));
}

/* What the members of an order know of those below them is what a look at all
 * of these tells. Returns how many they are. */
static size_t bounds_check(const struct rank_node *node, struct holding_bounds *b)
{
	struct holding_bounds other;
	size_t n = 1;

	*b = (struct holding_bounds) {
		.lowest_priority = INT64_MAX,
		.first_exempt = INT64_MAX, .last_exempt = INT64_MIN,
		.first_from = INT64_MAX, .last_from = INT64_MIN,
	};
	if (!node)
		return 0;
	for (int side = 0; side < 2; side++) {
		n += bounds_check(side ? node->right : node->left, &other);
		b->pairs |= other.pairs;
		b->kinds |= other.kinds;
		b->lowest_priority = min64(b->lowest_priority, other.lowest_priority);
		b->first_exempt = min64(b->first_exempt, other.first_exempt);
		b->last_exempt = max64(b->last_exempt, other.last_exempt);
		b->first_from = min64(b->first_from, other.first_from);
		b->last_from = max64(b->last_from, other.last_from);
	}
	bounds_add(b, container_of(node, struct holding, place));
	assert_memory_equal(b, &container_of(node, struct holding, place)->below, sizeof(*b));
	return n;
}

static void order_check(const struct queue *q, struct workload *const *ws)
{
	struct holding *sorted[RUNS], *h = holding_at(rankset_first(&q->order));
	size_t n = 0;
	struct holding_bounds b;

	for (size_t i = 0; i < RUNS; i++) {
		if (!ws[i]->runs)
			continue;
		sorted[n++] = ws[i]->held;
	}
	qsort(sorted, n, sizeof(*sorted), holding_compare);
	for (size_t i = 0; i < n; i++, h = holding_at(rankset_next(&h->place)))
		assert_ptr_equal(h, sorted[i]);
	assert_null(h);
	assert_int_equal(rankset_total(&q->order), n);
	assert_int_equal(bounds_check(q->order.root, &b), n);
}

static bool may_leave(const struct holding_bounds *below, const void *arg)
{
	return below->kinds & HOLDING_IS_LEAVING;
}

/* A walk over those that may matter misses nobody, and comes to each once, in order. */
static void walk_check(struct queue *q, bool backwards)
{
	struct holding *h = NULL;
	size_t found = 0, all = 0;

	while ((h = holdings_next(q, h, backwards, may_leave, NULL)))
		found += h->evicting && !h->left;
	for_each_holding(each, q)
		all += each->evicting && !each->left;
	assert_int_equal(found, all);
}

static void order_event(struct engine *e, struct workload *const *ws, size_t i, uint64_t *seed)
{
	struct workload *w = ws[i];
	const struct charge charge = { 0, 0, 1 };
	struct workload_desc d = { .priority = random_next(seed) % 3,
				   .tiebreak = w->tiebreak, .tasks = 1 };
	int64_t number = random_next(seed) % 4;

	switch (random_next(seed) % 15) {
	case 0:
		assert_int_equal(engine_update(e, w, &d), 0);
		break;
	case 1:
		engine_evicting(e, w, number & 1);
		break;
	case 2:
		(void) terms_set_exempt(e, w, number);
		break;
	case 3:
		engine_pause(e, w, number);
		break;
	case 5:
		(void) terms_set_cost(e, w, number);
		break;
	case 6:
		(void) terms_set_evictions(e, w, number);
		break;
	case 7:
		if (w->runs)
			assert_int_equal(engine_requeue(e, w, 0), 0);
		break;
	case 8:
		(void) terms_set_exempt(e, w, number == 3 ? INT64_MAX : number);
		break;
	case 9:
		(void) terms_set_elastic(e, w, number % 2, 1);
		break;
	case 10:
		if (number > 1)
			walk_check(&e->queues[0], number - 2);
		break;
	case 11:
		(void) terms_join(e, w, ws[RUNS - 1]);
		break;
	default:
		assert_int_equal(engine_start(e, w, &charge, 1, number), 0);
	}
}

static void one_order(const char *told)
{
	struct world *world = world_create(told);
	struct engine *e = world_engine(world);
	struct workload *ws[RUNS];
	uint64_t seed = 5;

	for (size_t i = 0; i < RUNS; i++) {
		const struct workload_desc d = { .tiebreak = 100 + i * 7 % RUNS,
						 .tasks = 1 };

		ws[i] = engine_submit(e, &d);
		assert_non_null(ws[i]);
	}
	for (size_t i = 0; i < 4000; i++) {
		order_event(e, ws, random_next(&seed) % RUNS, &seed);
		order_check(&e->queues[0], ws);
		if (!ws[i % RUNS]->runs)
			continue;
		unit_set_left(ws[i % RUNS]->held, true);
		order_check(&e->queues[0], ws);
		unit_set_left(ws[i % RUNS]->held, false);
	}
	world_destroy(world);
}

static void test_order(void **state)
{
	one_order("queue a max=2 cpu@f=9\nwait x in a");
	one_order("queue a max=2 within=newer turn=2 cpu@f=9\nwait x in a");
}

TESTS(cmocka_unit_test(test_order))
