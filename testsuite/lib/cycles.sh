# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# cycles.sh - how often Slurm's schedulers have been through
#
# Used: what lib.sh has.

# no_clock: the line for slurm.conf with which passes come of what happens, and not by the clock
no_clock() { echo SchedulerParameters=sched_interval=600,bf_interval=600,sched_min_interval=0,batch_sched_delay=0; }

main_cycles() { sdiag_cycles 1; }
backfill_cycles() { sdiag_cycles 2; }
sdiag_cycles() { timeout 10 sdiag | awk -v n="$1" '/Total cycles:/ && ++i == n { print $3 }'; }

# passed: a pass of the main scheduler that began after now is over
passed() {
	local before
	before=$(main_cycles) && wait_for 30 "has_grown $before 2 \"\$(main_cycles)\""
}

# settled: there has been no pass for two seconds, and not none at all: slurmctld makes the
# first one three seconds after its start. It sets $before.
settled() { before=$(main_cycles) && [ "$before" -gt 0 ] && holds_for 2 "[ \"\$(main_cycles)\" -eq $before ]"; }

# away_from_midnight SECONDS: sdiag does not count from 0 again in the time of a test
away_from_midnight() {
	while [ $((86400 - EPOCHSECONDS % 86400)) -le "$1" ]; do
		sleep 1
	done
}

# has_grown BEFORE N NOW: by N at least. At midnight Slurm counts from 0 again.
has_grown() {
	local from=$1
	[ -n "$1" ] && [ -n "$3" ] || return 1
	[ "$3" -ge "$1" ] || from=0
	[ "$3" -ge $((from + $2)) ]
}

# still CONDITION: it is true, and again after two more passes, with a job that waits. For texts: for
# a moment Slurm's own word may stand where ours was.
still() {
	wait_for 10 "$1" && two_passes && wait_for 10 "$1"
}
two_passes() {
	local from
	from=$(main_cycles) && wait_for 30 "has_grown $from 2 \"\$(main_cycles)\""
}

# backfilled BEFORE N: as often since then, when it counted BEFORE. It rests while nothing
# changes, by Slurm's count of whole seconds: a node does, which no job notices.
backfilled() {
	timeout 10 scontrol update nodename=n1 comment="$EPOCHREALTIME" &&
		has_grown "$1" "$2" "$(backfill_cycles)"
}
