/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - what another cohort.yaml would change
 */
#ifndef SCOHORT_DIFF_H
#define SCOHORT_DIFF_H

#include "check/check.h"
#include "ledger/published.h"
#include "output/output.h"
#include "query.h"

/* ---- keys.c: the files as such ---- */

/* A list of {path, from, to, default}, of the caller's: every key that differs, without amounts
 * of quotas. Items of lists are told apart by their names; from or to is null where there is
 * none, and default what that means, if anything. NULL: a text is no document. */
struct json_object *diff_keys(const char *from, const char *to);

/* Adds to such a list the keys of queues, left open in the file in force, whose default is
 * another one than in the slurmctld that runs, by what p tells of its rules. */
void diff_defaults(struct json_object *keys, const struct conf *from,
		   const struct conf *to, const struct published *p);

/* ---- side.c: the jobs that there are, in an engine under one configuration ---- */

struct side {
	const struct conf *conf;
	const struct spec *spec;
	const struct published *p;
	const struct cluster *cluster;
	int64_t now;			/* ns */
	struct engine *engine;
};

/* A job on one side */
struct standing {
	int queue;		/* SPEC_NONE: none */
	struct workload *work;	/* in the engine, or NULL */
	int64_t place;		/* in line, from 1; 0: it has none */
	bool evictable;
	int by;			/* the last queue that was found to evict it */
};

/* Without jobs; engine_destroy() in the end */
void side_open(struct side *s, const struct conf *conf, const struct published *p,
	       const struct cluster *cluster);
/* Finds the queue of the job. One that runs is in the books then. */
void side_add(struct side *s, const struct view *v, struct standing *is, bool told_preemptable);
/* Marks what jobs of the queue could evict now, or when protected times are over */
void side_survey(struct side *s, int queue);
/* After all surveys: it waits in line, if it does. Then, when all do, its place */
void side_wait(struct side *s, const struct view *v, struct standing *is);
void side_place(const struct side *s, struct standing *is);

/* ---- jobs.c ---- */

/* Adds to the document, by the jobs that this user may see:
 * jobs	      {jobId, state, from, to}: jobs that would be in another queue (null: in none)
 * borrowers  {clusterQueue, flavor, resource, borrowed}: would borrow, do not now
 * evictable  {jobId, clusterQueue}: could be evicted, cannot now
 * summary    how many jobs: evictable, evictableFor [{clusterQueue, jobs}], moved, unmatched,
 *	      later, earlier (the place of those that wait in the same queue)
 * users      {user, jobs, evictable, moved, ...}: those with most jobs first */
void diff_jobs(struct json_object *o, const struct conf *from, const struct conf *to,
	       const struct published *p, const struct cluster *cluster);

/* ---- diff.c ---- */

/* All of that as one document, the caller's; NULL with a message in err */
struct json_object *diff_make(const struct conf *from, const struct conf *to,
			      const struct published *p, const struct controller *controller,
			      char *err, size_t size);
/* As lines of text; "nothing" has a line, too. False: nothing would change */
bool diff_print(const struct output *out, struct json_object *diff);

/* The configuration in force, as far as this user can read it: the cohort.yaml
 * beside slurm.conf if slurmctld has taken it as it is, else the copy of it in
 * StateSaveLocation. NULL with a message in err. */
struct conf *diff_in_force(const struct published *p, const struct controller *controller,
			   char *err, size_t size);

#endif /* SCOHORT_DIFF_H */
