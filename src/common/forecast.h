/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - when will those that wait start
 *
 * A simulation without new jobs, played until all have started that can, or it
 * has cost enough (doc/how-it-decides.md, section 12).
 */
#ifndef COHORT_FORECAST_H
#define COHORT_FORECAST_H

#include "sim.h"

struct forecast_bounds {
	size_t steps;		/* at most so many */
	size_t exact;		/* the first of these event by event; then all
				 * that happens within 1/64 of the time from
				 * now counts as one */
	int64_t horizon;	/* no start is looked for later; from now */
	/* asked before each step: has it cost enough? NULL: it has not */
	bool (*enough)(void *arg);
	void *arg;
};

/* Until `watched` has started; NULL: all of them. 1: it has, or they have; 0:
 * it never will, or a bound was met; -1 no memory. sim_job_started() tells. */
int forecast_play(struct sim *sim, const struct sim_job *watched,
		  const struct forecast_bounds *bounds);

#endif /* COHORT_FORECAST_H */
