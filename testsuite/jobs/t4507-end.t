#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='how jobs end: cancelled at every stage, deadline, time limit'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

ctld_clock || {
	skip_all='no C compiler'
	test_done
}

{
	three_tiers
	quick_scheduler
	echo 'PartitionName=gentle Nodes=ALL PriorityTier=1 GraceTime=600 State=UP'
	echo 'Epilog=@DIR@/etc/epilog'
} >slurm.conf
borrower_owner_and_loner >cohort.yaml

# The epilog takes as long as there is a file for it
mkdir -p "$CLUSTER/etc"
printf '#!/bin/sh\nwhile [ -e "%s/etc/busy" ]; do sleep 0.1; done\n' "$CLUSTER" >"$CLUSTER/etc/epilog"
chmod 755 "$CLUSTER/etc/epilog"

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# A job that ignores SIGTERM, and ends when there is a file for it
until_told() { stubborn_until "[ -e $WORK/enough ]" "$@"; }

# ended ID STATE: and soon nothing of ours is left in its record
ended() {
	wait_for 15 "[ \"\$(job_field $1 JobState)\" = $2 ]" &&
		wait_for 5 "! scontrol show job $1 | grep Cohort:"
}

# clear_ab: no job of a and b is left
clear_ab() {
	scancel -A a
	scancel -A b
	wait_for 30 "[ -z \"\$(squeue -h -A a,b)\" ]"
}

test_expect_success 'cancelled as soon as it is submitted' '
	for i in 1 2 3 4 5; do scancel $(submit -A a -N1 -n4) || return 1; done &&
	a=$(submit -A a -n8) && all_run $a && [ "$(usage a)" -eq 8 ]
'

test_expect_success 'cancelled while it waits, in line and held: who is behind moves up' '
	one=$(submit -A a -n1) && two=$(submit -A a -n1) && three=$(submit -A a -n1 -H) &&
	wait_for 5 "[ \"\$(positions $one $two)\" = \"1/2 2/2\" ]" &&
	scancel $one $three && ended $one CANCELLED && ended $three CANCELLED &&
	wait_for 5 "[ \"\$(positions $two)\" = 1/1 ]" && scancel $two
'

test_expect_success 'cancelled while it runs: its quota is free' '
	scancel $a && b=$(submit -A b -N2 -n8) && all_run $b && scancel $b && ended $b CANCELLED
'

test_expect_success 'its nodes are being cleaned up: not before they are free' '
	clear_ab && touch "$CLUSTER/etc/busy" &&
	c=$(submit -A b -N2 -n8) && all_run $c && scancel $c &&
	behind=$(submit -A b -n8 -N2) &&
	wait_for 5 "[ \$(job_state $c) = COMPLETING ]" && says $behind "need=8,free=0" &&
	holds_for 2 "job_waits $behind" && scancel $c &&
	holds_for 1 "job_waits $behind" && rm "$CLUSTER/etc/busy" && all_run $behind
'

test_expect_success 'a preemptor is cancelled before its victims have gone: quota is nobody'\''s' '
	clear_ab && log_mark &&
	a=$(submit -A a -p gentle -N2 -n8) && all_run $a &&
	b=$(submit -A b -N1 -n4) && wait_for 10 "[ \"\$(evicted)\" = $a ]" && says $b "preempting(1)" &&
	behind=$(submit -A b -n4) && says $behind "need=4,free=0" &&
	scancel $b && ended $b CANCELLED &&
	says $behind "preempting(1)" && [ "$(evicted)" = $a ]
'

test_expect_success 'a victim is cancelled in its grace: the preemptor need not wait' '
	scancel $a && all_run $behind && wait_for 10 "[ \"\$(usage a) \$(usage b)\" = \"0 4\" ]"
'

# From Slurm 24.05 on that is a preemption, too, and it is requeued
test_expect_success 'a victim ends by itself in its grace' '
	clear_ab && log_mark &&
	a=$(until_told -A a -p gentle -N2 -n8) && all_run $a &&
	b=$(submit -A b -N1 -n4) && wait_for 10 "[ \"\$(evicted)\" = $a ]" &&
	touch "$WORK/enough" && all_run $b && rm "$WORK/enough" &&
	if slurm_since 24.05; then
		wait_for 15 "job_waits $a && [ \"\$(job_restarts $a)\" = 1 ]"
	else
		ended $a COMPLETED
	fi
'

test_expect_success 'the same with one that can not be requeued' '
	clear_ab && log_mark &&
	a=$(until_told --no-requeue -A a -p gentle -N2 -n8) && all_run $a &&
	b=$(submit -A b -N1 -n4) && wait_for 10 "[ \"\$(evicted)\" = $a ]" &&
	touch "$WORK/enough" && all_run $b &&
	if slurm_since 24.05; then ended $a PREEMPTED; else ended $a COMPLETED; fi
'

test_expect_success 'all of them, victim and preemptor, at once' '
	clear_ab && log_mark &&
	a=$(submit_stubborn -A a -N2 -n8) && all_run $a &&
	b=$(submit -A b -N1 -n4) && wait_for 10 "[ \"\$(evicted)\" = $a ]" &&
	scancel $a $b && other=$(submit -A a -N2 -n8) && wait_for 15 "job_runs $other"
'

# slurmctld looks for both each half minute, and takes no answer of a node for 300 s for a failure
test_expect_success 'a time limit is reached, and a deadline can not be met any more: who is behind starts' '
	cluster_clear && limited=$(submit -A c -N1 -n3 -t 1) && all_run $limited &&
	one=$(submit -A c -n2 -t 1 --deadline=now+200) && two=$(submit -A c -n4) &&
	wait_for 10 "[ \"\$(positions $one $two)\" = \"1/2 2/2\" ]" && clock_is 230 &&
	wait_for 35 "[ \"\$(job_field $limited JobState)\" = TIMEOUT ]" && ended $one DEADLINE && all_run $two
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
