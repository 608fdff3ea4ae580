#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a reservation is placed as if it was a job: it is none of ours, and takes none of our locks'
. "$(dirname "$0")/lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

# A pass is rare, so whatever happens right after a question is its doing.
echo 'SchedulerParameters=bf_interval=600,sched_interval=600,batch_sched_delay=0' >slurm.conf
{
	quota_head 10m
	echo 'clusterQueues:'
	queue a 4
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# The passes that we have made so far, by what we publish of them
passes() { scohort metrics | sed -n 's/^slurm_cohort_passes_total \([0-9]*\).*/\1/p'; }
test_done
