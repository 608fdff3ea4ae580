/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_json.h - sums over time as text of JSON, in base units times seconds
 *
 *  Made of a copy of the account, so that no lock of slurmctld is needed.
\*****************************************************************************/
#ifndef COHORT_TALLY_SUMS_JSON_H
#define COHORT_TALLY_SUMS_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "tally/sums_names.h"

struct account_copy;

/* What was last copied. The owner zeroes it first. */
struct sums {
	struct account_copy *copy;
	struct sums_names *names;
	struct sums_lenders *lenders;	/* by queue; NULL: not yet made */
};

/* All but the copy. The copy may be put away only under the job lock. */
extern void sums_forget(struct sums *s);

/* Of a pair: [nominal, own, borrowed, lent, shared, idle]; xmalloc'd.
 * NULL: nothing is known */
extern char *sums_pair_text(const struct sums *s, bool is_cohort, int node,
			    int flavor, int resource);

/* As of then: {"cohorts": {NAME: {RESOURCE@FLAVOR: sum}}, "clusterQueues":
 * {...}}; that of `s`. NULL: the queue has borrowed from nobody */
extern const char *sums_lenders_text(struct sums *s, int queue, int64_t at);

#define SUMS_MB_MAX 64		/* of the text of all sums */

/* An object with the members of `head`, an object that has some, and all sums as of
 * then: accounts.c. Without pairs of which nothing is known; xmalloc'd. Where it would
 * be too large, it is without who lent to whom (and *whole is false). NULL: it is
 * too large without that, too */
extern char *sums_all_text(struct sums *s, const char *head, int64_t at,
			   bool *whole);

#endif /* COHORT_TALLY_SUMS_JSON_H */
