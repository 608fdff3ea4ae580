# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# controllers.sh - a primary and a backup slurmctld for one private cluster
#
# Both have the same port, as slurm.conf has only one: each listens at its own
# address of the loopback. To slurmctld its host name says which of the two it
# is, and where to listen, so each runs under a name of its own (UTS namespace),
# a number that is also its address.
#
# Used: what lib.sh has. Controllers are called primary and backup.

# shellcheck source=procs.sh
. "$TESTSUITE/lib/procs.sh"

controller_host() { [ "$1" = primary ] && echo 0x7f000001 || echo 0x7f000002; }
controller_address() { [ "$1" = primary ] && echo 127.0.0.1 || echo 127.0.0.2; }
controller_log() { echo "$CLUSTER/log/slurmctld.$1.log"; }

# May we give a process a host name?
controllers_work() { unshare --uts true 2>/dev/null; }

# controllers_up OPTIONS...: as cluster_up, but no slurmctld runs. Nobody takes
# over before he is told to.
controllers_up() {
	local name
	cluster_up "$@" && cluster_stop_ctld || return
	dir=$CLUSTER
	sed -i -e '/^SlurmctldHost=/d' -e '/^SlurmctldLogFile=/d' \
		-e '/^SlurmctldPidFile=/d' "$dir/etc/slurm.conf"
	for name in primary backup; do
		echo "SlurmctldHost=$(controller_host $name)($(controller_address $name))"
	done >>"$dir/etc/slurm.conf"
	printf '%s\n' SlurmctldTimeout=600 CommunicationParameters=NoCtldInAddrAny \
		>>"$dir/etc/slurm.conf"
	for name in primary backup; do
		{
			cat "$dir/etc/slurm.conf"
			echo "SlurmctldLogFile=$(controller_log $name)"
			echo "SlurmctldPidFile=$dir/run/slurmctld.$name.own"
		} >"$dir/etc/$name.conf"
		: >"$(controller_log $name)"
	done
}

# How often it has begun to be in control
controller_terms() { grep -c 'Running as primary controller' "$(controller_log "$1")"; }

# controller_start NAME: it may be in control or stand by
controller_start() {
	# shellcheck disable=SC2016,SC2046
	proc_start "slurmctld.$1" $(ctld_preload) unshare --uts sh -c \
		'hostname "$1" && exec slurmctld -D -f "$2"' sh \
		"$(controller_host "$1")" "$CLUSTER/etc/$1.conf"
}

# controller_leads NAME TERM: it is in control for the n-th time, and answers
controller_leads() {
	wait_for 60 "[ \$(controller_terms $1) -ge $2 ] && timeout 10 squeue -h >squeue.out 2>&1"
}

# controller_stands_by NAME TIMES: for the n-th time
controller_stands_by() {
	wait_for 60 "[ \$(grep -c 'running in background mode' $(controller_log "$1")) -ge $2 ]"
}

controller_pid() { proc_pid "slurmctld.$1"; }

# controller_kill NAME: and it is gone
controller_kill() {
	proc_signal KILL "slurmctld.$1" && wait_until 30 procs_gone "slurmctld.$1"
}

# The backup takes control from a primary that is dead
backup_takes_over() { timeout 60 scontrol takeover 1 >takeover.out 2>&1; }
