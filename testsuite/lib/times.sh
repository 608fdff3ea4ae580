# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# times.sh - when jobs started, until when they are protected, how long they ran
#
# Used: what lib.sh, reason.sh and quota.sh have.

# Cluster's time is in whole seconds: a limit that is met within this many is
# met in time.
SLACK=3

# no_passes: lines for slurm.conf; no periodic pass of the scheduler in the
# time of a test. What is submitted or ends is still looked at.
no_passes() {
	echo 'SchedulerParameters=bf_interval=600,sched_interval=600,sched_min_interval=0,batch_sched_delay=0'
}

# pass_now: a pass, by a job that nobody manages
pass_now() {
	local id
	id=$(submit_for 0 -n1) && wait_for 10 "! job_waits $id"
}

# started ID: when the current or next run begins, in seconds since the epoch
started() { date -d "$(job_field "$1" StartTime)" +%s; }

# is_protected ID UNTIL: the text says that the job waits for that, at a time
# in seconds since the epoch
is_protected() {
	[ "$(reason_wait "$1")" = "protected(until=$(date -d "@$2" +%H:%M:%S))" ]
}

# protected ID UNTIL: soon it says so
protected() {
	wait_for 10 "is_protected $1 $2" || {
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

# rule_of ID: by which it was evicted
rule_of() {
	log_lines "slurm-cohort: evict: JobId=$1 " | sed -n 's/.*, rule \([A-Za-z]*\),.*/\1/p' |
		tail -n 1
}
