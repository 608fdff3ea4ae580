#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='bf_one_resv_per_job: a job that has quota and waits for nodes has its reservation of backfill'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cycles.sh"

quick_scheduler | sed 's/$/,bf_resolution=1,bf_one_resv_per_job/' >slurm.conf
{
	quota_head
	echo 'clusterQueues:'
	queue a 100
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

planned_nodes() { squeue -h -j "$1" -O SchedNodes:100 | tr -d ' '; }
time_of() { date -d "$(job_field "$1" "$2")" +%s; }

test_expect_success 'a job of all nodes is planned for the end of the job that has one of them' '
	first=$(submit -A a -t 10 -N1 -n4) && all_run $first && ends=$(time_of $first EndTime) &&
	wide=$(submit -A a -t 10 -N4 -n16) &&
	wait_for 30 "[ \"\$(planned_nodes $wide)\" = \"n[1-4]\" ]" &&
	wait_for 30 "[ \"\$(time_of $wide StartTime)\" -ge $ends ]"
'

test_expect_success 'a small job that comes later and runs longer takes none of these nodes' '
	small=$(submit -A a -t 60 -N1 -n4) && from=$(backfill_cycles) &&
	wait_for 60 "backfilled $from 6" && jobs_are PENDING $wide $small
'

test_expect_success 'when the first job ends, the job of all nodes starts' '
	scancel $first && all_run $wide && job_waits $small
'

test_done
