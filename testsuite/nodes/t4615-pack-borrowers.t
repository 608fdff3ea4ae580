#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that borrow share nodes, and so do owners: whole nodes come back; lentNodeWeight'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# packed [KEY VALUE]: t owns 4 CPUs, o 12, and takes them back; a only borrows
packed() {
	[ $# -eq 0 ] || echo "$1 $2"
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue t 4 cohort=org
	queue o 12 cohort=org reclaim=Any
	queue a 0 cohort=org
}

{
	quick_scheduler
	echo 'PartitionName=shared Nodes=ALL OverSubscribe=FORCE:4'
} >slurm.conf
packed >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# start OPTIONS...: submits a job and waits until it runs; $job is its id
start() { job=$(submit "$@") && all_run "$job"; }

# node_count ACCOUNT: on how many nodes its jobs run
node_count() {
	scontrol show hostnames "$(squeue -h -t R -A "$1" -o %N | paste -sd,)" | sort -u | wc -l
}

# Small jobs of an owner, and of one who borrows, come in turn
alternate() {
	local i
	cluster_clear && log_mark || return 1
	for i in 1 2 3; do
		start -A t -n1 && start -A a -N1 -n3 || return 1
	done
	start -A t -n1
}

test_expect_success 'as Slurm places them: the owner waits for nodes that nobody may clear' '
	use_cohort packed packBorrowers: false && alternate &&
	o=$(submit -A o -N2 --ntasks-per-node=4) && says $o "wait=nodes" && nobody_evicted_for $o
'

test_expect_success 'who borrows keeps away from owners: whole nodes come back' '
	use_cohort packed && alternate && [ "$(node_count t)" -eq 1 ] && [ "$(node_count a)" -eq 3 ] &&
	o=$(submit -A o -N2 --ntasks-per-node=4) && all_run $o && [ $(evicted | wc -w) -eq 2 ]
'

test_expect_success 'borrowers go to where borrowers are, owners to where none is' '
	cluster_clear && start -A t -n1 && t=$(running_nodes $job) &&
	start -A a -N1 -n1 && a=$(running_nodes $job) && [ "$a" != "$t" ] &&
	start -A a -N1 -n2 && [ "$(running_nodes $job)" = "$a" ] &&
	start -A o -N1 -n1 && [ "$(running_nodes $job)" != "$a" ]
'

test_expect_success 'a job that names a node gets it; if there is no other room, nodes are shared' '
	start -A a -n1 -w $t && [ "$(running_nodes $job)" = "$t" ] && cluster_clear &&
	start -A t -N4 --ntasks-per-node=1 && start -A a -N1 -n3
'

test_expect_success 'owners go to where owners are, also if there are idle nodes' '
	cluster_clear && start -A t -n1 -w n3 && start -A o -n1 && [ "$(running_nodes $job)" = n3 ] &&
	start -A o -N1 -n4 && [ "$(running_nodes $job)" != n3 ]
'

test_expect_success 'idle cores go before cores that others use as well' '
	cluster_clear && start -A a -p shared -N1 -n4 && a=$(running_nodes $job) &&
	start -A a -p shared -N1 -n4 && [ "$(running_nodes $job)" != "$a" ] && cluster_clear
'

# All is in use; n1 has a job within its quota. $beside is the one who borrows there, $alone
# one on a node of borrowers. That one is smaller and younger than all others, so that it loses
# least, however long each start takes.
fill() {
	start -A t -N1 -n1 -w n1 && start -A a -N1 -n4 -w n3 && start -A a -N1 -n4 -w n4 &&
	start -A a -N1 -n3 -w n2 && start -A a -N1 -n3 -w n1 && beside=$job &&
	start -A a -N1 -n1 -w n2 && alone=$job
}

test_expect_success 'where all is lent, the one that loses least goes' '
	log_mark && fill && start -A o -N1 -n1 && [ "$(evicted)" = $alone ] && cluster_clear
'

test_expect_success 'lentNodeWeight: rather one beside an owner, who keeps the node from being whole' '
	use_cohort packed lentNodeWeight: 100 && log_mark && fill && start -A o -N1 -n1 &&
	[ "$(evicted)" = $beside ] && [ "$(running_nodes $job)" = n1 ] && cluster_clear
'

# t is over its quota: its older job is within it, on n1, the younger one borrows, on n2, and is
# smaller. Nobody else is there.
test_expect_success 'lentNodeWeight: a victim that is within quota itself keeps no node from being whole' '
	log_mark && start -A o -N1 -n4 -w n3 && start -A o -N1 -n4 -w n4 && start -A t -N1 -n4 -w n1 &&
	start -A t -N1 -n1 -w n2 && borrows=$job && start -A o -N1 -n4 &&
	[ "$(evicted)" = $borrows ] && [ "$(running_nodes $job)" = n2 ] && cluster_clear
'

test_expect_success 'observe: all is as without' '
	use_cohort packed enforcement: observe && start -A t -N1 -n1 && t=$(running_nodes $job) &&
	start -A a -N1 -n1 && [ "$(running_nodes $job)" = "$t" ]
'

test_done
