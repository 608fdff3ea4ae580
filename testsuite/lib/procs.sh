# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# procs.sh - start and stop the daemons of one private cluster
#
# Every daemon gets a pid file of ours, with its start time, so that a pid that
# the kernel has given to somebody else is never signalled, and the cluster's
# folder in its environment ($mark), by which leftovers are found.
#
# Used: $dir, the cluster's folder.

# shellcheck source=/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/clock.sh"

# Where a leftover of this cluster is recognised by
proc_mark() { echo "SLURM_COHORT_CLUSTER=$dir"; }

# proc_began PID: when it was started, in clock ticks, in $REPLY; fails if it is gone or a zombie
proc_began() {
	local stat
	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
	# The name is in brackets and may hold spaces
	# shellcheck disable=SC2086
	set -- ${stat##*) }
	[ "$1" != Z ] && REPLY=${20}
}

proc_start_time() { proc_began "$1" && echo "$REPLY"; }

# proc_alive NAME: the daemon that we started under NAME still runs. One that
# ended before we could ask for its start time has none in its file.
proc_alive() {
	local pid started
	{ read -r pid started <"$dir/run/$1.pid"; } 2>/dev/null && [ -n "$started" ] || return 1
	proc_began "$pid" && [ "$REPLY" = "$started" ]
}

proc_pid() {
	local pid started
	read -r pid started <"$dir/run/$1.pid" && echo "$pid"
}

# proc_start NAME COMMAND...: in the background, detached from our terminal. It has no
# descriptor of a test: prove waits until the last one of its pipe is closed.
proc_start() {
	local name=$1 pid
	shift
	env "$(proc_mark)" setsid "$@" </dev/null >>"$dir/log/$name.out" 2>&1 \
		3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
	pid=$!
	echo "$pid $(proc_start_time "$pid")" >"$dir/run/$name.pid"
	disown "$pid"
}

# proc_tell NAME: what the kernel says of a process that does not end
proc_tell() {
	local pid
	pid=$(proc_pid "$1") && ps -L -o pid,lwp,ppid,stat,wchan:30,args -p "$pid"
}

# proc_signal SIGNAL NAME...: those that still run
proc_signal() {
	local signal=$1 name
	shift
	for name; do
		proc_alive "$name" && kill -"$signal" "$(proc_pid "$name")" 2>/dev/null
	done
	return 0
}

procs_gone() {
	local name
	for name; do
		! proc_alive "$name" || return 1
	done
}

# procs_stop NAME...: asks, waits, insists; the pid files are gone when they are
procs_stop() { procs_stop_within 60 "$@"; }

# procs_stop_within SECONDS NAME...: the same, and insists after SECONDS
procs_stop_within() {
	local name seconds=$1
	shift
	proc_signal TERM "$@"
	wait_until "$seconds" procs_gone "$@" || {
		proc_signal KILL "$@"
		wait_until 30 procs_gone "$@" || return 1
	}
	for name; do
		rm -f "$dir/run/$name.pid"
	done
}

# Names of daemons with a pid file, matching PATTERN
procs_named() {
	local f
	for f in "$dir"/run/$1.pid; do
		[ -e "$f" ] || continue
		f=${f##*/}
		echo "${f%.pid}"
	done
}

# Pids of what is left of the cluster: its daemons (by our mark), its
# slurmstepds, the processes of its jobs, clients that still wait for it (by
# SLURM_CONF), and all of their children. Never an ancestor of this shell.
procs_left() {
	local seeds
	seeds=$(procs_with_env "$(proc_mark)"; procs_of_jobs; procs_of_steps)
	[ -n "$seeds" ] || return 0
	ps -A -o pid=,ppid=,stat= | awk -v self=$$ -v seeds="$seeds" '
		{ parent[$1] = $2; if ($3 ~ /^Z/) zombie[$1] = 1 }
		END {
			for (p = self; p > 1; p = parent[p])
				ours[p] = 1
			n = split(seeds, s, /[ \n]+/)
			for (i = 1; i <= n; i++)
				seed[s[i]] = 1
			for (pid in parent) {
				for (p = pid; p > 1 && !(p in seed) && !(p in ours); p = parent[p])
					;
				if (p in seed && !(p in ours) && !(pid in zombie))
					print pid
			}
		}'
}

procs_with_env() {
	grep -lzxFs -- "$1" /proc/[0-9]*/environ | cut -d/ -f3
}

procs_of_jobs() {
	local pid name others=()
	for pid in $(procs_with_env "SLURM_CONF=$dir/etc/slurm.conf"); do
		{ read -r name <"/proc/$pid/comm"; } 2>/dev/null || continue
		case $name in
		slurmstepd | srun | salloc | sbatch) echo "$pid" ;;
		*) others+=("/proc/$pid/environ") ;;
		esac
	done
	[ ${#others[@]} -eq 0 ] || grep -lzs '^SLURM_JOB_ID=' "${others[@]}" | cut -d/ -f3
}

# slurmstepd 24.11 writes its title over its environment: known by its log file
procs_of_steps() {
	local f all=()
	for f in $(grep -lxs slurmstepd /proc/[0-9]*/comm); do
		all+=("${f%comm}fd")
	done
	[ ${#all[@]} -eq 0 ] || find "${all[@]}" -lname "$dir/*" 2>/dev/null | cut -d/ -f3 | sort -u
}

procs_none_left() { [ -z "$(procs_left)" ]; }

# Kills what is left. Jobs may fork while we look: look again.
procs_sweep() {
	local pids
	while pids=$(procs_left) && [ -n "$pids" ]; do
		# shellcheck disable=SC2086
		kill -KILL $pids 2>/dev/null
		[ $((++sweeps)) -lt 20 ] || return 1
		wait_until 1 procs_none_left
	done
	return 0
}

# wait_until SECONDS COMMAND...: polls until it succeeds; fails at the limit
wait_until() {
	local seconds=$1
	shift
	poll "$seconds" 50000 "$@"
}
