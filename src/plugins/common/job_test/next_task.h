/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  next_task.h - can the next task of an array ever run?
\*****************************************************************************/
#ifndef COHORT_JOB_TEST_NEXT_TASK_H
#define COHORT_JOB_TEST_NEXT_TASK_H

#include "placement/place.h"

/* The job of this try starts on p->node_bitmap, if nothing in slurmctld stops it. */
extern void next_task_note_start(const struct place *p);
/* The job of this try was refused: it has to wait for its turn. */
extern void next_task_note_refusal(const struct place *p);
/* slurmctld asks about another job, or once more about this one. */
extern void next_task_forget_refusal(void);
/* TEST_ONLY: are these nodes, were they idle, enough for a task that was just refused?
 * True: the task before it has just started on some of them, which alone are left in
 * `nodes`. False: not known. */
extern bool next_task_could_run(const job_record_t *job_ptr, bitstr_t *nodes);

#endif /* COHORT_JOB_TEST_NEXT_TASK_H */
