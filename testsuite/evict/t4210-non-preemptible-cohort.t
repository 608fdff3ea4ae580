#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that cannot be preempted, capped by the quota of the cohorts (scope: Cohort)'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

fixed=cohort:preemptibility=non-preemptible
scope='nonpre=byUser: true, scope: Cohort'

# site N: org owns N and lends to ml, which owns 4; a owns 2 of ml, c nothing, and may
# borrow 3; d owns 4 of org
site() {
	quota_head
	cohorts "org:-:nominal=$1" ml:org:nominal=4
	echo 'clusterQueues:'
	queue a 2 cohort=ml reclaim=Any "$scope"
	queue c 0 cohort=ml borrow=3 reclaim=Any "$scope"
	queue d 4 cohort=org reclaim=Any "$scope"
}

quick_scheduler >quick.conf
site 4 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf quick.conf

# np ACCOUNT ARGS...: a job that says so
np() { submit -A "$1" --comment="$fixed" "${@:2}"; }

# fixed_of QUEUE N CAP: so much is used by jobs that can't be preempted, of so much
fixed_of() { status_soon "$1" fixed,fixedcap "$2 $3"; }

test_expect_success 'a queue without quota uses that of its cohorts, up to its borrowing limit' '
	never=$(np c -n4) && says $never "wait=never(max=3),need=4_cpu@any" &&
	c=$(np c -n3) && all_run $c && fixed_of c 3 3
'

test_expect_success 'and one with quota more than its own, as far as cohorts cover all of it' '
	never=$(np a -n11) && says $never "wait=never(max=10),need=11_cpu@any" &&
	large=$(np a -n8) && says $large "wait=nonpreemptible(cpu@any),cap=7,used=0,need=8," &&
	a=$(np a -n7) && all_run $a && fixed_of a 7 7 &&
	more=$(np a -n1) && says $more "wait=nonpreemptible(cpu@any),cap=7,used=7,need=1,"
'

test_expect_success 'never the nominal quota of others: their owner gets it back at once' '
	log_mark && goes=$(submit -A a -n4) && all_run $goes &&
	d=$(submit -A d -n4) && all_run $d && evicted_are $goes && job_runs $a && job_runs $c &&
	wait_for 10 "scohort why $more | tr -s \"\\n \" \" \" | grep \"limit for all of them together is 7, and they use 7\""
'

test_expect_success 'less quota evicts nobody; who stays within its own quota may start when there is some' '
	scancel $d && wait_for 10 "! job_runs $d" &&
	site 0 >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure && log_mark &&
	job_runs $a && job_runs $c && says $more "wait=nonpreemptible(cpu@any)," &&
	d=$(np d -n4) && says $d "wait=protected(nonpreemptible)" && nobody_evicted_for $d &&
	site 4 >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	all_run $d && fixed_of d 4 4 && job_runs $a && job_runs $c
'

test_expect_success 'it stays so over a restart, and an end makes room again' '
	cluster_restart_ctld &&
	fixed_of a 7 7 && fixed_of c 3 3 &&
	scancel $c && all_run $more && fixed_of a 8 10
'

test_done
