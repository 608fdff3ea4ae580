#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='packing: fewer requests of owners for whole nodes would wait, in random worlds'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# COHORT_WORLDS=N plays so many and prints their figures; with COHORT_ASKS=asks the owner also waits
worlds=${COHORT_WORLDS-6}
quick_scheduler >slurm.conf

# packing true|false: borrowers a and b, an owner, and a team within its quota
packing() {
	quota_head
	echo "packBorrowers: $1"
	cohorts org
	echo 'clusterQueues:'
	queue o 16 cohort=org reclaim=Any
	queue t 16 cohort=org
	queue a 0 cohort=org
	queue b 0 cohort=org
}
packing false >cohort.yaml
cluster_up --nodes 8 --cohort cohort.yaml --slurm-conf slurm.conf

# would_wait FILE: how many
would_wait() { sed -n 's/.* whole nodes, \([0-9]*\) would wait$/\1/p' "$1"; }

test_expect_success "$worlds worlds where cons_tres alone chooses nodes" '
	"$TESTSUITE/worlds/packed" "$worlds" "${COHORT_SEED-1}" ${COHORT_ASKS-} >plain && tail -n 1 plain
'

test_expect_success 'the same with packing: fewer would wait' '
	use_cohort packing true && "$TESTSUITE/worlds/packed" "$worlds" "${COHORT_SEED-1}" ${COHORT_ASKS-} >with &&
	tail -n 1 plain with && [ "$(would_wait with)" -lt "$(would_wait plain)" ]
'
[ -z "${COHORT_WORLDS-}" ] || sed 's/^/# /' plain with >&2

test_done
