/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * single.h - workloads of one pod set that ask for the first resource alone
 *
 * For worlds with too many workloads for words. The tie-breaks are in no order.
 */
#ifndef COHORT_VICTIMS_TEST_SINGLE_H
#define COHORT_VICTIMS_TEST_SINGLE_H

#include "world.h"

struct single {
	int queue;
	int64_t priority, at;		/* at: of the queue order */
	int64_t amount;
};

static inline struct workload *single_submit(struct engine *e, struct single single)
{
	static uint64_t tiebreak;
	const struct request request = { 0, single.amount };
	const struct podset_desc podset = {
		.count = 1, .group = -1, .requests = &request, .nrequests = 1,
	};
	const struct workload_desc d = {
		.queue = single.queue, .priority = single.priority,
		.queue_order_at = single.at, .tasks = 1,
		.tiebreak = 1000 + (++tiebreak * 7919) % 65536,
		.podsets = &podset, .npodsets = 1,
	};
	struct workload *w = engine_submit(e, &d);

	assert_non_null(w);
	return w;
}

/* It runs since then, in the flavor. */
static inline struct workload *single_run(struct engine *e, struct single single, int flavor,
					  int64_t since)
{
	const struct charge charge = { flavor, 0, single.amount };
	struct workload *w = single_submit(e, single);

	assert_int_equal(engine_start(e, w, &charge, 1, since), 0);
	return w;
}

#endif /* COHORT_VICTIMS_TEST_SINGLE_H */
