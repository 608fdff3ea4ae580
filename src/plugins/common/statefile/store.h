/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  store.h - StateSaveLocation/cohort_state
\*****************************************************************************/
#ifndef COHORT_STATEFILE_STORE_H
#define COHORT_STATEFILE_STORE_H

#include <json-c/json.h>
#include <stdbool.h>

#define STORE_LAST_GOOD "cohort.yaml.good"

/* Read the state file, when a term of control begins. */
extern void store_load(void);
/* This cohort.yaml is good: keep it for a start that finds none. NULL: there
 * was no good one. */
extern void store_keep(const char *source);
/* Write what is not written yet; last: as content_dump(). No lock may be held. -1 if
 * that failed, which has been logged. */
extern int store_save(bool last);
/* Start the thread that writes what others request (slurm/saver.h). One call is
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

/* What jobs own of freed quota, and since when they could evict, while the books are made anew with another configuration.
 * owners_restore() frees it; NULL is allowed. */
struct kept_owners;
extern struct kept_owners *owners_keep(void);
extern void owners_restore(struct kept_owners *kept);

#endif /* COHORT_STATEFILE_STORE_H */
