#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='slurmctld ends while our threads are at work: it saves its state all the same'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

if ! preload_ctld slow; then
	skip_all='no C compiler'
	test_done
fi
export COHORT_SLOW=$WORK/slow

{
	quota_head 1s
	echo 'clusterQueues:'
	queue a 4
} >cohort.yaml
# Slurm's own backfill waits for the same locks, and slurmctld counts that, too
echo 'SchedulerParameters=bf_interval=600' >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# It looks whether anybody holds its locks, and saves nothing then.
test_expect_success 'the document is being made' '
	: >"$WORK/slow" && wait_for 20 "[ -e $WORK/slow.now ]" &&
	rm -f "$WORK/slow" "$WORK/slow.now" && log_mark && cluster_stop_ctld &&
	log_has "Saving all slurm state" && ! log_has "can not save state"
'

test_done
