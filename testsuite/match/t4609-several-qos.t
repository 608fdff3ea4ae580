#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='several QOS and several partitions in one job'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{
	quick_scheduler
	three_tiers
} >slurm.conf
cat >commands <<-EOF
	add account a,b
	add qos quick priority=10
	add qos slow priority=5
	add user root account=a,b qos=normal,quick,slow defaultqos=normal
EOF
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org reclaim=Any
	queue b 4 cohort=org reclaim=Any
} >cohort.yaml

cluster_up --accounting --sacctmgr commands --slurm-conf slurm.conf --cohort cohort.yaml

# Slurm takes several QOS from 24.11 on
if slurm_since 24.11; then qos=quick,slow; else qos=quick; fi

alive() { wait_for 10 'scontrol ping | grep -q "is UP"'; }

# slurmctld goes through the QOS with their list locked when a job is submitted,
# which must not keep us from looking at the whole queue
test_expect_success 'submitted while others wait, time and again, and slurmctld lives' '
	a=$(submit -A a -q $qos -p lo,mid -n8) && all_run $a &&
	waits=$(submit -A a -q $qos -p mid,hi -n4) && wait_for 10 "in_line $waits" &&
	for i in 1 2 3 4 5 6 7 8; do
		id=$(submit -A a -q $qos -p hi,lo -n$((i % 4 + 1))) && alive || return 1
	done
'

test_expect_success 'who wants his quota back gets it, by one of them' '
	b=$(submit -A b -q $qos -p lo,mid -n4) && all_run $b && alive
'

test_expect_success 'srun as well' '
	scancel -A a && srun -A a -q $qos -p lo,mid -n1 true && alive
'

test_expect_success 'sbatch --test-only, too' '
	sbatch --test-only -A a -q $qos -p lo,mid -n1 --wrap true && alive
'

test_done
