#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='PreemptExemptTime and GraceTime hold for quota victims'
. "$(dirname "$0")/lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

cat >slurm.conf <<-EOF
	SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_continue
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

# From the one line "evict: JobId=7 (a) for JobId=9 (b), rule ..., ran 6 s, ..."
eviction() { log_lines 'slurm-cohort: evict: ' | sed -n "s/.*$1.*/\1/p"; }

# Two jobs of a, the second borrows all that b has; then one of b
borrowed() {
	a1=$(submit -A a -N1 -n4 "$@") && all_run $a1 && next_second &&
		a2=$(submit -A a -N1 -n4 "$@") && all_run $a2
}

test_expect_success 'PreemptExemptTime: no eviction before, and the text says until when' '
	log_mark && borrowed &&
	b1=$(submit -A b -n2) &&
	wait_for 5 "in_line $b1" &&
	job_reason $b1 && expr "$(reason_wait $b1)" : "protected(until=[0-9:]*)" &&
	start=$(date -d "$(job_field $a1 StartTime)" +%s) &&
	while [ $(date +%s) -lt $((start + 6)) ]; do
		job_runs $a1 $a2 && job_waits $b1 || return 1
		sleep 0.2
	done
'

# Else a2 would have to go, it is the younger one
test_expect_success 'then the one goes whose time was over first, and only that one' '
	all_run $b1 &&
	evicted_are $a1 &&
	job_runs $a2 &&
	ran=$(eviction "ran \([0-9]*\) s") && [ $ran -ge 6 ] && [ $ran -le 9 ]
'

test_expect_success 'it waits for its quota then, with a place' '
	wait_for 15 "in_line $a1" && job_reason $a1
'

test_expect_success 'GraceTime: the victim runs on for it, and the preemptor waits' '
	cluster_clear && log_mark && borrowed -p gentle &&
	a3=$(submit -A a -N1 -n4 -p gentle) &&
	b1=$(submit -A b -n2) &&
	wait_for 15 "log_has \"slurm-cohort: evict: \"" && start=$(now_ms) &&
	holds_for 3 "job_runs $a1 $a2 && job_waits $a3 $b1" &&
	[ "$(reason_wait $b1)" = "preempting(1)" ]
'

# Slurm itself looks for the end of a grace time every 30 s only
test_expect_success 'then it goes, and its preemptor starts, nobody else' '
	wait_for 10 "! job_runs $a1" && took=$(($(now_ms) - start)) && echo "$took ms" &&
	[ $took -ge 3500 ] && [ $took -le 9000 ] &&
	all_run $b1 && wait_for 5 "job_waits $a1 $a3" &&
	evicted_are $a1 &&
	[ "$(usage a) $(usage b)" = "4 2" ]
'

test_expect_success 'a restart in the grace time: the same victim, the same preemptor' '
	cluster_clear && log_mark && borrowed -p gentle &&
	a3=$(submit -A a -N1 -n4 -p gentle) &&
	b1=$(submit -A b -n2) &&
	wait_for 15 "log_has \"slurm-cohort: evict: \"" &&
	cluster_restart_ctld &&
	wait_for 15 "! job_runs $a1" &&
	all_run $b1 && wait_for 5 "job_waits $a1 $a3" && job_runs $a2 &&
	[ "$(evicted)" = "$a1" ]
'

test_done
