#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='victims by QOS and partition: mode, cost, GraceTime, PreemptExemptTime, signal'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"

{
	quick_scheduler
	echo 'SlurmctldParameters=preempt_send_user_signal'
	# for a script that is told to go, and waits for the other signal
	echo 'KillWait=30'
	echo 'PartitionName=cancel Nodes=ALL PreemptMode=CANCEL'
} >slurm.conf
cat >commands <<-EOF
	add account a
	add account b
	add account c
	add account d
	add account out
	add qos cancel preemptmode=cancel
	add qos requeue preemptmode=requeue
	add qos within preemptmode=within
	add qos gentle5 gracetime=5
	add qos gentle20 gracetime=20
	add qos gentle60 gracetime=60
	add qos exempt5 preemptexempttime=00:00:05
	add qos exempt20 preemptexempttime=00:00:20
	add qos exempt60 preemptexempttime=00:01:00
	add user root account=a defaultqos=normal qos=normal,cancel,requeue,within,gentle5,gentle20,gentle60,exempt5,exempt20,exempt60
	add user root account=b,c,d,out qos=normal defaultqos=normal
EOF
{
	quota_head
	cohorts org wide
	echo 'clusterQueues:'
	queue a 0 cohort=org
	queue b 4 cohort=org reclaim=Any
	queue c 0 cohort=wide
	queue d 16 cohort=wide reclaim=Any
} >cohort.yaml
cluster_up --accounting --sacctmgr commands --slurm-conf slurm.conf --cohort cohort.yaml

# begin: no jobs, a new look at the log
begin() { cluster_clear && log_mark; }

# borrow VARIABLE OPTIONS...: a job of a that runs
borrow() {
	local id
	id=$(submit -A a "${@:2}") && all_run "$id" && eval "$1=$id"
}

# gone ID...: these were evicted so far
gone() { wait_for 10 "[ \"\$(evicted)\" = \"$*\" ]"; }

# taken VICTIM... : b takes as many CPUs back, and these have to go
taken() { b=$(submit -A b -n "$#") && all_run "$b" && evicted_are "$@"; }

test_expect_success 'a QOS that cancels, where the cluster requeues' '
	begin && borrow victim -q cancel -n4 && b=$(submit -A b -n1) && all_run $b &&
	gone $victim && [ "$(job_state $victim)" = PREEMPTED ]
'

test_expect_success 'a QOS that requeues, in a partition that cancels' '
	begin && borrow victim -q requeue -p cancel -n4 && b=$(submit -A b -n1) && all_run $b &&
	gone $victim && job_waits $victim && [ "$(job_restarts $victim)" -eq 1 ]
'

test_expect_success 'one that only says WITHIN: as the cluster or the partition has it' '
	begin && borrow victim -q within -n4 && b=$(submit -A b -n1) && all_run $b &&
	gone $victim && job_waits $victim
'

# Without that they would go from right to left
test_expect_success 'who can be requeued goes before those who would be cancelled' '
	begin && borrow batch -n1 && next_second && borrow norequeue -n1 --no-requeue && next_second &&
	borrow cancelled -n1 -q cancel && next_second && salloc --no-shell -A a -n1 >out 2>&1 &&
	interactive=$(squeue -h -A a -t R -o %A | sort -n | tail -n 1) &&
	taken $batch && job_waits $batch && job_runs $norequeue $cancelled $interactive
'

test_expect_success 'those go only if they have to, the last to start first' '
	b2=$(submit -A b -n2) && all_run $b2 &&
	evicted_are $batch $cancelled $interactive && job_runs $norequeue &&
	[ "$(job_state $interactive)" = PREEMPTED ]
'

test_expect_success 'scontrol update Requeue=1 is noticed' '
	begin && borrow first -n2 --no-requeue && next_second && borrow second -n2 --no-requeue &&
	scontrol update job=$first Requeue=1 && b=$(submit -A b -n2) && all_run $b &&
	evicted_are $first && job_waits $first && job_runs $second
'

test_expect_success 'so it is where only nodes are missing' '
	begin && first=$(submit -A c -w n1 -n4) && all_run $first && next_second &&
	second=$(submit -A c -w n2 -n4 --no-requeue) &&
	others=$(submit -A out -w n[3-4] -n8) && all_run $second $others &&
	d=$(submit -A d -N1 -n4) && all_run $d &&
	evicted_are $first && job_runs $second && log_has "free 8, for nodes,"
'

test_given_time 'GraceTime of a QOS: the victim runs on for it' '
	begin && borrow victim -n4 -q gentle$TIME && b=$(submit -A b -n1) && gone $victim &&
	free=$(($(evicted_at $victim) + TIME)) &&
	seen_before $free "[ \"\$(reason_wait $b)\" = \"preempting(1)\" ]" &&
	until_then $free "job_runs $victim && job_waits $b" &&
	all_run $b && [ $(started $b) -ge $free ] && [ $(started $b) -le $((free + SLACK)) ] && gone $victim
'

test_given_time 'PreemptExemptTime of a QOS: others go instead, though they are older' '
	begin && borrow other -n1 && borrow exempt -q exempt$TIME -n3 &&
	free=$(($(started $exempt) + TIME)) &&
	b=$(submit -A b -n1) && all_run $b && before $(started $b) $free &&
	evicted_are $other && job_runs $exempt
'

test_given_time 'and if there are none, the preemptor sees until when' '
	begin && borrow exempt -q exempt$TIME -n4 && b=$(submit -A b -n1) &&
	protected $b $(($(started $exempt) + TIME)) &&
	wait_for $((TIME + 10)) "job_runs $b" && gone $exempt && ran_for $exempt $TIME
'

# The script notes the signal. That which would end it does so when the other one has come.
script='trap "echo got it >>$1; touch $1.now" USR1; trap "told=t" TERM; touch $1
until [ -n "$told" ] && [ -e $1.now ]; do sleep 0.1; done'

# signalled OPTIONS...: a job of a that wants SIGUSR1 and is ready for it
signalled() {
	note=$WORK/note.$((++notes))
	victim=$(sbatch --parsable -o /dev/null -A a -n4 --signal=B:USR1@60 "$@" \
		--wrap "set -- $note; $script") && wait_for 10 "[ -e $note ]"
}

test_expect_success 'preempt_send_user_signal: the victim gets its --signal before it is killed' '
	begin && signalled && b=$(submit -A b -n1) && wait_for 10 "[ -e $note.now ]" &&
	all_run $b && gone $victim && [ "$(cat $note)" = "got it" ]
'

test_given_time 'with a grace time, at its beginning, and once' '
	begin && signalled -q gentle$TIME && b=$(submit -A b -n1) && gone $victim &&
	seen_before $(($(evicted_at $victim) + TIME)) "[ -e $note.now ]" &&
	wait_for $((TIME + 10)) "job_runs $b" && gone $victim && [ "$(cat $note)" = "got it" ]
'

test_done
