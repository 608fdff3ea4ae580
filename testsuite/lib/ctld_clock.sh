# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ctld_clock.sh - the clock of slurmctld is another one than the machine's
#
# Used: what lib.sh has.

# clock_is SECONDS: so much after the machine's, from now on; @TIME: it stands still at
# that time, in seconds since the epoch. In place, as it is mapped.
clock_is() { printf '%15s\n' "$1" | dd of="$WORK/clock" conv=notrunc status=none; }

# ctld_clock: it is ours from the next start of slurmctld on; fails without a C compiler
ctld_clock() {
	clock_is 0 && preload_ctld shift && export COHORT_CLOCK=$WORK/clock
}
