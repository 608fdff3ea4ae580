/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h - how much a pod set asks for
 */
#ifndef COHORT_REQUEST_H
#define COHORT_REQUEST_H

#include <stddef.h>
#include <stdint.h>

struct engine;
struct queue;
struct podset_desc;


/* The smallest amount of requests[i] in any flavor, for `count` pods instead of
 * the pod set's own count */
int64_t request_least(const struct podset_desc *ps, size_t i, int64_t count);

/* The amount of requests[i] in one flavor, for `count` pods
 * (doc/how-it-decides.md, section 4: it may differ by flavor) */
int64_t request_in(const struct engine *e, const struct podset_desc *ps,
		   size_t i, int flavor, int64_t count);

/* The smallest number of pods that the pod set can do with (partial
 * admission) */
int64_t request_least_count(const struct engine *e,
			    const struct podset_desc *ps);

#endif /* COHORT_REQUEST_H */
