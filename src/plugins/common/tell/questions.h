/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  questions.h - what the questions of users may cost
\*****************************************************************************/
#ifndef COHORT_TELL_QUESTIONS_H
#define COHORT_TELL_QUESTIONS_H

#include "compat/slurm_compat.h"

/* Before a question, under the job lock: may it be answered now? If so, the
 * caller has to call questions_end() after the answer. */
extern bool questions_begin(void);
extern void questions_end(void);
/* Has the present question cost so much that no more work is to be done for
 * it? */
extern bool questions_cost_enough(void *arg);

#endif /* COHORT_TELL_QUESTIONS_H */
