#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='maxPreemptions: a job evicted that often stays, and others wait for it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

quick_scheduler >slurm.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 1 cohort=org max=2
	queue b 7 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# back ID: it runs again, after the time that Slurm makes it wait
back() { wait_for 30 "job_runs $1"; }

test_expect_success 'evicted for nodes, which counts' '
	victim=$(submit -A a -w n1 -n4) && all_run $victim &&
	b=$(submit -A b -w n1 -n4) && all_run $b &&
	evicted_are $victim &&
	system_comment $victim &&
	expr "$(system_comment $victim)" : ".* by job $b (cluster queue b), rule InCohortReclamation, a held 4 of 1 cpu@any, b held 0 of 7, needed 4, free 4, for nodes, ran [0-9]* s, preemption 1 of 2\$" &&
	scancel $b && back $victim
'

test_expect_success 'a restart of slurmctld and a requeue by hand do not forget it' '
	cluster_restart_ctld && job_runs $victim &&
	before=$(job_restarts $victim) && scontrol requeue $victim &&
	wait_for 10 "[ \"\$(job_restarts $victim)\" -gt $before ]" && back $victim
'

test_expect_success 'evicted for quota: that is the second time' '
	log_mark && b=$(submit -A b -n7) && all_run $b &&
	evicted_are $victim &&
	expr "$(system_comment $victim)" : ".* by job $b (cluster queue b), .*, a held 4 of 1 cpu@any, b held 0 of 7, needed 7, free 4, ran [0-9]* s, preemption 2 of 2\$" &&
	scancel $b && back $victim
'

test_expect_success 'no third time: its owner sees why it waits' '
	log_mark && b=$(submit -A b -n7) &&
	wait_for 10 "[ \"\$(reason_wait $b)\" = \"protected(maxPreemptions)\" ]" &&
	nobody_evicted_for $b && job_runs $victim
'

test_expect_success 'nor for nodes' '
	scancel $b && b=$(submit -A b -w n1 -n4) &&
	wait_for 10 "[ \"\$(reason_wait $b)\" = nodes ]" &&
	nobody_evicted_for $b && job_runs $victim
'

# The record of the job tells it, too. Jobs of b that are there may be in
# slurmctld's state, or not.
test_expect_success 'not even if the state file is lost' '
	scancel $b && wait_for 15 "grep -qa \"preemption 2 of 2\" \"$CLUSTER/state/job_state\"" &&
	rm "$CLUSTER/state/cohort_state" && cluster_kill_ctld && log_mark &&
	b=$(submit -A b -n7) &&
	wait_for 10 "[ \"\$(reason_wait $b)\" = \"protected(maxPreemptions)\" ]" &&
	nobody_evicted_for $b && job_runs $victim &&
	squeue -h -A b -o %A | xargs timeout -k 1 "$CLIENT_LIMIT" scancel
'

# The last to start would go first
test_expect_success 'another job goes instead, though it started before' '
	scontrol update job=$victim Requeue=1 && scontrol requeuehold $victim &&
	wait_for 10 "[ -z \"\$(squeue -h -t R,CG)\" ]" &&
	older=$(submit -A a -n2) && all_run $older && next_second &&
	scontrol release $victim && back $victim && log_mark &&
	b=$(submit -A b -n4) && all_run $b &&
	evicted_are $older && job_runs $victim
'

test_expect_success 'a new job begins anew' '
	cluster_clear && log_mark && fresh=$(submit -A a -w n1 -n4) && all_run $fresh &&
	b=$(submit -A b -n7) && all_run $b && evicted_are $fresh &&
	system_comment $fresh | grep "preemption 1 of 2$"
'

test_done
