/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept.h - a world that keeps its account from second 1000 on
 */
#ifndef COHORT_ACCOUNT_TEST_KEPT_H
#define COHORT_ACCOUNT_TEST_KEPT_H

#include "account.h"
#include "world.h"

#define SEC SPEC_SEC

static inline struct world *begin(const char *told)
{
	struct world *world = world_create(told);

	engine_advance(world_engine(world), 1000 * SEC);
	assert_int_equal(engine_keep_account(world->engine), 0);
	return world;
}

static inline void tell_at(struct world *world, int64_t second, const char *told)
{
	engine_advance(world->engine, second * SEC);
	world_tell(world, told);
}

static inline struct account_copy *copy_at(const struct world *world, int64_t second)
{
	struct account_copy *copy = NULL;

	assert_int_equal(engine_account_copy(world->engine, second * SEC, &copy), 0);
	return copy;
}

static inline struct account_sums sums_then(const struct world *world, bool is_cohort, int node,
					    int64_t second)
{
	struct account_copy *copy = copy_at(world, second);
	struct account_sums s;

	assert_true(account_copy_sums(copy, is_cohort, node, 0, 0, &s));
	account_copy_destroy(copy);
	return s;
}

struct lender_wanted {
	bool is_cohort;
	int lender;
	double sum;
};

static inline void lender_seen(void *arg, bool is_cohort, int lender,
			       int flavor, int resource, double sum)
{
	struct lender_wanted *wanted = arg;

	if (is_cohort == wanted->is_cohort && lender == wanted->lender)
		wanted->sum += sum;
}

/* What the queue has borrowed from the lender by then */
static inline double lent_then(const struct world *world, bool is_cohort,
			       int lender, int queue, int64_t second)
{
	struct lender_wanted wanted = { is_cohort, lender, 0 };
	struct account_copy *copy = copy_at(world, second);

	account_copy_lenders(copy, queue, lender_seen, &wanted);
	account_copy_destroy(copy);
	return wanted.sum;
}

#endif /* COHORT_ACCOUNT_TEST_KEPT_H */
