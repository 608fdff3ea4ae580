/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  gate.h - job_test: no job starts past the books
\*****************************************************************************/
#ifndef COHORT_JOB_TEST_GATE_H
#define COHORT_JOB_TEST_GATE_H

#include "compat/slurm_compat.h"

/* job_test of a job that slurmctld knows, with its own list of partitions */
extern int gate_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS);

#endif /* COHORT_JOB_TEST_GATE_H */
