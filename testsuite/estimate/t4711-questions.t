#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='sbatch --test-only: however many ask, it costs a tenth of a core, and no answer is wrong'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quick_scheduler
	echo MaxArraySize=8001
	echo MaxJobCount=20000
} >slurm.conf
{
	quota_head
	echo 'clusterQueues:'
	queue a 4 strategy=StrictFIFO
	queue b 4
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# published WHAT: of the questions so far: answered, postponed, microseconds
published() { json "d[\"work\"][\"questions\"][\"$1\"]" <"$CLUSTER/state/cohort_status.json"; }

# Some may be saved, less than a second. One question may be over what is left.
within_budget() {
	local spent since=$1
	spent=$(published microseconds)
	echo "$spent us for $(published answered), $(published postponed) not, in $((EPOCHSECONDS - since)) s"
	[ "$spent" -le $((1000000 + (EPOCHSECONDS - since + 1) * 100000 + 1000000)) ]
}

# ask TIMES: so many questions, three at a time, behind all that wait
ask() {
	seq "$1" | xargs -P 3 -I% timeout 60 sbatch --test-only -A a -n1 -t 5 --wrap true 2>&1 |
		sed 's/Job [0-9]*//' | sort | uniq -c
}

test_expect_success 'one question: answered, and counted' '
	begun=$EPOCHSECONDS && test_only -A b -n1 -t 5 &&
	wait_for 10 "[ \"\$(published answered)\" = 1 ]" && [ "$(published postponed)" = 0 ]
'

# Each task that goes before is a job when the cluster is played forward, so one question
# costs more than a tenth of the time in which a busy machine asks it. An update of
# some tasks makes a record for each of them
test_expect_success 'many ask what costs much: some are not answered now' '
	running=$(submit -A a -n4 -t 100) && all_run $running &&
	array=$(submit -A a -n1 -t 7 --array=1-8000) && wait_for 20 "in_line $array" &&
	scontrol update job="${array}_[1-7990]" timelimit=8 &&
	wait_for 120 "ask 20; [ \"\$(published postponed)\" -gt 0 ]" && within_budget $begun
'

test_expect_success 'whoever goes on asking gets no more than that' '
	before=$(published postponed) &&
	wait_for 120 "ask 20; [ \"\$(published postponed)\" -gt $((before + 9)) ]" &&
	within_budget $begun
'

# Asked while others ask: a slow machine has saved enough for an answer before it asks alone
is_postponed() {
	local asking rc=1
	ask 20 >asked &
	asking=$!
	while [ $rc != 0 ] && kill -0 $asking 2>/dev/null; do
		scohort whatif --json -A a -n1 -t 5 >whatif
		grep "No estimate now" whatif && rc=0
	done
	wait $asking
	return $rc
}

test_expect_success 'what is not answered is said to be unknown, not never' '
	wait_for 120 is_postponed &&
	[ "$(json "d[\"verdict\"]" <whatif)" = postponed ]
'

test_expect_success 'later there is an answer again' '
	cluster_clear && wait_for 60 "scohort whatif -A b -n1 -t 5 | grep \"start now\""
'

test_done
