#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='fair sharing: idle quota is shared by weight, and evicted jobs do not take turns'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

{ three_tiers; quick_scheduler; } >tiers.conf

# fair_sharing [STRATEGY...]: turned on, with these strategies or the default
fair_sharing() {
	local list
	list=$(IFS=,; echo "$*")
	echo "fairSharing: {enable: true${list:+, preemptionStrategies: [$list]}}"
}

# borrowers OWNED WORD... QUEUE[:WORD...]...: "owner" owns what the others,
# which own nothing, live on; the words are those of every queue
borrowers() {
	local owned=$1 item
	shift
	cohorts org
	echo 'clusterQueues:'
	queue owner "$owned" cohort=org reclaim=Any
	for item; do
		# shellcheck disable=SC2086
		set -- ${item//:/ }
		queue "$1" 0 cohort=org reclaim=Any "${@:2}"
	done
}

# What x, y and z hold, by one look
shares() {
	usage_by_queue | awk '{ n[$1] = $2 } END { print n["x"] + 0, n["y"] + 0, n["z"] + 0 }'
}

# shared X Y Z: soon what the three queues hold, and then for 3 s; nobody is
# evicted meanwhile
shared() {
	local before
	wait_for 15 "[ \"\$(shares)\" = \"$*\" ]" || { shares; return 1; }
	before=$(evicted)
	holds_for 3 "[ \"\$(shares)\" = \"$*\" ]" && [ "$(evicted)" = "$before" ]
}

# All that were evicted so far are in line again
back_in_line() {
	local ids
	ids=$(evicted)
	[ -n "$ids" ] && wait_for 20 "in_line $ids"
}

three_equal() {
	quota_head
	fair_sharing
	borrowers 8 x y z
}
three_equal >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

test_expect_success 'the first one has it all, with the second it is half and half' '
	x=$(submit_some 10 -A x -p lo) &&
	shared 8 0 0 &&
	y=$(submit_some 6 -A y -p lo) &&
	wait_for 15 "[ \"\$(shares)\" = \"4 4 0\" ]" &&
	set -- $(evicted) && [ $# -eq 4 ] &&
	log_has "evict: JobId=$1 \\(x\\) for JobId=.* \\(y\\), rule InCohortFairSharing, x held [5-8] of 0 cpu@any, y held [0-3] of 0, needed 1, free 0," &&
	scontrol show job $1 |
		grep "SystemComment=preempted at .* (cluster queue y), rule InCohortFairSharing,"
'

# They stand first in their queue, but it has no less than the other
test_expect_success 'those who were evicted evict nobody in turn' '
	back_in_line &&
	shared 4 4 0 &&
	[ "$(evicted | wc -w)" -eq 4 ]
'

# 3 + 3 + 2: whoever takes one more would have more than the one he takes it from
test_expect_success 'with the third it is a third each, as far as it goes, and stays' '
	z=$(submit_some 6 -A z -p hi) &&
	wait_for 15 "[ \"\$(shares)\" = \"3 3 2\" ]" &&
	back_in_line &&
	shared 3 3 2
'

test_expect_success 'the owner has it back from those who borrow most' '
	log_mark &&
	o=$(submit_some 2 -A owner -p lo) &&
	all_run $o &&
	shared 2 2 2 &&
	log_has "rule InCohortReclamation" && ! log_has "rule InCohortFairSharing"
'

weighted() {
	quota_head
	fair_sharing
	borrowers 8 x y:weight=3
}

test_expect_success 'three times the weight, three times as much' '
	use_cohort weighted &&
	x=$(submit_some 10 -A x -p hi) &&
	shared 8 0 0 &&
	y=$(submit_some 10 -A y -p lo) &&
	shared 2 6 0
'

weightless() {
	quota_head
	fair_sharing
	borrowers 8 x y:weight=0
}

test_expect_success 'weight 0: it may borrow what is idle, and is the first to give' '
	use_cohort weightless &&
	y=$(submit_some 9 -A y -p hi) &&
	shared 0 8 0 &&
	x=$(submit_some 9 -A x -p lo) &&
	shared 8 0 0
'

big_and_small() {
	quota_head
	fair_sharing "$@"
	borrowers 8 x y
}

# x runs 6 + 2 of 8, y wants 3: without the job of 6 x would have less than y
test_expect_success 'LessThanOrEqualToFinalShare: not if the other then had less' '
	use_cohort big_and_small LessThanOrEqualToFinalShare &&
	big=$(submit -A x -n6) && all_run $big && next_second &&
	small=$(submit -A x -n2) && all_run $small &&
	y=$(submit -A y -n3) &&
	nobody_evicted_for $y &&
	job_runs $big $small
'

for strategies in LessThanInitialShare ""; do
	test_expect_success "${strategies:-both, the default}: if the other had more before" '
		use_cohort big_and_small $strategies &&
		big=$(submit -A x -n6) && all_run $big && next_second &&
		small=$(submit -A x -n2) && all_run $small &&
		y=$(submit -A y -n3) &&
		all_run $y &&
		evicted_are $big &&
		job_runs $small &&
		back_in_line &&
		holds_for 2 "job_runs $y $small && job_waits $big" &&
		[ "$(evicted)" = $big ]
	'
done

# No eviction here: only the order counts. f fills up at first.
order_of() {
	quota_head
	fair_sharing
	cohorts org:-:nominal=8
	echo 'clusterQueues:'
	queue f 0 cohort=org
	queue x 0 cohort=org "weight=$1"
	queue y 0 cohort=org "weight=$2"
}

# x holds 2, f 6. x2 came first and has the higher priority.
x_and_y_want_six() {
	x1=$(submit -A x -n2 -p lo) && f=$(submit -A f -n6 -p lo) &&
		all_run $x1 $f &&
		x2=$(submit -A x -n6 -p hi) && next_second && y1=$(submit -A y -n6 -p lo) &&
		wait_for 10 "in_line $x2 $y1" &&
		scancel $f
}

test_expect_success 'who would have the smaller share goes first, whatever the priorities' '
	use_cohort order_of 1 1 &&
	x_and_y_want_six &&
	all_run $y1 && holds_for 2 "job_waits $x2"
'

test_expect_success 'shares are by weight' '
	use_cohort order_of 2 1 &&
	x_and_y_want_six &&
	all_run $x2 && holds_for 2 "job_waits $y1"
'

# x would hold 8 of weight 2, y 6 of weight 1
in_cohorts() {
	quota_head
	fair_sharing
	cohorts org:-:nominal=8 ex:org:weight=2 ey:org
	echo 'clusterQueues:'
	queue f 0 cohort=org
	queue x 0 cohort=ex
	queue y 0 cohort=ey
}

test_expect_success 'and those of cohorts by the weight of the cohort' '
	use_cohort in_cohorts &&
	x_and_y_want_six &&
	all_run $x2 && holds_for 2 "job_waits $y1"
'

without() {
	quota_head
	borrowers 8 x y
}

test_expect_success 'not turned on: priority decides, and who borrows evicts nobody who borrows' '
	use_cohort without &&
	x=$(submit_some 8 -A x -p lo) &&
	all_run $x &&
	y=$(submit -A y -p hi) &&
	nobody_evicted_for $y
'

test_done
