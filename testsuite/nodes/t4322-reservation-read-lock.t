#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a reservation is placed by a made-up job record, under a read lock: not one of our jobs'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

quick_scheduler >slurm.conf
{
	quota_head
	echo 'clusterQueues:'
	queue a 4
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Made, and gone again: jobs without a time limit could not run on its nodes
reserve() {
	scontrol create reservation ReservationName="$1" StartTime=now+1hour Duration=10 \
		Users=root NodeCnt=1 && scontrol delete reservation "$1"
}

# What those were told who asked when a job would start
answers() { grep -o '"verdict": *"[a-z]*"' "$CLUSTER/state/cohort_status.json"; }

test_expect_success 'the first record of all is one of these: jobs are told apart all the same' '
	reserve first && a=$(submit -A a -n4) && all_run $a &&
	b=$(submit -A a -n4) && wait_for 10 "[ \"\$(reason_wait $b)\" = \"quota(cpu@any)\" ]" &&
	! log_has "slurm-cohort: .*job records"
'

test_expect_success 'it is not taken for somebody who asks' '
	for i in $(seq 5); do reserve r$i || return 1; done &&
	{ sbatch --test-only -A a -n4 --wrap true || true; } &&
	wait_for 10 "answers" && answers && ! answers | grep outside
'

test_expect_success 'while many are made, jobs come and go as ever' '
	{ for i in $(seq 20); do reserve s$i || return 1; done & } &&
	scancel $a && all_run $b && wait $! && job_runs $b
'

test_done
