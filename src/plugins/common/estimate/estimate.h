/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  estimate.h - when waiting jobs will start
\*****************************************************************************/
#ifndef COHORT_ESTIMATE_ESTIMATE_H
#define COHORT_ESTIMATE_ESTIMATE_H

#include "slurm/worker.h"
#include "jobs/jobs.h"
#include "placement/place.h"

#include "sim.h"

/* ---- for squeue --start: estimate.c ---- */

extern struct worker estimator;
/* Something has changed: estimate all starts once more. */
extern void estimate_due(void);

/* ---- nodes for a job that will have quota later: ahead.c ---- */

/* Backfill asks when the job can start. False: it can't be said; p->node_bitmap is
 * of no use then. */
extern bool ahead_plan(struct place *p, struct planned *planned);

/* ---- the cluster as it is, to be played forward: outlook.c ---- */

/* From the end of a victim until the next job runs on its nodes, in seconds */
#define HANDOVER 1

struct outlook {
	struct sim *sim;
	size_t nwaiting;
	struct outlook_job {
		uint32_t job_id;
		uint32_t het_job_id;	/* 0: none */
		struct sim_job *job;
	} *waiting;
	uint32_t asked;			/* the job whose victims are wanted, or 0 */
	bool (*enough)(void *arg);	/* tells when to stop; or NULL */
	uint64_t plan_budget;		/* of each plan that is played; 0: no bound */
	size_t nvictims;
	struct victim *victims;		/* when played: no job twice */
};

/* Make a simulation of the books, under slurmctld's job lock. Playing it needs no lock, but
 * the outlook must not move in memory. queue: only what has to do with this queue; SPEC_NONE:
 * everything. False if there is no memory for it; the caller calls outlook_free() in any case.
 * A caller that wants the victims of a job sets `asked` before it plays the outlook, and keeps
 * the lock meanwhile. A caller whose time is limited sets `enough`, and one that holds locks
 * `plan_budget`. */
extern bool outlook_take(struct outlook *outlook, int queue);
extern void outlook_free(struct outlook *outlook);

/* Play the outlook until `watched` starts (NULL: all jobs), within bounds of time and of work:
 * fewer plans where there are many jobs. As forecast_play() */
extern int outlook_play(struct outlook *outlook, const struct sim_job *watched);

/* True if other nodes are available (they answer, and are neither down nor drained) than
 * at the last call. Node lock: read; one caller at a time */
extern bool outlook_nodes_changed(void);

#endif /* COHORT_ESTIMATE_ESTIMATE_H */
