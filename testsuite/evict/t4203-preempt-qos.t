#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='victims by QOS and partition: mode, cost, GraceTime, PreemptExemptTime, signal'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

{
	quick_scheduler
	echo 'SlurmctldParameters=preempt_send_user_signal'
	# for a script that is told to go, and waits for the other signal
	echo 'KillWait=30'
	echo 'PartitionName=cancel Nodes=ALL PreemptMode=CANCEL'
} >slurm.conf
cat >commands <<-EOF
	add account a,b,c,d,out
	add qos cancel preemptmode=cancel
	add qos requeue preemptmode=requeue
	add qos within preemptmode=within
	add qos suspend preemptmode=suspend
	add qos gentle gracetime=200
	add qos exempt preemptexempttime=00:05:00
	add user root account=a defaultqos=normal qos=normal,cancel,requeue,within,suspend,gentle,exempt
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
# Exempt and grace time, by a clock that the test moves
TIME=300
GRACE=200

ctld_clock
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

fixed="jobs of QOS suspend can't be evicted: its PreemptMode is SUSPEND"

test_expect_success 'a QOS that suspends: its jobs are no victims, and log, check and why say so' '
	begin && borrow stays -q suspend -n2 && borrow victim -n2 &&
	b=$(submit -A b -n4) && nobody_evicted_for $b &&
	why_soon $stays "No job can evict it: the PreemptMode of its QOS or partition is neither REQUEUE nor CANCEL." &&
	grep "slurm-cohort: warning: $fixed" "$CLUSTER/log/slurmctld.log" &&
	scohort check 2>err && grep "cohort.yaml: warning: $fixed" err && ! grep "QOS \(cancel\|requeue\|within\)" err
'

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
	begin && borrow batch -n1 && later 1 && borrow norequeue -n1 --no-requeue && later 1 &&
	borrow cancelled -n1 -q cancel && later 1 && salloc --no-shell -A a -n1 >out 2>&1 &&
	interactive=$(squeue -h -A a -t R -o %A | sort -n | tail -n 1) &&
	taken $batch && job_waits $batch && job_runs $norequeue $cancelled $interactive
'

test_expect_success 'those go only if they have to, the last to start first' '
	b2=$(submit -A b -n2) && all_run $b2 &&
	evicted_are $batch $cancelled $interactive && job_runs $norequeue &&
	[ "$(job_state $interactive)" = PREEMPTED ]
'

test_expect_success 'scontrol update Requeue=1 is noticed' '
	begin && borrow first -n2 --no-requeue && later 1 && borrow second -n2 --no-requeue &&
	scontrol update job=$first Requeue=1 && b=$(submit -A b -n2) && all_run $b &&
	evicted_are $first && job_waits $first && job_runs $second
'

test_expect_success 'so it is where only nodes are missing' '
	begin && first=$(submit -A c -w n1 -n4) && all_run $first && later 1 &&
	second=$(submit -A c -w n2 -n4 --no-requeue) &&
	others=$(submit -A out -w n[3-4] -n8) && all_run $second $others &&
	d=$(submit -A d -N1 -n4) && all_run $d &&
	evicted_are $first && job_runs $second && log_has "free 8, for nodes,"
'

test_expect_success 'GraceTime of a QOS: the victim runs on for it' '
	begin && borrow victim -n4 -q gentle && b=$(submit -A b -n1) && gone $victim &&
	free=$(($(evicted_at $victim) + GRACE)) &&
	wait_for 10 "[ \"\$(reason_wait $b)\" = \"preempting(1)\" ]" &&
	clock_to $((free - 60)) && pass_now && job_runs $victim && job_waits $b &&
	clock_to $((free + 1)) && all_run $b && gone $victim
'

test_expect_success 'PreemptExemptTime of a QOS: others go instead, though they are older' '
	begin && borrow other -n1 && borrow exempt -q exempt -n3 &&
	b=$(submit -A b -n1) && all_run $b && evicted_are $other && job_runs $exempt
'

test_expect_success 'and if there are none, the preemptor sees until when' '
	begin && borrow exempt -q exempt -n4 && b=$(submit -A b -n1) &&
	free=$(($(started $exempt) + TIME)) && protected $b $free &&
	due_at $free "job_runs $exempt && job_waits $b" $exempt && all_run $b && [ $(ran $exempt) -eq $TIME ]
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

test_expect_success 'with a grace time, at its beginning, and once' '
	begin && signalled -q gentle && b=$(submit -A b -n1) && gone $victim && wait_for 10 "[ -e $note.now ]" &&
	clock_to $(($(evicted_at $victim) + GRACE + 1)) && all_run $b && gone $victim && [ "$(cat $note)" = "got it" ]
'

test_done
