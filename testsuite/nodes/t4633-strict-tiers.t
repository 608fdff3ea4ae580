#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='StrictFIFO over priority tiers: a job that is held back behind another closes no nodes to that one'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/epilog.sh"

# The line goes by Slurm's priority of jobs, and not by tiers. Plans come of what happens, and
# not by the clock.
{
	quota_head 10m | sed 's/^priority: partition/priority: job/'
	echo 'clusterQueues:'
	queue a 4 strategy=StrictFIFO
} >cohort.yaml
# So do passes
{
	no_clock
	three_tiers
	epilog_line
} >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# The text of the first one stays as it was before the second one came, or not.
# Slurm tries the second one first. In 22.05 its refusal closes the nodes of its partition to
# all others in that pass.
test_expect_success 'the first in line is of a lower tier than the second, and starts when it has quota' '
	before_them=$(submit -A a -p hi -n4) && all_run "$before_them" &&
	first=$(submit -A a -p lo -n1) && second=$(submit -A a -p hi -n1) &&
	wait_for 10 "[[ \"\$(positions $first $second)\" = 1/[12]\" 2/2\" ]]" &&
	epilog_lasts && scancel "$before_them" && wait_for 10 "completing $before_them" &&
	wait_for 20 settled && epilog_ends && all_run $first
'

test_done
