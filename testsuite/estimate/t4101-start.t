#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='squeue --start: when quota and nodes are both there'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/scohort.sh"

estimate_conf >extra.conf
halves >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf extra.conf

test_expect_success 'who waits for quota: at the end of whoever has it' '
	a1=$(submit -A a -n4 -t 3) && a2=$(submit -A a -n4 -t 7) && all_run $a1 $a2 &&
	b=$(submit -A b -n4 -t 5) && a3=$(submit -A a -n8 -t 5) &&
	estimated $b $(ends $a1)
'

# b runs until 8 minutes from now, a2 until 7
test_expect_success 'and who comes after him: at the end of his run' '
	estimated $a3 $(($(ends $a1) + 5 * 60))
'

test_expect_success 'the times stay, whatever the schedulers do' '
	was=$(estimate $b) && [ -n "$was" ] &&
	keeps_estimate $b $was
'

test_expect_success 'no time for one that never fits, and REASON says so' '
	never=$(submit -A b -n9 -t 5) &&
	wait_for 10 "[[ \"\$(reason_wait $never)\" == never* ]]" &&
	no_estimate $never &&
	estimated $b $(ends $a1)
'

test_expect_success 'nor behind a job without a limit' '
	use_cohort halves &&
	a1=$(submit -A a -n8 -t UNLIMITED) && all_run $a1 &&
	b=$(submit -A b -n4 -t 5) &&
	wait_for 10 "[[ \"\$(reason_wait $b)\" == quota* ]]" &&
	no_estimate $b
'

test_expect_success 'nor behind one that may run for 380 years' '
	use_cohort halves &&
	a1=$(submit -A a -n8 -t 3) && all_run $a1 &&
	long=$(submit -A b -n8 -t 200000000) && b=$(submit -A b -n8 -t 5) &&
	estimated $long $(ends $a1) && no_estimate $b
'

test_expect_success 'another limit, another time' '
	use_cohort halves &&
	a1=$(submit -A a -n8 -t UNLIMITED) && all_run $a1 &&
	b=$(submit -A b -n4 -t 5) &&
	scontrol update JobId=$a1 TimeLimit=9 &&
	estimated $b $(ends $a1)
'

test_expect_success 'held: none; released: again' '
	scontrol hold $b && no_estimate $b &&
	scontrol release $b && estimated $b $(ends $a1)
'

test_expect_success 'a restart: the same' '
	cluster_restart_ctld && estimated $b $(ends $a1)
'

test_expect_success 'an array: its first task' '
	array=$(submit -A b -n4 -t 5 --array=1-3) &&
	estimated $array $(($(ends $a1)))
'

# either: two queues by partition, in no cohort
either() {
	quota_head
	cat <<-EOF
		clusterQueues:
		  - name: lo
		    match: [{partition: lo}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: any, nominalQuota: "cpu=4"}]
		  - name: hi
		    match: [{partition: hi}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: any, nominalQuota: "cpu=4"}]
	EOF
}

test_expect_success 'a heterogeneous job: all its components at a time' '
	use_cohort halves &&
	a1=$(submit -A a -n4 -t 3) && a2=$(submit -A a -n4 -t 7) && all_run $a1 $a2 &&
	h=$(sbatch --parsable -o /dev/null -A b -n4 -t 5 : -A b -n4 --wrap "sleep 1000" | tail -n 1) &&
	estimated $h+0 $(ends $a2) && estimated $h+1 $(ends $a2)
'

test_expect_success 'several partitions: the first queue that can take it' '
	use_cohort either &&
	l=$(submit -p lo -n4 -t 3) && h=$(submit -p hi -n4 -t 7) && all_run $l $h &&
	e=$(submit -p lo,hi -n4 -t 5) && l2=$(submit -p lo -n4 -t 5) &&
	h2=$(submit -p hi -n4 -t 5) &&
	estimated $e $(ends $l) && estimated $l2 $(($(ends $l) + 300)) &&
	estimated $h2 $(ends $h)
'

test_expect_success 'protected: when the protection ends, not the run' '
	use_cohort halves reclaim=Any && next_second &&
	sed -i "s/^  - name: a$/&\n    reclaimMinRuntime: 2h/" "$CLUSTER/etc/cohort.yaml" &&
	before=$(cohort_reads) && cluster_reconfigure &&
	wait_for 5 "[ \$(cohort_reads) -gt $before ]" &&
	a1=$(submit -A a -n8 -t 600) && all_run $a1 &&
	b=$(submit -A b -n4 -t 5) &&
	protected $b $(($(started $a1) + 7200)) &&
	estimated $b $(($(started $a1) + 7200))
