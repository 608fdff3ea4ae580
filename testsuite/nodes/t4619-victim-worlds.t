#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='victims for nodes lose hardly more than the least possible: random worlds'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# COHORT_WORLDS=N plays so many and prints their figures
worlds=${COHORT_WORLDS-12}
{
	quick_scheduler
	echo 'SlurmctldDebug=debug'
	echo 'LogTimeFormat=iso8601'
} >slurm.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue o 16 cohort=org reclaim=Any
	queue t 12 cohort=org
	queue a 4 cohort=org
	queue b 0 cohort=org
} >cohort.yaml
cluster_up --nodes 8 --cohort cohort.yaml --slurm-conf slurm.conf

test_expect_success "$worlds worlds: nobody goes in vain, each start that is possible comes" '
	CLUSTER=$CLUSTER "$TESTSUITE/worlds/victims" "$worlds" "${COHORT_SEED-1}" >figures || { cat figures; false; }
'
[ -z "${COHORT_WORLDS-}" ] || sed 's/^/# /' figures >&2

test_expect_success 'the loss over the least: 1.0 for nine of ten, 1.5 at most' '
	cat figures &&
	awk "/^loss over the least/ { gsub(\",\", \"\"); exit !(\$9 <= 1.05 && \$11 <= 1.5) }" figures
'

test_done
