# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lib.sh - what the tests share
#
# A test is a bash script in sharness:
#
#	#!/bin/bash
#	test_description='what it shows'
#	. "$(dirname "$0")/lib.sh"
#	cat >cohort.yaml <<-EOF ... EOF
#	cluster_up --cohort cohort.yaml
#	test_expect_success 'a job borrows' '...'
#	test_done
#
# It runs from anywhere, in a folder of its own under $TMPDIR, on a cluster of
# its own, and leaves nothing. What a failed test printed goes to stderr, after
# the state of the cluster. COHORT_KEEP=1 keeps the folder.

set -u
TESTSUITE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$TESTSUITE/.." && pwd)
BUILD=${COHORT_BUILD:-$TOP/build}
export COHORT_BUILD=$BUILD

WORK=$(mktemp -d "${TMPDIR:-/tmp}/cohort-test.XXXXXX") || exit 1
# Jobs of other users read and write here
chmod 755 "$WORK"
CLUSTER=$WORK/cluster
CLUSTERS=

# No client of the machine's own Slurm, no formats of the user's
unset "${!SLURM_@}" "${!SBATCH_@}" "${!SQUEUE_@}" "${!SINFO_@}"

export SHARNESS_TEST_DIRECTORY=$WORK SHARNESS_BUILD_DIRECTORY=$BUILD
export SHARNESS_TEST_SRCDIR=$TESTSUITE
verbose='' immediate='' debug='' root='' color='' skip_all='' help='' TEST_LONG=''
TEST_INTERACTIVE='' SKIP_TESTS='' HARNESS_ACTIVE=${HARNESS_ACTIVE-} quiet='' chain_lint=''
SHELL_PATH=$BASH TERM=${TERM-dumb} SHARNESS_ORIG_TERM=${SHARNESS_ORIG_TERM-}
test_prereq='' satisfied_prereq=' ' remove_trash='' eval_ret=0 test_cleanup=''
set +u
# shellcheck source=/dev/null
. /usr/share/sharness/sharness.sh || exit 1

# ---- what a failed test printed ----

TEST_LOG=$WORK/output
exec 3>>"$TEST_LOG" 4>>"$TEST_LOG"

copy_function() { eval "$2() $(declare -f "$1" | tail -n +2)"; }

copy_function test_ok_ sharness_ok_
copy_function test_failure_ sharness_failure_

test_ok_() {
	: >"$TEST_LOG"
	sharness_ok_ "$@"
}

test_failure_() {
	{
		echo "# $this_test: $1"
		cluster_show | sed 's/^/#   /'
		echo "# $this_test: what it printed"
		sed 's/^/#   /' "$TEST_LOG" | tail -n 60
	} >&2
	: >"$TEST_LOG"
	sharness_failure_ "$@"
}

# ---- clients ----
# With a dead slurmctld they would hang for minutes

CLIENT_LIMIT=60
# scohort by itself waits for five seconds: a busy machine takes longer now and then
export SCOHORT_TIMEOUT=50
for client in sbatch squeue scontrol scancel sinfo srun salloc sacctmgr sacct scohort; do
	eval "$client() { timeout -k 1 \$CLIENT_LIMIT $client \"\$@\"; }"
done
unset client

