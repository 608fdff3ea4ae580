/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  store.h - StateSaveLocation/cohort_state
\*****************************************************************************/
#ifndef COHORT_STATEFILE_STORE_H
#define COHORT_STATEFILE_STORE_H

#include <json-c/json.h>
#include <stdbool.h>

/* Read the state file, when a term of control begins. */
extern void store_load(void);
/* Write what is not written yet; last: as content_dump(). No lock may be held. -1 if
 * that failed, which has been logged. */
extern int store_save(bool last);
/* Start the thread that writes what others request (slurm/worker.h). One call is
 * enough. */
extern void store_start(void);

/* ---- content.c ---- */

/* What the state file keeps of all jobs, and the counters; the sums are account_to_save()'s.
 * Made under the job lock, and printed without it. The object is the caller's. last: this
 * slurmctld ends, so all jobs are looked at. */
extern struct json_object *content_dump(bool last);
/* Reads the file, under slurmctld's locks. Returns what is wrong with the file
 * as a whole, or NULL. Parts that make no sense are ignored. */
extern const char *content_load(int fd);

/* The books are about to be made anew: keep what no job record tells. */
extern void content_carry(void);
/* The books have all jobs: what was kept then, or read from the file, counts from now on. */
extern void content_restore(void);

#endif /* COHORT_STATEFILE_STORE_H */
