#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job that slurmctld refuses without a try, seen between two passes: jobs behind it start at once'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/epilog.sh"

# There are 16 CPUs, 4 on a node. Plans come of what happens, and not by the clock.
{
	quota_head 10m
	echo 'clusterQueues:'
	queue a 4
	queue b 16
} >vast.yaml
# So do passes
{
	no_clock
	echo 'PartitionName=one Nodes=ALL State=UP MaxTime=INFINITE'
	echo 'PartitionName=two Nodes=ALL State=UP MaxTime=INFINITE'
	epilog_line
} >slurm.conf
cluster_up --cohort vast.yaml --slurm-conf slurm.conf

test_expect_success 'another job finds no nodes, and only a plan is made: it sees that the first one was passed over' '
	taken=$(submit -A b -p two -n4 -w n2) && all_run $taken &&
	before_it=$(submit -A a -p two -n4 -w n3) && all_run "$before_it" &&
	scontrol update nodename=n1 state=down reason=test &&
	first=$(submit -A a -p one -n4 -w n1) && next=$(submit -A a -p two -n2) &&
	wait_for 10 "in_line $first $next" && wait_for 20 settled &&
	scancel "$before_it" && wait_for 20 settled &&
	job_waits $first $next &&
	other=$(submit -A b -p two -n4 -w n2) &&
	all_run $next && job_waits $first $other
'

test_done
