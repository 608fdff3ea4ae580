/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ask.h - a user asks when a job would start: sbatch --test-only
\*****************************************************************************/
#ifndef COHORT_JOB_TEST_ASK_H
#define COHORT_JOB_TEST_ASK_H

#include "placement/place.h"

/* Answer the question; `passing`: the job exists for the question only. */
extern int ask_answer(struct place *p, bool passing);

#endif /* COHORT_JOB_TEST_ASK_H */
