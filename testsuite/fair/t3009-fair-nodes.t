#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='fair sharing where nodes are as scarce as quota'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

{ three_tiers; quick_scheduler; } >tiers.conf

# x and y share the cluster, 16 CPUs
{
	quota_head
	echo 'fairSharing: {enable: true}'
	cohorts org:-:nominal=16
	echo 'clusterQueues:'
	queue x 0 cohort=org
	queue y 0 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

# Jobs of one CPU on all nodes, one node after the other. By the order of
# candidates alone, the first four to go would be on four nodes.
one_by_one() {
	local i n ids=''
	for i in 1 2 3 4; do
		for n in 1 2 3 4; do
			ids="$ids $(submit -A x -w n$n)" || return 1
		done
	done
	x=$ids
}

# gone N: so many were evicted so far, and no more are
gone() {
	wait_for 5 "[ \$(evicted | wc -w) -ge $1 ]" &&
		holds_for 2 "[ \$(evicted | wc -w) -eq $1 ]"
}

test_expect_success 'a whole node: its four jobs, and no others' '
	one_by_one && all_run $x &&
	y1=$(submit -A y -N1 -n4) && all_run $y1 && gone 4
'

test_expect_success 'and another one' '
	y2=$(submit -A y -N1 -n4) && all_run $y2 && gone 8
'

test_expect_success 'no more than its share, for nodes neither' '
	y3=$(submit -A y -N1 -n1) && holds_for 3 "job_waits $y3" && gone 8 &&
	[ "$(usage x) $(usage y)" = "8 8" ]
'

test_done
