#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# COHORT_TRACE_TIMED=N plays so many jobs, not in haste, and prints how it went.
test_description='scohort simulate, by the clock: jobs start in the order in which slurmctld starts them'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/estimate.sh"

if [ -z "${COHORT_TRACE_TIMED-}" ]; then
	skip_all='by hand: COHORT_TRACE_TIMED=300'
	test_done
fi

three_teams 4 4 2 >cohort.yaml
{ three_tiers; quick_scheduler; } >tiers.conf
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

# Run times are those of the cluster. With this seed it holds on a machine that stalls, too: with
# passes every six seconds, a sixth of the pairs are in another order, and by submission a fifth.
test_expect_success 'the order is that of slurmctld rather than that of submission' '
	CLUSTER=$CLUSTER "$TESTSUITE/worlds/timed" $COHORT_TRACE_TIMED ${COHORT_SEED-1} \
		${COHORT_TRACE_HASTE-1} >played
	status=$?
	sed "s/^/# /" played >&2
	return $status
'

test_done
