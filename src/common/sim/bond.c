/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond.c - jobs that are decided about together
 *
 * The engine's bonds (engine_bond()), as long as their members wait.
 */
#include "sim/sim_state.h"

static bool is_in_line(const struct sim_job *job)
{
	return job->work && !workload_running(job->work);
}

int sim_job_bond(struct sim *sim, struct sim_job *job)
{
	for (struct sim_job *with = job->bonded; with && with != job;
	     with = with->bonded) {
		if (is_in_line(with))
			return engine_bond(sim->engine, job->work, with->work,
					   sim_bond_kind(job));
	}
	return 0;
}

int sim_bind(struct sim *sim, struct sim_job *job, struct sim_job *with,
	     enum bond_kind kind)
{
	struct sim_job *last = with;

	while (last->bonded && last->bonded != with)
		last = last->bonded;
	last->bonded = job;
	job->bonded = with;
	job->either = with->either = kind == BOND_EITHER;
	if (kind == BOND_EITHER)	/* they are one job */
		sim_job_uncount(sim, job);
	sim->settled = false;
	return is_in_line(job) ? sim_job_bond(sim, job) : 0;
}

void sim_job_unbind(struct sim_job *job)
{
	struct sim_job *before = job->bonded;

	while (before->bonded != job)
		before = before->bonded;
	before->bonded = before == job->bonded ? NULL : job->bonded;
	job->bonded = NULL;
}
