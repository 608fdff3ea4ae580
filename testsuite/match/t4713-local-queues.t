#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='without slurmdbd any word is an account: unused ones are forgotten'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quick_scheduler
	three_tiers
	echo 'MinJobAge=2'
} >extra.conf

# One queue for everybody, and one for those of partition hi
{
	quota_head
	echo 'clusterQueues:'
	queue hi 4 | sed 's/match: .*/match: [{partition: hi}]/'
	queue all 4 | sed 's/match: .*/match: [{partition: "*"}]/'
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf extra.conf

# kept WHAT: so many of these are in memory
kept() { json "d[\"memory\"][\"$1\"]" <"$CLUSTER/state/cohort_status.json"; }

kept_soon() {
	wait_for 20 "[ \"\$(kept $1)\" = $2 ]" || {
		kept "$1"
		return 1
	}
}

# accounts N OPTIONS...: a job each
accounts() {
	local n=$1 i
	shift
	for ((i = 0; i < n; i++)); do
		submit -A "u$RANDOM-$i" "$@" >/dev/null || return 1
	done
}

test_expect_success 'one local queue for each account that has jobs' '
	accounts 30 -n4 && kept_soon localQueues 30 &&
	submit -A same -n4 && submit -A same -n4 && kept_soon localQueues 31
'

test_expect_success 'none when they are cancelled, whether they ran or waited' '
	cluster_clear && kept_soon localQueues 0 && kept_soon records 0
'

test_expect_success 'nor when their jobs have ended by themselves' '
	for i in 1 2 3 4; do submit_for 0 -A "end$i" -n1 || return 1; done &&
	wait_for 20 "[ -z \"\$(squeue -h)\" ]" && kept_soon localQueues 0 && kept_soon records 0
'

test_expect_success 'several queues, another account, a requeue: counted, and forgotten' '
	running=$(submit -A first -n4 -p hi) && all_run $running &&
	other=$(submit -A first -n4 -p lo) && all_run $other && kept_soon localQueues 2 &&
	several=$(submit -A second -n4 -p lo,hi) && kept_soon localQueues 4 &&
	job_update $several Account=third && kept_soon localQueues 4 &&
	job_update $several Partition=lo && kept_soon localQueues 3 &&
	scontrol requeue $running && kept_soon localQueues 3 &&
	scontrol hold $several && kept_soon localQueues 2 &&
	cluster_clear && kept_soon localQueues 0
'

test_expect_success 'a reconfigure begins anew' '
	accounts 3 -n4 && kept_soon localQueues 3 && cluster_reconfigure &&
	accounts 2 -n4 && kept_soon localQueues 5 && cluster_clear && kept_soon localQueues 0
'

test_done
