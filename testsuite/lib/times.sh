# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# times.sh - when jobs started, until when they are protected, how long they ran
#
# Used: what lib.sh, reason.sh and quota.sh have.

# What is due and comes within so many seconds comes in time: less than the 30 or
# 60 after which slurmctld would look by itself, more than a busy machine stalls.
SLACK=20

# no_passes: lines for slurm.conf; no periodic pass of the scheduler in the
# time of a test. What is submitted or ends is still looked at.
no_passes() {
	echo 'SchedulerParameters=bf_interval=600,sched_interval=600,sched_min_interval=0,batch_sched_delay=0'
}

# pass_now: a pass, by a job that nobody manages and that is tried first
pass_now() {
	local id
	id=$(submit_for 0 -n1 --priority=4294960000) && wait_for 10 "! job_waits $id"
}

# started ID: when the current or next run begins, in seconds since the epoch
started() { date -d "$(job_field "$1" StartTime)" +%s; }

# ---- what has to be seen before something ends ----

# test_given_time NAME BODY [SECONDS...]: as test_expect_success. The body sets up
# something that lasts TIME seconds. If a check says that it came too late to
# see it, all of it is done again with the next, longer TIME.
test_given_time() {
	local name=$1 body=$2
	shift 2
	[ $# -gt 0 ] || set -- 5 20 60
	TIMES=$*
	test_expect_success "$name" "given_time '$body'"
}

# A body may return
given_body() { eval "$1"; }

given_time() {
	for TIME in $TIMES; do
		too_late=
		given_body "$1" && return
		[ -n "$too_late" ] || return 1
		echo "$TIME s were not enough"
	done
	return 1
}

# before TIME LIMIT: else it was too late
before() {
	[ "$1" -lt "$2" ] && return
	too_late=t
	return 1
}

# seen_before LIMIT CONDITION: soon it is true. After LIMIT it can't be seen.
seen_before() {
	wait_for 10 "[ \$EPOCHSECONDS -ge $1 ] || { $2; }" && { eval "$2" || before "$EPOCHSECONDS" "$1"; }
}

# is_protected ID UNTIL: the text says that the job waits for that, at a time
# in seconds since the epoch
is_protected() {
	[ "$(reason_wait "$1")" = "protected(until=$(date -d "@$2" +%H:%M:%S))" ]
}

# protected ID UNTIL: soon it says so
protected() {
	seen_before "$2" "is_protected $1 $2" || {
		job_reason "$1"
		date -d "@$2" +%H:%M:%S
		return 1
	}
}

# until_then TIME CONDITION: it is true at every sample, ten a second, until then.
# What is due then happens some milliseconds later: a sample may be overtaken.
until_then() {
	while [ "$EPOCHSECONDS" -lt "$1" ]; do
		eval "$2" || [ "$EPOCHSECONDS" -ge "$1" ] || {
			echo "no longer: $2" >&2
			return 1
		}
		sleep 0.1
	done
}

# ran ID: how many seconds it had run when it was evicted, by slurmctld.log
ran() {
	log_lines "slurm-cohort: evict: JobId=$1 " |
		sed -n 's/.*, ran \([0-9]*\) s,.*/\1/p' | tail -n 1
}

# ran_for ID SECONDS: it was evicted after so many, or a little more
ran_for() {
	local n
	n=$(ran "$1")
	echo "job $1 ran ${n:-until now}, expected $2"
	[ -n "$n" ] && [ "$n" -ge "$2" ] && [ "$n" -le $(($2 + SLACK)) ]
}

# evicted_at ID: when it was told to go, by slurmctld.log, in seconds since the epoch
# as slurmctld counts them: time() is some milliseconds behind the clock of the log.
evicted_at() {
	local ms
	ms=$(date -d "$(log_lines "slurm-cohort: evict: JobId=$1 " | tail -n 1 |
		sed 's/^\[\([^]]*\)\].*/\1/')" +%s%3N) && echo $(((ms - 10) / 1000))
}

# changed_at ID: when it was last suspended or resumed
changed_at() { date -d "$(job_field "$1" SuspendTime)" +%s; }

# rule_of ID: by which it was evicted
rule_of() {
	log_lines "slurm-cohort: evict: JobId=$1 " | sed -n 's/.*, rule \([A-Za-z]*\),.*/\1/p' |
		tail -n 1
}
