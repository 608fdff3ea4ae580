#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the clock of slurmctld is set back: files are written all the same'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

ctld_clock || {
	skip_all='no C compiler'
	test_done
}

{
	quota_head 1s
	echo 'clusterQueues:'
	queue a 4
} >cohort.yaml
cluster_up --cohort cohort.yaml

# What has been written anew since keep_files
keep_files() {
	cp "$CLUSTER/state/cohort_state" state.kept && cp "$CLUSTER/state/cohort_status.json" status.kept
}
is_new() { ! cmp -s "$CLUSTER/state/cohort_$1" "$2.kept"; }

# Slurm takes a job that has come by the old clock for one of the future, and
# starts nobody before that. Files are ours.
test_expect_success 'one runs, another waits, and all is written' '
	runs=$(submit -A a -N1 -n4) && all_run $runs &&
	waits=$(submit -A a -n1) && wait_for 10 "in_line $waits" &&
	wait_for 10 "[ -s $CLUSTER/state/cohort_state ]" &&
	wait_for 10 "[ -s $CLUSTER/state/cohort_status.json ]"
'

test_expect_success 'an hour is set back: the published file is written' '
	keep_files && clock_is -3600 && wait_for 20 "is_new status.json status"
'

test_expect_success 'so is the state file when there is something new' '
	scancel $runs && wait_for 20 "is_new state state"
'

test_expect_success 'and all goes on when the clock is right again' '
	clock_is 0 && wait_for 20 "job_runs $waits"
'

test_done
