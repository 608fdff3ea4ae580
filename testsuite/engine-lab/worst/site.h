/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.h - a small language for worlds that are hard for the engine
 *
 * A site is one cohort tree. Half of its queues borrow what the others lend:
 * queue 0 borrows, queue 1 lends, and so on. All queues are declared alike.
 *
 * What fails marks the site as failed, and all that follows does nothing: a
 * world is told without a check behind each line.
 */
#ifndef SCOHORT_SITE_H
#define SCOHORT_SITE_H

#include "engine.h"

#define SITE_NOW (2000000 * SPEC_SEC)
#define SITE_MAX_RESOURCES 64
#define SITE_PRIORITY 5			/* of what runs */

/* 0 is what most sites have */
struct tree_plan {
	size_t queues;
	size_t depth;		/* cohorts below each other, pairs of queues in turn
				 * among them; 0: 1 */
	size_t cohorts;		/* below the deepest of these, beside each other:
				 * pairs of queues in turn among these instead */
	size_t flavors;		/* 0: 1 */
	size_t resources;	/* 0: 2 */
	int64_t nominal;	/* of each queue, flavor and resource */
	bool lends_nothing;	/* the last queue, to any other */
	int64_t lends_most;	/* lendingLimit of each queue; 0: all */
	int jobs_over;		/* in each queue that borrows so many jobs run above all
				 * that is there, or fewer */
	bool fair;
	bool history;		/* with fair: usage history of a week */
	bool strict;		/* the queues are StrictFIFO */
	bool by_usage;		/* in the queues, who has used less goes first */
	enum policy within, reclaim;
	enum policy borrow;	/* borrowWithinCohort; POLICY_NEVER: there is none */
	int64_t turn;		/* minAdmitDuration; 0: no turns */
	int64_t preempt_min_runtime, reclaim_min_runtime;
	int64_t exempt_for;	/* no job is evicted for so long after its start: the
				 * caller says so of each; */
	bool mixed;		/* and of every second one, at random, that it is exempt
				 * for up to a day yet. They have one of three
				 * priorities each. */
	bool has_unit;		/* the first two jobs that run go together; */
	bool units;		/* all do, two by two */
};

/* Job of one pod set */
struct ask {
	int queue;
	int64_t priority;
	int64_t first;		/* of resource 0 */
	int64_t others;		/* of each other resource */
	int64_t tasks;		/* 0: it is no array */
	int64_t age;		/* at SITE_NOW, ns */
};

struct site {
	struct spec *spec;
	struct engine *engine;	/* NULL before site_open() */
	uint64_t jobs;		/* that there were so far */
	uint64_t random;
	bool failed;		/* errno says why */
	int64_t exempt_for;	/* see struct tree_plan */
	bool mixed;
	bool has_unit, units;
	struct workload *first_run;	/* of those that are to go together */
	struct workload *bonded;	/* the last that site_bond() may join */
	/* What the event of this world submits: each time a little more of
	 * resource 0, so that its shape is always new. */
	struct ask event;
};

/* Declares the tree and opens the books. */
void site_open(struct site *s, const struct tree_plan *plan);
void site_close(struct site *s);

/* A job waits. NULL if the site has failed. */
struct workload *site_wait(struct site *s, const struct ask *ask);

/* `n` jobs wait, each `step` larger in resource 0 and younger by a ns than the
 * one before. */
void site_wait_many(struct site *s, const struct ask *ask, size_t n,
		    int64_t step);

/* A job runs in a flavor for its age. NULL if the site has failed. */
struct workload *site_run(struct site *s, const struct ask *ask, int flavor);

/* `n` jobs of the same size run in a flavor, for a random time: some seconds,
 * up to `longest`. */
void site_run_many(struct site *s, const struct ask *ask, size_t n, int flavor,
		   int64_t longest);

/* The waiting job joins the bond of s->bonded. */
void site_bond(struct site *s, struct workload *w, enum bond_kind kind);

/* So much of every resource belongs to the waiting job, which is freed by the
 * running one. */
void site_own(struct site *s, struct workload *waiting,
	      struct workload *evicting, int64_t amount);

#endif /* SCOHORT_SITE_H */
