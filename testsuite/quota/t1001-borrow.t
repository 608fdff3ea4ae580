#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='borrowing: up to the limits of the borrower and of the lender, over a tree of cohorts'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# 4 + 8 = 12 CPUs of quota on 16 CPUs of nodes: only quota is scarce
two_teams() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org "$1"
	queue b 8 cohort=org "$2"
}

# runs_at_most NAME N: N CPUs are soon in use, and never more after that
runs_at_most() {
	wait_for 10 "[ \$(usage $1) -ge $2 ]" && holds_for 3 "[ \$(usage $1) -eq $2 ]"
}

two_teams borrow=2 lend= >cohort.yaml
quick_scheduler >quick.conf
cluster_up --cohort cohort.yaml --slurm-conf quick.conf

test_expect_success 'a queue uses nominal + borrowingLimit and no more' '
	a=$(submit_some 10 -A a) &&
	runs_at_most a 6
'

test_expect_success 'the others wait, say for what, and have places in order' '
	wait_for 5 "[ \$(squeue -h -t PD -A a -o %r | grep -c ^Cohort:) -eq 4 ]" &&
	squeue -h -t PD -A a -S i -o %r >reasons &&
	cat >expected <<-EOF &&
		Cohort:pos=1/4,wait=quota(cpu@any),need=1,free=0,cq=a
		Cohort:pos=2/4,wait=quota(cpu@any),need=1,free=0,cq=a
		Cohort:pos=3/4,wait=quota(cpu@any),need=1,free=0,cq=a
		Cohort:pos=4/4,wait=quota(cpu@any),need=1,free=0,cq=a
	EOF
	test_cmp expected reasons
'

test_expect_success 'what one borrows is missing to the other until it is free again' '
	b=$(submit_some 10 -A b) &&
	wait_for 10 "[ \$(usage b) -ge 6 ]" &&
	holds_for 2 "[ \$(usage a) -eq 6 ] && [ \$(usage b) -eq 6 ]" &&
	scancel -A a &&
	runs_at_most b 10
'

test_expect_success 'a job that is larger than all it could ever have blocks nobody' '
	cluster_clear &&
	large=$(submit -A a -n7) &&
	next=$(submit -A a -n6) &&
	all_run $next &&
	wait_for 5 "job_reason $large | grep \"wait=never(max=6)\"" &&
	job_waits $large
'

test_expect_success 'lendingLimit holds some back from borrowers, not from its owner' '
	use_cohort two_teams borrow= lend=3 &&
	a=$(submit_some 10 -A a) &&
	runs_at_most a 7 &&
	b=$(submit_some 8 -A b) &&
	wait_for 10 "[ \$(usage b) -eq 5 ]" &&
	scancel -A a &&
	wait_for 10 "[ \$(usage b) -eq 8 ]"
'

# c would lend, but a must not borrow, and b has nobody to borrow from
no_borrowers() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 3 cohort=org borrow=0
	queue b 2
	queue c 5 cohort=org
}

test_expect_success 'borrowingLimit 0, and no cohort: the nominal quota alone' '
	use_cohort no_borrowers &&
	submit_some 4 -A a &&
	submit_some 4 -A b &&
	wait_for 10 "[ \$(usage a) -ge 3 ] && [ \$(usage b) -ge 2 ]" &&
	holds_for 3 "[ \$(usage a) -eq 3 ] && [ \$(usage b) -eq 2 ]"
'

# org has 1 of its own and holds east and west; a and b are one level below
# east, c is in west, d one level below west.
three_levels() {
	quota_head
	cohorts org:-:nominal=1 "east:org:nominal=0:$1" "west:org:nominal=0:$2" east1:east west1:west
	echo 'clusterQueues:'
	queue a 2 cohort=east1
	queue b 2 cohort=east1
	queue c 3 cohort=west
	queue d 4 cohort=west1 lend=2
}

test_expect_success 'an idle tree of three levels lends everything that may be lent' '
	use_cohort three_levels borrow= lend= &&
	submit_some 14 -A a &&
	runs_at_most a 10 &&
	submit_some 3 -A d &&
	wait_for 10 "[ \$(usage d) -ge 2 ]" &&
	holds_for 2 "[ \$(usage d) -eq 2 ] && [ \$(usage a) -eq 10 ]"
'

test_expect_success 'a cohort lends no more than its lendingLimit' '
	use_cohort three_levels borrow= lend=3 &&
	submit_some 12 -A a &&
	runs_at_most a 8
'

test_expect_success 'a cohort borrows no more than its borrowingLimit' '
	use_cohort three_levels borrow=1 lend= &&
	submit_some 4 -A a &&
	submit_some 4 -A b &&
	wait_for 10 "[ \$((\$(usage a) + \$(usage b))) -ge 5 ]" &&
	holds_for 3 "[ \$((\$(usage a) + \$(usage b))) -eq 5 ]"
'

test_done
