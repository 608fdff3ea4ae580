#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# By default no two jobs start at once: where a second ends between their starts, one of
# them is the younger and is evicted first.
test_description='scohort simulate, quota is short: slurmctld starts and evicts the same jobs'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/estimate.sh"

simulated_up 4 4 2

test_expect_success 'the same starts, the same victims for the same jobs' '
	simulated quota 20 5
'

test_done
