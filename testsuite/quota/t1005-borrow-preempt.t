#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='preemption by borrowers, up to a priority threshold (KEP-1337, story 1)'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/epilog.sh"

# Two teams, each with a queue for jobs that must not be interrupted and one
# for jobs that may be. None has quota of its own: all of it is in "shared",
# which has jobs too. The partition says the priority.
story() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	local name
	for name in a-standard a-best-effort b-standard b-best-effort; do
		queue $name 0 cohort=org borrow=8 within=LowerPriority reclaim=LowerPriority \
			"threshold=$1"
	done
	queue shared 8 cohort=org borrow=0 within=LowerPriority reclaim=Any
}

for tier in best=50 edge=100 above=101 std=250 top=300 bottom=1; do
	echo "PartitionName=${tier%=*} Nodes=ALL PriorityTier=${tier#*=} State=UP MaxTime=INFINITE"
done >tiers.conf
echo 'PartitionName=graced Nodes=ALL PriorityTier=50 GraceTime=4 State=UP MaxTime=INFINITE' >>tiers.conf
quick_scheduler >>tiers.conf
epilog_line >>tiers.conf
story 100 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

test_expect_success 'idle quota is anybody'\''s' '
	be=$(submit_some 6 -A b-best-effort -p best) &&
	all_run $be
'

test_expect_success 'a borrowing job evicts a lower one below the threshold' '
	std=$(submit -A a-standard -p std -n4) &&
	all_run $std &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 2 ]" &&
	holds_for 2 "[ \$(evicted | wc -w) -eq 2 ]" &&
	[ "$(usage b-best-effort)" -eq 4 ] &&
	log_has "evict: .*, rule InCohortReclaimWhileBorrowing"
'

test_expect_success 'not one above it, though it is lower' '
	cluster_clear &&
	log_mark &&
	above=$(submit_some 4 -A b-standard -p above) &&
	std=$(submit_some 4 -A b-standard -p std) &&
	all_run $above $std &&
	top=$(submit -A a-standard -p top) &&
	nobody_evicted_for $top &&
	job_runs $above $std
'

test_expect_success 'one at the threshold' '
	cluster_clear &&
	log_mark &&
	edge=$(submit -A b-best-effort -p edge) &&
	above=$(submit_some 7 -A b-standard -p above) &&
	all_run $edge $above &&
	top=$(submit -A a-standard -p top) &&
	all_run $top &&
	evicted_are $edge &&
	job_runs $above
'

test_expect_success 'not one that does not borrow' '
	cluster_clear &&
	log_mark &&
	shared=$(submit_some 8 -A shared -p bottom) &&
	all_run $shared &&
	top=$(submit -A a-standard -p top) &&
	nobody_evicted_for $top &&
	job_runs $shared
'

test_expect_success 'not an equal, and nobody for a job of lower priority' '
	cluster_clear &&
	log_mark &&
	be=$(submit_some 8 -A b-best-effort -p best) &&
	all_run $be &&
	equal=$(submit -A a-best-effort -p best) &&
	lower=$(submit -A a-best-effort -p bottom) &&
	nobody_evicted_for $equal $lower &&
	job_runs $be
'

test_expect_success 'who owns the quota gets it back from above the threshold too' '
	cluster_clear &&
	log_mark &&
	std=$(submit_some 8 -A b-standard -p std) &&
	all_run $std &&
	shared=$(submit -A shared -p bottom -n2) &&
	all_run $shared &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 2 ]" &&
	holds_for 2 "[ \$(evicted | wc -w) -eq 2 ]" &&
	log_has "evict: .*, rule InCohortReclamation,"
'

# own_above_and_best PARTITION: a full node of the team's own, n1, and one of the other team's
# best effort, n2
own_above_and_best() {
	epilog_ends && cluster_clear && log_mark && above=$(submit_some 4 -A a-standard -p above -w n1) &&
		best=$(submit_some 4 -A b-best-effort -p $1 -w n2) && all_run $above $best
}

# All on n2, and as many as are asked for
only_best_went() { all_run $std && evicted_some 3 $best && job_runs $above; }

test_expect_success 'jobs of other queues go before those of its own, while their node is being cleaned' '
	own_above_and_best best && epilog_lasts n2 && std=$(submit_some 3 -A a-standard -p std) &&
	wait_for 10 "[ -n \"\$(evicted)\" ]" && holds_for 3 "job_runs $above" &&
	epilog_ends && only_best_went
'

test_expect_success 'also if no node is idle' '
	own_above_and_best best && out=$(submit -A out -N2 --ntasks-per-node=4 -w n3,n4) && all_run $out &&
	epilog_lasts n2 && std=$(submit_some 3 -A a-standard -p std) &&
	wait_for 10 "[ -n \"\$(evicted)\" ]" && holds_for 3 "job_runs $above" &&
	epilog_ends && only_best_went
'

test_expect_success 'also if they end slowly, on the node that they leave to an earlier one' '
	own_above_and_best graced && out=$(submit -A out -N2 --ntasks-per-node=4 -w n3,n4) && all_run $out &&
	std=$(submit_some 3 -A a-standard -p std) && only_best_went
'

test_expect_success 'without a policy for borrowers they evict nobody' '
	use_cohort story "" &&
	be=$(submit_some 8 -A b-best-effort -p best) &&
	all_run $be &&
	std=$(submit -A a-standard -p std) &&
	nobody_evicted_for $std
'

test_done
