#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='held jobs and queues have no place, and no job waits for them'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{
	three_tiers
	quick_scheduler
} >slurm.conf

# config STOP: a StrictFIFO queue in the partitions lo and hi, a queue for all of
# mid, and one with that stopPolicy
config() {
	quota_head
	echo 'clusterQueues:'
	queue strict 4 strategy=StrictFIFO | sed 's/{account: "strict"/&, partition: "[lh][oi]"/'
	queue side 4 | sed 's/account: "side"/partition: mid/'
	queue stop 4
	echo "    stopPolicy: $1"
}

config None >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

test_expect_success 'held, dependent and later jobs have no place and block nobody' '
	other=$(submit -n1) &&
	held=$(submit -A strict -n4 -N1 -p hi -H) &&
	dependent=$(submit -A strict -n4 -N1 -p hi -d afterany:$other) &&
	later=$(submit -A strict -n4 -N1 -p hi --begin=now+1hour) &&
	running=$(submit -A strict -n3 -p lo) &&
	all_run $running $other &&
	waiting=$(submit -A strict -n2 -p lo) &&
	wait_for 5 "[ \"\$(positions $waiting)\" = 1/1 ]" &&
	holds_for 3 "[ \"\$(positions $held $dependent $later $waiting)\" = \"- - - 1/1\" ]" &&
	[ "$(job_reason $held) $(job_reason $dependent) $(job_reason $later)" = \
		"JobHeldUser Dependency BeginTime" ]
'

test_expect_success 'released or ready, they have the place of their class and age' '
	scontrol release $held &&
	wait_for 5 "[ \"\$(positions $held $waiting)\" = \"1/2 2/2\" ]" &&
	job_update $later StartTime=now &&
	wait_for 5 "[ \"\$(positions $held $later $waiting)\" = \"1/3 2/3 3/3\" ]" &&
	scancel $other &&
	wait_for 5 "[ \"\$(positions $held $dependent $later $waiting)\" = \"1/4 2/4 3/4 4/4\" ]"
'

test_expect_success 'held while it waits: the place is gone, and Slurm says why' '
	scontrol hold $held &&
	wait_for 5 "[ \"\$(positions $held $dependent $later $waiting)\" = \"- 1/3 2/3 3/3\" ]" &&
	holds_for 3 "job_reason $held | grep -qx \"JobHeld.*\""
'

test_expect_success 'another class, another place' '
	job_update $later Partition=lo &&
	wait_for 5 "[ \"\$(positions $dependent $waiting $later)\" = \"1/3 3/3 2/3\" ]" &&
	job_update $waiting Partition=hi &&
	wait_for 5 "[ \"\$(positions $dependent $waiting $later)\" = \"1/3 2/3 3/3\" ]"
'

test_expect_success 'another queue, another line; none, none' '
	job_update $waiting Partition=mid &&
	all_run $waiting && wait_for 5 "[ \"\$(positions $dependent $later)\" = \"1/2 2/2\" ]" &&
	job_update $later Partition=main &&
	all_run $later && wait_for 5 "[ \"\$(positions $dependent)\" = 1/1 ]"
'

test_expect_success 'less to ask for: it fits' '
	scancel $running && all_run $dependent &&
	small=$(submit -A strict -n2 -p lo) && wait_for 5 "in_line $small" &&
	scancel $dependent && all_run $small &&
	big=$(submit -A strict -N1 -n3 -p lo) && wait_for 5 "in_line $big" && holds_for 2 "job_waits $big" &&
	job_update $big NumCPUs=2-2 NumTasks=2 &&
	all_run $big
'

test_expect_success 'stopPolicy Hold: who runs runs on, who waits waits, and says why' '
	cluster_clear &&
	running=$(submit -A stop -n2) && all_run $running &&
	config Hold >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	waiting=$(submit -A stop -n1) &&
	wait_for 5 "[ \"\$(reason_wait $waiting)\" = \"held(cq)\" ]" &&
	array=$(submit -A stop -n1 -a 0-1) && other=$(submit -A strict -n1 -p lo) &&
	all_run $other &&
	holds_for 4 "job_runs $running && job_waits $waiting && [ -z \"\$(squeue -h -t R -j $array)\" ]" &&
	scancel $running &&
	holds_for 3 "job_waits $waiting"
'

test_expect_success 'stopPolicy None again: who waits starts' '
	config None >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	all_run $waiting && wait_for 10 "[ \$(squeue -h -r -t R -j $array | wc -l) -eq 2 ]"
'

test_expect_success 'stopPolicy HoldAndDrain: who runs waits again' '
	config HoldAndDrain >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 15 "[ -z \"\$(squeue -h -t R,CG -A stop)\" ]" &&
	job_runs $other &&
	system_comment $waiting | grep "^drained at [0-9T:-]*, cluster queue stop has stopPolicy HoldAndDrain\$" &&
	holds_for 4 "job_waits $waiting" &&
	wait_for 5 "[ \"\$(reason_wait $waiting)\" = \"held(cq)\" ]" &&
	config None >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 15 "job_runs $waiting"
'

test_done
