/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tell.h - what people see: REASON, and the published file
\*****************************************************************************/
#ifndef COHORT_TELL_TELL_H
#define COHORT_TELL_TELL_H

#include <json-c/json.h>

#include "slurm/worker.h"
#include "placement/place.h"

#include "text/reason.h"

/* ---- the text that squeue shows as REASON: reason.c ---- */

/* The entry that users are told about: if this entry is the first of its job, the entry of
 * the job that is nearest to its start */
extern const struct entry *nearest_entry(const struct entry *entry);
/* The text for a job that waits by the plan, of its entry nearest_entry() */
extern void reason_text(const struct entry *entry, char text[REASON_SIZE]);
/* Put the text where squeue finds it, not more often than configured */
extern void reason_set(struct job *job, time_t now);
/* Does a job that has quota wait for nodes only? */
extern bool reason_is_nodes(const struct job *job);
/* When a text last said that a job waits for nodes, or 0 */
extern time_t reason_nodes_at(void);
/* Put back texts that the scheduler has overwritten */
extern void reason_restore(void);

/* ---- answers to sbatch --test-only, with what it can't show: asked.c ---- */

/* sbatch --test-only was answered. Either the job would go now, with the charges and victims of p.
 * Or it waits, with a time unless 0 and the jobs that it would evict then (unsure: some jobs, not
 * to be foreseen), `later` if that is because its user wants it then, and whether the nodes could
 * ever hold it. Or it is of no queue, or held. Or a plan used up its budget. Or it was not looked
 * at (false: the answer could not be found). The publisher has to be woken for a kept answer. */
extern void asked_goes(const struct place *p);
extern void asked_waits(const struct place *p, time_t start, bool later,
			bool unsure, bool fits);
extern void asked_apart(job_record_t *job_ptr);
extern bool asked_postponed(const job_record_t *job_ptr);
extern void asked_unfinished(const job_record_t *job_ptr);

/* The last answers to sbatch --test-only */
extern struct json_object *asked_json(void);

/* ---- which cohort.yaml is in force: config.c ---- */

struct conf;

/* In StateSaveLocation: the last cohort.yaml without errors */
#define CONFIG_LAST_GOOD "cohort.yaml.good"

/* ---- under the job lock ---- */

/* Read cohort.yaml, which stands beside slurm.conf. A file with errors never takes a running
 * cluster down: a reconfigure keeps the configuration in force (NULL), a restart takes the last
 * good file from StateSaveLocation, and both log it. A first start without any good file has no
 * queues: Slurm schedules all jobs as it does without quota, until a reconfigure finds a good
 * file. */
extern struct conf *config_choose(void);
/* Is what is in force cohort.yaml as it was read, and not an older one? */
extern bool config_is_good(void);
extern struct json_object *config_told_json(void);

/* What is needed to look at the file: the caller's, for config_told_look() */
struct config_seen;
extern struct config_seen *config_told_seen(void);

/* ---- without a lock, by one thread ---- */

/* Adds to "configuration" whether the file on disk is still the one that was read.
 * Frees seen. */
extern void config_told_look(struct config_seen *seen, struct json_object *document);

/* ---- what only the plugin knows, in a file that all users may read: publish.c ---- */

/* Writes the file; woken, within a second: a user waits for it. */
extern struct worker publisher;

/* ---- parts of the document; under the job lock ---- */

/* Cohorts, and cluster queues, with quota and usage (publish_ledger.c) */
extern struct json_object *publish_cohorts(void);
extern struct json_object *publish_queues(int64_t now);

/* Adds to a cluster queue of the document: "running" and "waiting"; "line" and
 * "lineRest"; "localQueues", a list of texts like "1-3,7", one for each local queue
 * in the order of their first place, without their names; "jobs", the ids of the jobs
 * at these places ("8123,8120"; the waiting tasks of an array are one job), unless
 * PrivateData hides jobs; "localUsage", where usage counts: name (null: users have
 * none here), weight, score (null: beyond all others), history by resource, first those
 * of "localQueues" in the same order, then those of which nothing waits. Looks at
 * maxPosition jobs at most. */
extern void publish_line(struct json_object *o, int queue);

#endif /* COHORT_TELL_TELL_H */
