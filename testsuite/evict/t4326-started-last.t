#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='where nodes are short, nobody starts whom the next one in line takes back'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

quick_scheduler >slurm.conf
{
	quota_head
	cohorts org:-:nominal=4
	echo 'clusterQueues:'
	queue a 4 cohort=org reclaim=Any
	queue b 8 cohort=org reclaim=Any
} >cohort.yaml

# Quota for four nodes, and only three of them
cluster_up --nodes 3 --cohort cohort.yaml --slurm-conf slurm.conf

# full: all nodes belong to jobs outside all queues
full() { out=$(submit -A out -N3 -n12) && all_run $out; }

all_wait() { wait_for 10 "in_line $*"; }

# They come to the scheduler all at once, and nobody knows yet that nodes are short.
test_expect_success 'the second task of an array borrows: who is within his own goes before it' '
	scontrol update PartitionName=main State=DOWN &&
	array=$(submit -A a -n4 -N1 -a 0-1 -t1) && owners=$(submit_some 2 -A b -n4 -N1 -t1) &&
	log_mark && scontrol update PartitionName=main State=UP && all_run $owners &&
	wait_for 10 "[ \$(usage a) -eq 4 ]" && nobody_evicted_for $array
'

# One job of each queue after the other is planned: a has its second one before b its third.
test_expect_success 'so it is with single jobs, which are known to wait for nodes' '
	cluster_clear && full && first=$(submit -A a -n4 -N1 -t1) && second=$(submit -A a -n4 -N1 -t1) &&
	small=$(submit_some 2 -A b -n2 -w n2 -t1) && owner=$(submit -A b -n4 -N1 -t1) &&
	all_wait $first $second $small $owner && log_mark && scancel $out &&
	all_run $first $small $owner && nobody_evicted_for $second
'

test_expect_success 'once there are nodes, the rest of an array goes on' '
	cluster_clear && array=$(submit -A a -n4 -N1 -a 0-1 -t1) && wait_for 10 "[ \$(usage a) -eq 8 ]"
'

test_done
