#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='preemption within a cluster queue: by priority, and among equals by age'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# q is tested; other has jobs that q must not touch
two_queues() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue q 4 cohort=org borrow=0 "within=$1"
	queue other 2 cohort=org
}

{ three_tiers; quick_scheduler; } >tiers.conf
two_queues Never >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

test_expect_success 'Never: nobody' '
	q=$(submit_some 4 -A q -p lo) &&
	all_run $q &&
	hi=$(submit -A q -p hi) &&
	nobody_evicted_for $hi &&
	job_runs $q
'

test_expect_success 'LowerPriority: the lowest first, of them the one that started last' '
	use_cohort two_queues LowerPriority &&
	other=$(submit_some 2 -A other -p lo) &&
	mid=$(submit -A q -p mid -n2) &&
	lo1=$(submit -A q -p lo) &&
	all_run $other $mid $lo1 &&
	next_second &&
	lo2=$(submit -A q -p lo) &&
	all_run $lo2 &&
	hi=$(submit -A q -p hi) &&
	all_run $hi &&
	evicted_are $lo2 &&
	log_has "evict: .*, rule InClusterQueue, q held 4 of 4 cpu@any, needed 1, free 0," &&
	job_runs $other $mid $lo1
'

test_expect_success 'LowerPriority: an equal is not evicted' '
	log_mark &&
	scancel $lo2 &&
	mid2=$(submit -A q -p mid) &&
	all_run $mid2 &&
	evicted_are $lo1 &&
	log_mark &&
	scancel $lo1 &&
	mid3=$(submit -A q -p mid) &&
	nobody_evicted_for $mid3 &&
	job_runs $other $mid $mid2 $hi
'

test_expect_success 'LowerPriority: only if that is enough' '
	log_mark &&
	hi4=$(submit -A q -p hi -n4) &&
	nobody_evicted_for $hi4 &&
	scancel $hi &&
	all_run $hi4 &&
	evicted_are $mid $mid2 &&
	job_runs $other
'

# old and new are equals but for the second of their submission; new runs
# while old is held.
test_expect_success 'LowerOrNewerEqualPriority: an equal that came later' '
	use_cohort two_queues LowerOrNewerEqualPriority &&
	hi=$(submit -A q -p hi -n2) &&
	before=$(submit -A q -p mid) &&
	next_second &&
	old=$(submit -A q -p mid -H) &&
	next_second &&
	new=$(submit -A q -p mid) &&
	all_run $hi $before $new &&
	scontrol release $old &&
	all_run $old &&
	evicted_are $new &&
	job_runs $hi $before
'

test_expect_success 'LowerOrNewerEqualPriority: not the other way round, now or later' '
	log_mark &&
	wait_for 20 "job_reason $new | grep ^Cohort:" &&
	nobody_evicted_for $new &&
	job_runs $hi $before $old
'

test_done
