#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='PreemptExemptTime and GraceTime hold for quota victims'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"

cat >slurm.conf <<-EOF
	$(quick_scheduler)
	PreemptExemptTime=00:00:06
	PartitionName=gentle Nodes=ALL PriorityTier=1 GraceTime=4
EOF

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 4 cohort=org reclaim=Any
} >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# times EXEMPT GRACE: so many seconds, and nobody is there
times() {
	cluster_clear &&
		sed -i -e "s/^PreemptExemptTime=.*/PreemptExemptTime=00:00:$(printf %02d $1)/" \
			-e "s/GraceTime=.*/GraceTime=$2/" "$CLUSTER/etc/slurm.conf" &&
		cluster_reconfigure && log_mark
}

# Two jobs of a, the second borrows all that b has; then one of b
borrowed() {
	a1=$(submit -A a -N1 -n4 "$@") && all_run $a1 && next_second && next_second && next_second &&
		a2=$(submit -A a -N1 -n4 "$@") && all_run $a2
}

# After the time of both a2 would have to go, it is the younger one
test_given_time 'PreemptExemptTime: no eviction before, and the text says until when' '
	times $TIME 4 && borrowed && free=$(($(started $a1) + TIME)) && later=$(($(started $a2) + TIME)) &&
	b1=$(submit -A b -n2) && protected $b1 $free &&
	until_then $free "job_runs $a1 $a2 && job_waits $b1" &&
	all_run $b1 && before $(evicted_at "[0-9]*") $later
' 6 20 59

test_expect_success 'then the one goes whose time was over first, and only that one' '
	all_run $b1 &&
	evicted_are $a1 &&
	job_runs $a2 && ran_for $a1 $TIME
'

test_expect_success 'it waits for its quota then, with a place' '
	wait_for 15 "in_line $a1" && job_reason $a1
'

first_started() { date -d "$(squeue -h -r -j "$1" -o %S | sort | head -n 1)" +%s; }

test_given_time 'PreemptExemptTime: no task of an elastic array before, however many are too many' '
	times $TIME 4 && array=$(submit -A a --array=0-3 -N1 -n2 --comment=cohort:min-available=1) &&
	wait_for 10 "tasks_run $array 4" && free=$(($(first_started $array) + TIME)) &&
	b1=$(submit -A b -n2) && protected $b1 $free &&
	until_then $free "tasks_run $array 4 && job_waits $b1" &&
	all_run $b1 && tasks_run $array 3
' 6 20 59

# told_to_go: soon one of the two is, which is $victim
told_to_go() {
	wait_for 15 "[ -n \"\$(evicted)\" ]" && victim=$(evicted)
}

test_given_time 'GraceTime: the victim runs on for it, and the preemptor waits' '
	times 0 $TIME && borrowed -p gentle &&
	a3=$(submit -A a -N1 -n4 -p gentle) &&
	b1=$(submit -A b -n2) && told_to_go && free=$(($(evicted_at $victim) + TIME)) &&
	seen_before $free "[ \"\$(reason_wait $b1)\" = \"preempting(1)\" ]" &&
	until_then $free "job_runs $a1 $a2 && job_waits $a3 $b1"
'

# Slurm itself looks for the end of a grace time every 30 s only
test_expect_success 'then it goes, and its preemptor starts, nobody else' '
	all_run $b1 && [ $(started $b1) -ge $free ] && [ $(started $b1) -le $((free + SLACK)) ] &&
	wait_for 5 "job_waits $victim $a3" && evicted_are $victim &&
	[ "$(usage a) $(usage b)" = "4 2" ]
'

test_expect_success 'a restart in the grace time: the same victim, the same preemptor' '
	times 0 10 && borrowed -p gentle &&
	a3=$(submit -A a -N1 -n4 -p gentle) &&
	b1=$(submit -A b -n2) && told_to_go &&
	cluster_restart_ctld &&
	all_run $b1 && wait_for 5 "job_waits $victim $a3" && evicted_are $victim
'

test_done
