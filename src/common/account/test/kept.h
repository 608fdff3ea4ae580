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

static inline void tell_at(struct world *world, int64_t second,
			   const char *told)
{
	engine_advance(world->engine, second * SEC);
	world_tell(world, told);
}

#endif /* COHORT_ACCOUNT_TEST_KEPT_H */
