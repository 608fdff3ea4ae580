/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nonpreemptible.h - running workloads that are non-preemptible
 *
 * Of an elastic group only some members may be.
 */
#ifndef COHORT_NONPREEMPTIBLE_H
#define COHORT_NONPREEMPTIBLE_H

struct engine;
struct holding;

/* Of the elastic group of h as many members are non-preemptible as may be: of
 * those that have started first, as far as the cap admits more; none that are is
 * given up while there are not too many. h itself may be on its way out of the
 * books. */
void fixed_members_settle(struct engine *e, const struct holding *h);

#endif /* COHORT_NONPREEMPTIBLE_H */
