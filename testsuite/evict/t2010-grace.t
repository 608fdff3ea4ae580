#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='PreemptExemptTime and GraceTime hold for quota victims'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

cat >slurm.conf <<-EOF
	$(quick_scheduler)
	PreemptExemptTime=00:05:00
	PartitionName=gentle Nodes=ALL PriorityTier=1 GraceTime=200
EOF

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 4 cohort=org reclaim=Any
} >cohort.yaml

ctld_clock
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Both times, by a clock that the test moves. Freed quota is kept for 300 s (preemptorTimeout).
TIME=300
GRACE=200

# Two jobs of a, the second borrows all that b has; then one of b
borrowed() {
	a1=$(submit -A a -N1 -n4 "$@") && all_run $a1 && later 1 &&
		a2=$(submit -A a -N1 -n4 "$@") && all_run $a2
}

# Both could go when the time of both is over, and a2 is the younger one
test_expect_success 'PreemptExemptTime: nobody goes before; the text says until when, and who is free first goes' '
	borrowed && free=$(($(started $a1) + TIME)) && b1=$(submit -A b -n2) && protected $b1 $free &&
	due_at $free "job_runs $a1 $a2 && job_waits $b1" $a1 && all_run $b1 && evicted_are $a1 &&
	job_runs $a2 && [ $(ran $a1) -eq $TIME ]
'

test_expect_success 'it waits for its quota then, with a place' '
	wait_for 15 "in_line $a1" && job_reason $a1
'

first_started() { date -d "$(squeue -h -r -j "$1" -o %S | sort | head -n 1)" +%s; }

test_expect_success 'PreemptExemptTime: no task of an elastic array before, however many are too many' '
	cluster_clear && log_mark && array=$(submit -A a --array=0-3 -N1 -n2 --comment=cohort:min-available=1) &&
	wait_for 10 "tasks_run $array 4" && free=$(($(first_started $array) + TIME)) &&
	b1=$(submit -A b -n2) && protected $b1 $free && clock_to $((free - 60)) && pass_now &&
	tasks_run $array 4 && job_waits $b1 && clock_to $free && all_run $b1 && tasks_run $array 3
'

test_expect_success 'from here on only the grace time is left' '
	cluster_clear && sed -i "/^PreemptExemptTime=/d" "$CLUSTER/etc/slurm.conf" && cluster_reconfigure && log_mark
'

# told_to_go: soon one of the two is, which is $victim
told_to_go() {
	wait_for 15 "[ -n \"\$(evicted)\" ]" && victim=$(evicted)
}

test_expect_success 'GraceTime: the victim runs on for it, and the preemptor waits' '
	borrowed -p gentle && a3=$(submit -A a -N1 -n4 -p gentle) &&
	b1=$(submit -A b -n2) && told_to_go && free=$(($(evicted_at $victim) + GRACE)) &&
	wait_for 10 "[ \"\$(reason_wait $b1)\" = \"preempting(1)\" ]" &&
	clock_to $((free - 60)) && pass_now && job_runs $a1 $a2 && job_waits $a3 $b1
'

# Slurm itself looks for the end of a grace time every 30 s only
test_expect_success 'then it goes, and its preemptor starts, nobody else' '
	clock_is "@$((free - 1))" && holds_for 2 "job_runs $a1 $a2" &&
	clock_is "@$((free + 1))" && wait_for 10 "! job_runs $victim" && clock_to $free && all_run $b1 &&
	wait_for 5 "job_waits $victim $a3" && evicted_are $victim &&
	[ "$(usage a) $(usage b)" = "4 2" ]
'

test_expect_success 'a restart in the grace time: the same victim, the same preemptor' '
	cluster_clear && log_mark && borrowed -p gentle &&
	a3=$(submit -A a -N1 -n4 -p gentle) &&
	b1=$(submit -A b -n2) && told_to_go &&
	cluster_restart_ctld && job_runs $a1 $a2 && clock_to $(($(evicted_at $victim) + GRACE)) &&
	all_run $b1 && wait_for 5 "job_waits $victim $a3" && evicted_are $victim
'

test_done
