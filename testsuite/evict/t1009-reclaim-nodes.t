#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='reclaim where nodes are as scarce as quota: victims are those whose nodes are of use'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# 8 + 8 CPUs, as many as there are
full_cluster() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org
	queue b 8 cohort=org reclaim=Any
}

{ three_tiers; quick_scheduler; } >tiers.conf
full_cluster >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

# one_on_each N: N jobs of a on every node, one node after the other
one_on_each() {
	local n=$1 ids='' i
	while [ $((n--)) -gt 0 ]; do
		for i in 1 2 3 4; do
			ids="$ids $(submit -A a -p lo -w n$i)" || return 1
		done
	done
	echo $ids
}

node_of() { squeue -h -t all -j "$1" -o %N; }

# Where the jobs that were evicted had run
nodes_of_evicted() {
	local id
	for id in $(evicted); do
		sed -n "s/^$id //p" where
	done | sort | uniq -c | xargs
}

# gave_way N JOB: N jobs were evicted for it, all on its node, and no others are
gave_way() {
	all_run $2 &&
		wait_for 5 "[ \$(evicted | wc -w) -ge $1 ]" &&
		holds_for 2 "[ \$(evicted | wc -w) -eq $1 ]" &&
		[ "$(nodes_of_evicted)" = "$1 $(node_of $2)" ]
}

test_expect_success 'two CPUs of one node: two victims there, none elsewhere' '
	a=$(one_on_each 4) &&
	all_run $a &&
	squeue -h -t R -o "%i %N" >where &&
	b=$(submit -A b -p hi -N1 -n2) &&
	gave_way 2 $b
'

test_expect_success 'a whole node: all of its jobs, though the quota would take others' '
	cluster_clear &&
	log_mark &&
	a=$(one_on_each 4) &&
	all_run $a &&
	squeue -h -t R -o "%i %N" >where &&
	b=$(submit -A b -p hi -N1 -n4) &&
	gave_way 4 $b
'

test_expect_success 'no more than the nominal quota for nodes either' '
	log_mark &&
	b2=$(submit -A b -p hi -N2 --ntasks-per-node=4) &&
	nobody_evicted_for $b2 &&
	[ "$(usage a)" -eq 12 ]
'

# c has all of n1 and borrows one CPU; a has the other nodes and borrows seven
one_node_each() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 5 cohort=org
	queue b 8 cohort=org reclaim=Any
	queue c 3 cohort=org
}

# Each of c's jobs could go as such, and is the first choice, but only one may.
test_expect_success 'a borrower of one CPU does not lose a whole node' '
	use_cohort one_node_each &&
	c=$(submit_some 4 -A c -p lo -w n1) &&
	a=$(for n in 2 3 4; do submit_some 4 -A a -p mid -w n$n || exit; done | xargs) &&
	all_run $c $a &&
	squeue -h -t R -o "%i %N" >where &&
	b=$(submit -A b -p hi -N1 -n4) &&
	gave_way 4 $b &&
	job_runs $c
'

test_done
