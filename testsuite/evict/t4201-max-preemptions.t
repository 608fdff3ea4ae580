#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='maxPreemptions: a job evicted that often stays, and others wait for it, but for owners that reclaim'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{ three_tiers; quick_scheduler; } >slurm.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org within=LowerPriority max=2
	queue b 12 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --nodes 5 --cohort cohort.yaml --slurm-conf slurm.conf

# back ID: it runs again, after the time that Slurm makes it wait
back() { wait_for 30 "job_runs $1"; }

# b takes all that it owns, on three nodes
owner() { submit -A b -N3 -w n[2-4] -n12; }

test_expect_success 'evicted for nodes, which counts' '
	victim=$(submit -A a -p lo -N1 -w n1 -n2) && all_run $victim &&
	hi=$(submit -A a -p hi -N1 -w n1 -n3) && all_run $hi &&
	evicted_are $victim && system_comment $victim &&
	expr "$(system_comment $victim)" : ".* by job $hi (cluster queue a), rule InClusterQueue, a held 2 of 4 cpu@any, needed 3, free 14, for nodes, ran [0-9]* s, preemption 1, counted 1 of 2\$" &&
	scancel $hi && first=$(submit -A a -p mid -N1 -w n5 -n4) && all_run $first && back $victim
'

test_expect_success 'a restart of slurmctld and a requeue by hand do not forget it' '
	cluster_restart_ctld && job_runs $victim &&
	before=$(job_restarts $victim) && scontrol requeue $victim &&
	wait_for 10 "[ \"\$(job_restarts $victim)\" -gt $before ]" && back $victim
'

test_expect_success 'evicted by an owner that reclaims, which does not count' '
	log_mark && b=$(owner) && all_run $b && evicted_are $victim &&
	expr "$(system_comment $victim)" : ".* by job $b (cluster queue b), rule InCohortReclamation, .*, preemption 2, counted 1 of 2\$" &&
	scancel $first && back $victim
'

test_expect_success 'evicted for quota: that counts for the second time' '
	log_mark && hi=$(submit -A a -p hi -n4) && all_run $hi && evicted_are $victim &&
	expr "$(system_comment $victim)" : ".* by job $hi (cluster queue a), rule InClusterQueue, a held 2 of 4 cpu@any, needed 4, free 2, .*, preemption 3, counted 2 of 2\$" &&
	scancel $hi && back $victim
'

test_expect_success 'no third time: who waits sees why' '
	log_mark && hi=$(submit -A a -p hi -n4) &&
	wait_for 10 "[ \"\$(reason_wait $hi)\" = \"protected(maxPreemptions)\" ]" &&
	nobody_evicted_for $hi && job_runs $victim
'

# The record of the job tells it, too
test_expect_success 'not even if the state file is lost' '
	saved $hi && rm "$CLUSTER/state/cohort_state" && cluster_kill_ctld && log_mark &&
	wait_for 20 "[ \"\$(reason_wait $hi)\" = \"protected(maxPreemptions)\" ]" &&
	nobody_evicted_for $hi && job_runs $victim
'

# It begins another run, in which its queue borrows
test_expect_success 'but an owner that reclaims gets what it owns' '
	scancel $hi $b && wait_for 20 "[ -z \"\$(squeue -h -t CG)\" ]" &&
	first=$(submit -A a -p mid -N1 -w n5 -n4) && all_run $first && scontrol requeue $victim && back $victim && log_mark &&
	b=$(owner) && all_run $b && evicted_are $victim &&
	system_comment $victim | grep "preemption 4, counted 2 of 2$"
'

test_expect_success 'a new job begins anew' '
	cluster_clear && log_mark && b=$(owner) && all_run $b && fresh=$(submit -A a -p lo -n4) && all_run $fresh &&
	hi=$(submit -A a -p hi -n4) && all_run $hi && evicted_are $fresh &&
	system_comment $fresh | grep "preemption 1, counted 1 of 2$"
'

test_done
