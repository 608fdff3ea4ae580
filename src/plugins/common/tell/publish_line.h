/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_line.h - which places in line belong to one local queue
\*****************************************************************************/
#ifndef COHORT_TELL_PUBLISH_LINE_H
#define COHORT_TELL_PUBLISH_LINE_H

/* Places in line, a list of texts like "1-3,7": one for each local queue in the
 * order of their first place, without their names. */
extern struct json_object *publish_line(int queue);

/* The ids of the jobs at these places, in order: "8123,8120"; the pending tasks of an
 * array are one job. NULL where jobs are private. */
extern struct json_object *publish_line_jobs(int queue);

/* What local queues have used, for a queue where that counts: name (null: users
 * have none here), weight, score (null: beyond all others), history by resource.
 * First those of publish_line() in the same order, then those of which nothing
 * waits. */
extern struct json_object *publish_usages(int queue);

/* There is a new engine; under the job lock. */
extern void publish_forget(void);

#endif /* COHORT_TELL_PUBLISH_LINE_H */
