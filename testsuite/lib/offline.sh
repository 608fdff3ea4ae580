# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# offline.sh - for tests that need no Slurm, nor what lib.sh brings for one
#
# Set: $top and $build, the tree and what was built; scohort is the one of it.

top=${COHORT_TOP:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
build=${COHORT_BUILD:-$top/build}
# A folder of its own: the same test may run twice at once
SHARNESS_TEST_DIRECTORY=$build/sharness/$$
export SHARNESS_TEST_DIRECTORY
mkdir -p "$SHARNESS_TEST_DIRECTORY"
# shellcheck source=/dev/null
. /usr/share/sharness/sharness.sh
offline_exit() {
	local code=$?
	rmdir "$SHARNESS_TEST_DIRECTORY" 2>/dev/null
	(exit $code)
	die
}
trap offline_exit EXIT

PATH=$build:$PATH

# can_kill: killed_at works here; fails without a C compiler
can_kill() { ${CC:-gcc} -O1 -shared -fPIC -o kill.so "$top/testsuite/clock/kill.c" -ldl 2>/dev/null; }

# killed_at N COMMAND...: the command, killed before it changes a file for the N-th time
killed_at() {
	local n=$1
	shift
	COHORT_KILL_AT=$n LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}./kill.so "$@"
}
