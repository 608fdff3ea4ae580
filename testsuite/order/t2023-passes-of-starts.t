#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a start by one of several partitions, or of a task, asks for no pass more than another start'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/cycles.sh"

{
	quota_head
	echo 'clusterQueues:'
	queue a 8
} >cohort.yaml
# Passes come of what happens, and not by the clock
{
	no_clock
	echo 'PartitionName=one Nodes=ALL State=UP MaxTime=INFINITE'
	echo 'PartitionName=two Nodes=ALL State=UP MaxTime=INFINITE'
} >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
away_from_midnight 150
ends=5

runs() { [ "$(job_state "$1")" = RUNNING ]; }

# fill: sets $first, jobs that have all of the quota
fill() {
	local i
	first=()
	for ((i = 0; i < 8; i++)); do first+=("$(submit -A a -n1)"); done
	all_run "${first[@]}"
}

# let_start NAME STARTED: in $NAME, how many passes there are while jobs end, one after the
# other, until STARTED NUMBER is true of each
let_start() {
	local before i
	before=$(main_cycles)
	for ((i = 0; i < ends; i++)); do
		scancel "${first[i]}" && wait_for 10 "$2 $i" && holds_for 2 "$2 $i" || return 1
	done
	eval "$1=$(($(main_cycles) - before))"
	echo "$1: ${!1} passes"
	scancel -A a && wait_for 20 '[ -z "$(squeue -h)" ]'
}

# count_passes NAME OPTION...: the same, and each time a job with these options has started
count_passes() {
	local name=$1 i
	shift
	waiting=()
	fill || return 1
	for ((i = 0; i < ends; i++)); do waiting+=("$(submit -A a -n1 "$@")"); done
	wait_for 10 "in_line ${waiting[*]}" && let_start "$name" waiting_runs
}

waiting_runs() { runs "${waiting[$1]}"; }

test_expect_success 'jobs with one partition' '
	count_passes alone -p one && [ $alone -ge $ends ]
'

# One more for each of them, if it asked for another pass to evict somebody in
test_expect_success 'jobs with two partitions: no more passes' '
	count_passes several -p one,two && [ $several -lt $((alone + ends - 1)) ]
'

tasks_run() { [ "$(squeue -h -r -t R -j "$array" -o %A | wc -l)" -gt "$1" ]; }

# Slurm offers the next task each time, unasked
test_expect_success 'tasks of an array: no more passes, as nobody else may start' '
	fill && array=$(submit -A a -n1 -p one -a "1-$((ends + 3))") && wait_for 10 "in_line $array" &&
	let_start tasks tasks_run && [ $tasks -lt $((alone + ends - 1)) ]
'

test_done
