/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test fixed.c - what non-preemptible workloads use, and how much they may
 */
#include "quota/fixed.h"
#include "random/draw.h"
#include "world.h"

#define TREE "cohort org cpu@f=4\ncohort ml in org cpu@f=8\n" \
	"queue a in ml cpu@f=8-4\nqueue b in ml cpu@f=8+2\n" \
	"queue c in ml cpu@f=0+6\nqueue d in org cpu@f=8\n"
enum { ORG, ML, A, B, C, D, NODES };

static void fix(struct books *b, int node, int64_t amount)
{
	const struct use use = { 0, amount < 0 ? -amount : amount };

	fixed_change(b, node, &use, 1, amount < 0 ? -1 : 1);
}

static void test_usage(void **state)
{
	static const struct {
		int64_t amounts[NODES], usage[NODES];
		int64_t in_cohort[NODES];	/* room of queues */
	} cases[] = {
		{ { 0 }, { 0 }, { [A] = 20, 10, 6, 12 } },
		{ { [A] = 8 }, { [A] = 8 }, { [A] = 12, 10, 6, 12 } },
		/* above nominal quota it counts in the cohort, */
		{ { [A] = 9 }, { [A] = 9, [ML] = 1 }, { [A] = 11, 10, 6, 12 } },
		{ { [A] = 14, [C] = 6 }, { [A] = 14, [C] = 6, [ML] = 12,
		  [ORG] = 4 }, { [A] = 0, 8, 0, 8 } },
		/* and after a cut there may be more than the root has */
		{ { [A] = 30 }, { [A] = 30, [ML] = 22, [ORG] = 14 }, { [A] = 0, 8, 0, 8 } },
		{ { [D] = 12 }, { [D] = 12, [ORG] = 4 }, { [A] = 16, 10, 6, 0 } },
		/* amounts without bound come back to what they were */
		{ { [A] = INT64_MAX, [B] = INT64_MAX },
		  { [A] = INT64_MAX, [B] = INT64_MAX, [ML] = INT64_MAX,
		    [ORG] = INT64_MAX }, { [A] = 0, 0, 0, 8 } },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(TREE "run z in a");
		struct books *b = world->engine->books;

		for (int n = A; n < NODES; n++)
			fix(b, n, cases[i].amounts[n]);
		for (int n = ORG; n < NODES; n++)
			assert_int_equal(fixed_usage(b, n, 0), cases[i].usage[n]);
		for (int n = A; n < NODES; n++) {
			int64_t nominal = books_quota(b, n, 0)->nominal;

			assert_int_equal(fixed_room(b, n, 0, CAP_COHORT), cases[i].in_cohort[n]);
			assert_int_equal(fixed_room(b, n, 0, CAP_QUEUE),
					 max64(0, nominal - cases[i].amounts[n]));
			assert_int_equal(fixed_cap(b, n, 0, CAP_QUEUE), nominal);
			assert_int_equal(fixed_is_over_nominal(b, n, 0),
					 cases[i].amounts[n] > nominal);
			assert_int_equal(fixed_most(b, n, 0, CAP_QUEUE), nominal);
			assert_int_equal(fixed_most(b, n, 0, CAP_COHORT), cases[0].in_cohort[n]);
		}
		for (int n = A; n < NODES; n++)
			fix(b, n, -cases[i].amounts[n]);
		for (int n = ORG; n < NODES; n++)
			assert_int_equal(fixed_usage(b, n, 0), 0);
		world_destroy(world);
	}
}

/* A trial is for fixed usage as well. */
static void test_trial(void **state)
{
	struct world *world = world_create(TREE "run z in a cpu@f=9 fixed");
	struct books *b = world->engine->books;
	size_t mark;

	mark = books_try(b);
	fix(b, A, 3);
	fix(b, B, 9);
	assert_int_equal(fixed_usage(b, ML, 0), 5);
	assert_true(books_undo(b, mark));
	assert_int_equal(fixed_usage(b, ML, 0), 1);
	mark = books_try(b);
	books_vacate(b, ORG);
	assert_int_equal(fixed_usage(b, A, 0), 0);
	assert_int_equal(fixed_usage(b, ML, 0), 0);
	assert_true(books_undo(b, mark));
	assert_int_equal(fixed_usage(b, A, 0), 9);
	world_destroy(world);
}

