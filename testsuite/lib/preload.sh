# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# preload.sh - what is preloaded into each slurmctld of a private cluster
#
# COHORT_CTLD_PRELOAD: libraries of a test, with colons between. After them comes
# clock/wake.c, without which a slurmctld before 24.11.6 may hang for ever as it ends
# (doc/limits.md), if it has been built. COHORT_CTLD_WAKE=no: without that one.
#
# Used: slurm_since; $BUILD, or $build of testsuite/cluster; $TESTSUITE and $WORK in a test.

# preload_ctld NAME: that file of testsuite/clock, from the next start of slurmctld on, after
# what is preloaded already (ASan has to be the first); fails without a C compiler
preload_ctld() {
	${CC:-gcc} -O1 -shared -fPIC -o "$WORK/$1.so" "$TESTSUITE/clock/$1.c" -ldl 2>/dev/null &&
		export COHORT_CTLD_PRELOAD=${COHORT_CTLD_PRELOAD:+$COHORT_CTLD_PRELOAD:}$WORK/$1.so
}

# ctld_preload: the words that stand before the command of slurmctld, and before that of
# a checker around it
ctld_preload() {
	local all=${COHORT_CTLD_PRELOAD-} wake=${BUILD:-$build}/test/wake.so
	if [ "${COHORT_CTLD_WAKE-}" != no ] && [ -e "$wake" ] && ! slurm_since 24.11.6; then
		all=${all:+$all:}$wake
	fi
	[ -z "$all" ] || echo "env LD_PRELOAD=$all${LD_PRELOAD:+:$LD_PRELOAD}"
}
