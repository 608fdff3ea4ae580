#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a heterogeneous job of which a component has ended never starts again, and holds up no other'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# 8 CPUs each, one cohort, a is StrictFIFO; jobs of account out are in none
queues() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org strategy=StrictFIFO
	queue b 8 cohort=org
}

# state_of ID: without the records of its other components
state_of() { squeue -h --states=all -j "$1" -O JobID:20,State:20 | awk -v id="$1" '$1 == id { print $2 }'; }

is() { [ "$(state_of "$1")" = "$2" ]; }

{ quick_scheduler; three_tiers; } >conf
queues >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf conf

restarted() { is "$first" RUNNING && scontrol show job "$first" | grep -q " Restarts=1 "; }

is_over() { ! is "$1" RUNNING && ! is "$1" COMPLETING; }

# Slurm requeues the leader where its node goes down, and no other component
test_expect_success 'the node of the leader is gone, and so is the leader' '
	first=$(sbatch --parsable -o /dev/null -A a -p hi -w n1 -n4 : -A b -p hi -w n2 -n1 --wrap "exec sleep 1000" | tail -n 1) &&
	second=$((first + 1)) &&
	wait_for 20 "is $first RUNNING && is $second RUNNING" &&
	scontrol update NodeName=n1 State=DOWN Reason=test &&
	wait_for 60 "{ is $first PENDING && is_over $second; } || restarted" &&
	wait_for 20 "sinfo -h -n n1 -o %T | grep -Eqx \"idle|allocated\""
'

# 26.05 lets the other one run
if is "$second" RUNNING; then
	test_expect_success 'the other one runs on, and the leader starts again' '
		wait_for 60 restarted && is $second RUNNING
	'
	test_done
fi

# says: why it waits, in squeue
says() { squeue -h -t PD -j "$first" -o %r; }

# A requeued job waits for a while
test_expect_success 'its quota is free for others, and it has no place in line' '
	cluster_restart_ctld && wait_for 30 nodes_are_back &&
	wait_for 150 "! says | grep -q BeginTime" &&
	x=$(submit -A a -p lo -n8) && y=$(submit -A b -p lo -n8) && all_run $x $y &&
	says >reason && [ -s reason ] && ! grep pos= reason &&
	scohort why $first >why && tr -s "\n " " " <why >words &&
	grep "has no position: another component of it has ended" words &&
	scancel $x $y && wait_for 20 "[ -z \"\$(squeue -h -t R,CG)\" ]"
'

test_expect_success 'a job without a queue that wants all nodes starts' '
	x=$(submit -A b -p hi -w n3 -n1) && all_run $x &&
	all=$(submit -A out -p hi -t2 -N4 --exclusive) &&
	holds_for 2 "is $all PENDING" &&
	scancel $x && all_run $all &&
	is $first PENDING &&
	scancel $all && wait_for 20 "[ -z \"\$(squeue -h -t R,CG)\" ]"
'

test_done
