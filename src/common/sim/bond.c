/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond.c - jobs that are decided about with a view to each other
 *
 * The engine's bonds (engine_bond()), as long as their members wait; and what
 * a controller does when one of several ways to start was taken: it drops the
 * others, or makes them as much smaller.
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
					   job->bond);
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
	job->bond = with->bond = kind;
	if (kind == BOND_EITHER && job->counted) {
		job->counted = false;	/* it is one job */
		sim->unstarted--;
	}
	sim->settled = false;
	return is_in_line(job) ? sim_job_bond(sim, job) : 0;
}

static void bonded_leave(struct sim_job *job)
{
	struct sim_job *before = job->bonded;

	while (before->bonded != job)
		before = before->bonded;
	before->bonded = before == job->bonded ? NULL : job->bonded;
	job->bonded = NULL;
}

/* As many tasks as are left of it, or none */
static int other_shrink(struct sim *sim, struct sim_job *other,
			const struct sim_job *job, int64_t tasks)
{
	other->first_start = job->first_start;
	other->evicts = job->evicts;
	if (other->counted)
		sim->unstarted--;
	other->counted = false;
	if (!tasks) {
		bonded_leave(other);
		return sim_job_withdraw(sim, other);
	}
	other->desc.work.tasks = tasks;
	return other->work ? sim_job_line_up(sim, other) : 0;
}

int sim_bond_started(struct sim *sim, struct sim_job *job, int64_t tasks)
{
	struct sim_job *other = job->bonded, *next;

	if (!other)
		return 0;
	for (; job->bond == BOND_EITHER && other && other != job;
	     other = next) {
		next = other->bonded;
		if (other_shrink(sim, other, job, tasks) < 0)
			return -1;
	}
	if (!tasks && job->bonded)
		bonded_leave(job);
	return 0;
}
