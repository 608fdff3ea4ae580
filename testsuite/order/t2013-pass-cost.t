#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what a pass does is what has changed since the last one, and no update is missed'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/looks.sh"

# The short form of testsuite/bench-slurmctld: counted is what noise does not move
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org reclaim=Any
	queue b 8 cohort=org reclaim=Any
} >cohort.yaml
{
	quick_scheduler
	for part in one two three; do
		echo "PartitionName=$part Nodes=ALL State=UP MaxTime=INFINITE"
	done
} >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
away_from_midnight 300

# Both queues are full. So many wait in a, and as many in b.
waiting=30
fill() {
	local i
	for ((i = 0; i < 4; i++)); do
		running+=("$(submit -A a -n2)") || return 1
	done
	other=$(submit -A b -n8) && all_run "${running[@]}" $other || return 1
	for ((i = 0; i < waiting; i++)); do
		submit -A a -n2 && submit -A b -n2 || return 1
	done
}

# all_told ACCOUNT: each job that waits there tells its place among all of them
all_told() {
	squeue -h -t PD -A "$1" -S p -O reason:120 >told
	[ -s told ] && [ -z "$(grep -v "^Cohort:pos=[0-9]*/$(wc -l <told),wait=quota" told)" ]
}

# They come faster than texts may be written anew. Nothing happens after that.
test_expect_success 'the last change is told when texts may be written again' '
	fill && wait_for 20 "all_told a && all_told b" && count
'

# They may be written anew each second.
test_expect_success 'nothing changes: no job is matched, booked, planned or told' '
	passes_on 4 && count && [ $passes -ge 5 ] &&
	[ "$matches $booked $plans $texts" = "0 0 0 0" ]
'

test_expect_success 'one more: it is matched at most once, and booked; texts of its queue are made, and of no other' '
	submit -A a -n2 && wait_for 10 "all_told a" && passed && count &&
	[ $matches -le 1 ] && [ $booked -le 1 ] && [ $plans -le 2 ] && [ $texts -eq $((waiting + 1)) ]
'

# Others of the cohort would fit, too, until one starts. That is told if it lasts until texts
# may be made again, a second.
test_expect_success 'one ends, and another one starts: these are booked anew; only the places behind that are told' '
	one=${running[0]} && count && end_one && wait_for 10 "[ \"\$(squeue -h -t R -A a -o %A | wc -l)\" -eq 4 ]" &&
	wait_for 10 "job_gone $one && all_told a" && passed && count &&
	next=$(squeue -h -t R -A a -S i -o %A | tail -n1) &&
	late=$(($(date -d "$(job_field $next StartTime)" +%s) - $(date -d "$(job_field $one EndTime)" +%s))) &&
	echo "$late s" && [ $matches -eq 0 ] && [ $booked -le 2 ] && [ $plans -le 4 ] &&
	[ $texts -le $(((waiting + 1) * (1 + late))) ]
'

test_expect_success 'more are submitted, with several partitions: each is booked' '
	for ((i = 0; i < 30; i++)); do several=$(submit -A a -n2 -p one,two,three) || return 1; done &&
	wait_for 20 "in_line $several"
'

replace_one() {
	running=($(squeue -h -t R -A a -o %A)) && end_one && wait_for 10 "[ \"\$(squeue -h -t R -A a | wc -l)\" -eq 4 ]"
}

# In the state file each that starts or ends is looked at, and all others once in a minute
test_expect_success 'some end and others begin: few jobs are saved' '
	last=$(submit -A a -n2) && wait_for 20 "in_line $last" && count &&
	for ((i = 0; i < 5; i++)); do replace_one && passed || return 1; done && count && [ $saved -gt 0 ] && [ $saved -le $((5 * 6 + (ms / 60000 + 1) * 150)) ]
'

# ---- what is changed is seen ----

need() { job_reason "$1" | sed -n 's/.*,need=\([0-9]*\),.*/\1/p'; }

place_of() { reason_pos "$1" | sed "s,/.*,,"; }

test_expect_success 'one that waits is updated: its text follows' '
	[ "$(need $last)" = 2 ] && job_update $last NumTasks=3 NumCPUs=3 &&
	wait_for 10 "[ \"\$(need $last)\" = 3 ]"
'

test_expect_success 'so it does of one with several partitions' '
	[ "$(need $several)" = 2 ] && job_update $several NumTasks=3 NumCPUs=3 &&
	wait_for 10 "[ \"\$(need $several)\" = 3 ]"
'

# Nothing but the fields themselves shows these, all over the line.
fail_update() {
	test_must_fail job_update $1 NumCPUs=4 NumTasks=4 Features=none_such &&
		scontrol show job $1 | grep "NumCPUs=4"
}

need_four() {
	local id
	for id; do
		[ "$(need $id)" = 4 ] || return 1
	done
}

test_expect_success 'an update that fails has changed it all the same: that is seen' '
	spread=$(squeue -h -t PD -A a -p main -o %A | sort -n | grep -vx $last | awk "NR % 8 == 0") && [ $(echo $spread | wc -w) -ge 3 ] &&
	scontrol update partition=one MaxNodes=4 && next_second && next_second && passed &&
	for id in $spread; do fail_update $id || return 1; done &&
	wait_for 10 "need_four $(echo $spread)"
'

test_expect_success 'one is held and released: so it does' '
	scontrol hold $last && wait_for 10 "squeue -h -j $last -o %r | grep -q JobHeld" &&
	scontrol release $last && wait_for 10 "[ \"\$(need $last)\" = 3 ]"
'

test_expect_success 'one that waits is cancelled: it has no place any more' '
	behind=$(submit -A a -n2) && wait_for 10 "in_line $behind" && place=$(place_of $behind) &&
	scancel $last && wait_for 10 "[ \"\$(place_of $behind)\" -lt $place ]"
'

# Its victim shares no nodes: the nodes are those of candidates that Slurm knows
test_expect_success 'an owner has its nodes back from one that has them for itself, also if nobody else waits' '
	cluster_clear && big=$(submit -A a -N4 --exclusive) && all_run $big &&
	owner=$(submit -A b -n1) && all_run $owner
'

test_expect_success 'none has changed without a word' '
	! grep "nobody has told" "$CLUSTER/log/slurmctld.log"
'

test_done
