/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  content.h - what is in the state file
\*****************************************************************************/
#ifndef COHORT_STATEFILE_CONTENT_H
#define COHORT_STATEFILE_CONTENT_H

#include <json-c/json.h>
#include <stdbool.h>

/* What the state file keeps of all jobs, and the counters; the sums are account_to_save()'s.
 * Made under the job lock, and printed without it. The object is the caller's. last: this
 * slurmctld ends, so all jobs are looked at. */
extern struct json_object *content_dump(bool last);
/* Reads the file, under slurmctld's locks. Returns what is wrong with the file
 * as a whole, or NULL. Parts that make no sense are ignored. */
extern const char *content_load(int fd);

#endif /* COHORT_STATEFILE_CONTENT_H */
