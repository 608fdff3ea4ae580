/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.c - when will the waiting jobs start
 */
#include "forecast.h"
#include "lib/sat.h"

/* Later events are less certain anyway. As the grain grows with the time looked
 * ahead, the number of plans grows only with its logarithm. */
#define GRAINS 64

static bool is_over(const struct sim *sim, const struct sim_job *watched)
{
	if (watched)
		return sim_job_started(watched) != SIM_NOT_YET;
	return !sim_unstarted(sim);
}

int forecast_play(struct sim *sim, const struct sim_job *watched,
		  const struct forecast_bounds *bounds)
{
	struct sim_limit limit = { bounds->work, bounds->enough, bounds->arg };
	int64_t begin = sim_now(sim), grain = 0;

	sim_limit(sim, &limit);
	for (size_t i = 0; i < bounds->steps && !is_over(sim, watched); i++) {
		int64_t next = sim_next(sim);
		int rc;

		if (next == SIM_FOREVER || sat_sub(next, begin) > bounds->horizon)
			break;
		if (i >= bounds->exact)
			grain = sat_sub(next, begin) / GRAINS;
		rc = sim_step(sim, grain);
		if (rc <= 0)
			return rc;
	}
	return is_over(sim, watched);
}
