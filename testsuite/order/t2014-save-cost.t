#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the state file: what is looked at follows what changes'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org reclaim=Any
	queue b 8 cohort=org reclaim=Any
} >cohort.yaml
# The scheduler runs each second by itself, and backfill does not
echo 'SchedulerParameters=bf_interval=10000,sched_interval=1,batch_sched_delay=3' >slurm.conf
cluster_up --nodes 4 --cohort cohort.yaml --slurm-conf slurm.conf

work() { metric "$1_total"; }
now() { date +%s; }

# events NUMBER: each second one of a's jobs ends, and one is submitted
events() {
	local i job
	for ((i = 0; i < $1; i++)); do
		job=$(squeue -h -A a -t R -o %i | head -1) && [ -n "$job" ] && scancel "$job" &&
			submit -A a -n1 >/dev/null && next_second || return 1
	done
}

# Of a, each may go for b, and the other way round
test_expect_success 'two queues are full, and jobs wait in both' '
	for i in 1 2 3 4 5 6 7 8; do
		submit -A a -n1 && submit -A b -n1 || return 1
	done &&
	wait_for 20 "[ \"\$(usage a)\" = 8 ] && [ \"\$(usage b)\" = 8 ]" &&
	for i in $(seq 60); do
		submit -A a -n1 && submit -A b -n1 || return 1
	done
'

# Each job that starts or ends is looked at, and all others once in a minute
test_expect_success 'the jobs that have nothing to save are not looked at' '
	before=$(work saved_jobs) && begin=$(now) && events 8 && took=$(($(now) - begin)) &&
	saved=$(($(work saved_jobs) - before)) && echo "$saved jobs in $took s" &&
	[ $saved -gt 0 ] && [ $saved -le $((8 * 6 + (took / 60 + 1) * 150)) ]
'

test_done
