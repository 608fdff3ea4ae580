#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='slurmctld gives up building its queue (build_queue_timeout): the jobs in it start all the same'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

# It looks at the clock after every hundred jobs; those with many partitions take
# it long.
{
	quick_scheduler build_queue_timeout=2000
	echo 'MaxArraySize=5000'
	echo 'MaxJobCount=20000'
	for i in $(seq 20); do
		echo "PartitionName=p$i Nodes=ALL State=UP MaxTime=INFINITE"
	done
} >slurm.conf
# No texts are brought up to date between the passes: that would plan, too.
{
	quota_head 10m
	echo 'clusterQueues:'
	queue a 4
	queue b 4
	queue c 2
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# The line comes every ten minutes only, and may tell of a pass that was held up before
# its first job: how many entries the last pass had, sdiag tells.
gave_up() {
	local entries
	log_has 'build_job_queue has run for 2000 usec, exiting with' &&
		entries=$(timeout 10 sdiag | awk '/Last queue length:/ { print $4; exit }') &&
		[ "${entries:-0}" -gt 0 ] && [ "$entries" -lt $((1500 * 20)) ]
}

test_expect_success 'a queue with more jobs than slurmctld looks at' '
	a=$(submit -A a -n4) && b=$(submit -A b -n4) && c=$(submit -A c -n2) && all_run $a $b $c &&
	a2=$(submit -A a -n4) && b2=$(submit -A b -n4) && wait_for 10 "in_line $a2 $b2" &&
	many=$(submit -A c -n2 --array=1-1500 -p "$(seq -s , -f p%g 20)") && wait_for 10 "in_line $many" &&
	scontrol update jobid=${many}_[1-1499] nice=1 &&
	wait_for 60 "gave_up"
'

test_expect_success 'quota comes free, and is given away by the next pass' '
	scancel $a && wait_for 5 "job_runs $a2" &&
	scancel $b && wait_for 5 "job_runs $b2"
'

test_expect_success 'all that has to wait waits' '
	holds_for 3 "[ \"\$(usage c) \$(usage a) \$(usage b)\" = \"2 4 4\" ]"
'

test_done
