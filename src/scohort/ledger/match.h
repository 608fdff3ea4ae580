/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - the cluster queue of a job
 */
#ifndef SCOHORT_MATCH_H
#define SCOHORT_MATCH_H

#include "ledger/published.h"
#include "slurm/job_views.h"

/* The cluster queue whose rules match the job, as slurmctld would find it; it
 * belongs to the document. NULL if none does. *sure is false where a rule asks
 * for a user, which the file does not tell. */
struct json_object *published_match(const struct published *p,
				    const struct view *v, bool *sure);

/* The same by the rules of the cohort.yaml beside slurm.conf, if there is one
 * that can be read here; if not, the result is not sure. */
struct json_object *published_match_by_conf(const struct published *p,
					    const struct view *v, bool *sure);

/* A published rule holds for the job; of the user it may ask for nothing is
 * known ("user": true). */
bool published_rule_holds(struct json_object *rule, const struct view *v);

#endif /* SCOHORT_MATCH_H */
