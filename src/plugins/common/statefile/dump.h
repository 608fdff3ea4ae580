/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  dump.h - the contents of the state file, as text
\*****************************************************************************/
#ifndef COHORT_STATEFILE_DUMP_H
#define COHORT_STATEFILE_DUMP_H

#include <json-c/json.h>
#include <stdbool.h>

#define STATE_VERSION 1

/* What the state file keeps of all jobs, the counters and sums; the caller's, under
 * the job lock, between account_begin_text() and account_end_text(), and printed
 * after that. last: this slurmctld ends, so the sums are those of now. */
extern struct json_object *dump_state(bool last);

#endif /* COHORT_STATEFILE_DUMP_H */
