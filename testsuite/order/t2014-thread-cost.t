#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what threads do beside the scheduler follows what changes, and repeats no pass'
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
cycles() { sdiag | awk '/Main schedule/ { main = 1 } main && /Total cycles/ { print $3; exit }'; }
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

# Slurm makes a pass each second. That a job which was just started may be evicted again
# is no reason for one more, as the next pass has looked at it.
test_expect_success 'jobs that end and start: Slurm makes the passes that it makes by itself' '
	sdiag -r && begin=$(now) && events 12 && took=$(($(now) - begin)) &&
	made=$(cycles) && echo "$made passes in $took s" && [ "$made" -le $((took + 2)) ]
'

# Each job that starts or ends is looked at, and all others once in a minute
test_expect_success 'the state file: the jobs that have nothing to save are not looked at' '
	before=$(work saved_jobs) && begin=$(now) && events 8 && took=$(($(now) - begin)) &&
	saved=$(($(work saved_jobs) - before)) && echo "$saved jobs in $took s" &&
	[ $saved -gt 0 ] && [ $saved -le $((8 * 6 + (took / 60 + 1) * 150)) ]
'

# A play that takes 30 ms of CPU time or more is made each half a minute, a cheaper one
# for a thousandth of the time; twice that is allowed for what differs between plays
test_expect_success 'estimates: a thousandth of a core, or one in half a minute' '
	plays=$(work estimate_plays) && spent=$(metric estimate_cpu_seconds_total) &&
	begin=$(now) && events 15 && took=$(($(now) - begin)) &&
	plays=$(($(work estimate_plays) - plays)) &&
	spent=$(awk "BEGIN { print $(metric estimate_cpu_seconds_total) - $spent }") &&
	echo "$plays plays, $spent s of CPU time in $took s" &&
	awk -v n=$plays -v c=$spent -v s=$took "BEGIN {
		rest = n > 1 ? 1000 * c / n : 0
		if (rest > 30) rest = 30
		exit !((n - 1) * rest <= 2 * s) }"
'

test_done
