#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job that was evicted yields: past restarts, kill -9 and requeues'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

{ three_tiers; quick_scheduler; } >slurm.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org within=LowerPriority reclaim=Any
	queue b 4 cohort=org within=LowerPriority reclaim=Any
	queue c 0 cohort=org within=LowerPriority reclaim=LowerPriority threshold=-
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# yields ID: soon it says so, and then evicts nobody
yields() {
	wait_for 30 "[ \"\$(reason_wait $1)\" = yields ]" || { job_reason "$1"; return 1; }
	nobody_evicted_for "$1"
}

# c borrows b's quota by priority from a, whose job borrows; b takes it back. When b has gone,
# a's job has it again.
test_expect_success 'a job that was evicted evicts nobody to borrow' '
	own=$(submit -A a -p lo -n4) && all_run $own && next_second && low=$(submit -A a -p lo -n4) && all_run $low &&
	job=$(submit -A c -p mid -n4) && all_run $job && evicted_are $low && log_mark &&
	b=$(submit -A b -p lo -n4) && all_run $b && evicted_are $job && wait_for 10 "job_waits $job" &&
	scontrol hold $job && scancel $b && wait_for 30 "job_runs $low" && log_mark &&
	scontrol release $job && yields $job
'

test_expect_success 'nor after kill -9, or without its note in the state file' '
	saved $job && cluster_kill_ctld && log_mark && yields $job &&
	rm "$CLUSTER/state/cohort_state" && cluster_kill_ctld && log_mark && yields $job
'

test_expect_success 'nor after a restart, with a comment by an older version' '
	cluster_stop_ctld && rm "$CLUSTER/state/cohort_state" &&
	perl -pi -e "s/preemption 1, counted 0/preemption 1, nothing 0/" "$CLUSTER/state/job_state" &&
	cluster_restart_ctld && log_mark && yields $job
'

test_expect_success 'free quota is for it, and a requeue by hand changes nothing' '
	scancel $low && wait_for 30 "job_runs $job" && scontrol requeuehold $job &&
	low=$(submit -A a -p lo -n4) && all_run $low && log_mark && scontrol release $job && yields $job
'

test_expect_success 'another one, which was not evicted, may' '
	log_mark && fresh=$(submit -A c -p hi -n4) && all_run $fresh && evicted_are $low
'

test_done
