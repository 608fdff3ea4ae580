# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# offline.sh - for tests that need no Slurm, nor what lib.sh brings for one
#
# Set: $top and $build, the tree and what was built; scohort is the one of it.

top=${COHORT_TOP:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
build=${COHORT_BUILD:-$top/build}
SHARNESS_TEST_DIRECTORY=$build/sharness
export SHARNESS_TEST_DIRECTORY
mkdir -p "$SHARNESS_TEST_DIRECTORY"
# shellcheck source=/dev/null
. /usr/share/sharness/sharness.sh

PATH=$build:$PATH
