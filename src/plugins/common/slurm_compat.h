/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  slurm_compat.h - everything that differs between Slurm versions
 *
 *  The plugins are written against the names below; no other file asks for a
 *  version. Slurm's internal headers come first and slurm_xlator.h before all
 *  of them, so that error() and its like bind to Slurm's and not to libc's.
\*****************************************************************************/
#ifndef COHORT_SLURM_COMPAT_H
#define COHORT_SLURM_COMPAT_H

#include "src/common/slurm_xlator.h"

#include "slurm/slurm_errno.h"

#include "src/common/assoc_mgr.h"
#include "src/common/bitstring.h"
#include "src/common/gres.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/preempt.h"
#include "src/slurmctld/slurmctld.h"

/* For an argument that a callback must have and does not need */
#define UNUSED __attribute__((unused))

typedef List compat_list_t;
typedef ListIterator compat_itr_t;

/* Arguments of select_p_job_test() that we only hand on */
typedef bitstr_t *compat_exc_cores_t;

#define COMPAT_JOB_TEST_PARAMS						\
	job_record_t *job_ptr, bitstr_t *node_bitmap,			\
	uint32_t min_nodes, uint32_t max_nodes, uint32_t req_nodes,	\
	uint16_t mode, compat_list_t preemptee_candidates,		\
	compat_list_t *preemptee_job_list, compat_exc_cores_t exc_cores
#define COMPAT_JOB_TEST_ARGS						\
	job_ptr, node_bitmap, min_nodes, max_nodes, req_nodes, mode,	\
	preemptee_candidates, preemptee_job_list, exc_cores

typedef int (*compat_job_test_f)(COMPAT_JOB_TEST_PARAMS);

/* What a refusal by job_test is called: this one blocks the partition for the
 * rest of a main pass, as every error does in 22.05. */
#define COMPAT_REFUSED SLURM_ERROR

/* Have the main scheduler look at the whole queue soon (its own minimum
 * interval holds). */
#define compat_schedule() schedule(true)

/* Is this slurmctld and not a client or slurmd that loads us too? */
#define compat_in_slurmctld() running_in_slurmctld()

#endif /* COHORT_SLURM_COMPAT_H */
