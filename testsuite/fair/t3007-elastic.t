#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='elastic arrays: tasks above min-available are evicted even while protected'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"

{ three_tiers; quick_scheduler; } >tiers.conf

# a owns nothing and is protected for an hour (or so), b owns 8 and takes back
lend() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org "$@"
	queue b 8 cohort=org reclaim=Any
}

lend rmin=1h >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

# array COMMENT: four tasks of 2 CPUs
array() {
	submit -A a --array=0-3 -N1 -n2 ${1:+--comment="$1"}
}


test_expect_success 'without the comment all tasks are protected' '
	a=$(array) && wait_for 10 "tasks_run $a 4" &&
	b=$(submit -A b -n2) &&
	wait_for 10 "[ -n \"\$(reason_wait $b | grep ^protected)\" ]" &&
	holds_for 2 "tasks_run $a 4 && job_waits $b"
'

test_expect_success 'with it those above the minimum give way, and no more' '
	cluster_clear && log_mark &&
	a=$(array cohort:min-available=2) && wait_for 10 "tasks_run $a 4" &&
	b=$(submit -A b -n4) &&
	all_run $b && tasks_run $a 2 &&
	more=$(submit -A b -n2) &&
	wait_for 10 "[ -n \"\$(reason_wait $more | grep ^protected)\" ]" &&
	holds_for 2 "tasks_run $a 2 && job_waits $more"
'

test_expect_success 'all that it asks for or nothing' '
	cluster_clear && log_mark &&
	a=$(array "by day, cohort:min-available=3") && wait_for 10 "tasks_run $a 4" &&
	b=$(submit -A b -n4) &&
	wait_for 10 "[ -n \"\$(reason_wait $b | grep ^protected)\" ]" &&
	holds_for 2 "tasks_run $a 4 && job_waits $b"
'

test_expect_success 'a comment that says something else protects them all' '
	cluster_clear && log_mark &&
	a=$(array cohort:min-available=few) && wait_for 10 "tasks_run $a 4" &&
	b=$(submit -A b -n2) &&
	wait_for 10 "[ -n \"\$(reason_wait $b | grep ^protected)\" ]" &&
	holds_for 2 "tasks_run $a 4 && job_waits $b"
'

test_expect_success 'unprotected ones may all go' '
	use_cohort lend rmin=4s &&
	a=$(array cohort:min-available=3) && wait_for 10 "tasks_run $a 4" &&
	b=$(submit -A b -n8) &&
	all_run $b && tasks_run $a 0
'

test_done
