#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='enforcement: observe: with PreemptMode set all jobs run as without preemption'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/two.sh"

# The other cluster has preempt/none, which goes with PreemptMode=OFF only
logged=DebugFlags=NO_CONF_HASH,SelectType
cat >slurm.conf <<-EOF
	$logged
	PreemptMode=CANCEL
	PartitionName=high Nodes=ALL PriorityTier=20 PreemptMode=REQUEUE MaxTime=INFINITE
	PartitionName=low Nodes=ALL PriorityTier=1 PreemptMode=CANCEL MaxTime=INFINITE
EOF
cat >stock.conf <<-EOF
	$logged
	PartitionName=high Nodes=ALL PriorityTier=20 MaxTime=INFINITE
	PartitionName=low Nodes=ALL PriorityTier=1 MaxTime=INFINITE
EOF
{
	quota_head 3600s
	echo 'enforcement: observe'
	cohorts org
	echo 'clusterQueues:'
	queue owner 24 cohort=org reclaim=Any within=LowerPriority max=5
	queue borrower 0 cohort=org max=5
} >cohort.yaml

CLUSTER=$stock
cluster_up --stock --slurm-conf stock.conf --nodes 6
CLUSTER=$ours
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --nodes 6

look() { squeue -h -r -o '%j|%T|%N|%r' | sort; }

# offered NAME: which nodes select/cons_tres was given for it at first
offered() {
	local id
	id=$(squeue -h -t all -n "$1" -o %A)
	sed -n "/JobId=$id node_mode:.*Run_Now/,/node_list:/s/.*node_list://p" \
		"$CLUSTER/log/slurmctld.log" | head -n 1
}

# same_offer NAME: and these were the same in both
same_offer() {
	on "$stock" offered "$1" >expected && on "$ours" offered "$1" >actual &&
		[ -s expected ] && test_cmp expected actual && cat actual
}

# Is there preemption? slurmctld asks when it picks whole nodes, too: it leaves
# busy ones out where nobody can be preempted. From 25.05 on it looks at PreemptMode
# and asks no plugin (doc/limits.md).
offers_agree() {
	if slurm_since 25.05; then
		on "$stock" offered whole | grep -x "n\[1-2,6\]" &&
			on "$ours" offered whole | grep -x "n\[1-6\]"
	else
		same_offer whole | grep -x "n\[1-2,6\]"
	fi
}

test_expect_success 'whole nodes: the same ones' '
	for n in 3 4 5; do both submit -J "on$n" -w "n$n" -A borrower -p low -n4 || return 1; done &&
	both wait_for 10 "[ \$(squeue -h -t R | wc -l) -eq 3 ]" &&
	both submit -J whole --exclusive -N1 -A owner -p high && alike >shown &&
	grep "whole|RUNNING|n[126]|" shown && offers_agree
'

# It tells this time of every job that may be preempted
test_expect_success 'no job has a time from which it may be preempted' '
	on "$ours" scontrol show job >jobs && grep JobState=RUNNING jobs &&
	! grep PreemptEligibleTime jobs
'

test_expect_success 'nobody is evicted, by partition or by QOS, for quota or for nodes' '
	both submit -J many -A owner -p high -N6 -n24 && both submit -J few -A owner -p high -w n4 -n1 &&
	alike >shown && grep "many|PENDING" shown && grep "few|PENDING" shown &&
	[ "$(grep -c RUNNING shown)" -eq 4 ] && ! on "$ours" log_has "slurm-cohort: evict"
'

test_done