static void test_unlimited(void **state)
{
	struct world *world = world_create("cohort o\nqueue a in o cpu@f=1\nrun z in a");
	struct books *b = world->engine->books;

	books_quota(b, 1, 0)->nominal = SPEC_UNLIMITED;
	fix(b, 1, INT64_MAX);
	fix(b, 1, INT64_MAX);
	assert_int_equal(fixed_usage(b, 0, 0), 0);
	assert_false(fixed_is_over_nominal(b, 1, 0));
	assert_int_equal(fixed_cap(b, 1, 0, CAP_COHORT), SPEC_UNLIMITED);
	assert_int_equal(fixed_room(b, 1, 0, CAP_COHORT), SPEC_UNLIMITED);
	world_destroy(world);
}

/* ---- random trees ---- */

static uint64_t seed;

static int64_t draw(int64_t n)
{
	return (int64_t) random_below(&seed, (uint64_t) n);
}

static struct spec_quota *quota_draw(struct spec_quota **quotas, size_t *n, int64_t nominal)
{
	struct spec_quota *quota = spec_add_quota(quotas, n, 0, 0, nominal);

	if (!draw(3))
		quota->borrowing_limit = draw(6);
	return quota;
}

static struct spec *spec_draw(void)
{
	struct spec *spec = spec_create();
	size_t ncohorts = 1 + draw(4), nqueues = 1 + draw(5);

	spec_flavor(spec, "f");
	spec_resource(spec, "cpu");
	for (size_t i = 0; i < ncohorts; i++) {
		struct spec_cohort *c = spec_add_cohort(spec, "c");

		c->parent = i ? draw(i) : SPEC_NONE;
		quota_draw(&c->quotas, &c->nquotas, draw(6));
		if (!i)
			c->quotas->borrowing_limit = SPEC_NO_LIMIT;
	}
	for (size_t i = 0; i < nqueues; i++) {
		struct spec_queue *q = spec_add_queue(spec, "q");
		struct spec_quota *quota;

		q->cohort = draw(ncohorts);
		q->cap_scope = draw(2);
		quota = quota_draw(&q->quotas, &q->nquotas, draw(9));
		if (!draw(2))
			quota->lending_limit = draw(1 + quota->nominal);
	}
	return spec;
}

/* As much as the cap and quota allow, in random steps. */
static void books_fill(struct books *b, const struct spec *spec)
{
	for (int k = 0; k < 40; k++) {
		size_t i = draw(spec->nqueues);
		int node = (int) (spec->ncohorts + i);
		const struct use use = { 0, 1 + draw(6) };

		if (books_fit(b, node, &use, 1)
		    && use.amount <= fixed_room(b, node, 0, spec->queues[i].cap_scope))
			books_charge(b, node, &use, 1, true, 1);
	}
}

/* Whatever non-preemptible workloads use, with all others gone each queue could
 * have the rest of its nominal quota. */
static void test_owners(void **state)
{
	for (seed = 1; seed < 200000; seed += 7) {
		uint64_t first = seed;
		struct spec *spec = spec_draw();
		struct books *b = books_create(spec);

		books_fill(b, spec);
		for (size_t i = 0; i < spec->nqueues; i++) {
			int node = (int) (spec->ncohorts + i);
			int64_t nominal = books_quota(b, node, 0)->nominal;

			if (books_available(b, node, 0) < nominal - books_usage(b, node, 0))
				fail_msg("tree %llu", (long long) first);
			if (spec->queues[i].cap_scope == CAP_QUEUE)
				assert_true(fixed_usage(b, node, 0) <= nominal);
		}
		books_destroy(b);
		spec_destroy(spec);
		seed = first;
	}
}

TESTS(cmocka_unit_test(test_usage), cmocka_unit_test(test_trial), cmocka_unit_test(test_unlimited),
      cmocka_unit_test(test_owners))
