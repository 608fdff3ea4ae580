#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a partition, features or a reservation changes: a waiting job takes another flavor'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/places.sh"

{
	quick_scheduler
	echo 'PartitionName=few Nodes=n1,n[3-4] State=UP MaxTime=INFINITE'
	echo 'PartitionName=small Nodes=n[2-3] State=UP MaxTime=INFINITE'
} >slurm.conf

two west east >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# full NODES: a job that takes all of them, so that their flavor has no quota left
full() {
	local id
	id=$(submit -A q -N2 -n8 -w "$1") && all_run "$id"
}

# waits_in FLAVOR ID: by quota, in the only flavor that is left to it
waits_in() {
	wait_for 10 "[ \"\$(reason_wait $2)\" = 'quota(cpu@$1)' ]" && return
	job_reason "$2"
	return 1
}

test_expect_success 'east is full, and all of west is idle' '
	full "n[3-4]"
'

test_expect_success 'a partition gets nodes of another flavor' '
	job=$(submit -A q -p few -N2 -n2) && waits_in east $job &&
	scontrol update partition=few nodes="n[1-4]" && all_run $job && scancel $job
'

test_expect_success 'a node gets a feature that no flavor names' '
	features n4 big && job=$(submit -A q -n1 -C big) && waits_in east $job &&
	features n1 big && all_run $job && scancel $job
'

test_expect_success 'a reservation lets its jobs use other nodes: FLEX' '
	scontrol create reservation ReservationName=r StartTime=now Duration=600 \
		Users=root Nodes="n[3-4]" Flags=IGNORE_JOBS &&
	job=$(submit -A q -n1 --reservation=r) && waits_in east $job &&
	scontrol update ReservationName=r Flags=FLEX && all_run $job && scancel $job
'

# cons_tres has said that no node of odd can ever hold it: n3 has no GPU
test_expect_success 'a node that is large enough comes to a flavor that had none' '
	cluster_clear && scontrol delete ReservationName=r && use_cohort two odd even && full "n[2,4]" &&
	job=$(submit -A q -p small -n1 --gres=gpu:1) && waits_in even $job &&
	scontrol update partition=small nodes="n[1-3]" && all_run $job &&
	[ "$(running_nodes $job)" = n1 ]
'

test_done
