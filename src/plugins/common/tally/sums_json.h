/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_json.h - sums over time as JSON, in base units times seconds
 *
 *  There are many of them, so they are text already: what is returned here can
 *  only be printed. All is the caller's.
\*****************************************************************************/
#ifndef COHORT_TALLY_SUMS_JSON_H
#define COHORT_TALLY_SUMS_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/* The text, xmalloc'd and taken over, stands for itself. */
extern struct json_object *sums_text_json(char *text);

/* Nothing made before is of use: the engine is new, or its clock was set back. */
extern void sums_forget(void);

/* Of a pair at a time, ns: [nominal, own, borrowed, lent, shared, idle]. NULL:
 * nothing is known */
extern struct json_object *sums_pair_json(bool is_cohort, int node, int flavor,
					  int resource, int64_t at);
/* {NAME: {RESOURCE@FLAVOR: [...]}} of all cohorts or cluster queues, those of
 * which something is known */
extern struct json_object *sums_nodes_json(bool is_cohort, int64_t at);

/* Brings the sums of lenders and borrowers up to that time, ns. */
extern void sums_date(int64_t at);
/* As of then: {"cohorts": {NAME: {RESOURCE@FLAVOR: sum}}, "clusterQueues":
 * {...}}. NULL: the queue has borrowed from nobody */
extern struct json_object *sums_lenders_json(int queue);

#endif /* COHORT_TALLY_SUMS_JSON_H */
