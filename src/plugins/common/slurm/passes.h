/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  passes.h - slurmctld: passes of its scheduler, and the layout of its records
\*****************************************************************************/
#ifndef COHORT_SLURM_PASSES_H
#define COHORT_SLURM_PASSES_H

#include "compat/slurm_compat.h"

/* ---- the layout of its records: layout.c ---- */

/* Do our headers fit this slurmctld? If not, ctld.broken is set, with an error
 * in the log. Call it before the settings are read, before partitions and nodes
 * are read, and by the first job record. */
extern void layout_check_start(void);
extern void layout_check_tables(void);
extern void layout_check_job(job_record_t *job_ptr);

/* ---- passes of its scheduler, and how the start of one is seen: passes.c ---- */

/* Ask for another pass of the scheduler, and count it as begun. Without a
 * sentinel, what comes soon after a pass counts as a part of that pass, and
 * would ask for another pass again, and so on. */
extern void pass_request_another(void);

/* ---- the sentinel: the flag of a job by which the start of a pass is seen ---- */

/* After all marks are set: choose the job whose flag shows the next pass, the first job of
 * job_list that offer() finds. That offers each job whose flag may be set. */
extern void sentinel_choose(ListFindF offer);
/* This job can be the sentinel, if there is none. So can one that starts. */
extern void sentinel_offer(job_record_t *job_ptr);

struct sentinel {
	uint32_t job_id;		/* 0: none */
	uint64_t no_pass_before;	/* no sentinel: usec, by the clock */
};
extern struct sentinel sentinel;	/* only for: */
extern bool sentinel_is_expired(void);

/* Has slurmctld cleared the flag? Asked for each comparison of a sort */
static inline bool sentinel_is_cleared(void)
{
	job_record_t *job_ptr;

	if (!sentinel.job_id)
		return sentinel_is_expired();
	job_ptr = find_job_record(sentinel.job_id);
	return !job_ptr || !job_ptr->preempt_in_progress;
}

/* ---- who asks for nodes? ---- */

/* This thread has sorted the queue: it is a scheduler's. Noted for each comparison of a sort:
 * it must not cost a call of the dynamic linker. The C library keeps room for the few bytes of
 * libraries that are opened later. */
extern __thread bool asker_sorts __attribute__((tls_model("initial-exec")));

/* Does a scheduler ask? Where no queue had two records yet, that is not known of
 * the main scheduler: false. */
static inline bool asker_is_scheduler(void)
{
	return asker_sorts || compat_in_backfill();
}

/* Does a user ask, and not a scheduler? */
static inline bool asker_is_user(uint16_t mode)
{
	return (mode == SELECT_MODE_WILL_RUN) && !asker_is_scheduler();
}

#endif /* COHORT_SLURM_PASSES_H */
