#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='from submission to the start of a job that evicts: how many passes that takes'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

# No pass but because of what happens: Slurm makes one when a job has ended, and we
# may ask for one. Victims have 200 s, by a clock that the test moves.
cat >slurm.conf <<-EOF
	SchedulerParameters=sched_interval=10000,bf_interval=10000,batch_sched_delay=10000
	PartitionName=gentle Nodes=ALL GraceTime=200
EOF
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org
	queue b 8 cohort=org reclaim=Any
	queue full 4
} >cohort.yaml
ctld_clock
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# away_from_midnight: sdiag does not count from 0 again in the time of this test
away_from_midnight() { [ $((86400 - $(ctld_now) % 86400)) -gt 1800 ] || later 1800; }

# allocate OPTIONS...: it starts at once, or waits
allocate() { { salloc --no-shell -p gentle "$@" 2>>allocated & }; }
ids() { squeue -h -o %A "$@" | sort -n | xargs; }
passes_since() { echo $(($(main_cycles) - $1)); }

# a runs on all nodes: two jobs within its quota, and four that borrow
fill() {
	allocate -A a -J own -N2 -n7 && wait_for 10 "[ -n \"\$(ids -t R -n own)\" ]" &&
	allocate -A a -J small -n1 && wait_for 10 "[ -n \"\$(ids -t R -n small)\" ]" &&
	for ((i = 1; i <= 4; i++)); do
		allocate -A a -J lent -n2 && wait_for 10 "[ \"\$(ids -t R -n lent | wc -w)\" -eq $i ]" || return 1
	done
}

test_expect_success 'it evicts as it is submitted, and there is no pass while the victim has time' '
	away_from_midnight && fill && wait_for 30 settled && allocate -A b -J owner -n2 &&
	wait_for 5 "[ \"\$(evicted | wc -w)\" -eq 1 ]" &&
	holds_for 4 "[ \"\$(passes_since $before)\" -eq 0 ]"
'

# One at the end of its time, and one or two as it has ended
test_expect_success 'the next ones are those at its end' '
	later 200 && wait_for 40 "[ -n \"\$(ids -t R -n owner)\" ]" && passes=$(passes_since $before) && echo "$passes passes" &&
	[ "$passes" -le 4 ]
'

# evict_each ID...: somebody was evicted for each of these
evict_each() {
	local id
	for id; do
		log_has "evict: .* for JobId=$id " || return 1
	done
}

# Slurm tries none of the three before somebody finds no nodes: then there is a pass. Each
# ends the turn of its partition.
test_expect_success 'where others wait behind it that may evict, all do so at once' '
	wait_for 30 settled && log_mark && more=$(submit_some 3 -p gentle -A b -n2) && wait_for 10 "job_waits $more" &&
	[ -z "$(evicted)" ] && allocate -A full -J asks -n4 --priority=4294960000 &&
	wait_for 10 "evict_each $more" && later 200 && wait_for 40 "job_runs $more"
'

test_done