# as_nobody COMMAND...: as a user without rights
as_nobody() { timeout -k 1 "$CLIENT_LIMIT" setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

# ---- the version of Slurm ----

# shellcheck source=/dev/null
. "$TESTSUITE/lib/version.sh"
# shellcheck source=/dev/null
. "$TESTSUITE/lib/preload.sh"

# ---- the cluster ----

# cluster_up OPTIONS...: of testsuite/cluster; $CLUSTER is its folder
cluster_up() {
	CLUSTERS="$CLUSTERS $CLUSTER"
	"$TESTSUITE/cluster" up --dir "$CLUSTER" "$@" >"$WORK/cluster.up" 2>&1 || {
		sed 's/^/# /' "$WORK/cluster.up" >&2
		echo "FATAL: the cluster did not come up"
		EXIT_OK=t
		exit 1
	}
	# shellcheck source=/dev/null
	. "$CLUSTER/env"
}

cluster_down() { "$TESTSUITE/cluster" down --dir "${1:-$CLUSTER}"; }
cluster_stop_ctld() { "$TESTSUITE/cluster" stop-ctld --dir "$CLUSTER"; }
cluster_restart_ctld() { "$TESTSUITE/cluster" restart-ctld --dir "$CLUSTER"; }
cluster_kill_ctld() { "$TESTSUITE/cluster" kill-ctld --dir "$CLUSTER"; }
cluster_reconfigure() { "$TESTSUITE/cluster" reconfigure --dir "$CLUSTER"; }
cluster_settled() { "$TESTSUITE/cluster" settled --dir "$CLUSTER"; }

# ctld_port [DIR]: of slurmctld of this cluster, or of the one in DIR
ctld_port() { sed -n 's/^SlurmctldPort=//p' "${1:-$CLUSTER}/etc/slurm.conf"; }

# Right after a restart slurmctld does not know its nodes yet, and starts nothing there
nodes_are_back() {
	local states
	states=$(sinfo -h -o %T) && ! grep -E 'unknown|[*]' <<<"$states"
}

# Some seconds after a restart slurmctld asks all nodes what runs there. A batch step that
# begins just then may lose its script, as when a node returns (lib/nodes.sh).
nodes_have_registered() {
	local asked nodes
	asked=$(sdiag | sed -n 's/.*MESSAGE_NODE_REGISTRATION_STATUS .* count:\([0-9]*\).*/\1/p') &&
		nodes=$(sinfo -h -N -o %N | sort -u | wc -l) && [ "${asked:-0}" -ge "$nodes" ]
}

# procs COMMAND...: a function of procs.sh, for the daemons of this cluster
procs() (
	# shellcheck disable=SC2030,SC2034
	dir=$CLUSTER
	# shellcheck source=/dev/null
	. "$TESTSUITE/lib/procs.sh"
	"$@"
)

# cancel_all [STATES]: of an array whose own record is gone Slurm finds no task by
# its job id, only by the array's
cancel_all() {
	squeue -h ${1:+-t "$1"} -o "%A %F" | tr ' ' '\n' | sort -u |
		xargs -r timeout -k 1 "$CLIENT_LIMIT" scancel ${1:+-t "$1"}
}

# saved ID: all changes so far are in Slurm's own state file, as the comment of this job
# is then. It is written five seconds after the last time, and one that is younger than a
# change may have been begun before it.
saved() {
	local word
	word="saved.$((++saves))."
	scontrol update job="$1" comment="$word" &&
		wait_for 15 "grep -qaF $word \"$CLUSTER/state/job_state\""
}
saves=0

# Cancels all jobs and waits until their nodes are free again. Those that wait go
# first: none starts where another one has ended.
cluster_clear() {
	cancel_all PD
	cancel_all
	wait_for 30 '[ -z "$(squeue -h)" ]'
}

cluster_show() {
	[ -e "$CLUSTER/run/slurmctld.pid" ] || return 0
	timeout 5 squeue -S -T,P -o '%.8i %.9P %.9a %.8T %.5C %.6b %.8M %R' | head -n 60
	timeout 5 sinfo -N -o '%N %t %C' | uniq
	grep -vE 'debug|mpi' "$CLUSTER/log/slurmctld.log" | tail -n 50
	# What a node had against a job that did not start, or not for long
	grep -hE 'error|fatal' "$CLUSTER"/log/slurmd.*.log | grep -v 'mpi' | sort | tail -n 10
	threads_show
	connections_show
} 2>&1

# What the threads of slurmctld wait for: their names, functions of the kernel and system
# calls by number. One that does not answer shows why.
threads_show() {
	local pid task
	read -r pid _ <"$CLUSTER/run/slurmctld.pid"
	for task in /proc/"$pid"/task/*; do
		[ -e "$task" ] || continue	# it has ended
		echo "$(<"$task/comm") $(<"$task/wchan") $(cut -d ' ' -f 1 "$task/syscall")"
	done | sed 's/^worker.[0-9]*./worker/' | sort | uniq -c
}

# The connections of slurmctld's port: state, bytes not sent and not read, and who is at
# the other end. One that sends nothing may keep slurmctld from a reconfigure.
connections_show() {
	local pid
	read -r pid _ <"$CLUSTER/run/slurmctld.pid"
	python3 "$TESTSUITE/lib/connections.py" "$pid" "$(ctld_port)"
}

lib_exit() {
	local code=$? dir
	trap - EXIT
	# Nothing is left, whoever is in a hurry
	trap '' HUP INT TERM
	for dir in $CLUSTERS; do
		cluster_down "$dir" || code=1
	done
	cd / || exit 1
	if [ -n "${COHORT_KEEP-}" ]; then
		echo "# $WORK is kept" >&2
	else
		rm -rf "$WORK"
	fi
	[ -n "$EXIT_OK" ] || { echo "FATAL: unexpected exit with code $code"; code=1; }
	exit $code
}
trap lib_exit EXIT
trap 'exit 1' HUP INT TERM

# ---- waiting ----

# shellcheck source=/dev/null
. "$TESTSUITE/lib/clock.sh"

# A machine that others use may give us no time for a while: every wait ends that
# much later than a test says. Who waits for what comes notices nothing. Nor does
# slurmctld hurry: it reads sched_interval in its first pass, which may come a minute
# after its start.
PATIENCE=${COHORT_PATIENCE:-60}

# wait_for SECONDS CONDITION: polls it; says what it was when time is out. Not for
# what has to be over by then: PATIENCE comes on top.
wait_for() {
	local limit=$(($1 + PATIENCE))
	poll "$limit" 100000 eval "$2" || {
		echo "after $limit s still not: $2" >&2
		return 1
	}
}

# holds_for SECONDS CONDITION: it is true at every sample, five a second
holds_for() {
	local _end=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
	while [ "${EPOCHREALTIME/[.,]/}" -lt "$_end" ]; do
		eval "$2" || {
			echo "no longer: $2" >&2
			return 1
		}
		rest 200000 200000
	done
}

# ---- jobs ----

# submit OPTIONS...: a job that runs until it is cancelled; prints its id
submit() { submit_for 1000 "$@"; }

# submit_for SECONDS OPTIONS...
submit_for() {
	local seconds=$1
	shift
	sbatch --parsable -o /dev/null "$@" --wrap "exec sleep $seconds"
}

# job_gone ID: it has ended, and all its nodes are free again. They come back one by one.
job_gone() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }

# State of a job or array task, "" when it is forgotten
job_state() { first_line squeue -h -r -t all -j "$1" -o %T; }

job_reason() { first_line squeue -h -r -j "$1" -o %r; }

# first_line COMMAND...: of what it prints
first_line() {
	local all
	all=$("$@" 2>/dev/null)
	echo "${all%%$'\n'*}"
}

# job_field ID FIELD: as scontrol names it
job_field() {
	scontrol -o show job "$1" 2>/dev/null | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1
}

# system_comment ID: all of it, it has spaces
system_comment() {
	scontrol show job "$1" | sed -n 's/^ *SystemComment=\(.*[^ ]\) *$/\1/p'
}

# jobs_are STATE ID...: all of them, by one look. Of an array the first task tells.
jobs_are() {
	local state=$1 all id
	shift
	[[ $* != *[!0-9\ ]* ]] || { states_are "$state" "$@"; return; }
	all=$(IFS=, && squeue -h -r -t all -j "$*" -o '%A %F %T' 2>/dev/null)
	for id; do
		[[ $'\n'$all =~ $'\n'($id' '[0-9]+|[0-9]+' '$id)' '([A-Z_]+) && ${BASH_REMATCH[2]} = "$state" ]] ||
			return 1
	done
}

# The same, one after the other: also of tasks, like 12_3
states_are() {
	local id state=$1
	shift
	for id; do
		[ "$(job_state "$id")" = "$state" ] || return 1
	done
}

job_runs() { jobs_are RUNNING "$@"; }
job_waits() { jobs_are PENDING "$@"; }

# Host names a running job has, one a line
running_nodes() {
	local nodes
	nodes=$(squeue -h -t R -j "$1" -o %N 2>/dev/null)
	[ -z "$nodes" ] || scontrol show hostnames "$nodes"
}

# job_update ID WORD...: scontrol update. Slurm from 24.11 on without slurmdbd takes
# what errno happens to hold for an error when partition or account change (with its own
# plugins, too). In 26.05 it is that of a thread that has served others before, and
# eleven changes in twelve are refused: again, then, until one is not.
job_update() {
	local out end=$(($(now_ms) + PATIENCE * 1000))
	until out=$(scontrol update job "$@" 2>&1); do
		[[ $out == *'Resource temporarily unavailable'* ]] && [ "$(now_ms)" -lt "$end" ] || {
			echo "$out" >&2
			return 1
		}
	done
}

# How often the job was requeued
job_restarts() { job_field "$1" Restarts; }

# usage_by_queue [cpu|mem|node|gpu] [account|partition]: what running jobs hold,
# "NAME AMOUNT" a line. The amounts are those of the allocation.
usage_by_queue() {
	scontrol -d -o show job 2>/dev/null | awk -v res="${1:-cpu}" -v by="${2:-account}" '
		# Nodes with equal shares stand in one word: Nodes=n[1-2,4] ... GRES=gpu:1(IDX:0)
		function hosts(list,	n, i, part, range) {
			if (!match(list, /\[[0-9,-]+\]/))
				return split(list, part, ",")
			list = substr(list, RSTART + 1, RLENGTH - 2)
			for (i = split(list, part, ","); i > 0; i--)
				n += split(part[i], range, "-") > 1 ? range[2] - range[1] + 1 : 1
			return n
		}
		function gpus(line,	n, m, share) {
			while (match(line, /Nodes=[^ ]* CPU_IDs=[^ ]* Mem=[^ ]* GRES=[^ ]*/)) {
				m = substr(line, RSTART, RLENGTH)
				line = substr(line, RSTART + RLENGTH)
				if (!match(m, /gpu(:[a-z0-9_]+)?:[0-9]+\(/))
					continue
				share = substr(m, RSTART, RLENGTH - 1)
				sub(/.*:/, "", share)
				sub(/^Nodes=/, "", m)
				sub(/ .*/, "", m)
				n += share * hosts(m)
			}
			return n + 0
		}
		function field(name,	i) {
			for (i = 1; i <= NF; i++)
				if (index($i, name "=") == 1)
					return substr($i, length(name) + 2)
			return ""
		}
		function tres(name,	t) {
			# AllocTRES from 23.11 on, before only TRES
			t = field("AllocTRES")
			t = "," (t == "" ? field("TRES") : t) ","
			if (!match(t, "," name "=[0-9.]+"))
				return 0
			t = substr(t, RSTART, RLENGTH)
			sub(/.*=/, "", t)
			return t
		}
		{
			state = field("JobState")
			if (state !~ /^(RUNNING|COMPLETING|SUSPENDED)$/)
				next
			name = field(by == "account" ? "Account" : "Partition")
			if (res == "gpu")
				sum[name] += gpus($0)
			else
				sum[name] += tres(res)
		}
		END { for (name in sum) print name, sum[name] }' | sort
}

# usage NAME [cpu|mem|node|gpu] [account|partition]: of one queue, 0 if none
usage() {
	usage_by_queue "${2:-cpu}" "${3:-account}" |
		awk -v name="$1" '$1 == name { n = $2 } END { print n + 0 }'
}

# ---- slurmctld.log ----

LOG_MARK=0

# From here on log_lines and log_has look at new lines only
log_mark() { LOG_MARK=$(wc -l <"$CLUSTER/log/slurmctld.log"); }

log_lines() { tail -n "+$((LOG_MARK + 1))" "$CLUSTER/log/slurmctld.log" | grep -E -- "$1"; }

log_has() { log_lines "$1" >/dev/null; }
