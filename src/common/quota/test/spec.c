/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test spec.c - building and checking specs
 */
#include <errno.h>

#include "world.h"

/* Makes the spec wrong in the n-th way; false: there are not so many */
static bool spoil(struct spec *spec, size_t n)
{
	struct spec_cohort *org = &spec->cohorts[0], *ml = &spec->cohorts[1];
	struct spec_queue *queue = &spec->queues[0];
	struct spec_period period = { .until = 1 };
	const struct {
		int *index, to;
	} wrong[] = {
		{ &org->parent, 0 },
		{ &org->parent, 1 },	/* and its parent is org */
		{ &ml->parent, 2 }, { &ml->parent, -2 }, { &queue->cohort, 7 },
		{ &queue->quotas[0].flavor, -1 }, { &queue->quotas[0].resource, 1 },
		{ &queue->groups[0].resources[0], 9 },
		{ &queue->groups[0].flavors[0], 9 },
	};

	if (n < COUNT(wrong))
		*wrong[n].index = wrong[n].to;
	else if (n == COUNT(wrong))
		queue->quotas[0].nominal = -1;
	else if (n == COUNT(wrong) + 1)
		spec_add_quota(&ml->quotas, &ml->nquotas, 0, 1, 1);
	period.node = n == COUNT(wrong) + 2;
	period.from = n == COUNT(wrong) + 3;
	if (period.node || period.from)
		spec_add_period(spec, &period);
	return n < COUNT(wrong) + 4;
}

static struct world *world_small(void)
{
	return world_create("cohort org\ncohort ml in org\nqueue a in ml cpu@f=1\n");
}

static void test_wrong(void **state)
{
	for (size_t n = 0; ; n++) {
		struct world *world = world_small();
		bool spoilt;

		assert_true(spec_is_valid(world->spec));
		spoilt = spoil(world->spec, n);
		assert_true(spec_is_valid(world->spec) != spoilt);
		errno = 0;
		if (spoilt)
			assert_null(engine_create(world->spec));
		assert_int_equal(errno, spoilt ? EINVAL : 0);
		world_destroy(world);
		if (!spoilt)
			break;
	}
}

static void test_names(void **state)
{
	struct spec *spec = spec_create();
	char name[] = "a";

	for (int i = 0; i < 20; i++, name[0]++) {
		assert_int_equal(spec_find_flavor(spec, name), SPEC_NONE);
		assert_int_equal(spec_flavor(spec, name), i);
		assert_int_equal(spec_flavor(spec, name), i);
		assert_int_equal(spec_resource(spec, name), i);
		assert_non_null(spec_add_cohort(spec, name));
		assert_non_null(spec_add_queue(spec, name));
	}
	assert_int_equal(spec_find_flavor(spec, "c"), 2);
	assert_int_equal(spec_find_resource(spec, "t"), 19);
	assert_int_equal(spec_find_cohort(spec, "b"), 1);
	assert_int_equal(spec_find_queue(spec, "d"), 3);
	assert_int_equal(spec_find_queue(spec, "dd"), SPEC_NONE);
	assert_int_equal(spec_find_cohort(spec, ""), SPEC_NONE);
	assert_int_equal(spec_find_resource(spec, "z"), SPEC_NONE);
	spec_destroy(spec);
}

static void test_defaults(void **state)
{
	struct spec *spec = spec_create();
	struct spec_cohort *c = spec_add_cohort(spec, "c");
	struct spec_queue *q = spec_add_queue(spec, "q");
	struct spec_quota *quota = spec_add_quota(&q->quotas, &q->nquotas, 1, 2, 3);

	assert_int_equal(c->parent, SPEC_NONE);
	assert_true(c->weight == 1 && q->weight == 1);
	assert_int_equal(q->cohort, SPEC_NONE);
	assert_int_equal(q->within, POLICY_NEVER);
	assert_int_equal(q->reclaim, POLICY_NEVER);
	assert_false(q->borrow_set);
	assert_true(q->min_admit == SPEC_NO_TIME && q->preempt_min_runtime == SPEC_NO_TIME
		    && c->reclaim_min_runtime == SPEC_NO_TIME);
	assert_int_equal(quota->nominal, 3);
	assert_true(quota->borrowing_limit == SPEC_NO_LIMIT
		    && quota->lending_limit == SPEC_NO_LIMIT);
	assert_int_equal(spec->strategies[0], FAIR_LESS_OR_EQUAL_FINAL);
	assert_int_equal(spec->strategies[1], FAIR_LESS_INITIAL);
	spec_destroy(spec);
}

static void test_destroy(void **state)
{
	errno = 17;
	spec_destroy(NULL);
	spec_destroy(spec_create());
	assert_int_equal(errno, 17);
}

TESTS(cmocka_unit_test(test_wrong), cmocka_unit_test(test_names), cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_destroy))
