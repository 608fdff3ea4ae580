#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a preemptor that wants a drained node holds up no job of its queue'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

quick_scheduler >slurm.conf

config() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue owner 12 cohort=org reclaim=Any "$@"
	queue borrower 0 cohort=org
}

config >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
scontrol update nodename=n4 state=drain reason=test

# With nobody else in the queue Slurm's own reason shows now and then, whatever
# ours is: so it is looked at for a while.
not_protected() { holds_for 5 "[[ \$(job_reason $1) != *protected* ]]"; }

not_available() { wait_for 10 "[[ \$(job_reason $1) == ReqNodeNotAvail* ]]"; }

# No sort and no try tells that a pass has begun: there is one job in the queue, and
# Slurm refuses it before it asks for nodes.
test_expect_success 'alone in the queue: whom the last pass started is protected for that pass only' '
	b=$(submit -A borrower -N3 -n12) && all_run $b &&
	x=$(submit -A owner -w n4 -n4) && not_available $x &&
	wait_for 10 "not_protected $x" && job_runs $b && job_waits $x
'

test_expect_success 'who comes behind him evicts and starts' '
	cluster_clear &&
	log_mark && b=$(submit -A borrower -N3 -n12) && all_run $b &&
	x=$(submit -A owner -w n4 -n4) && not_available $x && nobody_evicted_for $x &&
	y=$(submit -A owner -n4) && all_run $y && evicted_are $b && job_waits $x
'

test_expect_success 'his node is back: it is his turn' '
	not_available $x && scontrol update nodename=n4 state=resume && all_run $x &&
	[ "$(running_nodes $x)" = n4 ] && scontrol update nodename=n4 state=drain reason=test
'

test_expect_success 'what is free of nominal quota is for his queue, not for borrowers' '
	cluster_clear && log_mark && b=$(submit -A borrower -N2 -n8) && all_run $b &&
	x=$(submit -A owner -w n4 -n8) && not_available $x &&
	more=$(submit -A borrower -n4) && nobody_evicted_for $x $more &&
	says $more wait=order &&
	y=$(submit -A owner -n4) && all_run $y && job_waits $x $more && evicted_are
'

test_expect_success 'he evicts when his node is back' '
	scontrol update nodename=n4 state=resume && all_run $y && evicted_are $b &&
	all_run $x && running_nodes $x | grep n4 && wait_for 10 "job_waits $b $more"
'

test_expect_success 'StrictFIFO: those behind him wait' '
	scontrol update nodename=n4 state=drain reason=test &&
	use_cohort config strategy=StrictFIFO &&
	b=$(submit -A borrower -N3 -n12) && all_run $b &&
	x=$(submit -A owner -w n4 -n4) && not_available $x &&
	y=$(submit -A owner -n4) && nobody_evicted_for $x $y
'

test_done
