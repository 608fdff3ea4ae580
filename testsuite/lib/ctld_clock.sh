# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ctld_clock.sh - the clock of slurmctld is another one than the machine's
#
# Used: what lib.sh has; due_at uses quota.sh and times.sh.

# How many seconds the clock of slurmctld is ahead
AHEAD=0

# clock_is SECONDS: so much after the machine's, from now on; @TIME: it stands still at
# that time, in seconds since the epoch. In place, as it is mapped.
clock_is() { printf '%15s\n' "$1" | dd of="$WORK/clock" conv=notrunc status=none; }

# ctld_clock: it is ours from the next start of slurmctld on. Without a C compiler the test
# is skipped.
ctld_clock() {
	clock_is 0 && preload_ctld shift && export COHORT_CLOCK=$WORK/clock && return
	# shellcheck disable=SC2034
	skip_all='no C compiler: slurmctld has no clock of its own'
	test_done
}

ctld_now() { echo $((EPOCHSECONDS + AHEAD)); }

# clock_to TIME: it is that time now, or later already, and time goes on
clock_to() {
	[ "$(ctld_now)" -ge "$1" ] || AHEAD=$(($1 - EPOCHSECONDS))
	clock_is $AHEAD
}

# later SECONDS
later() { clock_to $(($(ctld_now) + $1)); }

# due_at TIME CONDITION VICTIM...: a pass a minute before TIME changes nothing of the condition,
# nor does the second before. In the next one these go, by what is due then: what slurmctld
# does now and then it has done in the second before. The clock stands still in both, and
# goes on then. Where it stands a pass may wait for it.
due_at() {
	local at=$1 holds=$2 rc
	shift 2
	clock_to $((at - 60)) && pass_now && [ "$(ctld_now)" -lt $((at - 1)) ] || {
		echo "it is $(ctld_now), and $at was to come"
		return 1
	}
	clock_is "@$((at - 1))"
	holds_for 2 "$holds" && clock_is "@$at" && wait_for 10 "[ \"\$(evicted)\" = \"$*\" ]"
	rc=$?
	clock_to "$at"
	return $rc
}