'

# Quota is there, but not the nodes; backfill knows of no eviction
test_expect_success 'so where only nodes are missing, which jobs under protection have' '
	cluster_clear && next_second &&
	a1=$(submit -A a -n6 -N2 -w n[1-2] --ntasks-per-node=3 -t 600) &&
	other=$(submit -n8 -N2 -w n[3-4] -t 600) && all_run $a1 $other &&
	b=$(submit -A b -N1 -n2 -t 5) &&
	wait_for 10 "[ \"\$(reason_wait $b)\" = nodes ]" &&
	estimated $b $(($(started $a1) + 7200)) &&
	keeps_estimate $b $(($(started $a1) + 7200))
'

alone() {
	quota_head
	echo 'clusterQueues:'
	queue b 8 within=LowerOrNewerEqualPriority turn=1h
}

test_expect_success 'a turn: when it is over' '
	use_cohort alone &&
	b1=$(submit -A b -n8 -t 600) && all_run $b1 &&
	b2=$(submit -A b -n8 -t 600) &&
	estimated $b2 $(($(started $b1) + 3600))
'

test_expect_success 'preempting: when its victim is gone' '
	use_cohort halves reclaim=Any &&
	a1=$(submit_stubborn -A a -p grace -n8 -t 600) &&
	all_run $a1 && next_second &&
	b=$(submit -A b -n4 -t 5) &&
	wait_for 10 "[ \"\$(reason_wait $b)\" = \"preempting(1)\" ]" &&
	estimated $b $(ends $a1)
'

# 32 owned, 16 CPUs there
plenty() {
	quota_head
	echo 'clusterQueues:'
	queue a 32
}

test_expect_success 'quota is there and nodes are not: when nodes are free' '
	use_cohort plenty &&
	a1=$(submit -A a -n16 -t 6) && all_run $a1 &&
	a2=$(submit -A a -n16 -t 5) &&
	wait_for 10 "[ \"\$(reason_wait $a2)\" = nodes ]" &&
	estimated $a2 $(ends $a1) 35
'

test_expect_success 'and those behind it' '
	a3=$(submit -A a -n4 -t 5) && a4=$(submit -A a -n16 -t 5) &&
	estimated $a4 $(($(ends $a1) + 10 * 60))
'

test_expect_success 'quota is there, and a job outside all queues has the nodes: at its end' '
	use_cohort halves &&
	other=$(submit -n12 -t 9) && a1=$(submit -A a -n4 -t 3) && all_run $other $a1 &&
	b=$(submit -A b -n8 -t 5) &&
	wait_for 10 "[[ \"\$(reason_wait $b)\" == quota* ]]" &&
	estimated $b $(ends $other)
'

held() {
	plenty
	echo "    stopPolicy: Hold"
}

test_expect_success 'a stopped queue: no time' '
	use_cohort held &&
	a1=$(submit -A a -n1 -t 5) &&
	wait_for 10 "[[ \"\$(reason_wait $a1)\" == held* ]]" &&
	no_estimate $a1
'

slurmds_signal() { procs proc_signal "$1" slurmd.n1 slurmd.n2 slurmd.n3 slurmd.n4; }

# Nobody stamps a job or a partition when a node answers. Where none has answered, nothing
# is played.
test_expect_success 'no node has answered yet: no time; they answer: the time' '
	use_cohort halves &&
	a1=$(submit -A a -n8 -t 5) && all_run $a1 &&
	b=$(submit -A b -n4 -t 5) && estimated $b $(ends $a1) &&
	slurmds_signal STOP && {
		cluster_restart_ctld && b2=$(submit -A b -n4 -t 5) &&
			wait_for 8 "[ \$(main_cycles) -gt 0 ]" && no_estimate $b $b2 &&
			[ "$(metric estimate_plays_total)" = 0 ]
		rc=$?
		slurmds_signal CONT
		[ $rc -eq 0 ]
	} &&
	estimated $b $(ends $a1) && estimated $b2 $(ends $a1)
'

test_done
