#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='minAdmitDuration: equals take turns, and no turn ends later than it must'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

# No periodic pass comes to help: neither of slurmctld nor of the texts. Nodes that
# are cleared for one job are kept from the others, who may then have to evict
# somebody else than the first in order: where that order is tested, on a node of
# its own, nobody clears any.
{
	three_tiers | sed 's/Nodes=ALL/Nodes=n[1-4]/'
	no_passes
	echo 'PartitionName=gentle Nodes=n[1-4] PriorityTier=50 GraceTime=250 MaxTime=INFINITE'
	echo 'PartitionName=apart Nodes=n5 PriorityTier=50 MaxTime=INFINITE'
} >slurm.conf

# All is tried at the same time, each in a queue of its own, by a clock that the test moves:
# turns end after 600 s, the one that was suspended for 150 s later, then grace times, at last
# the min-runtime.
TURN=600
PMIN=$((TURN + 300))
{
	quota_head 1h
	echo 'clusterQueues:'
	for spec in "turns 1" "lower 2" "longest 2" "minimum 1 pmin=${PMIN}s" "paused 1" \
		"higher 1" "older 1" "graced 1"; do
		# shellcheck disable=SC2086
		queue $spec within=LowerOrNewerEqualPriority turn=${TURN}s
	done
	queue untimed 1 within=LowerOrNewerEqualPriority
} >cohort.yaml
ctld_clock
cluster_up --nodes 5 --cohort cohort.yaml --slurm-conf slurm.conf

test_expect_success 'who waits for the end of a turn is told when that is' '
	old=$(submit -A older -p mid -H) && later 1 &&
	a=$(submit -A turns -p mid) && all_run $a && later 1 && lower1=$(submit -A lower -p mid) &&
	lower2=$(submit -A lower -p lo) && longest1=$(submit -A longest -p apart) &&
	minimum1=$(submit -A minimum -p mid) && paused1=$(submit -A paused -p mid) &&
	higher1=$(submit -A higher -p hi) && new=$(submit -A older -p mid) &&
	untimed1=$(submit -A untimed -p mid) && graced1=$(submit -A graced -p gentle) &&
	all_run $lower1 $lower2 $longest1 $minimum1 $paused1 $higher1 $new $untimed1 $graced1 &&
	first=$(ctld_now) && later 1 && longest2=$(submit -A longest -p apart) &&
	lower5=$(submit -A lower -p lo -H) &&
	b=$(submit -A turns -p mid) && c=$(submit -A turns -p mid) &&
	minimum2=$(submit -A minimum -p mid) && paused2=$(submit -A paused -p mid) &&
	higher2=$(submit -A higher -p mid) && untimed2=$(submit -A untimed -p mid) &&
	graced2=$(submit -A graced -p gentle) && graced3=$(submit -A graced -p gentle) &&
	all_run $longest2 &&
	over=$(($(started $a) + TURN)) && pmin_over=$(($(started $minimum1) + PMIN)) &&
	pass_now &&
	protected $b $((over + 1)) && protected $c $((over + 1)) &&
	protected $minimum2 $pmin_over &&
	wait_for 5 "[ \"\$(reason_wait $higher2) \$(reason_wait $untimed2)\" = \"quota(cpu@any) quota(cpu@any)\" ]"
'

test_expect_success 'nobody is evicted before' '
	scontrol suspend $paused1 && paused_at=$(changed_at $paused1) && clock_to $((paused_at + 150)) &&
	[ $(job_state $paused1) = SUSPENDED ] && scontrol resume $paused1 && all_run $paused1 &&
	paused_over=$(($(started $paused1) + TURN + 1 + $(changed_at $paused1) - paused_at)) &&
	due_at $((over + 1)) "[ -z \"\$(evicted)\" ]" $a
'

test_expect_success 'then the one who waited longest has its turn' '
	all_run $b && [ $(ran $a) -eq $((TURN + 1)) ] && job_waits $c
