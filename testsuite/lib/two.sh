# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# two.sh - two clusters, one of them without the plugins, get the same jobs
#
# A test says what has to be the same: its function "look" prints it.
#
# Used: what lib.sh has.

# shellcheck source=cycles.sh
. "$TESTSUITE/lib/cycles.sh"

stock=$WORK/stock
ours=$WORK/ours

# two_up OPTIONS... [-- OPTIONS...]: the first ones for the cluster with the
# plugins only, those after -- for both
two_up() {
	local own=()
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		own+=("$1")
		shift
	done
	[ $# -eq 0 ] || shift
	CLUSTER=$stock
	cluster_up --stock "$@"
	CLUSTER=$ours
	cluster_up "${own[@]}" "$@"
}

# on DIR COMMAND...: with the environment of the cluster in DIR
on() { (CLUSTER=$1 && . "$1/env" && shift && "$@"); }

both() { on "$stock" "$@" && on "$ours" "$@"; }

# How often the main scheduler and backfill have been through: "MAIN BACKFILL"
cycles() { echo "$(main_cycles) $(backfill_cycles)"; }

# Those that work; a test that stops one of them says so
SCHEDULERS="main backfill"

# cycled MAIN BACKFILL: each that works has been through twice since these were
# counted; the first time may have begun before. Where no job waits Slurm counts none.
cycled() {
	[ -n "$(squeue -h -t PD)" ] || return 0
	{ [[ $SCHEDULERS != *main* ]] || has_grown "$1" 2 "$(main_cycles)"; } &&
		{ [[ $SCHEDULERS != *backfill* ]] || backfilled "$2" 2; }
}

# Backfill gives up its locks in the middle of a cycle: what changes then is seen
# for some jobs only. Until a cycle has just ended.
between_cycles() {
	local before
	before=$(backfill_cycles)
	wait_for 30 "backfilled $before 1"
}

# Until those of both clusters have been through
scheduled() {
	local theirs own
	theirs=$(on "$stock" cycles)
	own=$(on "$ours" cycles)
	wait_for 30 "on \"$stock\" cycled $theirs && on \"$ours\" cycled $own"
}

# Both show the same, and still do when their schedulers have been through
alike() {
	local end
	end=$(($(now_ms) + (60 + PATIENCE) * 1000))
	: >before
	until on "$stock" look >expected && on "$ours" look >actual &&
		cmp -s expected actual && cmp -s expected before; do
		[ "$(now_ms)" -lt "$end" ] || { test_cmp expected actual >&2; return 1; }
		cp expected before
		scheduled || return 1
	done
	cat actual
}

# cancel NAME: all jobs of that name, and they are gone
cancel() { scancel -n "$1" && wait_for 20 "[ -z \"\$(squeue -h -n $1)\" ]"; }
