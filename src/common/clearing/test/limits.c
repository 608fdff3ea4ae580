/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test limits.c - how the work grows, what is found at the limit; all ranks and
 * orders of a small world
 */
#include <stdlib.h>
#include <string.h>

#include "clearing/test/worlds.h"

/* ---- growth ---- */

struct large {
	struct clearing c;
	struct clearing_item *items;
	struct clearing_share *shares;
	int64_t *idle, *need, total;
	size_t looks, questions;
};

static enum clearing_answer allow(const bool *gone, void *arg)
{
	return CLEARING_ALLOWED;
}

/* Full nodes with so many jobs of 1 CPU each; `wanted` nodes with half of that */
static void large_make(struct large *l, size_t nodes, size_t jobs, size_t wanted)
{
	static const int64_t one = 1;
	size_t n = nodes * jobs;

	*l = (struct large) {
		.items = calloc(n, sizeof(*l->items)),
		.shares = calloc(n, sizeof(*l->shares)),
		.idle = calloc(nodes, sizeof(*l->idle)),
		.need = calloc(nodes, sizeof(*l->need)),
	};
	for (size_t i = 0; i < n; i++) {
		l->shares[i] = (struct clearing_share) { i / jobs, &one };
		l->items[i] = (struct clearing_item) {
			.loss = (double) (1 + i * 7919 % 1009), .nshares = 1,
			.shares = &l->shares[i],
		};
	}
	for (size_t v = 0; v < nodes; v++)
		l->need[v] = (int64_t) (jobs + 1) / 2;
	l->c = (struct clearing) {
		.nresources = 1, .nnodes = nodes, .nitems = n,
		.idle = l->idle, .need = l->need, .total = &l->total,
		.items = l->items, .min_nodes = wanted, .max_nodes = wanted,
		.judge = allow, .max_questions = SIZE_MAX,
		.max_looks = SIZE_MAX, .looks = &l->looks,
		.questions = &l->questions,
	};
}

static void large_free(struct large *l)
{
	free(l->items);
	free(l->shares);
	free(l->idle);
	free(l->need);
}

/* Without a limit */
static void large_count(size_t nodes, size_t wanted, size_t *looks, size_t *questions)
{
	struct large l;
	bool *gone = calloc(nodes * 10, sizeof(*gone));

	large_make(&l, nodes, 10, wanted);
	assert_true(clearing_find(&l.c, gone));
	*looks = l.looks;
	*questions = l.questions;
	print_message("# %zu nodes of 10 jobs, %zu wanted: %zu looks, %zu "
		      "questions\n", nodes, wanted, l.looks, l.questions);
	large_free(&l);
	free(gone);
}

/* Four times the nodes: four times the looks, and no more questions */
static void test_growth(void **state)
{
	static const size_t wanted[] = { 1, 4 };
	size_t looks, questions, more_looks, more_questions;

	for (size_t i = 0; i < COUNT(wanted); i++) {
		large_count(500, wanted[i], &looks, &questions);
		large_count(2000, wanted[i], &more_looks, &more_questions);
		assert_true(more_looks <= looks * 17 / 4);
		assert_true(more_questions <= questions * 5 / 4 + 2);
	}
}

/* However much there is to do */
static void test_bounded(void **state)
{
	static const size_t limits[] = { 0, 1000, 50000, 200000, 400000 };
	bool *gone = calloc(2000 * 10, sizeof(*gone));

	for (size_t i = 0; i < COUNT(limits); i++) {
		struct large l;

		large_make(&l, 2000, 10, 400);
		l.c.max_looks = limits[i];
		if (clearing_find(&l.c, gone)) {
			size_t n = 0;

			for (size_t k = 0; k < l.c.nitems; k++)
				n += gone[k];
			assert_true(n >= 400 * 5);
		}
		/* what one step takes may be over it */
		assert_true(l.looks <= limits[i] + 2 * l.c.nitems);
		large_free(&l);
	}
	free(gone);
}

/* ---- what is found at the limit ---- */

