#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job on its way out is charged for the nodes that it still uses'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/epilog.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quick_scheduler
	epilog_line
} >slurm.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 12 cohort=org reclaim=Any
	echo '  - name: gpus'
	echo '    match: [{account: gpus}]'
	quota_group gres/gpu any nominal=4
	echo '  - name: memory'
	echo '    match: [{account: memory}]'
	quota_group mem any nominal=4000M
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# uses QUEUE RESOURCE AMOUNT: soon, and from then on
uses() {
	local what="[ \"\$(used $1 $2)\" = $3 ]"
	wait_for 15 "$what" && holds_for 1 "$what"
}

used() { scohort status -n -P -r "$2" -o name,used "$1" | sed -n "s/^$1|//p" | tr -d M; }

test_expect_success 'three nodes of four are free: a quarter is charged' '
	epilog_lasts n2 && a=$(submit -A a -N4 -n16) && all_run $a && uses a cpu 16 &&
	scancel $a && uses a cpu 4 && completing $a
'

test_expect_success 'so others start on the rest' '
	b=$(submit -A b -N3 -n12) && all_run $b && completing $a && uses b cpu 12 && uses a cpu 4
'

test_expect_success 'a restart and a reconfigure keep that' '
	cluster_restart_ctld && uses a cpu 4 && uses b cpu 12 && completing $a &&
	cluster_reconfigure && uses a cpu 4 && uses b cpu 12 && completing $a
'

test_expect_success 'it is over: nothing is charged' '
	epilog_ends && wait_for 15 "! completing $a" && uses a cpu 0 && scancel $b && uses b cpu 0
'

test_expect_success 'GPUs and memory by node, too' '
	cluster_clear && epilog_lasts n2 &&
	g=$(submit -A gpus -N2 -n2 -w n[1-2] --gres=gpu:2) && all_run $g && uses gpus gres/gpu 4 &&
	scancel $g && uses gpus gres/gpu 2 && completing $g && epilog_ends && uses gpus gres/gpu 0 &&
	epilog_lasts n2 && m=$(submit -A memory -N3 -n3 --mem=1000) && all_run $m && uses memory mem 3000 &&
	scancel $m && uses memory mem 1000 && completing $m && epilog_ends && uses memory mem 0
'

test_expect_success 'a victim: its preemptor starts on the nodes that are free, before the last one is' '
	cluster_clear && epilog_lasts n2 && log_mark &&
	a=$(submit -A a -N4 -n16) && all_run $a &&
	b=$(submit -A b -N2 -n8 -x n2) && all_run $b && completing $a && uses a cpu 4 && uses b cpu 8 &&
	[ "$(evicted)" = "$a" ] && next=$(submit -A b -n4) && all_run $next && uses b cpu 12 && completing $a &&
	epilog_ends && wait_for 20 "in_line $a"
'

test_expect_success 'it runs again, and is charged for all of it' '
	scancel $b $next && wait_for 60 "job_runs $a" && uses a cpu 16 && cluster_clear &&
	uses a cpu 0 && uses b cpu 0
'

test_done
