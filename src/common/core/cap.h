/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cap.h - nominal quota caps what non-preemptible workloads use
 *
 * doc/how-it-decides.md, section 6. The cap comes on top of all other rules: a
 * workload within it still needs quota like any other.
 */
#ifndef COHORT_CAP_H
#define COHORT_CAP_H

#include "core/fixed_group.h"
#include "core/workload_state.h"
#include "quota/fixed.h"

struct engine;
struct workload;

/* Would a start of the workload be non-preemptible? */
static inline bool workload_is_capped(const struct workload *w)
{
	return w->shape->nonpreemptible
	       && fixed_group_has_room(w->shape->group);
}

/* Charges a start of the workload. Returns whether it is non-preemptible. */
bool workload_charge(struct engine *e, const struct workload *w,
		     const struct use *uses, size_t n);

/* Puts what the workload owns into the books, and takes it out */
void claim_charge(struct engine *e, const struct workload *w);
void claim_release(struct engine *e, const struct workload *w);

/* These uses of a non-preemptible workload are within the cap of the queue. */
bool cap_admits(const struct engine *e, const struct queue *q,
		const struct use *uses, size_t n);

/* They fit into the quota, and if the workload is non-preemptible, under the
 * cap. */
bool workload_fits(struct engine *e, const struct workload *w,
		   const struct use *uses, size_t n);

#endif /* COHORT_CAP_H */
