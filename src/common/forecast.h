/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - when will the waiting jobs start
 *
 * A simulation without new jobs. It is played until all jobs have started that
 * can start, or until it has cost enough (doc/how-it-decides.md, section 12).
 */
#ifndef COHORT_FORECAST_H
#define COHORT_FORECAST_H

#include "sim.h"

struct forecast_bounds {
	size_t steps;		/* at most this many */
	size_t exact;		/* this many first steps are played event by
				 * event; after them all that happens within
				 * 1/64 of the time from now counts as one
				 * event */
	int64_t horizon;	/* from now; no start is looked for later */
	uint64_t work;		/* at most about so much (sim_work()); 0: no
				 * bound */
	/* Asked before each step and each further plan, and now and then
	 * between: has the forecast cost enough? NULL: it has not. */
	bool (*enough)(void *arg);
	void *arg;
};

/* Plays until `watched` has started; NULL: until all jobs have. 1: it has
 * started, or all have; 0: it never will, or a bound was met, and then there is
 * still a sim_next(); -1: no memory. sim_job_started() tells when. */
int forecast_play(struct sim *sim, const struct sim_job *watched,
		  const struct forecast_bounds *bounds);

#endif /* COHORT_FORECAST_H */
