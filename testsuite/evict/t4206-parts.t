#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='--constraint with counts: no job is evicted before all of the nodes are there'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

quick_scheduler >slurm.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org
	queue b 16 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --slurm-conf slurm.conf --cohort cohort.yaml

# a has the nodes n1 and n2, which are of feature a100
test_expect_success 'one feature by eviction, the other one not at all: nobody goes' '
	a=$(submit_some 2 -A a -N1 -n4 -C a100) && others=$(submit -n8 -N2 -C cpu) &&
	all_run $a $others &&
	b=$(submit -A b -N2 --ntasks-per-node=4 -C "[a100*1&cpu*1]") &&
	nobody_evicted_for $b && job_runs $a && ! log_has "slurm-cohort: evict:"
'

test_expect_success 'there is room for the other one: one job goes, and is told once' '
	scancel $others && all_run $b &&
	[ $(evicted | wc -w) -eq 1 ] && [ "$(usage a) $(usage b)" = "4 8" ] &&
	system_comment $(evicted) | grep " by job $b .*, needed 8, free 8, for nodes, .* preemption 1, counted 0 of 3$"
'

test_expect_success 'the same for one feature' '
	cluster_clear && log_mark && a=$(submit_some 2 -A a -N1 -n4 -C a100) && all_run $a &&
	b=$(submit -A b -N2 --ntasks-per-node=4 -C "[a100*2]") && all_run $b && evicted_are $a
'

test_done
