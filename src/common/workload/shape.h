/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shape.h - waiting workloads that are alike
 */
#ifndef COHORT_SHAPE_H
#define COHORT_SHAPE_H

#include "core/queue_state.h"
#include "core/tree_state.h"
#include "core/workload_state.h"

/* The shape of the described workload, which is created if it is new, with one
 * more user. NULL with errno = ENOMEM. */
struct shape *shape_get(struct engine *e, struct queue *q,
			const struct workload_desc *d);

/* Takes one user off; the last one frees the shape. NULL is allowed. */
void shape_put(struct engine *e, struct shape *shape);

/* The plan has found that none of the shape can go */
static inline bool shape_is_inadmissible(const struct shape *shape)
{
	return shape->plan == shape->q->tree->plan;
}

#endif /* COHORT_SHAPE_H */
