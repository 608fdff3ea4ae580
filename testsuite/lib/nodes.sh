# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# nodes.sh - nodes that fail and come back
#
# Used: what lib.sh has.

# Pids of slurmd and of the steps on NODE (by the log that they have open), and
# of what these have started
node_pids() {
	local pid
	for pid in $(find /proc/[0-9]*/fd -lname "$CLUSTER/log/slurmd.$1.log" 2>/dev/null |
		cut -d/ -f3 | sort -u); do
		echo "$pid"
		pgrep -P "$pid"
	done
}

# slurmd_kill NODE: as a crash of the node does. slurmd itself is known by its
# pid, however busy it is with its files.
slurmd_kill() {
	local pids
	pids=$(node_pids "$1")
	procs proc_signal KILL "slurmd.$1"
	# shellcheck disable=SC2086
	[ -z "$pids" ] || kill -KILL $pids
	procs wait_until 30 procs_gone "slurmd.$1" || {
		echo "killed, and still there: slurmd of $1; found were: ${pids//$'\n'/ }"
		procs proc_tell "slurmd.$1"
		return 1
	}
}

# slurmd_start NODE: as a node that has booted does
slurmd_start() {
	rm -rf "$CLUSTER/spool/$1"/job*
	procs proc_start "slurmd.$1" slurmd -D -N "$1" -f "$CLUSTER/etc/slurm.conf"
}

# node_fails NODE: it is dead, and slurmctld knows
node_fails() {
	slurmd_kill "$1" && scontrol update NodeName="$1" state=down reason=test
}

node_started() {
	local at
	at=$(scontrol -o show node "$1" | tr ' ' '\n' | sed -n 's/^SlurmdStartTime=//p')
	[ "$(date -d "$at" +%s)" -ge "$2" ]
}

# node_returns NODE: ready for jobs when this returns. Within about a second after a resume
# slurmctld asks it what runs there. A batch step that begins just then loses its script:
# nobody listens at its socket yet, and slurmd takes both for what was left behind.
node_returns() {
	local from=$EPOCHSECONDS LOG_MARK
	procs proc_alive "slurmd.$1" || {
		# No job before it has started
		scontrol update NodeName="$1" state=drain reason=test
		slurmd_start "$1"
		wait_for 10 "node_started $1 $from"
	}
	log_mark	# that of the test stays
	scontrol update NodeName="$1" state=resume
	wait_for 15 "log_has 'Spawning registration agent for $1 '" &&
		wait_for 15 "sinfo -h -N -n $1 -o %t | grep -qxE 'idle|mix|alloc'"
}
