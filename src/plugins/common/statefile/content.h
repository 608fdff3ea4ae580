/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  content.h - what is in the state file
\*****************************************************************************/
#ifndef COHORT_STATEFILE_CONTENT_H
#define COHORT_STATEFILE_CONTENT_H

#include <json-c/json.h>
#include <stdbool.h>

/* What the state file keeps of all jobs, the counters and sums; the caller's, under
 * the job lock, between account_begin_text() and account_end_text(), and printed
 * after that. last: this slurmctld ends, so the sums are those of now. */
extern struct json_object *content_dump(bool last);
/* Reads the file, under slurmctld's locks. Returns what is wrong with the file
 * as a whole, or NULL. Parts that make no sense are ignored. */
extern const char *content_load(int fd);

#endif /* COHORT_STATEFILE_CONTENT_H */
