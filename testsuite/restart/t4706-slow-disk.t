#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the disk takes long for the state file: texts, and what ends by the clock, do not wait for it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"

if ! preload_ctld slow; then
	skip_all='no C compiler'
	test_done
fi
disk=$WORK/disk
export COHORT_SLOW_DISK=$disk

TIME=4
{
	quota_head 3s
	cohorts org
	echo 'clusterQueues:'
	queue a 4
	queue b 4 cohort=org rmin=${TIME}s
	queue c 4 cohort=org reclaim=Any
} >cohort.yaml
no_passes >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
state=$CLUSTER/state/cohort_state

# The start of a job is a reason to write the file
test_expect_success 'the state file is being written, and the disk does not answer' '
	: >"$disk.state" && owner=$(submit -A a -n4) && all_run $owner && wait_for 20 "[ -e $disk.state.now ]" &&
	{ cat "$state" >before 2>/dev/null || : >before; }
'

# The second one comes while the text of the first one is new
test_expect_success 'texts are brought up to date all the same' '
	first=$(submit -A a -n1) && wait_for 20 "[ \"\$(positions $first)\" = 1/1 ]" && second=$(submit -A a -n1) &&
	wait_for 20 "[ \"\$(positions $first $second)\" = \"1/2 2/2\" ]"
'

test_expect_success 'the end of a protection is noticed' '
	borrower=$(submit -A b -n8) && all_run $borrower && free=$(($(started $borrower) + TIME)) &&
	back=$(submit -A c -n4) && until_then $free "job_waits $back" && all_run $back &&
	evicted_are $borrower
'

test_expect_success 'slurmctld answers, and nothing was written meanwhile' '
	scontrol ping | grep " is UP" && { [ ! -e "$state" ] || cmp "$state" before; }
'

test_expect_success 'the disk answers again: what is so now is written' '
	rm "$disk.state" && wait_for 20 "grep -q \"\\\"evictions\\\": *1\" $state"
'

test_done
