/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_line.h - the line of a cluster queue: what its places wait for, and
 *  which places belong to one local queue
\*****************************************************************************/
#ifndef COHORT_TELL_PUBLISH_LINE_H
#define COHORT_TELL_PUBLISH_LINE_H

struct json_object;

/* Adds to a cluster queue of the document: "running" and "waiting"; "line" and
 * "lineRest"; "localQueues", a list of texts like "1-3,7", one for each local queue
 * in the order of their first place, without their names; "jobs", the ids of the jobs
 * at these places ("8123,8120"; the waiting tasks of an array are one job), unless
 * PrivateData hides jobs; "localUsage", where usage
 * counts: name (null: users have none here), weight, score (null: beyond all others),
 * history by resource, first those of "localQueues" in the same order, then those of
 * which nothing waits. Looks at maxPosition jobs at most. Under the job lock */
extern void publish_line(struct json_object *o, int queue);

#endif /* COHORT_TELL_PUBLISH_LINE_H */
