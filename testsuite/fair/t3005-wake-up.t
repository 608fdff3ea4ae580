#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the end of a protection wakes the scheduler up'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

# No periodic pass in the time of this test, and nothing that brings texts up to
# date: whoever starts was woken up for. t3004 has the same for turns.
{ three_tiers; no_passes; } >slurm.conf

# How long everybody is protected, by a clock that the test moves
TIME=300

# lend A B WORD...: a and b own that much; the words are b's
lend() {
	quota_head 1h
	echo "minRuntime: {preempt: ${TIME}s, reclaim: ${TIME}s}"
	cohorts org
	echo 'clusterQueues:'
	queue a "$1" cohort=org
	queue b "$2" cohort=org within=LowerPriority reclaim=Any "${@:3}"
}

# in_time ID FREE VICTIM...: it starts as these go at FREE, and not before
in_time() { due_at "$2" "job_waits $1" "${@:3}" && all_run "$1" && evicted_are "${@:3}"; }

# free_at ID: when its protection ends
free_at() { echo $(($(started $1) + TIME)); }

ctld_clock
lend 4 4 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

test_expect_success 'reclaimMinRuntime' '
	use_cohort lend 4 4 &&
	a=$(submit -A a -N2 -n8) && all_run $a && free=$(free_at $a) &&
	b=$(submit -A b -n4) && in_time $b $free $a
'

test_expect_success 'preemptMinRuntime' '
	use_cohort lend 4 4 &&
	lo=$(submit -A b -p lo -N2 -n8) && all_run $lo && free=$(free_at $lo) &&
	hi=$(submit -A b -p hi -N1 -n4) && in_time $hi $free $lo
'

# a2 starts 100 s after a1
two_victims() {
	keep=$(submit -A a -N1 -n4 -p hi) && a1=$(submit -A a -n2 -p lo) &&
		all_run $keep $a1 && clock_to $(($(started $a1) + 100)) &&
		a2=$(submit -A a -n2 -p lo) && all_run $a2
}

test_expect_success 'two who wait: each when its victim is free' '
	use_cohort lend 4 4 reclaim=LowerPriority &&
	two_victims && free1=$(free_at $a1) && free2=$(free_at $a2) &&
	b1=$(submit -A b -n2 -p mid) && b2=$(submit -A b -n2 -p mid) &&
	in_time $b1 $free1 $a1 && job_waits $b2 && in_time $b2 $free2 $a1 $a2 &&
	log_has "evict: JobId=$a1 .* for JobId=$b1 "
'

test_expect_success 'one who needs two: when both are free, and nobody goes before' '
	use_cohort lend 4 4 reclaim=LowerPriority && two_victims &&
	free=$(free_at $a2) && b=$(submit -A b -n4 -p mid) &&
	clock_to $(free_at $a1) && pass_now && [ -z "$(evicted)" ] && in_time $b $free $a1 $a2
'

test_expect_success 'who was resumed meanwhile' '
	use_cohort lend 4 4 &&
	a=$(submit -A a -N2 -n8) && all_run $a && start=$(started $a) &&
	b=$(submit -A b -n4) &&
	scontrol suspend $a && from=$(changed_at $a) && clock_to $((start + TIME + 60)) && pass_now && job_waits $b &&
	scontrol resume $a && in_time $b $((start + TIME + $(changed_at $a) - from)) $a
'

# a holds 2 CPUs of each node, 4 of them borrowed. There is quota for b, but no
# node on which it could start.
test_expect_success 'who waits for nodes only' '
	use_cohort lend 4 12 &&
	a1=$(submit -A a -w n1) && a2=$(submit -A a -w n1) && all_run $a1 $a2 && free=$(free_at $a2) && later 1 &&
	a= && for n in 2 3 4; do a="$a $(submit_some 2 -A a -w n$n)"; done && all_run $a &&
	b=$(submit -A b -N1 -n4) && wait_for 10 "[ \"\$(reason_wait $b)\" = nodes ]" &&
	in_time $b $free $a1 $a2
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

test_expect_success 'fair sharing' '
	use_cohort fair &&
	x=$(submit -A x -n4 -N1) && all_run $x && free=$(free_at $x) && later 1 &&
	x2=$(submit -A x -n4 -N1) && all_run $x2 &&
	y=$(submit -A y -n4 -N1) && in_time $y $free $x
'

# The plan of the pass after that knows of nobody who waits. What slurmctld does now and then
# it has done in the second before.
test_expect_success 'who waited has gone: nobody is woken up for it' '
	use_cohort lend 4 4 &&
	a=$(submit -A a -N2 -n8) && all_run $a && free=$(free_at $a) &&
	b=$(submit -A b -n4) && protected $b $free && scancel $b && pass_now &&
	clock_is "@$((free - 1))" && wait_for 30 settled && clock_is "@$free" &&
	holds_for 3 "[ \"\$(main_cycles)\" = $before ]" && job_runs $a && clock_to $free
'

test_done
