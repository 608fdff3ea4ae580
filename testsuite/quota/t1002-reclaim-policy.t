#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='reclaim: each policy of reclaimWithinCohort evicts exactly the jobs that it allows'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# 2 + 6 CPUs of quota on 16 CPUs of nodes: only quota is scarce
two_teams() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 2 cohort=org
	queue b 6 cohort=org "reclaim=$1"
}

{ three_tiers; quick_scheduler; } >tiers.conf
two_teams Never >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

test_expect_success 'Never: nobody, not even for a job of higher priority' '
	a=$(submit_some 8 -A a -p lo) &&
	all_run $a &&
	b=$(submit -A b -p hi -n6) &&
	nobody_evicted_for $b &&
	job_runs $a &&
	wait_for 10 "job_reason $b | grep -x \"Cohort:pos=1/1,wait=quota(cpu@any),need=6,free=0,cq=b\""
'

test_expect_success 'LowerPriority: those of lower priority' '
	use_cohort two_teams LowerPriority &&
	lo=$(submit_some 2 -A a -p lo) &&
	others="$(submit_some 2 -A a -p mid) $(submit_some 4 -A a -p hi)" &&
	all_run $lo $others &&
	b=$(submit -A b -p mid -n2) &&
	all_run $b &&
	evicted_are $lo &&
	job_runs $others
'

test_expect_success 'LowerPriority: none of equal or higher priority' '
	log_mark &&
	b=$(submit -A b -p mid -n1) &&
	nobody_evicted_for $b &&
	job_runs $others
'

test_expect_success 'LowerOrNewerEqualPriority: lower priority, and equals that came later' '
	use_cohort two_teams LowerOrNewerEqualPriority &&
	old=$(submit -A b -p mid -n4 -H) &&
	next_second &&
	victims="$(submit_some 2 -A a -p lo) $(submit_some 2 -A a -p mid)" &&
	others=$(submit_some 4 -A a -p hi) &&
	all_run $victims $others &&
	scontrol release $old &&
	all_run $old &&
	evicted_are $victims &&
	job_runs $others
'

test_expect_success 'LowerOrNewerEqualPriority: no equals that came earlier' '
	use_cohort two_teams LowerOrNewerEqualPriority &&
	a="$(submit_some 4 -A a -p mid) $(submit_some 4 -A a -p hi)" &&
	all_run $a &&
	next_second &&
	b=$(submit -A b -p mid -n1) &&
	nobody_evicted_for $b &&
	job_runs $a
'

test_expect_success 'Any: those of higher priority as well, down to their nominal quota' '
	use_cohort two_teams Any &&
	a=$(submit_some 8 -A a -p hi) &&
	all_run $a &&
	b=$(submit -A b -p lo -n6) &&
	all_run $b &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 6 ]" &&
	holds_for 3 "[ \$(evicted | wc -w) -eq 6 ] && [ \$(usage a) -eq 2 ] && [ \$(usage b) -eq 6 ]"
'

test_expect_success 'Any: the evicted do not take back what was never theirs' '
	log_mark &&
	wait_for 20 "[ \$(squeue -h -t PD -A a -o %r | grep -c ^Cohort:) -eq 6 ]" &&
	holds_for 3 "[ \$(usage a) -eq 2 ] && [ -z \"\$(evicted)\" ]" &&
	scancel -A b &&
	wait_for 10 "[ \$(usage a) -eq 8 ]"
'

test_done