'

test_expect_success 'the log and the note have a rule of their own for it' '
	log_has "evict: JobId=$a \\(turns\\) for JobId=$b \\(turns\\), rule InClusterQueueTimeBased, turns held 1 of 1 cpu@any, needed 1, free 0, ran [0-9]+ s, preemption 1" &&
	scontrol show job $a | grep "SystemComment=preempted at .* by job $b (cluster queue turns), rule InClusterQueueTimeBased,"
'

# graced1 has been told to go, and goes on until its grace time is over
test_expect_success 'a restart in between' '
	clock_to $((first + TURN + 3)) && wait_for 5 "log_has \"evict: JobId=$graced1 \"" &&
	[ $(ran $graced1) -gt $TURN ] &&
	wait_for 5 "grep -q turnOver $CLUSTER/state/cohort_state" &&
	cluster_restart_ctld && wait_for 20 nodes_are_back &&
	job_runs $graced1 && job_waits $graced2 $graced3
'

# The run of longest1 and new is over, too, but nobody was waiting
test_expect_success 'lower priority goes first, whatever turn is over' '
	lower3=$(submit -A lower -p mid) && longest3=$(submit -A longest -p apart) &&
	scontrol release $old &&
	all_run $lower3 && [ "$(rule_of $lower2)" = InClusterQueue ] && job_runs $lower1
'

test_expect_success 'of those whose turn is over the one who has run longest' '
	all_run $longest3 && log_has "evict: JobId=$longest1 .* for JobId=$longest3 .*, rule InClusterQueueTimeBased," &&
	scancel -A longest
'

test_expect_success 'one that could be evicted anyhow has had its turn all the same' '
	all_run $old && [ "$(rule_of $new)" = InClusterQueueTimeBased ]
'

test_expect_success 'with nobody of lower priority left, the one whose turn is over' '
	lower4=$(submit -A lower -p mid) &&
	all_run $lower4 && [ "$(rule_of $lower1)" = InClusterQueueTimeBased ] && job_runs $lower3
'

test_expect_success 'time spent suspended does not count' '
	log_mark && due_at $paused_over "job_waits $paused2" $paused1 &&
	all_run $paused2 && [ "$(rule_of $paused1)" = InClusterQueueTimeBased ]
'

test_expect_success 'not before preemptMinRuntime either, and soon after' '
	log_mark && due_at $pmin_over "job_waits $minimum2" $minimum1 &&
	all_run $minimum2 && [ $(ran $minimum1) -eq $PMIN ] && [ "$(rule_of $minimum1)" = InClusterQueueTimeBased ]
'

# No other turn ends from here on
turns_last() {
	sed -i "s/minAdmitDuration: ${TURN}s/minAdmitDuration: 1h/" "$CLUSTER/etc/cohort.yaml" && cluster_reconfigure
}

test_expect_success 'higher priority has no turn, nor has anybody where it is not set' '
	turns_last && job_runs $higher1 $untimed1 && job_waits $higher2 $untimed2
'

test_expect_success 'when its grace time is over, the one who waited longest is next' '
	wait_for 60 "job_runs $graced2" && job_waits $graced1 $graced3
'

# lower5 was submitted after lower2, and before that gave way to a higher
# priority. A restart makes all texts anew.
test_expect_success 'who had its turn stands behind those who waited, others where they stood' '
	scontrol release $lower5 &&
	wait_for 20 "pass_now; in_line $a $c $lower1 $lower2 $lower5 $graced1 $graced3" &&
	cluster_restart_ctld && wait_for 20 nodes_are_back &&
	wait_for 10 "[ \"\$(positions $c $a $graced3 $graced1)\" = \"1/2 2/2 1/2 2/2\" ]" &&
	wait_for 10 "[ \"\$(positions $lower1 $lower2 $lower5)\" = \"1/3 2/3 3/3\" ]" &&
	job_runs $b $old $minimum2 $graced2
'

test_done
