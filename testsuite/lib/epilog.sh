# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# epilog.sh - jobs that are on their way out for as long as a test wants
#
# The epilog of a node ends at once, or, from epilog_lasts on, when epilog_ends
# is called.
#
# Used: what lib.sh has.

# epilog_line: the line for slurm.conf
epilog_line() {
	cat >"$WORK/epilog" <<-EOF
		#!/bin/bash
		while [ -e $WORK/epilog.lasts ]; do sleep 0.1; done
	EOF
	chmod +x "$WORK/epilog"
	echo "Epilog=$WORK/epilog"
}

epilog_lasts() { touch "$WORK/epilog.lasts"; }
epilog_ends() { rm -f "$WORK/epilog.lasts"; }

# completing ID...: all of them are on their way out
completing() {
	local id
	for id; do
		squeue -h -t CG -o %A | grep -qx "$id" || return 1
	done
}
