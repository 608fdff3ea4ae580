#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the end of a protection wakes the scheduler up'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/cycles.sh"

# No periodic pass in the time of this test, and nothing that brings texts up to
# date: whoever starts was woken up for. t3004 has the same for turns.
{ three_tiers; no_passes; } >slurm.conf

# How long everybody is protected
TIME=4

# lend A B WORD...: a and b own that much; the words are b's
lend() {
	quota_head 1h
	echo "minRuntime: {preempt: ${TIME}s, reclaim: ${TIME}s}"
	cohorts org
	echo 'clusterQueues:'
	queue a "$1" cohort=org
	queue b "$2" cohort=org within=LowerPriority reclaim=Any "${@:3}"
}

# in_time ID FREE: it starts at FREE, or soon after
in_time() {
	local start
	until_then $2 "job_waits $1" && all_run $1 && start=$(started $1) &&
		echo "free at $2, started at $start" &&
		[ $start -ge $2 ] && [ $start -le $(($2 + SLACK)) ]
}

# free_at ID: when its protection ends
free_at() { echo $(($(started $1) + TIME)); }

lend 4 4 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# The start of a job that was evicted is its next one: it is asked for before
test_given_time 'reclaimMinRuntime' '
	use_cohort lend 4 4 &&
	a=$(submit -A a -N2 -n8) && all_run $a && free=$(free_at $a) &&
	b=$(submit -A b -n4) && before $EPOCHSECONDS $free &&
	in_time $b $free && evicted_are $a
' 4 15 40

test_given_time 'preemptMinRuntime' '
	use_cohort lend 4 4 &&
	lo=$(submit -A b -p lo -N2 -n8) && all_run $lo && free=$(free_at $lo) &&
	hi=$(submit -A b -p hi -N1 -n4) && before $EPOCHSECONDS $free &&
	in_time $hi $free && evicted_are $lo
' 4 15 40

# a1 and a2 start 3 s apart
two_victims() {
	keep=$(submit -A a -N1 -n4 -p hi) && a1=$(submit -A a -n2 -p lo) &&
		all_run $keep $a1 && next_second && next_second && next_second &&
		a2=$(submit -A a -n2 -p lo) && all_run $a2
}

# Later than that both are free, and the younger one goes first
test_given_time 'two who wait: each when its victim is free' '
	use_cohort lend 4 4 reclaim=LowerPriority &&
	two_victims && free1=$(free_at $a1) && free2=$(free_at $a2) &&
	b1=$(submit -A b -n2 -p mid) && b2=$(submit -A b -n2 -p mid) &&
	in_time $b1 $free1 && before $(started $b1) $free2 && in_time $b2 $free2 &&
	evicted_are $a1 $a2 && log_has "evict: JobId=$a1 .* for JobId=$b1 "
' 4 15 40

test_given_time 'one who needs two: when both are free, and nobody goes before' '
	use_cohort lend 4 4 reclaim=LowerPriority && two_victims &&
	free=$(free_at $a2) && [ $free -gt $(free_at $a1) ] &&
	b=$(submit -A b -n4 -p mid) && before $EPOCHSECONDS $free &&
	until_then $free "[ -z \"\$(evicted)\" ]" &&
	in_time $b $free && evicted_are $a1 $a2
' 4 15 40

test_given_time 'who was resumed meanwhile' '
	use_cohort lend 4 4 &&
	a=$(submit -A a -N2 -n8) && all_run $a && start=$(started $a) &&
	b=$(submit -A b -n4) &&
	scontrol suspend $a && before $EPOCHSECONDS $((start + TIME)) && from=$(changed_at $a) &&
	until_then $((start + TIME + 2)) "job_waits $b" &&
	scontrol resume $a && resumed $a && free=$((start + TIME + at - from)) &&
	echo "free about $free" && in_time $b $((free - 1)) && evicted_are $a
'

# When the first node has no protected job any more
first_node_free() {
	local n
	for n in 1 2 3 4; do
		squeue -h -t R -w n$n -o %S | sort | tail -n 1
	done | sort | head -n 1 | date -f - +%s
}

# a holds 2 CPUs of each node, 4 of them borrowed. There is quota for b, but no
# node on which it could start.
test_given_time 'who waits for nodes only' '
	use_cohort lend 4 12 &&
	a= && for n in 1 2 3 4; do a="$a $(submit_some 2 -A a -w n$n)"; done && all_run $a &&
	free=$(($(first_node_free) + TIME)) &&
	b=$(submit -A b -N1 -n4) && seen_before $free "[ \"\$(reason_wait $b)\" = nodes ]" &&
	in_time $b $free &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 2 ]" && holds_for 2 "[ \$(evicted | wc -w) -eq 2 ]"
'

fair() {
	quota_head 1h
	echo 'fairSharing: {enable: true}'
	echo "minRuntime: {reclaim: ${TIME}s}"
	cohorts org:-:nominal=8
	echo 'clusterQueues:'
	queue x 0 cohort=org
	queue y 0 cohort=org reclaim=Any
}

test_given_time 'fair sharing' '
	use_cohort fair &&
	x=$(submit_some 2 -A x -n4 -N1) && all_run $x && free=$(free_at ${x%% *}) &&
	y=$(submit -A y -n4 -N1) && before $EPOCHSECONDS $free &&
	in_time $y $free && [ $(evicted | wc -w) -eq 1 ]
'

# resting: no pass is made for a while; what the last ones have done is done
resting() {
	local n
	n=$(main_cycles) && holds_for 1 "[ \"\$(main_cycles)\" = \"$n\" ]"
}

# The plan of the pass after that knows of nobody who waits
test_given_time 'who waited has gone: nobody is woken up for it' '
	away_from_midnight 60 && use_cohort lend 4 4 &&
	a=$(submit -A a -N2 -n8) && all_run $a && free=$(free_at $a) &&
	b=$(submit -A b -n4) && protected $b $free && scancel $b && pass_now &&
	wait_for 10 "job_gone $id" && wait_for 10 resting && n=$(main_cycles) && before $EPOCHSECONDS $free &&
	until_then $((free + 2)) "[ \"\$(main_cycles)\" = \"$n\" ]" && job_runs $a
' 12 30 60

test_done
