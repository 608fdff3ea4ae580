#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='quota for GPUs (without slurmdbd), memory, nodes, and for what is really allocated'
. "$(dirname "$0")/lib.sh"
. "$TESTSUITE/lib/quota.sh"

# own RESOURCES QUOTA: one queue q of its own
own() {
	cat <<-EOF
		visibility: {updateInterval: 1s}
		flavors: [{name: any}]
		clusterQueues:
		  - name: q
		    match: [{account: q}]
		    resourceGroups:
		      - coveredResources: [$1]
		        flavors: [{name: any, nominalQuota: "$2"}]
	EOF
}

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
	squeue -h -t PD -A q -o %r | grep "wait=quota(gres/gpu@any),need=1,free=0"
'

test_expect_success 'a job without GPUs is not limited by a quota for GPUs' '
	none=$(submit -A q -n2) &&
	all_run $none
'

test_expect_success 'GPUs asked for as --gres, --gpus, per node, per task, per socket' '
	takes_all --gres=gpu:2 &&
	takes_all --gpus=2 &&
	takes_all -N2 --gpus-per-node=1 &&
	takes_all -n2 --gpus-per-task=1
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

test_expect_success 'memory: per job, per node, per CPU, and what a job gets by default' '
	use_cohort own mem mem=3000 &&
	mem=$(submit -A q --mem=1000) &&
	per_node=$(submit -A q -N2 --mem=500) &&
	all_run $mem $per_node &&
	more=$(submit -A q -n3 --mem-per-cpu=350) &&
	holds_for 3 "job_waits $more" &&
	job_reason $more | grep "wait=quota(mem@any),need=1050,free=1000" &&
	fits=$(submit -A q -n2) &&
	all_run $fits &&
	[ "$(usage q mem | tr -d M)" = 3000 ] &&
	job_waits $more
'

test_expect_success 'nodes' '
	use_cohort own node node=3 &&
	two=$(submit -A q -N2) &&
	all_run $two &&
	more=$(submit -A q -N2) &&
	one=$(submit -A q -N1) &&
	all_run $one &&
	holds_for 3 "job_waits $more && [ \$(usage q node) -eq 3 ]"
'

test_expect_success 'the scarcest of several resources decides' '
	use_cohort own "cpu, mem" "cpu=8,mem=1000" &&
	submit_some 4 -A q --mem=400 &&
	wait_for 10 "[ \$(usage q) -ge 2 ]" &&
	holds_for 3 "[ \$(usage q) -eq 2 ]" &&
	squeue -h -t PD -A q -o %r | grep "wait=quota(mem@any),need=400,free=200"
'

test_expect_success 'a job with nodes of its own is charged for all of them' '
	use_cohort own cpu cpu=6 &&
	whole=$(submit -A q -N1 -n1 --exclusive) &&
	all_run $whole &&
	submit_some 3 -A q &&
	wait_for 10 "[ \$(usage q) -ge 6 ]" &&
	holds_for 3 "[ \$(usage q) -eq 6 ]"
'

# What it asks for (one CPU) would fit, what it gets (four) does not.
test_expect_success 'CPUs that come with GPUs are charged before the job starts' '
	use_cohort own cpu cpu=3 &&
	gpus=$(submit -A q --gpus-per-node=2 --cpus-per-gpu=2) &&
	holds_for 3 "[ \$(usage q) -eq 0 ] && job_waits $gpus" &&
	small=$(submit -A q -n3) &&
	all_run $small &&
	job_waits $gpus
'

test_done
