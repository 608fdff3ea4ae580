/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  standing.h - the state of a job that waits, and what changes it
 *
 *  The plan offers a start to a job. Then slurmctld has to try the job, and the
 *  try has to find nodes. Where that fails the engine lets others go instead: it
 *  takes the job for blocked. Each entry of a job with several partitions has a
 *  state of its own.
 *
 *  A limit of an association or QOS makes no state: as long as slurmctld's record names
 *  it as the reason, the job is out of line (match/job_standing.c), and its wait ends. What
 *  it refused, and when (`limited_...` of struct offer), only says what the next try has to
 *  ask before it selects nodes. No event ends that but the clock, and no verdict looks at it.
\*****************************************************************************/
#ifndef COHORT_STATE_STANDING_H
#define COHORT_STATE_STANDING_H

#include <stdbool.h>

enum standing {
	STANDS_WAITING,		/* by the plan */
	STANDS_OFFERED,		/* it may start, or evict, by the plan */
	STANDS_PASSED_OVER,	/* it may, and slurmctld refuses it without a try */
	STANDS_NO_NODES,	/* a try found no nodes, or is of no use for a while */
	STANDS_UNTRIED,		/* it may, and slurmctld does not try it: out of line */
	STANDINGS
};

enum standing_event {
	PLAN_KEEPS,		/* by a new plan it must wait */
	PLAN_OFFERS,		/* by a new plan it may start, or evict */
	SLURM_REFUSES,		/* slurmctld looked at it, and asked for no nodes */
	TRY_FINDS_NOTHING,
	TRY_FINDS_NODES,	/* now, or where victims leave; or in another flavor */
	SLURM_FORGETS,		/* for too long slurmctld has not tried it */
	SLURM_TRIES,		/* it does so again, or the job has left the line */
	WAIT_ENDS,		/* the job has started, or there is a new engine */
	STANDING_EVENTS
};

/* What follows. A job that found no nodes stays one of those, whatever plans say, until a
 * try finds some. */
static inline enum standing standing_after(enum standing standing, enum standing_event event)
{
	enum { W = STANDS_WAITING, O = STANDS_OFFERED, P = STANDS_PASSED_OVER,
	       N = STANDS_NO_NODES, U = STANDS_UNTRIED };
	static const unsigned char next[STANDINGS][STANDING_EVENTS] = {
		/*                        keeps offers refuses nothing nodes forgets tries ends */
		[STANDS_WAITING]     = { W,    O,     W,      N,      W,    U,      W,    W },
		[STANDS_OFFERED]     = { W,    O,     P,      N,      O,    U,      O,    W },
		[STANDS_PASSED_OVER] = { W,    P,     P,      N,      O,    U,      P,    W },
		[STANDS_NO_NODES]    = { N,    N,     N,      N,      O,    U,      N,    W },
		[STANDS_UNTRIED]     = { W,    U,     U,      N,      O,    U,      W,    W },
	};

	return (enum standing) next[standing][event];
}

/* Are others to go instead? */
static inline bool standing_is_blocked(enum standing standing)
{
	return (standing == STANDS_PASSED_OVER) || (standing == STANDS_NO_NODES);
}

#endif /* COHORT_STATE_STANDING_H */
