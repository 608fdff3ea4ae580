#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='backfill keeps nodes for a job that will have quota: others run only where they are done in time'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cycles.sh"

# lent N: N jobs are planned; a borrows from o, who takes nothing back; t owns what is left
lent() {
	echo "plannedJobs: $1"
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue o 12 cohort=org
	queue t 4 cohort=org
	queue a 0 cohort=org
}

quick_scheduler | sed 's/$/,bf_resolution=1/' >slurm.conf
lent 1 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# How many nodes backfill has planned for a job. Each cycle begins with none.
planned_nodes() {
	scontrol show hostnames "$(squeue -h -j "$1" -O SchedNodes:100 | tr -d ' ' | grep -v null)" | wc -l
}

# a holds two of four nodes for an hour, and o waits for three of them
lend_nodes() {
	a=$(submit -A a -t 60 -N2 --ntasks-per-node=4) && all_run $a &&
		o=$(submit -A o -t 60 -N3 --ntasks-per-node=4) && says $o 'wait=quota'
}

test_expect_success 'SCHEDNODES: nodes are planned for when the quota is there' '
	lend_nodes && wait_for 15 "backfilled 0 0; [ \"\$(planned_nodes $o)\" -eq 3 ]" && says $o "wait=quota"
'

test_expect_success 'a job that is alone in line stays planned, cycle after cycle' '
	from=$(backfill_cycles) && wait_for 30 "backfilled $from 8" &&
	wait_for 5 "backfilled 0 0; [ \"\$(planned_nodes $o)\" -eq 3 ]" && job_waits $o
'

test_expect_success 'a job behind it takes these nodes only if it is done in time' '
	long=$(submit -A t -t 600 -N2 -n2) && says $long "wait=nodes" &&
	short=$(submit -A t -t 1 -N2 -n2) && all_run $short && job_waits $long
'

test_expect_success 'when the quota is back, the job starts on all of its nodes' '
	scancel $short $a && all_run $o
'

test_expect_success 'plannedJobs: 0: jobs behind it take them, and it waits for nodes' '
	use_cohort lent 0 && lend_nodes && long=$(submit -A t -t 600 -N2 -n2) &&
	all_run $long && [ "$(planned_nodes $o)" -eq 0 ] && scancel $a && says $o "wait=nodes"
'

test_done
