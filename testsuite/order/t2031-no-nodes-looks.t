#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that may start and find no nodes are looked at when something has become of them'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/looks.sh"

# Quota for all, nodes for few
{
	quota_head
	echo 'clusterQueues:'
	queue a 10000
	queue b 4
} >cohort.yaml
# What backfill tries is looked at
quick_scheduler bf_max_job_test=1 >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
waiting=300

lacks_nodes() { job_reason "$1" | grep -q 'wait=nodes'; }
fill() {
	local i
	for ((i = 0; i < 8; i++)); do
		running+=("$(submit -A a -n2)") || return 1
	done
	all_run "${running[@]}" &&
	for ((i = 0; i < waiting; i++)); do
		last=$(submit -A a -n2) || return 1
	done
	few=$(submit -A b -n2) && wait_for 30 "lacks_nodes $last && lacks_nodes $few"
}

# Each record has its turn within six seconds, all are looked at once a minute, and with
# them those that a pass tries: at most so many looks in MILLISECONDS, PASSES
may_look() { echo $((waiting * ($1 / 6000 + 1) + waiting * ($1 / 60000 + 1) + 30 * $2)); }

test_expect_success 'the world: many may start, and find no nodes' '
	fill && passes_on 2
'

test_expect_success 'more are submitted: few records are looked at' '
	few submit -A a -n2
'

test_expect_success 'some end and others begin: few records are looked at' '
	few end_one
'

test_expect_success 'one asks for more than its queue has, and for less again: so it says' '
	job_update $few NumTasks=6 NumCPUs=6 && wait_for 10 "! lacks_nodes $few" &&
	job_update $few NumTasks=3 NumCPUs=3 && wait_for 10 "lacks_nodes $few"
'

test_expect_success 'one is held and released: it has no place, and has one again' '
	scontrol hold $last && wait_for 10 "squeue -h -j $last -o %r | grep -q JobHeld" &&
	scontrol release $last && wait_for 10 "lacks_nodes $last"
'

test_done
