/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.h - the generator of worlds: one cohort tree, what runs there and what waits
 *
 * All queues of a site are declared alike. In most worlds queue 0 borrows what queue 1
 * lends, and so on in pairs.
 *
 * What fails marks the site as failed, and all that follows does nothing: builders of
 * worlds check nothing in between.
 */
#ifndef LAB_SITE_H
#define LAB_SITE_H

#include "engine.h"

#define SITE_NOW (2000000 * SPEC_SEC)
#define SITE_MAX_RESOURCES 64
#define SITE_PRIORITY 5			/* of what runs */

/* Of the engines of all sites: engine_set_plan_budget() */
extern uint64_t site_budget;

/* 0 is what most sites have */
struct tree_plan {
	size_t queues;
	size_t depth;		/* cohorts below each other, with pairs of queues in
				 * turn; 0: 1 */
	size_t cohort_queues;	/* instead: cohorts of so many queues, beside each other
				 * below the deepest of these */
	size_t flavors;		/* 0: 1 */
	size_t resources;	/* 0: 2 */
	int64_t nominal;	/* of each queue, flavor and resource */
	bool lends_nothing;	/* the last queue, to any other */
	bool fair;
	bool strict;		/* the queues are StrictFIFO */
	enum policy reclaim;	/* withinClusterQueue is LowerPriority everywhere */
	enum policy borrow;	/* borrowWithinCohort; POLICY_NEVER: there is none */
	int64_t min_runtime;	/* for both kinds of preemption */
	bool mixed;		/* each job that runs has one of three priorities, and
				 * every second one is exempt for up to a day yet */
	bool units;		/* jobs that run are evicted two by two */
};

/* Job of one pod set */
struct ask {
	int queue;
	int64_t priority;
	int64_t first;		/* of resource 0 */
	int64_t others;		/* of each other resource */
	int64_t tasks;		/* 0: the job is no array */
	int64_t age;		/* at SITE_NOW, ns */
};

struct site {
	struct spec *spec;
	struct engine *engine;	/* NULL before site_open() */
	uint64_t jobs;		/* submitted so far */
	uint64_t random;
	bool failed;		/* errno says why */
	bool mixed, units;
	struct workload *first_run;	/* of two that are evicted together */
	struct workload *latest;	/* the run that site_run() has begun last */
	struct ask event;	/* what the event of this world submits */
};

/* Declares the tree and opens the ledgers. */
void site_open(struct site *s, const struct tree_plan *plan);
void site_close(struct site *s);

/* A number from 0 to below - 1, the same for the same site */
uint64_t site_random(struct site *s, uint64_t below);

/* A job waits; its owner is the site if it is no array, else NULL. NULL if the site
 * has failed. */
struct workload *site_wait(struct site *s, const struct ask *ask);

/* `n` jobs wait, each `step` larger in resource 0 and younger by a ns than the one
 * before. */
void site_wait_many(struct site *s, const struct ask *ask, size_t n, int64_t step);

/* A job runs in a flavor for its age. NULL if the site has failed. */
struct workload *site_run(struct site *s, const struct ask *ask, int flavor);

/* `n` jobs of the same size run in a flavor, for a random time: some seconds, up to
 * `longest`. */
void site_run_many(struct site *s, const struct ask *ask, size_t n, int flavor,
		   int64_t longest);

/* Eviction terms of a running job */
void site_terms(struct site *s, struct workload *w, const struct eviction_terms *terms);

#endif /* LAB_SITE_H */
