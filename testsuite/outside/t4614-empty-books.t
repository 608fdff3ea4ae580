#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='no job of ours: few looks at records, and the first one is judged when it is tried'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/cycles.sh"

{
	quota_head 10s
	echo 'clusterQueues:'
	queue a 4
	queue of_gpu 2 | sed 's/{account: .*}/{partition: gpu}/'
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
records=40

# Passes of the scheduler, and cycles of backfill, so far
slurm_passes() { sdiag | awk '/Total cycles:/ { n += $3 } END { print n }'; }
looks() { metric job_record_looks_total; }

# Published later than now, in whole seconds
published_anew() {
	local now=$EPOCHSECONDS
	wait_for 40 "[ \"\$(metric published_timestamp_seconds)\" -gt $((now + 1)) ]"
}

waits() { [ "$(job_state "$1")" = PENDING ]; }

# Jobs of other accounts have all nodes, and more wait: Slurm tries them in each pass
fill() {
	local i
	for ((i = 0; i < records; i++)); do
		submit -A out -n1 || return 1
	done
}

few_looks() {
	local passes looks
	passes=$(($(slurm_passes) - $1)) looks=$(($(looks) - $2))
	echo "$passes passes of Slurm, $looks looks"
	[ $((2 * looks)) -le $((passes * records)) ]
}

# What is published was counted before: the passes that came after it are not in
test_expect_success 'passes look at the records seldom' '
	fill && wait_for 10 "[ \"\$(squeue -h -t R -A out | wc -l)\" -eq 16 ]" &&
	away_from_midnight 150 && published_anew && before=$(slurm_passes) && looked=$(looks) &&
	wait_for 240 "[ \"\$(slurm_passes)\" -ge $((before + 60)) ]" && published_anew &&
	few_looks $before $looked
'

# Nobody of ours runs, so nobody has used the quota. It fits the nodes and not the quota.
test_expect_success 'submitted: one beyond its quota never starts' '
	scancel -A out -t R && scancel -A out && wait_for 20 "[ -z \"\$(squeue -h)\" ]" &&
	over=$(submit -A a -n5) && holds_for 5 "waits $over" &&
	wait_for 20 "squeue -h -j $over -o %r | grep Cohort:" && scancel $over
'

test_expect_success 'updated: one that moves to a queue beyond its quota never starts' '
	wait_for 20 "[ -z \"\$(squeue -h)\" ]" &&
	over=$(submit -A out -n3 -H) && published_anew && job_update $over Partition=gpu &&
	scontrol release $over && holds_for 5 "waits $over" &&
	wait_for 20 "squeue -h -j $over -o %r | grep Cohort:" && scancel $over
'

# Two fit the quota, the third one does not, though all are tried in one pass
test_expect_success 'several that become ours at once share the quota' '
	wait_for 20 "[ -z \"\$(squeue -h)\" ]" &&
	ids=$(for i in 1 2 3; do submit -A out -n1 -H || exit 1; done) && published_anew &&
	for id in $ids; do job_update $id Partition=gpu || return 1; done &&
	scontrol release $(echo $ids | tr " " ,) &&
	wait_for 20 "[ \"\$(squeue -h -t R | wc -l)\" -eq 2 ]" &&
	holds_for 5 "[ \"\$(squeue -h -t R | wc -l)\" -le 2 ]" &&
	wait_for 20 "squeue -h -t PD -o %r | grep Cohort:"
'

test_done
