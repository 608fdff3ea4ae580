# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# version.sh - the Slurm that this tree is built for
#
# Used: $TESTSUITE, or $here of testsuite/cluster.

slurm_version=$(sed -n 's/^SLURM_VERSION = //p' "${TESTSUITE:-$here}/../config.mk" 2>/dev/null)

# slurm_since VERSION: is it this one or a later one?
slurm_since() {
	[ "$(printf '%s\n' "$1" "$slurm_version" | sort -V | head -n 1)" = "$1" ]
}
