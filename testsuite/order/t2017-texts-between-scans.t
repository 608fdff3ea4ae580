#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='texts that are put back between two passes: not on a job that has left the line meanwhile'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

ctld_clock || {
	skip_all='no C compiler'
	test_done
}

# slurmctld makes one pass after its start, and no more in the time of this test; nothing
# brings texts up to date by the clock. What salloc asks for is tried at once, and where that
# is refused the texts of all that wait are put back. Their records are looked at before
# that, but not twice within a second: who changes after the look is not seen. For that
# second the clock of slurmctld stands still, however long it takes.
{
	echo 'SchedulerParameters=bf_interval=600,sched_interval=600,sched_min_interval=1000000000'
	# by the other type all have priority 1, and only the oldest is tried at submission
	echo 'PriorityType=priority/basic'
} >slurm.conf
lone_queue 4 | sed 's/1s/1h/' >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

one_pass() { cluster_restart_ctld && wait_for 10 "[ \"\$(main_cycles)\" = 1 ] && in_line $*"; }

# try_one: one that is to start at once or not at all; it is tried, and refused
try_one() {
	test_must_fail salloc -I1 --no-shell -A c -n1 2>try && cat try && ! grep "insufficient priority" try
}

# fill: an allocation that has all of the quota; prints its id
fill() { salloc --no-shell -A c -n4 2>&1 | sed -n 's/.*Granted job allocation //p'; }

# reason_is ID REASON: by a look at the records of no job in particular
reason_is() { [ "$(job_reason "$1")" = "$2" ]; }

# in_one_second COMMAND...: of slurmctld's clock
in_one_second() {
	local rc
	clock_is "@$EPOCHSECONDS"
	"$@"
	rc=$?
	clock_is 0
	return $rc
}

# left ID WORD...: it changes so in the second of a look at the records, and the texts are put
# back in that second. Two seconds after anything else the first try makes that look.
left() { next_second && next_second && next_second && in_one_second leaves "$@"; }

leaves() {
	local id=$1
	shift
	scontrol update job "$id" comment="$EPOCHSECONDS" && try_one &&
		scontrol update job "$id" "$@" && try_one
}

test_given_time 'one that is to begin later keeps the reason that Slurm gives' '
	cluster_clear && filler=$(fill) && job=$(submit -A c -n1 --priority=1) && one_pass $job &&
	left $job StartTime=now+$TIME && due=$(date -d "$(job_field $job EligibleTime)" +%s) &&
	seen_before $((due - 2)) "reason_is $job BeginTime" && until_then $((due - 1)) "reason_is $job BeginTime"
' 10 30 90

# Slurm still says BeginTime
test_expect_success 'when its time has come it is in line, and its text is back' '
	until_then $((due + 1)) true && job_waits $job && ! in_line $job && try_one && wait_for 5 "in_line $job"
'

test_done
