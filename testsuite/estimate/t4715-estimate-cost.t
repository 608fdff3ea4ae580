#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='estimates of starts: a tenth of a core, however many jobs find no nodes; what is too far away is said'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	estimate_conf
	echo MaxArraySize=3001
	echo MaxJobCount=20000
} >slurm.conf
{
	quota_head
	echo 'clusterQueues:'
	queue a 99999
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# plays_again COMMAND...: it changes something, and the cluster is played forward after that
plays_again() {
	local n
	n=$(metric estimate_plays_total) && "$@" &&
		wait_for 150 "[ \"\$(metric estimate_plays_total)\" -gt $n ]"
}

limit_is() { scontrol update job="${array}_[1-2990]" timelimit="$1"; }

# Nothing is played while nothing changes.
rests() {
	local n
	n=$(metric estimate_plays_total) && holds_for 3 "[ \"\$(metric estimate_plays_total)\" = $n ]"
}

# One play is at most five seconds long; taking and writing come on top.
within_share() {
	local spent since=$1
	spent=$(metric estimate_cpu_seconds_total)
	echo "$spent s of $((EPOCHSECONDS - since)) s, $(metric estimate_plays_total) times, $(metric estimate_jobs_too_far) too far"
	awk -v spent="$spent" -v time=$((EPOCHSECONDS - since + 1)) 'BEGIN { exit !(spent <= time / 10 + 6) }'
}

test_expect_success 'a few jobs: played to the end, and counted' '
	begun=$EPOCHSECONDS && running=$(submit -A a -n16 -t 100) && all_run $running &&
	first=$(submit -A a -n16 -t 7) && estimated $first $(ends $running) 35 &&
	wait_for 10 "[ \"\$(metric estimate_plays_total)\" -ge 1 ]" && [ "$(metric estimate_jobs_too_far)" = 0 ]
'

test_expect_success 'where nothing changes nothing is played' '
	wait_for 30 rests
'

# Each task that has a record of its own is a job when the cluster is played forward
test_expect_success 'thousands that have quota and no nodes: the first ones have an estimate' '
	array=$(submit -A a -n16 -t 7 --array=1-3000) && wait_for 30 "in_line $array" &&
	plays_again limit_is 8 && wait_for 150 "[ \"\$(metric estimate_jobs_too_far)\" -gt 0 ]" &&
	plays_again limit_is 9 && estimated $first $(ends $running) 35
'

test_expect_success 'and all of that takes a tenth of a core' '
	within_share $begun
'

test_expect_success 'those behind them have none, and are told why' '
	wait_for 10 "[ \"\$(metric estimate_jobs_too_far)\" -gt 0 ]" &&
	wait_for 10 "scohort why ${array}_2990 | grep \"further ahead than slurmctld looks\"" && no_estimate ${array}_2990
'

test_done