/* With any limit: an answer that will do, or none, and no more work than that */
static void limit_play(unsigned int seed, size_t looks, size_t questions, size_t *found)
{
	static struct world w;
	bool gone[MAX_ITEMS];
	size_t looked = 0, asked = 0;

	world_make(&w, seed, 8, 4);
	if (world_fits(&w, w.idle))
		return;
	w.c.max_looks = looks;
	w.c.max_questions = questions;
	w.c.looks = &looked;
	w.c.questions = &asked;
	if (clearing_find(&w.c, gone)) {
		assert_true(world_is_right(&w, gone));
		++*found;
	}
	assert_true(asked <= questions + 1);
	assert_true(looked <= looks + 4 * MAX_ITEMS);
}

static void test_at_limit(void **state)
{
	size_t none = 0, few = 0, all = 0;

	for (unsigned int seed = 1; seed <= 100; seed++) {
		limit_play(seed, 0, 400, &none);
		limit_play(seed, 400000, 0, &none);
		for (size_t k = 1; k <= 30; k++) {
			limit_play(seed, 40 * k, 400, &few);
			limit_play(seed, 400000, k, &few);
		}
		limit_play(seed, 400000, 400, &all);
	}
	assert_int_equal(none, 0);
	assert_true(few > all && all > 50);
}

/* ---- all ranks, and all orders ---- */

#define FOUR 4

/* Two nodes of 4 CPUs: 3 and 1 on the first, 2 and 2 on the second; place[i] is
 * where the i-th of these stands in the list */
static void four_make(struct world *w, const size_t *place,
		      const unsigned int *levels, int64_t need, int64_t lent)
{
	static const int64_t of[FOUR] = { 3, 1, 2, 2 };
	static const double loss[FOUR] = { 30, 14, 22, 25 };
	int64_t held[FOUR];

	for (size_t k = 0; k < FOUR; k++)
		held[place[k]] = of[k];
	world_make_few(w, FOUR, held, need);
	w->lent[1] = lent;
	for (size_t k = 0; k < FOUR; k++) {
		size_t i = place[k];

		w->queue[i] = (int) (k % 2);
		w->shares[i][0].node = k / 2;
		w->items[i].level = (int) levels[k];
		w->items[i].loss = loss[k];
	}
}

/* All sets are looked at. False: none will do */
static bool four_least(struct world *w, bool *best)
{
	bool found = false;

	for (unsigned int set = 1; set < 1u << FOUR; set++) {
		bool gone[FOUR];

		for (size_t i = 0; i < FOUR; i++)
			gone[i] = set >> i & 1;
		if (!world_is_right(w, gone) || (found && !clearing_is_better(&w->c, gone, best)))
			continue;
		memcpy(best, gone, sizeof(gone));
		found = true;
	}
	return found;
}

static void four_play(const size_t *place, const unsigned int *levels)
{
	static struct world w;
	bool gone[MAX_ITEMS] = { false }, best[FOUR] = { false };

	for (int64_t need = 1; need <= 4; need++) {
		for (int64_t lent = 0; lent <= 3; lent++) {
			four_make(&w, place, levels, need, lent);
			assert_int_equal(clearing_find(&w.c, gone), four_least(&w, best));
			if (four_least(&w, best))
				assert_false(clearing_is_better(&w.c, best, gone));
		}
	}
}

/* All ranks for one order of the list: 0 to 2, and the highest there is */
static void all_levels(const size_t *place)
{
	for (unsigned int all = 0; all < 256; all++) {
		unsigned int levels[FOUR];

		for (size_t k = 0; k < FOUR; k++) {
			levels[k] = all >> (2 * k) & 3;
			if (levels[k] == 3)
				levels[k] = CLEARING_LEVELS - 1;
		}
		four_play(place, levels);
	}
}

static void test_all_turns(void **state)
{
	for (size_t code = 0; code < 256; code++) {
		size_t place[FOUR];
		unsigned int seen = 0;

		for (size_t k = 0; k < FOUR; k++) {
			place[k] = code >> (2 * k) & 3;
			seen |= 1u << place[k];
		}
		if (seen == 15)
			all_levels(place);
	}
}

TESTS(cmocka_unit_test(test_growth), cmocka_unit_test(test_bounded),
      cmocka_unit_test(test_at_limit), cmocka_unit_test(test_all_turns))
