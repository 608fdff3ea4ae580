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

/* The time of the sums, as of the last change */
static inline int64_t time_of_sums(const struct world *world)
{
	struct account_table *table = engine_account(world->engine, 0);
	int64_t at = table ? table->at : -1;

	free(table);
	return at;
}

/* A row of pair 0 by then; all 0: there is none */
static inline struct account_sums row_then(const struct world *world, bool is_cohort, int node,
					   int borrower, int64_t second)
{
	struct account_table *table = engine_account(world->engine, second * SEC);
	struct account_sums sums = { 0 };

	assert_non_null(table);
	for (size_t i = 0; i < table->n; i++) {
		const struct account_row *row = &table->rows[i];

		if (row->is_cohort == is_cohort && row->node == node
		    && row->borrower == borrower && !row->flavor && !row->resource)
			sums = row->sums;
	}
	free(table);
	return sums;
}

static inline struct account_sums sums_then(const struct world *world, bool is_cohort, int node,
					    int64_t second)
{
	return row_then(world, is_cohort, node, SPEC_NONE, second);
}

/* What the queue has borrowed from the lender by then */
static inline double lent_then(const struct world *world, bool is_cohort,
			       int lender, int queue, int64_t second)
{
	return row_then(world, is_cohort, lender, queue, second).lent;
}

#endif /* COHORT_ACCOUNT_TEST_KEPT_H */
