#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# By default no two jobs start at once: where a second ends between their starts, one of
# them is the younger and is evicted first.
test_description='scohort simulate, nodes are short: slurmctld starts and evicts the same jobs'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/estimate.sh"

simulated_up 10 2 8

test_expect_success 'the same starts, the same victims for the same jobs' '
	simulated nodes 24 9
'

test_done
