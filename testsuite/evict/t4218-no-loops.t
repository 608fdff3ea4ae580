#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='every eviction is progress: jobs that would evict each other without end all end'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

{ three_tiers; quick_scheduler; } >slurm.conf

# A job that runs until its end is allowed
until_allowed() {
	sbatch --parsable -o /dev/null "$@" --wrap "until [ -e $WORK/end.\$SLURM_JOB_ID ]; do sleep 0.2; done"
}

allow() {
	local id
	for id; do
		touch "$WORK/end.$id"
	done
}

# ended ID...: soon all have, by themselves, and none was evicted any more
ended() {
	local before
	before=$(evicted)
	allow "$@"
	wait_for 60 "[ -z \"\$(squeue -h)\" ]" && jobs_are COMPLETED "$@" && [ "$(evicted)" = "$before" ]
}

# yields ID...: soon they say so, and then evict nobody
yields() {
	local id before
	before=$(evicted)
	for id; do
		wait_for 20 "[ \"\$(reason_wait $id)\" = yields ]" || { job_reason "$id"; return 1; }
	done
	holds_for 3 "job_waits $* && [ \"\$(evicted)\" = \"$before\" ]"
}

# A queue that owned nothing and its larger neighbour
shares() {
	quota_head
	echo 'fairSharing: {enable: true}'
	cohorts org
	echo 'clusterQueues:'
	queue x 3 cohort=org reclaim=Any
	queue y 0 cohort=org reclaim=Any
	queue idle 2 cohort=org reclaim=Any
}
shares >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Alone, the first one and the second would have more than their share in turn.
test_expect_success 'shares: one is evicted, and waits for free quota' '
	x=$(until_allowed -A x -n5) && all_run $x && next_second &&
	four=$(until_allowed -A y -n4) && next_second && one=$(until_allowed -A y -n1) &&
	all_run $one $four && evicted_are $x && yields $x
'

test_expect_success 'scohort why says so' '
	scohort why $x >why && tr -s " \n" " " <why | grep "It was evicted before, so it waits for free quota: it evicts other jobs only for the nominal quota of x, and needs more than that\."
'

test_expect_success 'all end' 'ended $one $four $x'

# Two queues live on what their cohort owns.
pool() {
	quota_head
	echo 'fairSharing: {enable: true}'
	cohorts org:-:nominal=6
	echo 'clusterQueues:'
	queue x 0 cohort=org within=LowerPriority reclaim=Any
	queue y 0 cohort=org within=LowerPriority reclaim=Any
}

test_expect_success 'priority and shares: each is evicted once, and all end' '
	use_cohort pool &&
	low=$(until_allowed -A x -p lo -n2) && all_run $low && next_second &&
	high=$(until_allowed -A x -p hi -n6) && all_run $high && next_second &&
	y=$(until_allowed -A y -p lo -n5) && all_run $y && evicted_are $low $high && yields $high &&
	job_waits $low && ended $y $high $low
'

# A queue borrows by priority what an owner takes back.
priority() {
	quota_head
	cohorts org:-:nominal=3
	echo 'clusterQueues:'
	queue a 3 cohort=org reclaim=Any
	queue x 0 cohort=org reclaim=Any threshold=-
}

test_expect_success 'borrowing by priority: the owner comes back, and stays' '
	use_cohort priority &&
	own=$(until_allowed -A a -p lo -n2) && more=$(until_allowed -A a -p mid -n4) && all_run $own $more && next_second &&
	x=$(until_allowed -A x -p hi -n6) && all_run $x && evicted_are $own $more && log_mark &&
	wait_for 30 "job_runs $own $more" && evicted_are $x && yields $x && ended $own $more $x
'

test_done
