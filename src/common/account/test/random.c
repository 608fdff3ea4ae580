/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test random.c - integrals against a simple recomputation: the whole forest,
 * second by second
 *
 * Seeds are fixed; COHORT_SEEDS=N in the environment tries N of them.
 */
#include "account/test/kept.h"
#include "core/engine_state.h"
#include "random/draw.h"

#define NODES 16
#define STEPS 120

struct model {
	const struct books *b;
	double own[NODES], borrowed[NODES], lent[NODES], shared[NODES], idle[NODES];
	bool waits[NODES];
	double between[NODES][NODES];	/* lender, borrower */
	unsigned int seed;
};

static int pick(struct model *m, int n)
{
	m->seed = m->seed * 1103515245 + 12345;
	return (int) ((m->seed >> 16) % (unsigned int) n);
}

/* ---- one second ---- */

static double over(const struct model *m, int node)
{
	int64_t usage = books_usage(m->b, node, 0);
	int64_t subtree = books_quota(m->b, node, 0)->subtree;

	return usage > subtree ? (double) (usage - subtree) : 0;
}

static double offer(const struct model *m, int node)
{
	const struct quota *q = books_quota(m->b, node, 0);
	int64_t used = max64(books_usage(m->b, node, 0), q->local);

	return m->b->nodes[node].parent != SPEC_NONE && q->subtree > used
	       ? (double) (q->subtree - used) : 0;
}

static int is_child(const struct model *m, size_t k, int node)
{
	return m->b->nodes[k].parent == node;
}

/* `amount` for the borrower, of what is below the node and its own */
static void give(struct model *m, int node, int borrower, double amount)
{
	double pool = (double) books_quota(m->b, node, 0)->nominal, own = pool;

	if (m->b->nodes[node].is_queue) {
		m->lent[node] += amount;
		m->between[node][borrower] += amount;
		return;
	}
	for (size_t k = 0; k < m->b->nnodes; k++)
		pool += is_child(m, k, node) ? offer(m, (int) k) : 0;
	if (pool <= 0)
		return;
	m->shared[node] += amount * own / pool;
	m->between[node][borrower] += amount * own / pool;
	for (size_t k = 0; k < m->b->nnodes; k++) {
		double part = is_child(m, k, node) ? amount * offer(m, (int) k) / pool : 0;

		if (part > 0 && !m->b->nodes[k].is_queue)
			m->lent[k] += part;
		if (part > 0)
			give(m, (int) k, borrower, part);
	}
}

static void take(struct model *m, int queue)
{
	double wants = over(m, queue);

	for (int n = m->b->nodes[queue].parent; n != SPEC_NONE && wants > 0;
	     n = m->b->nodes[n].parent) {
		double demand = 0, here;

		for (size_t k = 0; k < m->b->nnodes; k++)
			demand += is_child(m, k, n) ? over(m, (int) k) : 0;
		here = wants * (demand - over(m, n)) / demand;
		give(m, n, queue, here);
		wants -= here;
	}
}

static void second_pass(struct model *m)
{
	double before[NODES];

	for (size_t i = 0; i < m->b->nnodes; i++)
		before[i] = m->lent[i];
	for (size_t i = 0; i < m->b->nnodes; i++) {
		m->borrowed[i] += over(m, (int) i);
		if (m->b->nodes[i].is_queue)
			take(m, (int) i);
	}
	for (size_t i = 0; i < m->b->nnodes; i++) {
		int64_t quota = books_quota(m->b, (int) i, 0)->subtree;
		double own = (double) min64(books_usage(m->b, (int) i, 0), quota);

		m->own[i] += own;
		if (m->waits[i])
			m->idle[i] += fmax(0, (double) quota - own - (m->lent[i] - before[i]));
	}
}

/* ---- a world ---- */

static void say_quota(struct model *m, FILE *f)
{
	if (!pick(m, 4)) {
		fprintf(f, "\n");
		return;
	}
	fprintf(f, " cpu@f=%d", pick(m, 20));
	if (!pick(m, 3))
		fprintf(f, "-%d", pick(m, 10));
	fprintf(f, "\n");
}

static struct world *world_of(struct model *m)
{
	struct world *world;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "cohort c0 cpu@f=%d\n", pick(m, 2) * pick(m, 9));
	for (int i = 1; i < 5; i++) {
		fprintf(f, "cohort c%d in c%d", i, pick(m, i));
		say_quota(m, f);
	}
	for (int i = 0; i < 9; i++) {
		fprintf(f, "queue q%d in c%d", i, pick(m, 5));
		say_quota(m, f);
	}
	fprintf(f, "queue alone cpu@f=5\n");
	fclose(f);
	world = world_create(text);
	free(text);
	m->b = world_engine(world)->books;
	assert_true(m->b->nnodes <= NODES);
	return world;
}

static void event(struct model *m, struct world *world)
{
	int queue = (int) m->b->ncohorts + pick(m, 10);
	int64_t usage = books_usage(m->b, queue, 0);
	int64_t amount = 1 + pick(m, 12);

	if (!pick(m, 4)) {
		m->waits[queue] = pick(m, 2);
		account_waits(world->engine, &world->engine->queues[queue - (int) m->b->ncohorts],
			      m->waits[queue]);
	} else if (pick(m, 2))
		books_add(world->engine->books, queue, 0, amount);
	else if (usage)
		books_remove(world->engine->books, queue, 0, amount < usage ? amount : usage);
}

static void near(double x, double y)
{
	if (fabs(x - y) > 1e-7 * (1 + fabs(y)))
		fail_msg("%.12g, not %.12g", x, y);
}

static void compare(const struct model *m, const struct world *world, int64_t second)
{
	int ncohorts = (int) m->b->ncohorts;

	for (int i = 0; i < (int) m->b->nnodes; i++) {
		bool is_cohort = i < ncohorts;
		int node = is_cohort ? i : i - ncohorts;
		struct account_sums s = sums_then(world, is_cohort, node, second);

		near((double) s.own, m->own[i]);
		near((double) s.borrowed, m->borrowed[i]);
		near(s.lent, m->lent[i]);
		near(s.shared, m->shared[i]);
		near(s.idle, m->idle[i]);
		for (int q = ncohorts; q < (int) m->b->nnodes; q++)
			near(lent_then(world, is_cohort, node, q - ncohorts,
				       second), m->between[i][q]);
	}
}

static void play(unsigned int seed)
{
	struct model m = { .seed = seed };
	struct world *world = world_of(&m);
	int64_t now = 1000;

	engine_advance(world->engine, now * SEC);
	assert_int_equal(engine_keep_account(world->engine), 0);
	for (int i = 0; i < STEPS; i++) {
		int64_t until = now + pick(&m, 4);

		for (; now < until; now++)
			second_pass(&m);
		engine_advance(world->engine, now * SEC);
		if (!pick(&m, 10))
			compare(&m, world, now);
		event(&m, world);
	}
	compare(&m, world, now);
	world_destroy(world);
}

static void test_random(void **state)
{
	unsigned int n = (unsigned int) seeds_wanted(300);

	for (unsigned int seed = 1; seed <= n; seed++)
		play(seed);
}

TESTS(cmocka_unit_test(test_random))
