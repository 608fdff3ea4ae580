#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a partition that changes twice in a second: the second change is seen; without one, jobs are booked anew once'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/places.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

{
	quick_scheduler
	echo 'PartitionName=few Nodes=n[3-4] State=UP MaxTime=INFINITE'
} >slurm.conf
two west east >cohort.yaml

ctld_clock
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# in_a_second COMMAND...: by the clock of slurmctld, which goes on after that
in_a_second() {
	local rc
	clock_is "@$((EPOCHSECONDS + 1))"
	"$@"
	rc=$?
	clock_is 2
	return $rc
}

few_has() { scontrol update partition=few "$1"; }

in_east() { wait_for 10 "[ \"\$(reason_wait $1)\" = 'quota(cpu@east)' ]"; }

bookings() { metric job_bookings_total; }

test_expect_success 'jobs wait for the second flavor: their partition has too few nodes of the first one' '
	q=$(submit -A q -N2 -n8 -w "n[3-4]") && all_run $q &&
	a=$(submit -A q -p few -N2 -n2) && b=$(submit -A q -p few -N2 -n2) && in_east $a && in_east $b && passes_on 2
'

test_expect_success 'one change: all are booked anew once' '
	before=$(bookings) && in_a_second few_has maxtime=100 && passes_on 5 &&
	n=$(($(bookings) - before)) && echo "$n booked" && [ $n -ge 2 ] && [ $n -le 3 ]
'

test_expect_success 'two changes: the second one counts' '
	both() { few_has nodes="n[2-4]" && few_has nodes="n[1-4]"; } &&
	in_a_second both && all_run $a $b
'

test_done
