/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  gate.h - job_test: nobody starts past the books
\*****************************************************************************/
#ifndef COHORT_HOOKS_GATE_H
#define COHORT_HOOKS_GATE_H

#include "state/job.h"
#include "placement/place.h"

/* job_test of a job that slurmctld knows, with its own list of partitions */
extern int gate_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS);

/* Nominates the job and places it as nominated, flavor by flavor. 0 and p
 * filled in; -1: no nodes in any flavor with quota; -2: no quota */
extern int gate_find_place(struct place *p, int64_t now);

/* In a StrictFIFO queue nobody passes another, not even one that has quota but
 * no nodes, or that Slurm did not try in this pass. It is noted in the job. */
extern bool gate_is_behind(struct job *job);

#endif /* COHORT_HOOKS_GATE_H */
