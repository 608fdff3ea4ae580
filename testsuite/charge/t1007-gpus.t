#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='quota for GPUs, without slurmdbd'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

own gres/gpu gres/gpu=2 >cohort.yaml
quick_scheduler >quick.conf
cluster_up --cohort cohort.yaml --slurm-conf quick.conf

# takes_all OPTIONS...: a job with these options runs and leaves no GPU of the
# quota for another
takes_all() {
	cluster_clear &&
	large=$(submit -A q "$@") &&
	all_run $large &&
	[ "$(usage q gpu)" -eq 2 ] &&
	more=$(submit -A q --gres=gpu:1) &&
	wait_for 5 "job_reason $more | grep \"wait=quota(gres/gpu@any),need=1,free=0,\"" &&
	job_waits $more
}

test_expect_success 'GPUs: no more than the quota, though nodes have more' '
	gpu=$(submit_some 4 -A q --gres=gpu:1) &&
	wait_for 10 "[ \$(usage q gpu) -ge 2 ]" &&
	holds_for 3 "[ \$(usage q gpu) -eq 2 ]" &&
	wait_for 10 "squeue -h -t PD -A q -o %r | grep \"wait=quota(gres/gpu@any),need=1,free=0\""
'

test_expect_success 'a job without GPUs is not limited by a quota for GPUs' '
	none=$(submit -A q -n2) &&
	all_run $none
'

test_expect_success 'GPUs asked for as --gres, --gpus, per node, per task, per socket' '
	takes_all --gres=gpu:2 &&
	takes_all --gpus=2 &&
	takes_all -N2 --gpus-per-node=1 &&
	takes_all -n2 --gpus-per-task=1 &&
	takes_all -n1 --sockets-per-node=1 --gpus-per-socket=2
'

test_expect_success 'a job with more GPUs than the quota never starts' '
	cluster_clear &&
	never=$(submit -A q -N2 --gpus-per-node=2) &&
	next=$(submit -A q --gpus=1) &&
	all_run $next &&
	job_waits $never &&
	wait_for 5 "job_reason $never | grep \"wait=never(max=2)\""
'

two_teams() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 1 cohort=org resource=gres/gpu
	queue b 3 cohort=org resource=gres/gpu reclaim=Any
}

test_expect_success 'GPUs are lent and come back, as many as needed' '
	use_cohort two_teams &&
	a=$(submit_some 4 -A a --gres=gpu:1) &&
	all_run $a &&
	b=$(submit -A b --gres=gpu:2) &&
	all_run $b &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 2 ]" &&
	holds_for 2 "[ \$(evicted | wc -w) -eq 2 ] && [ \$(usage a gpu) -eq 2 ]" &&
	[ "$(usage b gpu)" -eq 2 ]
'

test_done
