#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='quota for all, nodes for few: an end makes no pass more than it does in stock Slurm; a job that may start instead starts at once'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/epilog.sh"

# There are 16 CPUs, 4 on a node. Plans come of what happens, and not by the clock.
tree() {
	quota_head 10m
	echo 'clusterQueues:'
	queue a "$1"
	queue b 16
}

# So do passes
{
	no_clock
	echo 'PartitionName=one Nodes=ALL State=UP MaxTime=INFINITE'
	echo 'PartitionName=two Nodes=ALL State=UP MaxTime=INFINITE'
	epilog_line
} >slurm.conf
tree 1000 >vast.yaml
cluster_up --cohort vast.yaml --slurm-conf slurm.conf
away_from_midnight 200
ends=5

runs() { [ "$(job_state "$1")" = RUNNING ]; }

# passes_of_ends: in $passes, how many there are while jobs end, one after the other, each of
# which lets one of those that wait start
passes_of_ends() {
	local i first=() waiting=()
	for ((i = 0; i < 16; i++)); do first+=("$(submit -A a -p one -n1)"); done
	all_run "${first[@]}" || return 1
	for ((i = 0; i < ends + 3; i++)); do waiting+=("$(submit -A a -p one -n1)"); done
	wait_for 20 settled || return 1
	for ((i = 0; i < ends; i++)); do
		scancel "${first[i]}" && wait_for 10 "runs ${waiting[i]}" &&
			holds_for 2 "! runs ${waiting[i + 1]}" || return 1
	done
	passes=$(($(main_cycles) - before))
	echo "$passes passes"
	scancel -A a && wait_for 20 '[ -z "$(squeue -h)" ]'
}

test_expect_success 'nobody waits for quota: each end makes one pass, and who finds no nodes then makes no other' '
	passes_of_ends && [ $passes -ge $ends ] && [ $passes -lt $((2 * ends)) ]
'

# first_gets_quota: the job with all of the quota has ended. Slurm makes one pass. $first may
# go then, and finds no nodes, as n1 is taken. No other pass comes that is not asked for.
first_gets_quota() {
	epilog_lasts && scancel "$before_it" && wait_for 10 "completing $before_it" &&
		wait_for 20 settled && epilog_ends
}

# queue_of N: $first and $before_it of a queue with quota of N
queue_of() {
	use_cohort tree "$1" && taken=$(submit -A b -p two -n4 -w n1) && all_run "$taken" &&
		before_it=$(submit -A a -p two -n"$1") && all_run "$before_it" &&
		first=$(submit -A a -p one -n4 -w n1)
}

test_expect_success 'those behind it in its queue, which wait for quota, go at once' '
	queue_of 4 && next=$(submit -A a -p one -n2) && third=$(submit -A a -p two -n2) &&
	wait_for 10 "in_line $first $next $third" && first_gets_quota && all_run $next $third &&
	[ "$(job_state $first)" = PENDING ]
'

tasks_run() { [ "$(squeue -h -r -t R -j "$array" -o %A | wc -l)" -eq "$1" ]; }

test_expect_success 'of an array one task may go with it, and two more instead of it' '
	queue_of 6 && array=$(submit -A a -p two -n2 -a 1-5) &&
	wait_for 10 "in_line $first $array" && first_gets_quota &&
	wait_for 10 "tasks_run 3" && holds_for 2 "tasks_run 3"
'

test_done
