/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish.h - what only the plugin knows, in a file that all users may read
\*****************************************************************************/
#ifndef COHORT_TELL_PUBLISH_H
#define COHORT_TELL_PUBLISH_H

#include "compat/slurm_compat.h"

struct json_object;

extern void publish_start(void);
/* A user waits for the file: write it within a second. */
extern void publish_soon(void);

/* ---- parts of the document; under the job lock ---- */

/* Cohorts, and cluster queues, with quota and usage (publish_ledger.c) */
extern struct json_object *publish_cohorts(void);
extern struct json_object *publish_queues(int64_t now);

/* Adds to a cluster queue of the document: "running" and "waiting"; "line" and
 * "lineRest"; "localQueues", a list of texts like "1-3,7", one for each local queue
 * in the order of their first place, without their names; "jobs", the ids of the jobs
 * at these places ("8123,8120"; the waiting tasks of an array are one job), unless
 * PrivateData hides jobs; "localUsage", where usage
 * counts: name (null: users have none here), weight, score (null: beyond all others),
 * history by resource, first those of "localQueues" in the same order, then those of
 * which nothing waits. Looks at maxPosition jobs at most. */
extern void publish_line(struct json_object *o, int queue);

/* A text says that a job waits for nodes: for ten minutes from now on the
 * document has "held", which queues have the nodes of each flavor. */
extern void publish_nodes_asked(void);
/* Adds "flavors", "outside" and "justStarted" to the document. Looks at all
 * records. */
extern void publish_nodes(struct json_object *document, time_t now);

#endif /* COHORT_TELL_PUBLISH_H */
