#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='reclaim: only from borrowers, no more than needed, all or none'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

{ three_tiers; quick_scheduler; } >tiers.conf

# a borrows one CPU, c three, and a's jobs are the first choice: 4 + 8 + 2 = 14
# CPUs of 16
three_teams() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 8 cohort=org reclaim=Any
	queue c 2 cohort=org
}
three_teams >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

test_expect_success 'nobody is taken below the nominal quota, whatever the priorities' '
	c=$(submit_some 5 -A c -p hi) &&
	a=$(submit_some 5 -A a -p lo) &&
	all_run $c $a &&
	b=$(submit -A b -p mid -n7) &&
	all_run $b &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 3 ]" &&
	holds_for 2 "[ \$(evicted | wc -w) -eq 3 ]" &&
	[ "$(usage a)" -eq 4 ] &&
	[ "$(usage c)" -eq 3 ]
'

test_expect_success 'the last CPU of the own quota, and nothing beyond it' '
	b2=$(submit -A b -p hi -n1) &&
	all_run $b2 &&
	wait_for 5 "[ \$(usage c) -eq 2 ]" &&
	log_mark &&
	b3=$(submit -A b -p hi -n1) &&
	nobody_evicted_for $b3 &&
	job_runs $b $b2 &&
	[ "$(usage a)" -eq 4 ] &&
	[ "$(usage c)" -eq 2 ]
'

few_teams() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 6 cohort=org "reclaim=$1"
}

# The first choice would be old, then new, then big; with big gone, one of the
# two small ones is enough, and the one that has run less goes.
test_expect_success 'a victim that turns out not to be needed stays' '
	use_cohort few_teams Any &&
	filler=$(submit -A a -p hi -n4) &&
	all_run $filler &&
	next_second &&
	big=$(submit -A a -p hi -n4) &&
	old=$(submit -A a -p lo -n1) &&
	all_run $big $old &&
	next_second &&
	new=$(submit -A a -p lo -n1) &&
	all_run $new &&
	b=$(submit -A b -p mid -n5) &&
	all_run $b &&
	evicted_are $new $big &&
	job_runs $filler $old
'

test_expect_success 'all victims or none' '
	use_cohort few_teams LowerPriority &&
	stay=$(submit_some 8 -A a -p hi) &&
	lo=$(submit_some 2 -A a -p lo) &&
	all_run $stay $lo &&
	b=$(submit -A b -p mid -n3) &&
	nobody_evicted_for $b &&
	job_runs $stay $lo
'

test_expect_success 'a smaller job behind it gets what there is' '
	log_mark &&
	b2=$(submit -A b -p mid -n2) &&
	all_run $b2 &&
	evicted_are $lo &&
	job_runs $stay &&
	job_waits $b
'

test_expect_success 'three preemptors at once: one victim each, and none twice' '
	use_cohort few_teams Any &&
	a=$(submit_some 10 -A a -p hi) &&
	all_run $a &&
	b=$(submit_some 3 -A b -p lo) &&
	all_run $b &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 3 ]" &&
	holds_for 3 "[ \$(evicted | wc -w) -eq 3 ] && [ \$(usage a) -eq 7 ]"
'

test_done
