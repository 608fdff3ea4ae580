#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='estimates of starts rest a thousand times as long as they took, half a minute at most'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"
. "$TESTSUITE/lib/scohort.sh"

estimate_conf >slurm.conf
{
	quota_head
	echo 'clusterQueues:'
	queue a 99999
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

plays() { metric estimate_plays_total; }
has_played() { [ "$(plays)" -gt "$1" ]; }

# played_at N: when the one of that number was over, by slurmctld.log, in seconds since the
# epoch; "" if it is not
played_at() {
	local line
	line=$(grep 'slurm-cohort: estimates of .* to play' "$CLUSTER/log/slurmctld.log" | sed -n "$1p") &&
		[ -z "$line" ] || date -d "$(sed 's/^\[\([^]]*\)\].*/\1/' <<<"$line")" +%s
}

# plays_and_ms: how many there were and what they have taken, in one look
plays_and_ms() {
	scohort metrics | awk '/^slurm_cohort_estimate_plays_total / { plays = $2 }
		/^slurm_cohort_estimate_cpu_seconds_total / { ms = $2 * 1000 }
		END { printf "%d %d\n", plays, ms }'
}

# limit_is MINUTES: of nearly all tasks. Each of these has a record of its own then
limit_is() { scontrol update job="${array}_[1-300]" timelimit="$1"; }

test_expect_success 'some hundred jobs: an estimate takes milliseconds' '
	running=$(submit -A a -n16 -t 100) && all_run $running &&
	array=$(submit -A a -n16 -t 7 --array=1-310) && wait_for 30 "in_line $array" &&
	n=$(plays) && limit_is 8 && wait_for 60 "has_played $n"
'

# played_once N: one more than N; sets spent, what they have taken
played_once() { read -r plays spent < <(plays_and_ms) && [ "$plays" = $(($1 + 1)) ]; }

# rest: how long the last play has to rest, in s, by what it took in ms
test_expect_success 'the next one is soon after a thousand times as long, half a minute at most' '
	read -r n before < <(plays_and_ms) && limit_is 9 && wait_for 60 "played_once $n" &&
	took=$((spent - before)) && rest=$((took < 30 ? took : 30)) &&
	echo "took $took ms" && [ $rest -ge 10 ] && limit_is 10 &&
	wait_for $((rest + 40)) "next=\$(played_at $((n + 2))); [ -n \"\$next\" ]"
'

# However late anybody has looked
test_expect_success 'and not before' '
	last=$(played_at $((n + 1))) && echo "rested from $last to $next" &&
	[ -n "$last" ] && [ $((next - last)) -ge $((rest - 5)) ]
'

test_done
