#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='sbatch --test-only with several partitions: the same answer for the last as for the first'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"

{
	quick_scheduler
	three_tiers
} >extra.conf
{
	quota_head | sed 's/^priority: .*/priority: job/'
	echo 'clusterQueues:'
	queue a 4 strategy=StrictFIFO
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf extra.conf

# slurmctld asks for one partition after the other until one is no refusal
refused() { ! test_only "$@" && grep 'not available' "$WORK/test_only"; }

# Nobody knows when the one that runs ends. The question has the lowest priority
# of all: it is the newest.
test_expect_success 'behind one that waits for ever: no time, by however many partitions' '
	running=$(submit -A a -n2) && all_run $running &&
	head=$(submit -A a -n4) && wait_for 10 "in_line $head" &&
	refused -A a -n2 -p lo && refused -A a -n2 -p lo,hi && refused -A a -n2 -p mid,lo,hi
'

test_expect_success 'and so it comes' '
	asked=$(submit -A a -n2 -p lo,hi) && wait_for 10 "in_line $asked" &&
	holds_for 3 "job_waits $head $asked" && scancel $asked
'

test_expect_success 'a time, where there is one, is the same as well' '
	scancel $head && wait_for 10 "[ -z \"\$(squeue -h -t PD)\" ]" &&
	test_only -A a -n2 -p lo,hi && scancel $running &&
	wait_for 10 "[ -z \"\$(squeue -h)\" ]" &&
	running=$(submit -A a -n2 -t 10) && all_run $running &&
	head=$(submit -A a -n4 -t 10) && wait_for 10 "in_line $head" &&
	near $(test_only -A a -n2 -t 5 -p lo,hi) $(($(ends $running) + 600)) 10
'

test_done
