#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='passes after submissions and ends look at few records, and miss no update'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/looks.sh"

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
waiting=300

need() { job_reason "$1" | sed -n 's/.*,need=\([0-9]*\),.*/\1/p'; }

place_of() { reason_pos "$1" | sed "s,/.*,,"; }

fill() {
	local i
	for ((i = 0; i < 8; i++)); do
		running+=("$(submit -A a -n1)") || return 1
	done
	other=$(submit -A b -n8) && all_run "${running[@]}" $other || return 1
	for ((i = 0; i < waiting; i += 2)); do
		several=$(submit -A a -n2 -p one,two,three) && last=$(submit -A a -n2) || return 1
	done
}

# Each record has its turn within six seconds, all are looked at once a minute, and with
# them those that a pass needs: at most so many looks in MILLISECONDS, PASSES
may_look() { echo $((waiting * ($1 / 6000 + 1) + waiting * ($1 / 60000 + 1) + 20 * $2)); }

test_expect_success 'the world: many wait, some of them by several partitions' '
	fill && wait_for 30 "in_line $several $last" && passes_on 2
'

test_expect_success 'more are submitted: few records are looked at' '
	few submit -A a -n2
'

test_expect_success 'some end and others begin: few records are looked at' '
	few end_one
'

test_expect_success 'one that waits is updated: its text follows' '
	[ "$(need $last)" = 2 ] && job_update $last NumTasks=3 NumCPUs=3 &&
	wait_for 10 "[ \"\$(need $last)\" = 3 ]"
'

test_expect_success 'so it does of one with several partitions' '
	[ "$(need $several)" = 2 ] && job_update $several NumTasks=3 NumCPUs=3 &&
	wait_for 10 "[ \"\$(need $several)\" = 3 ]"
'

# Nothing but their turn shows these: all over the line, each has it within six seconds. A
# change of a partition has all looked at, until its second is over; so the look once a
# minute is far.
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
	spread="$((last - 240)) $((last - 160)) $((last - 80)) $last" &&
	scontrol update partition=one MaxNodes=4 && changed=$EPOCHSECONDS &&
	wait_for 10 "[ \$EPOCHSECONDS -gt $((changed + 1)) ]" && passes_on 1 &&
	for id in $spread; do fail_update $id || return 1; done &&
	wait_for 10 "need_four $spread" &&
	job_update $last NumTasks=3 NumCPUs=3
'

test_expect_success 'one is held and released: so it does' '
	scontrol hold $last && wait_for 10 "squeue -h -j $last -o %r | grep -q JobHeld" &&
	scontrol release $last && wait_for 10 "[ \"\$(need $last)\" = 3 ]"
'

test_expect_success 'one that waits is cancelled: it has no place any more' '
	behind=$(submit -A a -n2) && wait_for 10 "in_line $behind" && place=$(place_of $behind) &&
	scancel $last && wait_for 10 "[ \"\$(place_of $behind)\" -lt $place ]"
'

test_done
