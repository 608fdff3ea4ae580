#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job on its way out keeps its quota past a restart of slurmctld'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/epilog.sh"
. "$TESTSUITE/lib/times.sh"

epilog_lasts
{
	quick_scheduler
	epilog_line
} >slurm.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org
	queue b 4 cohort=org reclaim=Any
	echo '  - name: gpus'
	echo '    match: [{account: gpus}]'
	quota_group gres/gpu any nominal=1
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# quota_waits ID RESOURCE NEED: for quota, and there is none
quota_waits() {
	says "$1" ",wait=quota($2@any),need=$3,free=0,"
}

test_expect_success 'jobs have ended, but their nodes are not free: they keep their quota' '
	b=$(submit -A b -n4 -w n3) && g=$(submit -A gpus -n1 --gres=gpu:1 -w n1) && all_run $b $g &&
	scancel $b $g && wait_for 10 "completing $b $g" &&
	b2=$(submit -A b -n2) && quota_waits $b2 cpu 2 &&
	g2=$(submit -A gpus -n1 --gres=gpu:1) && quota_waits $g2 gres/gpu 1
'

test_expect_success 'a restart changes nothing' '
	cluster_restart_ctld && pass_now && completing $b $g &&
	quota_waits $b2 cpu 2 && quota_waits $g2 gres/gpu 1 &&
	holds_for 2 "job_waits $b2 $g2"
'

test_expect_success 'nor does a changed cohort.yaml' '
	before=$(cohort_reads) && echo "# changed" >>"$CLUSTER/etc/cohort.yaml" &&
	cluster_reconfigure && wait_for 5 "[ \$(cohort_reads) -gt $before ]" &&
	pass_now && completing $b $g && holds_for 2 "job_waits $b2 $g2" &&
	quota_waits $b2 cpu 2 && quota_waits $g2 gres/gpu 1
'

test_expect_success 'when the nodes are free, so is the quota' '
	epilog_ends && all_run $b2 $g2 && wait_for 20 "! completing $b && ! completing $g"
'

test_expect_success 'a victim that is leaving, and is to run again: its preemptor waits for it' '
	cluster_clear && a=$(submit -A a -n4 -w n3) && all_run $a && epilog_lasts &&
	b=$(submit -A b -n4) && wait_for 10 "completing $a" &&
	wait_for 10 "[ \"\$(reason_wait $b)\" = \"preempting(1)\" ]" &&
	cluster_restart_ctld && pass_now && completing $a &&
	wait_for 10 "[ \"\$(reason_wait $b)\" = \"preempting(1)\" ]" &&
	holds_for 2 "job_waits $b" &&
	log_mark && epilog_ends && all_run $b &&
	wait_for 20 "in_line $a" && [ "$(evicted)" = "" ]
'

test_done
