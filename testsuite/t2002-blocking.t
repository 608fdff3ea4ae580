#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job that waits for quota blocks nobody in the main scheduler either'
. "$(dirname "$0")/lib.sh"
. "$TESTSUITE/lib/reason.sh"

# In stock Slurm a waiting job blocks its partition in the main scheduler, and
# those below it on the same nodes; only backfill goes around it. Here backfill
# never comes.
cat >slurm.conf <<-EOF
	SchedulerParameters=bf_interval=3600,sched_interval=2,sched_min_interval=0
	PartitionName=low Nodes=ALL PriorityTier=1
	PartitionName=high Nodes=ALL PriorityTier=20
