#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a running job gives memory back, as Slurm can from 26.05 on'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"

slurm_since 26.05 || {
	skip_all='the memory of running jobs is fixed before Slurm 26.05'
	test_done
}

{
	quick_scheduler
	echo 'PrologFlags=Alloc,Contain'
} >contain.conf
own mem mem=4000 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf contain.conf

test_expect_success 'it is charged less, and who waits for the rest starts' '
	job=$(submit -A q -N2 --mem=1500) && all_run $job && charged $job mem=3000 &&
	next=$(submit -A q -N1 --mem=2000) && waits_for $next "quota(mem@any),need=2000,free=1000" &&
	wait_for 10 "scontrol update JobId=$job MinMemoryNode=1000" &&
	charged $job mem=2000 && all_run $next && charged $next mem=2000
'

test_expect_success 'so it stays after a restart' '
	third=$(submit -A q -n1 --mem=100) && waits_for $third "quota(mem@any),need=100,free=0" &&
	same_after_restart $job $next && waits_for $third "quota(mem@any),need=100,free=0"
'

test_expect_success 'more than it has now is refused by Slurm' '
	test_must_fail scontrol update JobId=$job MinMemoryNode=1800 &&
	charged $job mem=2000 && cluster_clear && books_empty
'

test_done
