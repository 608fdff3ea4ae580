# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# epilog.sh - jobs that are on their way out for as long as a test wants
#
# The epilog of a node ends at once, or, from epilog_lasts on, when epilog_ends is
# called; on all nodes, or on one.
#
# Used: what lib.sh has.

# epilog_line: the line for slurm.conf
epilog_line() {
	cat >"$WORK/epilog" <<-EOF
		#!/bin/bash
		while [ -e $WORK/epilog.lasts ] || [ -e $WORK/epilog.lasts.\$SLURMD_NODENAME ]; do sleep 0.1; done
	EOF
	chmod +x "$WORK/epilog"
	echo "Epilog=$WORK/epilog"
}

# epilog_lasts [NODE]
epilog_lasts() { touch "$WORK/epilog.lasts${1:+.$1}"; }

# epilog_ends [NODE]: on all nodes, or on one that was named to epilog_lasts
epilog_ends() {
	if [ $# -gt 0 ]; then rm "$WORK/epilog.lasts.$1"; else rm -f "$WORK"/epilog.lasts*; fi
}

# completing ID...: all of them are on their way out
completing() {
	local id
	for id; do
		squeue -h -t CG -o %A | grep -qx "$id" || return 1
	done
}
