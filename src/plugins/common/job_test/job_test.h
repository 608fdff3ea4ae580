/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job_test.h - what goes before a job is placed; questions of users
\*****************************************************************************/
#ifndef COHORT_JOB_TEST_JOB_TEST_H
#define COHORT_JOB_TEST_JOB_TEST_H

#include "placement/place.h"

/* ---- sbatch --test-only: ask.c ---- */

/* Before a question, under the job lock: may it be answered now? If so, the caller has to call
 * questions_end() after the answer. */
extern bool questions_begin(void);
extern void questions_end(void);
/* Answer the question; `passing`: the job exists for the question only. */
extern int ask_answer(struct place *p, bool passing);

/* ---- may other jobs be evicted in this try? Do limits allow it? tries.c ---- */

/* Does Slurm try only what the job would like best? What it could do with is tried next. */
extern bool try_is_for_wish(const job_record_t *job_ptr);
/* Is the job just being submitted? The scheduler looks at it next. */
extern bool try_is_of_new_job(const struct place *p);
/* Set p->may_evict. True: no job may be evicted in this try, but in another pass. */
extern bool try_puts_eviction_off(struct place *p);

/* slurmctld asks for nodes for the job (job: our record, or NULL). If a limit has lately refused
 * what was selected: does a limit refuse what the job asks for? Then the job's record says which.
 * Without such a refusal they are not asked: limits per node, of nodes in use or at least may
 * refuse what is asked for, though they allow what would be selected. No other reason is left in
 * the record that keeps the job out of line. */
extern bool limits_refuse(job_record_t *job_ptr, const struct job *job);
/* Does a limit refuse what was selected for p, and is in the record? That is noted. */
extern bool limits_refuse_selected(struct place *p);

#endif /* COHORT_JOB_TEST_JOB_TEST_H */
