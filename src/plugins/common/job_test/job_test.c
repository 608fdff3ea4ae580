/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job_test.c - what slurmctld asks when it wants nodes for a job
 *
 *  Records that are no jobs are handed on, questions are counted, and lists
 *  that slurmctld has locked are hidden. Then the gate decides.
\*****************************************************************************/
#include "state/state.h"
#include "slurm/asker.h"
#include "slurm/layout.h"
#include "match/queue_of_job.h"
#include "tell/asked.h"
#include "tell/publish.h"
#include "tell/questions.h"
#include "hooks/ctld.h"
#include "job_test/gate.h"

/* A list that slurmctld may have locked is not touched: a list of our own
 * stands in for it. In backfill it is not locked. */
static int _job_test_unlocked(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS)
{
	compat_list_t partitions = ctld_works() ? job_ptr->part_ptr_list : NULL;
	int rc;

	if (!COMPAT_LOCKS_PARTITIONS || !partitions || compat_in_backfill())
		return gate_job_test(real, COMPAT_JOB_TEST_ARGS);
	job_ptr->part_ptr_list = partitions_by_name(job_ptr);
	rc = gate_job_test(real, COMPAT_JOB_TEST_ARGS);
	FREE_NULL_LIST(job_ptr->part_ptr_list);
	job_ptr->part_ptr_list = partitions;
	return rc;
}

/* From 24.11 on a reservation is placed as if it was a job, by a record that is
 * in no list, and with the jobs locked for reading only. */
static bool _is_a_job(const job_record_t *job_ptr)
{
	return find_job_record(job_ptr->job_id) == job_ptr;
}

extern int ctld_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS)
{
	int rc;

	if (!_is_a_job(job_ptr))
		return real(COMPAT_JOB_TEST_ARGS);
	layout_check_job(job_ptr);
	if (!ctld_enforces() || !asker_is_user(mode))
		return _job_test_unlocked(real, COMPAT_JOB_TEST_ARGS);
	if (!questions_begin()) {
		if (asked_postponed(job_ptr))
			publish_soon();
		return compat_refused();
	}
	rc = _job_test_unlocked(real, COMPAT_JOB_TEST_ARGS);
	questions_end();
	return rc;
}
