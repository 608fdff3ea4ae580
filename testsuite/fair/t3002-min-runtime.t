#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='min-runtimes: no job is evicted before its own has passed, one is after'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

{ three_tiers; quick_scheduler; } >tiers.conf

# lend WORD...: a and b own 4 each, b takes back; the words are a's
lend() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org "$@"
	queue b 4 cohort=org reclaim=Any
}

# How long jobs are protected, by a clock that the test moves
TIME=300

ctld_clock
lend >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

# Both of a's jobs would do; the last one to start would be the first to go, if
# it could go. But the older one is free to go first.
test_expect_success 'reclaimMinRuntime: nobody before, and the text says until when; then one of them' '
	use_cohort lend rmin=${TIME}s pmin=1h &&
	a1=$(submit -A a -N1 -n4) && all_run $a1 && free=$(($(started $a1) + TIME)) && later 1 &&
	a2=$(submit -A a -N1 -n4) && all_run $a2 &&
	b=$(submit -A b -n2) && protected $b $free &&
	due_at $free "job_runs $a1 $a2 && job_waits $b" $a1 &&
	all_run $b && evicted_are $a1 && [ $(ran $a1) -eq $TIME ] &&
	[ "$(rule_of $a1)" = InCohortReclamation ] &&
	job_runs $a2
'

test_expect_success 'what was freed is his, nobody goes for it again' '
	b2=$(submit -A b -n2) && all_run $b2 && evicted_are $a1
'

test_expect_success 'who has run longer than that is evicted at once, not the one before him' '
	use_cohort lend rmin=${TIME}s &&
	a1=$(submit -A a -N1 -n4) && all_run $a1 &&
	clock_to $(($(started $a1) + TIME)) &&
	a2=$(submit -A a -N1 -n4) && all_run $a2 &&
	b=$(submit -A b -n2) && all_run $b &&
	evicted_are $a1 && [ $(ran $a1) -ge $TIME ]
'

# The last run does not count
test_expect_success 'a requeued job is protected anew' '
	use_cohort lend rmin=${TIME}s &&
	a1=$(submit -A a -N2 -n8) && all_run $a1 &&
	clock_to $(($(started $a1) + TIME)) &&
	runs=$(job_restarts $a1) && scontrol requeue $a1 &&
	wait_for 10 "[ \"\$(job_restarts $a1)\" -gt $runs ]" && wait_for 20 "job_runs $a1" &&
	free=$(($(started $a1) + TIME)) &&
	b=$(submit -A b -n4) && protected $b $free &&
	due_at $free "job_runs $a1 && job_waits $b" $a1 && all_run $b && [ $(ran $a1) -eq $TIME ]
'

# One of 8 CPUs of a comes free, one more is needed: it is not a4's meanwhile
test_expect_success 'what is freed meanwhile is kept for the one who waits, up to its quota' '
	use_cohort lend rmin=${TIME}s &&
	a1=$(submit -A a) && all_run $a1 && free=$(($(started $a1) + TIME)) && later 1 &&
	a=$(submit_some 6 -A a) && a8=$(submit -A a) && all_run $a $a8 &&
	a9=$(submit -A a) && b=$(submit -A b -n2) && protected $b $free &&
	scancel $a8 && due_at $free "job_runs $a1 $a && job_waits $a9 $b" $a1 &&
	all_run $b && evicted_are $a1 && job_waits $a9
'

test_expect_success 'preemptMinRuntime does not hold against other queues' '
	use_cohort lend pmin=1h &&
	a1=$(submit -A a -N2 -n8) && all_run $a1 &&
	b=$(submit -A b -n1) &&
	all_run $b &&
	evicted_are $a1
'

own_queue() {
	quota_head
	echo 'clusterQueues:'
	queue q 4 within=LowerPriority "$@"
}

test_expect_success 'preemptMinRuntime: the same within the queue' '
	use_cohort own_queue pmin=${TIME}s rmin=1h &&
	lo=$(submit -A q -p lo -N1 -n4) && all_run $lo &&
	free=$(($(started $lo) + TIME)) &&
	hi=$(submit -A q -p hi -N1 -n4) &&
	protected $hi $free &&
	due_at $free "job_runs $lo && job_waits $hi" $lo &&
	all_run $hi && evicted_are $lo && [ $(ran $lo) -eq $TIME ] &&
	[ "$(rule_of $lo)" = InClusterQueue ]
'

test_expect_success 'reclaimMinRuntime does not hold within the queue' '
	use_cohort own_queue rmin=1h &&
	lo=$(submit -A q -p lo -N1 -n4) && all_run $lo &&
	hi=$(submit -A q -p hi -N1 -n4) &&
	all_run $hi && evicted_are $lo
'

test_expect_success 'time spent suspended does not count' '
	use_cohort lend rmin=${TIME}s &&
	a1=$(submit -A a -N2 -n8) && all_run $a1 &&
	free=$(($(started $a1) + TIME)) &&
	b=$(submit -A b -n4) &&
	protected $b $free &&
	scontrol suspend $a1 && from=$(changed_at $a1) && clock_to $((free + TIME)) && pass_now &&
	holds_for 2 "[ \$(job_state $a1) = SUSPENDED ] && job_waits $b" &&
	scontrol resume $a1 && paused=$(($(changed_at $a1) - from)) &&
	due_at $((free + paused)) "job_runs $a1 && job_waits $b" $a1 && all_run $b && evicted_are $a1
'

fair() {
	quota_head
	echo 'fairSharing: {enable: true}'
	cohorts org:-:nominal=8
	echo 'clusterQueues:'
	queue x 0 cohort=org rmin=${TIME}s
	queue y 0 cohort=org reclaim=Any
}

test_expect_success 'with fair sharing too' '
	use_cohort fair &&
	x1=$(submit -A x) && all_run $x1 && free=$(($(started $x1) + TIME)) && later 1 &&
	x=$(submit_some 7 -A x) && all_run $x &&
	y=$(submit -A y) && protected $y $free &&
	due_at $free "job_runs $x1 $x && job_waits $y" $x1 && all_run $y && [ $(ran $x1) -eq $TIME ] &&
	[ "$(rule_of $x1)" = InCohortFairSharing ]
'

test_done
