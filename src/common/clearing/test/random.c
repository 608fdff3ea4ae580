/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test random.c - the cheapest that go, against an exact search
 *
 * CLEARING_WORLDS=N plays N random worlds of each kind: the figures of
 * doc/performance.md.
 */
#include <stdlib.h>
#include <string.h>

#include "clearing/test/worlds.h"

#define MAX_STEPS 20000000	/* of an exact search */

/* ---- exact ---- */

struct exact {
	struct world *w;
	int64_t have[MAX_NODES], could[MAX_NODES];
	bool gone[MAX_ITEMS], best[MAX_ITEMS];
	size_t order[MAX_ITEMS];
	double cost, least;
	bool found;
	long steps;
};

/* Of the k-th and all after it: does it stay, or go? */
static void exact_search(struct exact *x, size_t k)
{
	struct world *w = x->w;
	size_t i;

	if (x->steps++ > MAX_STEPS || (x->found && x->cost >= x->least))
		return;
	if (world_fits(w, x->have) && world_judge(x->gone, w) == CLEARING_ALLOWED) {
		x->found = true;
		x->least = x->cost;
		memcpy(x->best, x->gone, sizeof(x->best));
		return;
	}
	if (k == w->c.nitems || !world_fits(w, x->could))
		return;
	i = x->order[k];
	world_add(w, i, x->could, -1);
	exact_search(x, k + 1);
	world_add(w, i, x->could, 1);
	world_add(w, i, x->have, 1);
	x->gone[i] = true;
	x->cost += w->items[i].loss;
	if (world_judge(x->gone, w) != CLEARING_FORBIDDEN)
		exact_search(x, k + 1);
	x->cost -= w->items[i].loss;
	x->gone[i] = false;
	world_add(w, i, x->have, -1);
}

/* The dearest is decided first; what is known to be possible is the limit. */
static void exact_find(struct exact *x, struct world *w, double known)
{
	memset(x, 0, sizeof(*x));
	x->w = w;
	x->least = known + 0.5;
	x->found = known > 0;
	memcpy(x->have, w->idle, sizeof(x->have));
	memcpy(x->could, w->idle, sizeof(x->could));
	for (size_t i = 0; i < w->c.nitems; i++) {
		size_t k = i;

		world_add(w, i, x->could, 1);
		for (; k && w->items[x->order[k - 1]].loss < w->items[i].loss; k--)
			x->order[k] = x->order[k - 1];
		x->order[k] = i;
	}
	exact_search(x, 0);
}

/* ---- figures ---- */

struct figures {
	double ratio[10000];
	size_t n, missed, unproven, improved;
	unsigned int questions;		/* most */
};

static int by_size(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* What is in a set that loses less than `now` is useful for that. */
static void assert_useful(struct figures *f, const struct world *w, const bool *better,
			  const bool *now)
{
	if (!clearing_is_better(&w->c, better, now))
		return;
	f->improved++;
	assert_true(world_finds_useful(w, better, now));
}

static void play(struct figures *f, unsigned int seed, size_t nodes, int64_t cpus)
{
	static struct world w;
	static struct exact x;
	bool gone[MAX_ITEMS], more[MAX_ITEMS];
	double now = 0;
	bool found;

	world_make(&w, seed, nodes, cpus);
	if (world_fits(&w, w.idle))
		return;
	found = clearing_find(&w.c, gone);
	if (w.questions > f->questions)
		f->questions = w.questions;
	if (found) {
		assert_true(world_is_right(&w, gone));
		now = world_loss(&w, gone);
	}
	exact_find(&x, &w, now);
	if (x.steps > MAX_STEPS)
		f->unproven++;
	if (x.steps > MAX_STEPS || !x.found)
		return;
	f->missed += !found;
	if (!found)
		return;
	if (x.least > now)
		x.least = now;
	f->ratio[f->n++] = now / x.least;
	memcpy(more, gone, sizeof(more));
	more[seed % w.c.nitems] = true;
	assert_useful(f, &w, gone, more);
	if (x.least < now)
		assert_useful(f, &w, x.best, gone);
}

static void play_all(struct figures *f, size_t nodes, int64_t cpus, unsigned int worlds)
{
	memset(f, 0, sizeof(*f));
	for (unsigned int seed = 1; seed <= worlds; seed++)
		play(f, seed, nodes, cpus);
	qsort(f->ratio, f->n, sizeof(*f->ratio), by_size);
	print_message("# %zu nodes of %d: %zu worlds, %zu not proven; lost over "
		      "least: median %.2f, 90 %% %.2f, most %.2f; questions %u; "
		      "missed %zu\n", nodes, (int) cpus, f->n, f->unproven,
		      f->ratio[f->n / 2], f->ratio[f->n * 9 / 10],
		      f->ratio[f->n - 1], f->questions, f->missed);
}

static void test_random(void **state)
{
	static struct figures f;
	const char *given = getenv("CLEARING_WORLDS");
	unsigned int worlds = given ? (unsigned int) atoi(given) : 300;

	play_all(&f, 8, 4, worlds);
	assert_true(f.ratio[f.n * 9 / 10] <= 1.0 && f.ratio[f.n - 1] <= 1.5);
	assert_true(f.improved > 0);
	play_all(&f, 16, 8, given ? worlds : 20);
	if (given)
		play_all(&f, 32, 8, worlds);
}

TESTS(cmocka_unit_test(test_random))
