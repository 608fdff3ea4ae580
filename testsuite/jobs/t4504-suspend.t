#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job suspended by hand keeps its charge, and is requeued when an owner needs that'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{
	three_tiers
	quick_scheduler
	echo 'PartitionName=gentle Nodes=ALL PriorityTier=1 GraceTime=600'
} >slurm.conf
borrower_owner_and_loner >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Its script says that it has begun
submit() { sbatch --parsable -o /dev/null "$@" --wrap "touch $WORK/begun.\$SLURM_JOB_ID; exec sleep 1000"; }

# suspended ID... Not before the script has begun: slurmctld lets a job run before slurmd has
# launched it, and one that is suspended before that may stay in COMPLETING
suspended() {
	local id
	for id; do
		wait_for 20 "[ -e $WORK/begun.$id ]" && scontrol suspend "$id" && wait_for 5 "[ \$(job_state $id) = SUSPENDED ]" || return 1
	done
}

test_expect_success 'its quota is in use, whatever becomes of its cores' '
	job=$(submit -A c -n4 -N1) && all_run $job && suspended $job &&
	behind=$(submit -A c -n1) && says $behind "quota(cpu@any),need=1,free=0" &&
	holds_for 2 "job_waits $behind" && [ "$(usage c)" -eq 4 ]
'

test_expect_success 'over a restart, too' '
	cluster_restart_ctld && wait_for 30 nodes_have_registered && says $behind "quota(cpu@any),need=1,free=0" &&
	holds_for 1 "job_waits $behind" && scontrol resume $job && all_run $job && job_waits $behind
'

test_expect_success 'cancelled while it is suspended: its quota is free' '
	suspended $job && scancel $job && all_run $behind
'

# Slurm takes the priority of a suspended job away
test_expect_success 'requeued while it is suspended: the same, and it is held' '
	cluster_clear &&
	job=$(submit -A c -n4 -N1) && all_run $job && suspended $job &&
	scontrol requeue $job && wait_for 10 "job_waits $job" &&
	other=$(submit -A c -N1 -n4) && all_run $other && says $job JobHeldAdmin &&
	scontrol release $job && says $job "quota(cpu@any),need=4,free=0" && scancel $job
'

# Whoever suspended it decides when it goes on
test_expect_success 'a borrower that is suspended is requeued, and held; released, it is in line' '
	cluster_clear && log_mark &&
	a=$(submit -A a -n8) && all_run $a && suspended $a &&
	b=$(submit -A b -n1) && all_run $b && evicted_are $a &&
	wait_for 10 "job_waits $a" && says $a JobHeldAdmin && scontrol release $a && says $a "need=8,free=7"
'

test_expect_success 'its memory comes back, too, and it has no grace time' '
	cluster_clear && log_mark &&
	a=$(submit -A a -p gentle -N4 -n8 --mem=4000) && all_run $a && suspended $a &&
	b=$(submit -A b -n1 --mem=1000) && all_run $b && evicted_are $a && wait_for 10 "job_waits $a" &&
	! log_lines "sec preemption grace time for JobId=$a" | grep .
'

test_expect_success 'not without need: one that asks for nodes that nobody can give evicts none' '
	cluster_clear && log_mark && whole=$(submit -A nobody -N4 -n4 --mem=3000) && all_run $whole &&
	a=$(submit -A a -n8 --mem-per-cpu=1) && all_run $a && suspended $a &&
	b=$(submit -A b -n1 --mem=2000) && nobody_evicted_for $b && scancel $whole && all_run $b && evicted_are $a
'

test_expect_success 'one that can not be requeued stays' '
	cluster_clear && log_mark &&
	a=$(submit -A a -n8 --no-requeue) && all_run $a && suspended $a &&
	b=$(submit -A b -n1) && says $b "quota(cpu@any),need=1,free=0" &&
	nobody_evicted_for $b
'

test_expect_success 'resumed, it is one at once' '
	scontrol resume $a && all_run $b && evicted_are $a
'

test_expect_success 'another one goes instead' '
	cluster_clear && log_mark &&
	a1=$(submit -A a -n2) && all_run $a1 && next_second && a2=$(submit -A a -n6 --no-requeue) && all_run $a2 &&
	suspended $a2 &&
	b=$(submit -A b -n2) && all_run $b && evicted_are $a1
'

# It was told to go, and comes back to go: no other job is told in its place
test_expect_success 'a victim that is suspended in its grace: the preemptor keeps its claim' '
	cluster_clear && log_mark &&
	a=$(submit -A a -p gentle -N2 -n8) && all_run $a &&
	b=$(submit -A b -n4 -N1) && says $b "preempting(1)" && suspended $a &&
	other=$(submit -A b -n1) && says $other "free=0" &&
	scontrol resume $a && wait_for 10 "job_runs $a" && job_waits $b $other && scancel $a &&
	all_run $b && evicted_are $a
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
