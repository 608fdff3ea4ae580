/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.h - running workloads that are evicted together, or not at all
 *
 * slurmctld evicts all components of a heterogeneous job when one of them is preempted. The
 * holdings of a unit are linked in a ring, in whatever queues they are. One of them is a
 * candidate only if all are, and takes the others along.
 */
#ifndef COHORT_UNIT_H
#define COHORT_UNIT_H

#include "holding/holding.h"

struct engine;

/* Each member of the unit of h, h itself first; just h if it is in no unit */
#define for_each_in_unit(m, h) \
	for (struct holding *m = (h); m; m = m->unit == (h) ? NULL : m->unit)

/* Something about h has changed that may matter wherever its unit has
 * members: trees are planned anew, or only bounds. */
void unit_touch(struct engine *e, struct holding *h);
void unit_renew(struct holding *h);

/* From now on h and `other`, with all of their units, are evicted together.
 * `other` is not in the unit of h. Both are listed. */
void unit_join(struct holding *h, struct holding *other);

/* The same, unless they are in one unit already */
void unit_join_running(struct engine *e, struct holding *h,
		       struct holding *other);

/* h starts to wait, or is removed, and is not listed any more. */
void unit_leave(struct holding *h);

/* Gone, and not only for a cycle: searches pass over it in large steps. */
void unit_set_left(struct holding *h, bool left);

/* Sets the marks of a trial for the whole unit */
void unit_set_gone(struct holding *h, bool gone);
void unit_set_taken(struct holding *h, bool taken);
void unit_set_picked(struct holding *h, bool picked);
void unit_set_barred(struct holding *h, bool barred);

/* That attempt of a search has taken h, with all of its unit. */
static inline void unit_take(struct holding *h, uint64_t attempt)
{
	for_each_in_unit(m, h)
		m->attempt = attempt;
}

#endif /* COHORT_UNIT_H */
