#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job that was evicted and starts within quota is left alone by other queues: past restarts and kill -9'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

{ three_tiers; quick_scheduler; } >slurm.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org within=LowerPriority
	queue b 4 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Of two jobs of a queue that borrows the one of lower priority would go. It was evicted by its
# own queue, and has come back within quota.
test_expect_success 'a job that comes back within quota is left alone by other queues' '
	b=$(submit -A b -n4) && all_run $b &&
	low=$(submit -A a -p lo -n4) && all_run $low && log_mark &&
	high=$(submit -A a -p hi -n4) && all_run $high && evicted_are $low &&
	scancel $high && wait_for 30 "job_runs $low" && scancel $b &&
	high=$(submit -A a -p hi -n4) && all_run $high && log_mark &&
	b=$(submit -A b -n4) && all_run $b && evicted_are $high && job_runs $low
'

test_expect_success 'past a restart and kill -9, too' '
	for how in restart kill; do
		scancel $b && wait_for 30 "job_runs $high" && saved $high &&
		cluster_${how}_ctld && wait_for 20 nodes_are_back && log_mark &&
		b=$(submit -A b -n4) && all_run $b && evicted_are $high && job_runs $low || return 1
	done
'

test_done
