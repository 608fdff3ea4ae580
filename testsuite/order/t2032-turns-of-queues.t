#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='where nodes come free, queues take turns: Slurm tries jobs in the order of the plan, and not in its own'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head | sed 's/^priority: .*/priority: job/'
	cohorts org
	echo 'clusterQueues:'
	for name in a b c; do queue $name 64 cohort=org; done
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

lacks_nodes() { job_reason "$1" | grep -q 'wait=nodes'; }

# In Slurm's order all of a come before all of b.
test_expect_success 'all may start, and one job has all nodes' '
	all=$(submit -A c -n16) && all_run $all &&
	a1=$(submit -A a -n4) && a2=$(submit -A a -n4) && a3=$(submit -A a -n4) &&
	a4=$(submit -A a -n4) && b1=$(submit -A b -n4) && b2=$(submit -A b -n4) &&
	b3=$(submit -A b -n4) && wait_for 20 "lacks_nodes $a1 && lacks_nodes $b3"
'

# Epilogs of its nodes end one by one: a pass between them starts with some nodes, and turns
# begin anew after it. So no node is up until all are free.
drained_end() {
	scontrol update nodename=ALL state=drain reason=test && scancel "$1" &&
		wait_for 20 "[ \"\$(sinfo -h -N -o %T | sort -u)\" = drained ]"
}

test_expect_success 'it ends: the first two of each queue run' '
	drained_end $all && scontrol update nodename=ALL state=resume && all_run $a1 $a2 $b1 $b2 &&
	[ "$(job_state $a3)" = PENDING ] && [ "$(job_state $b3)" = PENDING ]
'

# Turns were a3 b3 c1, a4 b4, b5: without a3 its queue goes on with a4, which came before b3.
test_expect_success 'one that waits is cancelled: the next one of its queue has its turn' '
	b4=$(submit -A b -n4) && b5=$(submit -A b -n4) && c1=$(submit -A c -n4) &&
	wait_for 20 "lacks_nodes $b4 && lacks_nodes $b5 && lacks_nodes $c1" && passes_on 1 &&
	scancel $a3 && passes_on 1 && scancel $b1 && all_run $a4 &&
	[ "$(job_state $b3)" = PENDING ] && [ "$(job_state $c1)" = PENDING ]
'

# No call of the plugin tells of a new priority. While no node is up, none is asked for.
test_expect_success 'a later one gets a higher priority while no node is up: then it goes first' '
	scancel -u root && wait_for 30 "[ -z \"\$(squeue -h)\" ]" &&
	all=$(submit -A c -n16) && all_run $all && x=$(submit -A a -n16) && y=$(submit -A a -n16) &&
	wait_for 20 "lacks_nodes $x && lacks_nodes $y" && passes_on 1 &&
	drained_end $all && passes_on 2 &&
	scontrol update jobid=$y priority=4294902000 && scontrol update nodename=ALL state=resume &&
	all_run $y && [ "$(job_state $x)" = PENDING ]
'

test_done
