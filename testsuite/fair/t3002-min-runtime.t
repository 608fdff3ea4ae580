#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='min-runtimes: no job is evicted before its own has passed, one is after'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"

{ three_tiers; quick_scheduler; } >tiers.conf

# lend WORD...: a and b own 4 each, b takes back; the words are a's
lend() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org "$@"
	queue b 4 cohort=org reclaim=Any
}

lend >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

# Both of a's jobs would do; the last one to start would be the first to go, if
# it could go. But the older one is free to go first.
test_given_time 'reclaimMinRuntime: nobody before, and the text says until when; then one of them' '
	use_cohort lend rmin=${TIME}s pmin=1h &&
	a1=$(submit -A a -N1 -n4) && all_run $a1 && next_second && next_second && next_second &&
	a2=$(submit -A a -N1 -n4) && all_run $a2 &&
	free=$(($(started $a1) + TIME)) && later=$(($(started $a2) + TIME)) &&
	b=$(submit -A b -n2) &&
	protected $b $free &&
	until_then $free "job_runs $a1 $a2 && job_waits $b" &&
	all_run $b && before $(evicted_at "[0-9]*") $later &&
	evicted_are $a1 &&
	ran_for $a1 $TIME &&
	[ "$(rule_of $a1)" = InCohortReclamation ] &&
	job_runs $a2
' 6 20 60

test_expect_success 'what was freed is his, nobody goes for it again' '
	b2=$(submit -A b -n2) && all_run $b2 && evicted_are $a1
'

test_given_time 'who has run longer than that is evicted at once, not the one before him' '
	use_cohort lend rmin=${TIME}s &&
	a1=$(submit -A a -N1 -n4) && all_run $a1 &&
	until_then $(($(started $a1) + TIME)) true &&
	a2=$(submit -A a -N1 -n4) && all_run $a2 && later=$(($(started $a2) + TIME)) &&
	b=$(submit -A b -n2) && all_run $b && before $(started $b) $later &&
	evicted_are $a1 && [ $(ran $a1) -ge $TIME ]
'

# The last run does not count
test_given_time 'a requeued job is protected anew' '
	use_cohort lend rmin=${TIME}s &&
	a1=$(submit -A a -N2 -n8) && all_run $a1 &&
	until_then $(($(started $a1) + TIME)) true &&
	runs=$(job_restarts $a1) && scontrol requeue $a1 &&
	wait_for 10 "[ \"\$(job_restarts $a1)\" -gt $runs ]" && wait_for 20 "job_runs $a1" &&
	free=$(($(started $a1) + TIME)) &&
	b=$(submit -A b -n4) &&
	protected $b $free &&
	until_then $free "job_runs $a1 && job_waits $b" &&
	all_run $b && ran_for $a1 $TIME
'

# One of 8 CPUs of a comes free, one more is needed: it is not a4's meanwhile
test_given_time 'what is freed meanwhile is kept for the one who waits, up to its quota' '
	use_cohort lend rmin=${TIME}s &&
	a=$(submit_some 7 -A a) && a8=$(submit -A a) && all_run $a $a8 &&
	free=$(($(started ${a%% *}) + TIME)) &&
	a9=$(submit -A a) && b=$(submit -A b -n2) &&
	protected $b $free &&
	scancel $a8 && before $EPOCHSECONDS $free &&
	until_then $free "job_runs $a && job_waits $a9 $b" &&
	all_run $b &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 1 ]" &&
	holds_for 2 "[ \$(evicted | wc -w) -eq 1 ] && job_waits $a9"
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

test_given_time 'preemptMinRuntime: the same within the queue' '
	use_cohort own_queue pmin=${TIME}s rmin=1h &&
	lo=$(submit -A q -p lo -N1 -n4) && all_run $lo &&
	free=$(($(started $lo) + TIME)) &&
	hi=$(submit -A q -p hi -N1 -n4) &&
	protected $hi $free &&
	until_then $free "job_runs $lo && job_waits $hi" &&
	all_run $hi && evicted_are $lo && ran_for $lo $TIME &&
	[ "$(rule_of $lo)" = InClusterQueue ]
'

test_expect_success 'reclaimMinRuntime does not hold within the queue' '
	use_cohort own_queue rmin=1h &&
	lo=$(submit -A q -p lo -N1 -n4) && all_run $lo &&
	hi=$(submit -A q -p hi -N1 -n4) &&
	all_run $hi && evicted_are $lo
'

test_given_time 'time spent suspended does not count' '
	use_cohort lend rmin=${TIME}s &&
	a1=$(submit -A a -N2 -n8) && all_run $a1 &&
	free=$(($(started $a1) + TIME)) &&
	b=$(submit -A b -n4) &&
	protected $b $free &&
	{ scontrol suspend $a1 || { before $EPOCHSECONDS $free && false; }; } && before $EPOCHSECONDS $free && from=$(changed_at $a1) &&
	until_then $((free + 2)) "[ \$(job_state $a1) = SUSPENDED ] && job_waits $b" &&
	scontrol resume $a1 && resumed $a1 && paused=$((at - from)) &&
	until_then $((free + paused - 1)) "job_runs $a1 && job_waits $b" &&
	all_run $b && evicted_are $a1 && ran_for $a1 $((TIME + paused - 1))
'

fair() {
	quota_head
	echo 'fairSharing: {enable: true}'
	cohorts org:-:nominal=8
	echo 'clusterQueues:'
	queue x 0 cohort=org rmin=${TIME}s
	queue y 0 cohort=org reclaim=Any
}

test_given_time 'with fair sharing too' '
	use_cohort fair &&
	x=$(submit_some 8 -A x) && all_run $x &&
	free=$(($(started ${x%% *}) + TIME)) &&
	y=$(submit -A y) &&
	protected $y $free &&
	until_then $free "job_runs $x && job_waits $y" &&
	all_run $y &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 1 ]" &&
	ran_for $(evicted) $TIME &&
	[ "$(rule_of $(evicted))" = InCohortFairSharing ]
'

test_done
