#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a pass after a submission or an end looks at few records, and misses no update'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org reclaim=Any
	queue b 8 cohort=org reclaim=Any
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
waiting=300

need() { job_reason "$1" | sed -n 's/.*,need=\([0-9]*\),.*/\1/p'; }

place_of() { reason_pos "$1" | sed "s,/.*,,"; }

looks() { metric job_record_looks_total; }
passes() { metric pass_duration_seconds_count; }

# Published by a pass that began after now, NUMBER passes later
passes_on() {
	local until=$(($(passes) + $1))
	wait_for 30 "[ \"\$(passes)\" -gt $until ]"
}

fill() {
	local i
	for ((i = 0; i < 8; i++)); do
		running=$(submit -A a -n1) || return 1
	done
	other=$(submit -A b -n8) && all_run $running $other || return 1
	for ((i = 0; i < waiting; i++)); do
		last=$(submit -A a -n2) || return 1
	done
}

# A second of passes that look at fewer than a third of the records
is_calm() {
	local looks passes
	looks=$(looks) passes=$(passes)
	passes_on 2 && [ $(($(looks) - looks)) -le $((($(passes) - passes) * waiting / 3)) ]
}

# few COMMAND...: from then on, in four passes, on average a third of the records at most
few() {
	local looks passes
	looks=$(looks) passes=$(passes)
	"$@" >command 2>&1 && passes_on 4 || return 1
	looks=$(($(looks) - looks)) passes=$(($(passes) - passes))
	echo "$looks looks, $passes passes"
	[ $passes -gt 0 ] && [ $looks -le $((passes * waiting / 3)) ]
}

test_expect_success 'the world: many wait' '
	fill && wait_for 30 is_calm
'

test_expect_success 'one more is submitted: few records are looked at' '
	few submit -A a -n2
'

test_expect_success 'one ends and another begins: few records are looked at' '
	few scancel $running
'

test_expect_success 'one that waits is updated: its text follows' '
	[ "$(need $last)" = 2 ] && job_update $last NumTasks=3 NumCPUs=3 &&
	wait_for 10 "[ \"\$(need $last)\" = 3 ]"
'

test_expect_success 'one is held and released: so it does' '
	scontrol hold $last && wait_for 10 "squeue -h -j $last -o %r | grep -q JobHeld" &&
	scontrol release $last && wait_for 10 "[ \"\$(need $last)\" = 3 ]"
'

test_expect_success 'one that waits is cancelled: it has no place any more' '
	behind=$(submit -A a -n2) && in_line $behind && place=$(place_of $behind) &&
	scancel $last && wait_for 10 "[ \"\$(place_of $behind)\" -lt $place ]"
'

test_done
