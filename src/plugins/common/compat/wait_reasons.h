/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  wait_reasons.h - why slurmctld lets a job wait: is it in line all the same?
 *
 *  Nobody waits for a job that can't start for a reason outside of our quota: it has
 *  no position, and reserves nothing. Each reason of 22.05, 24.11 and 26.05 is of one
 *  of these kinds.
\*****************************************************************************/
#ifndef COHORT_WAIT_REASONS_H
#define COHORT_WAIT_REASONS_H

enum wait_kind {
	WAIT_IN_LINE,
	/* Out of line until slurmctld asks for nodes again. It tries the job in each pass,
	 * and sets the reason anew. */
	WAIT_IS_REFUSED,
	/* The same, of one partition or QOS: others may take the job. */
	WAIT_IS_REFUSED_THERE,
	/* The same, by a limit of an association or QOS; a partition may have a QOS, too.
	 * Some of these limits are looked at after nodes were selected (job_test/tries.c). */
	WAIT_IS_LIMITED,
};

/* From one reason to another, in the order of slurm.h. All others are in line, as far as these
 * tell:
 *
 *	None, Priority, Resources, ReqNodeNotAvail, FrontEndDown, SchedDefer, Prolog,
 *	FedJobLock: nodes, or the turn of the job
 *	MaxPoweredUpNodes, MpiPortsBusy, NvidiaImexChannels: found when nodes were selected
 *	PowerNotAvail, PowerReserved: nothing sets them
 *	PartitionDown (the run's), NodeDown, SystemFailure, JobLaunchFailure, NonZeroExitCode,
 *	TimeLimit, InactiveLimit, OutOfMemory, RaisedSignal, Constraints: of the run before,
 *	or of another partition
 *	DeadLine: the job is over
 *	Dependency, PartitionNodeLimit to Licenses, Reservation, JobHeldUser, BadConstraints,
 *	DependencyNeverSatisfied, JobHoldMaxRequeue, JobArrayTaskLimit, ReservationDeleted,
 *	ReservationInvalid: the record itself tells whether that is still so
 *	(match/job_standing.c). The reason may be out of date: slurmctld tries no job that we
 *	hold back.
 *	InvalidAccount, InvalidQOS, PartitionConfig, MaxMemPerLimit: slurmctld leaves the job
 *	out of its queue, and the reason stays when it does so no more: that it is not tried
 *	tells (jobs/chance.c) */
static const struct {
	uint32_t from, to;
	enum wait_kind kind;
} wait_kinds[] = {
	{ WAIT_ASSOC_JOB_LIMIT, WAIT_ASSOC_TIME_LIMIT, WAIT_IS_LIMITED },
	{ WAIT_QOS_THRES, WAIT_QOS_TIME_LIMIT, WAIT_IS_LIMITED },
	{ WAIT_CLEANING, WAIT_CLEANING, WAIT_IS_REFUSED },
	{ WAIT_QOS, WAIT_ACCOUNT, WAIT_IS_REFUSED_THERE },	/* AllowQos, AllowAccounts */
	{ WAIT_QOS_GRP_CPU, WAIT_ASSOC_MAX_SUB_JOB, WAIT_IS_LIMITED },
	/* BurstBufferResources, BurstBufferStageIn, BurstBufferOperation */
	{ WAIT_BURST_BUFFER_RESOURCE, FAIL_BURST_BUFFER_OP, WAIT_IS_REFUSED },
	{ WAIT_ASSOC_GRP_UNK, WAIT_QOS_MIN_BB, WAIT_IS_LIMITED },
	{ WAIT_QOS_MAX_BB_PER_ACCT, WAIT_QOS_MAX_SUB_JOB_PER_ACCT, WAIT_IS_LIMITED },
	{ WAIT_ACCOUNT_POLICY, WAIT_ACCOUNT_POLICY, WAIT_IS_LIMITED },
	{ WAIT_ASSOC_GRP_BILLING, WAIT_QOS_MIN_BILLING, WAIT_IS_LIMITED },
#if COMPAT_SINCE(24, 5)
	{ WAIT_QOS_MAX_BB_RUN_MINS_PER_ACCT, WAIT_QOS_MAX_UNK_RUN_MINS_PER_USER,
	  WAIT_IS_LIMITED },
#endif
};

static inline enum wait_kind compat_wait_kind(uint32_t reason)
{
	for (size_t i = 0; i < sizeof(wait_kinds) / sizeof(*wait_kinds); i++) {
		if (reason < wait_kinds[i].from)
			break;
		if (reason <= wait_kinds[i].to)
			return wait_kinds[i].kind;
	}
	return WAIT_IN_LINE;
}

#endif /* COHORT_WAIT_REASONS_H */
