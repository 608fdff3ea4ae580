#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One cluster has Slurm's preempt/partition_prio, youngest first; the other one has
# slurm-cohort, where the owner may evict the same jobs.
test_description='with topology.conf a preemptor gets the nodes that Slurm alone would give it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/two.sh"

NODES=6

for dir in "$stock" "$ours"; do
	mkdir -p "$dir/etc"
	printf '%s\n' 'SwitchName=s1 Nodes=n[1-2]' 'SwitchName=s2 Nodes=n[3-4]' \
		'SwitchName=s3 Nodes=n[5-6]' 'SwitchName=top Switches=s[1-3]' >"$dir/etc/topology.conf"
done

# Backfill would plan for itself. For ours the last parameter has no meaning.
{
	three_tiers
	echo 'SchedulerParameters=bf_interval=-1,sched_interval=1,sched_min_interval=0,batch_sched_delay=0,preempt_youngest_first'
	echo 'TopologyPlugin=topology/tree'
	# Slurm evicts more for the same job after the shorter of these: what counts is its first
	# choice, however long the victims take to end
	echo 'KillWait=100'
	echo 'MessageTimeout=100'
} >ours.conf
{
	cat ours.conf
	echo 'PreemptType=preempt/partition_prio'
	echo 'PreemptMode=REQUEUE'
} >stock.conf

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org
	queue b 24 cohort=org reclaim=Any
} >cohort.yaml

CLUSTER=$stock
cluster_up --stock --nodes $NODES --slurm-conf stock.conf
CLUSTER=$ours
cluster_up --cohort cohort.yaml --nodes $NODES --slurm-conf ours.conf

# lent N...: jobs of a on nodes nN, four CPUs each, one after the other, so that the
# last one is the youngest
lent() {
	local n
	both cluster_clear || return 1
	for n; do
		both borrow "$n" && next_second || return 1
	done
}

borrow() {
	local id
	id=$(submit -A a -p lo -w "n$1" -N1 --ntasks-per-node=4) && all_run "$id"
}

# same_nodes OPTIONS...: an owner's job with these gets the same nodes from both
same_nodes() {
	both owner_gets "$@" && test_cmp "$stock/got" "$ours/got" && cat "$ours/got"
}

owner_gets() {
	local id
	id=$(submit -A b -p hi "$@") && wait_for 30 "job_runs $id" && squeue -h -j "$id" -o %N >"$CLUSTER/got"
}

# switches: how many the nodes in $ours/got are on
switches() {
	scontrol show hostnames "$(cat "$ours/got")" | tr -d n | awk '{ print int(($1 + 1) / 2) }' | sort -u | wc -l
}

test_expect_success 'two nodes, of which the youngest jobs are on two switches' '
	lent 2 3 6 5 4 1 && same_nodes -N2 --ntasks-per-node=4
'

test_expect_success 'two nodes of one switch' '
	lent 2 3 6 5 4 1 && same_nodes -N2 --ntasks-per-node=4 --switches=1@60:00 && [ "$(switches)" -eq 1 ]
'

test_expect_success 'four nodes of two switches' '
	lent 1 5 2 3 4 6 && same_nodes -N4 --ntasks-per-node=4 --switches=2@60:00 && [ "$(switches)" -eq 2 ]
'

test_expect_success 'three nodes, one of them idle' '
	lent 4 1 6 3 2 && same_nodes -N3 --ntasks-per-node=2
'

test_expect_success 'all nodes' '
	lent 6 5 4 3 2 1 && same_nodes -N6 --ntasks-per-node=4
'

test_done
