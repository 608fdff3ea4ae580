#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='estimates of starts rest a thousand times as long as they took, half a minute at most'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"

estimate_conf >slurm.conf
{
	quota_head
	echo 'clusterQueues:'
	queue a 99999
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# plays_told: of each play so far, by slurmctld.log, a line: when it was over, in seconds since
# the epoch, and its CPU time in ms
plays_told() {
	local at us
	sed -n 's/^\[\([^]]*\)\].*slurm-cohort: estimates of .* to write, CPU time \([0-9]*\) us$/\1 \2/p' \
		"$CLUSTER/log/slurmctld.log" |
		while read -r at us; do
			echo "$(date -d "$at" +%s) $((us / 1000))"
		done
}

# has_played N: more than N times
has_played() { [ "$(plays_told | wc -l)" -gt "$1" ]; }

# limit_is MINUTES: of nearly all tasks. Each of these has a record of its own then
limit_is() { scontrol update job="${array}_[1-300]" timelimit="$1"; }

# Each update asks for another play
test_expect_success 'some hundred jobs: an estimate takes milliseconds' '
	running=$(submit -A a -n16 -t 100) && all_run $running &&
	array=$(submit -A a -n16 -t 7 --array=1-310) && wait_for 30 "in_line $array" &&
	n=$(plays_told | wc -l) && limit_is 8 && wait_for 60 "has_played $n" &&
	limit_is 9 && wait_for 60 "has_played $((n + 1))" && limit_is 10 && wait_for 60 "has_played $((n + 2))" &&
	plays_told >told && read -r last took < <(sed -n $((n + 2))p told) && read -r next _ < <(sed -n $((n + 3))p told) &&
	rest=$((took < 30 ? took : 30)) && echo "took $took ms, rested from $last to $next" && [ $rest -ge 10 ]
'

# However late anybody has looked
test_expect_success 'it rests a thousand times as long, half a minute at most' '
	[ $((next - last)) -ge $((rest - 5)) ]
'

# Slow or not: the one who asks waits for that at most, and for a pass
test_expect_success 'and not for longer' '
	before=$(plays_told | wc -l) && read -r _ took < <(plays_told | tail -n 1) &&
	rest=$((took < 30 ? took : 30)) && limit_is 11 && wait_for $((rest + 10)) "has_played $before"
'

test_done
