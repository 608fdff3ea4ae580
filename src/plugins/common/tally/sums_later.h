/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_later.h - parts of a document that become text when slurmctld's locks
 *  are released
 *
 *  Sums grow with time, so all of their text is another one each time, though few
 *  of them move otherwise than before. Under slurmctld's locks only that is
 *  copied which does, and a document gets empty places. The text of these is made
 *  by sums_later_end().
 *
 *  A thread calls sums_later_begin() before it takes slurmctld's locks, and
 *  sums_later_end() after it has released them. No thread waits for another one's
 *  text with those locks.
\*****************************************************************************/
#ifndef COHORT_TALLY_SUMS_LATER_H
#define COHORT_TALLY_SUMS_LATER_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

extern void sums_later_begin(void);
/* Documents can be printed from then on. */
extern void sums_later_end(void);

/* ---- in between, under the job lock; `at`: ns ---- */

/* Copies the sums as they are at that time, which is that of all places that
 * follow. false: nothing is kept, or no memory; then there is nothing to be
 * told. */
extern bool sums_later_copy(int64_t at);
/* Places as in sums_json.h, the caller's. NULL: nothing is known */
extern struct json_object *sums_later_pair(bool is_cohort, int node, int flavor,
					   int resource);
extern struct json_object *sums_later_lenders(int queue, int64_t at);
/* An object of the members of `head`, which is taken over, and all sums. It
 * decides nothing, so it must not cost the rest of a file: if it is very large, it
 * is the last one that was not, or null. NULL: the same as last time */
extern struct json_object *sums_later_all(struct json_object *head, int64_t at);

/* ---- under the job lock ---- */

/* Nothing made before is of use: the engine is new, or its clock was set back. */
extern void sums_later_forget(void);

#endif /* COHORT_TALLY_SUMS_LATER_H */
