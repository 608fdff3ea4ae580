/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - what another cohort.yaml would change
 */
#ifndef SCOHORT_DIFF_H
#define SCOHORT_DIFF_H

#include "conf.h"
#include "ledger/published.h"
#include "output/output.h"
#include "slurm/classes.h"
#include "slurm/job_views.h"

/* ---- keys.c: the files as such ---- */

/* A list of {path, from, to, default}, of the caller's: every key that differs, without amounts
 * of quotas. Items of lists are told apart by their names; from or to is null where there is
 * none, and default what that means, if anything. NULL: a text is no document. */
struct json_object *diff_keys(const char *from, const char *to);

/* Adds to such a list the keys of queues, left open in the file in force, whose default is
 * another one than in the slurmctld that runs, by what p tells of its rules. */
void diff_defaults(struct json_object *keys, const struct conf *from,
		   const struct conf *to, const struct published *p);

/* ---- jobs.c ---- */

/* Adds to the document, by what p tells of usage, and the jobs that this user may see:
 * jobs	      {jobId, state, from, to}: jobs that would be in another queue (null: in none)
 * borrowers  {clusterQueue, flavor, resource, borrowed}: would borrow, do not now
 * evictable  {jobId, clusterQueue}: could be evicted, cannot now
 * places     {jobId, clusterQueue, from, to}: wait in the same queue at another place
 * summary    how many jobs: evictable, evictableFor [{clusterQueue, jobs}], drained, moved (of
 *	      them movedRunning), unmatched, later, earlier; flavorUnknown: were left out
 * users      {user, jobs, evictable, drained, ...}: those with most jobs first */
void diff_jobs(struct json_object *o, const struct conf *from, const struct conf *to,
	       const struct published *p, const struct view_list *views,
	       const struct classes *classes);

/* ---- diff.c ---- */

/* All of that as one document, the caller's; NULL with a message in err */
struct json_object *diff_make(const struct conf *from, const struct conf *to,
			      const struct published *p, char *err, size_t size);
/* As lines of text; "nothing" has a line, too. False: nothing would change */
bool diff_print(const struct output *out, struct json_object *diff);

/* The configuration in force, as far as this user can read it: the cohort.yaml
 * beside slurm.conf if slurmctld has taken it as it is, else the copy of it in
 * StateSaveLocation. NULL with a message in err. */
struct conf *diff_in_force(const struct published *p, const struct controller *controller,
			   char *err, size_t size);

#endif /* SCOHORT_DIFF_H */
