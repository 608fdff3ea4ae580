/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  questions.h - what the questions of users may cost, and what estimates cost
\*****************************************************************************/
#ifndef COHORT_TELL_QUESTIONS_H
#define COHORT_TELL_QUESTIONS_H

#include "compat/slurm_compat.h"

struct json_object;

/* Before a question, under the job lock: may it be answered now? If so, the
 * caller has to call questions_end() after the answer. */
extern bool questions_begin(void);
extern void questions_end(void);
/* Has the present question cost so much that no more work is to be done for
 * it? */
extern bool questions_cost_enough(void *arg);
/* How many were answered, how many were refused, and the cost */
extern struct json_object *questions_json(void);

/* ---- estimates of starts ---- */

/* The cluster was played forward, which cost so many ns of CPU time.
 * too_far: jobs whose start it has not come to, because of that cost. Under the
 * job lock. */
extern void estimates_count(int64_t cost, size_t too_far);
/* The cost of seeing that no node is available: it was not played. */
extern void estimates_count_look(int64_t cost);
/* How often, the cost, how often it was not played to the end, and how many
 * jobs the last one has not come to */
extern struct json_object *estimates_json(void);

#endif /* COHORT_TELL_QUESTIONS_H */
