/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - a job of slurmctld, as the published document has it: its cluster queue, and texts
 */
#ifndef SCOHORT_LEDGER_JOB_H
#define SCOHORT_LEDGER_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger/published.h"
#include "slurm/job_views.h"

/* ---- its cluster queue ---- */

/* The cluster queue whose rules match the job, as slurmctld would find it; it
 * belongs to the document. NULL if none does. *sure is false where a rule asks
 * for a user, which the file does not tell. */
struct json_object *published_match(const struct published *p, const struct view *v, bool *sure);

/* The same by the rules of the cohort.yaml beside slurm.conf, if there is one
 * that can be read here; if not, the result is not sure. */
struct json_object *published_match_by_conf(const struct published *p,
					    const struct view *v, bool *sure);

/* A published rule holds for the job; of the user it may ask for nothing is
 * known ("user": true). */
bool published_rule_holds(struct json_object *rule, const struct view *v);

/* ---- what it asks for, in short ---- */

/* What a job asks for: TRES, without parts that tell nothing. Cut to size;
 * returns buf. */
char *request_text(const struct view *v, char *buf, size_t size);

/* The job's class, as `priority` in cohort.yaml has it: its priority, QOS or
 * partition. Returns buf. */
char *class_text(const struct published *p, const struct view *v, char *buf, size_t size);

/* ---- the plugin's text in the system comment of a job that was preempted ---- */

#define PROVENANCE_SIZE 128

/* preempted at TIME by job ID (cluster queue QUEUE), rule RULE, NUMBERS,
 * ran N s[, saved N s], preemption N[, turns N], counted N[ of MAX] */
struct provenance {
	char when[PROVENANCE_SIZE];
	int64_t at;		/* the same in seconds since the epoch; 0: it is
				 * no time */
	int64_t by;
	char queue[PROVENANCE_SIZE];	/* of the preemptor */
	char rule[PROVENANCE_SIZE];
	char numbers[2 * PROVENANCE_SIZE];
	int64_t ran;		/* seconds, */
	int64_t saved;		/* of these before its last checkpoint */
	int64_t count;		/* preemptions so far, */
	int64_t turns;		/* of these ends of turns, */
	int64_t counted, max;	/* those that count for maxPreemptions, and that;
				 * 0: no bound */
};

/* False: the text (or NULL) is not the plugin's, or is cut short. */
bool provenance_parse(const char *text, struct provenance *p);

#endif /* SCOHORT_LEDGER_JOB_H */
