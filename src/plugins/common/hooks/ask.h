/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ask.h - a user asks when a job would start: sbatch --test-only
\*****************************************************************************/
#ifndef COHORT_HOOKS_ASK_H
#define COHORT_HOOKS_ASK_H

#include "placement/place.h"

/* The queue was sorted in this thread. */
extern void ask_sorted(void);
/* Is it a user who wants to know, not a scheduler? */
extern bool ask_is(uint16_t mode);
/* Before a question, under the job lock: may it be answered now? If so, it has to
 * be told when it is. */
extern bool ask_begin(void);
extern void ask_end(void);
/* Answers; `passing`: the job exists for the question only. */
extern int ask_when(struct place *p, bool passing);

/* How many questions were answered, how many not, and what that has cost */
extern struct json_object *ask_json(void);

#endif /* COHORT_HOOKS_ASK_H */
