#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a submission makes Slurm look for no victims'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org reclaim=Any
	queue b 8 cohort=org reclaim=Any
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Published by a pass that began after now
next_pass() {
	local until=$(($(metric pass_duration_seconds_count) + 1))
	wait_for 30 "[ \"\$(metric pass_duration_seconds_count)\" -gt $until ]"
}
candidates() { metric preemption_candidates_total; }

test_expect_success 'sixteen run, fourteen wait' '
	running=$(for ((i = 0; i < 16; i++)); do submit -A a -n1 || exit 1; done) && all_run $running &&
	for ((i = 0; i < 14; i++)); do submit -A a -n1 || return 1; done >waiting && next_pass
'

# Each of the thirty would be asked about, for each submission. From 25.05 on Slurm does not ask
# whether it is to look.
slurm_since 25.05 || test_set_prereq asks_first
test_expect_success asks_first 'ten more that wait: none of the thirty is looked at' '
	before=$(candidates) &&
	for ((i = 0; i < 10; i++)); do submit -A a -n1 || return 1; done >more && next_pass &&
	after=$(candidates) && echo "$before, $after" && [ "$after" -eq "$before" ]
'

# None of these can start now
test_expect_success asks_first 'nor when they are asked about, or are heterogeneous' '
	before=$(candidates) &&
	test_might_fail sbatch --test-only -A a -n1 --wrap=: && test_might_fail sbatch --test-only -A a -n1 : -n1 --wrap=: &&
	next_pass && after=$(candidates) && echo "$before, $after" && [ "$after" -eq "$before" ]
'

test_expect_success 'an owner still has its quota back' '
	owner=$(submit -A b -n4) && all_run $owner
'

# Its victims share no nodes: the nodes are those of candidates that Slurm knows
test_expect_success 'also from one that has its nodes for itself, and when the owner is the only one who waits' '
	scancel -u root && wait_for 10 "[ -z \"\$(squeue -h)\" ]" &&
	big=$(submit -A a -N4 --exclusive) && all_run $big &&
	owner=$(submit -A b -n1) && all_run $owner
'

test_done
