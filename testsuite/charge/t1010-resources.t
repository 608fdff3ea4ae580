#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='quota for memory, nodes, several resources, and for what is really allocated'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

quick_scheduler >quick.conf
own mem mem=3000 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf quick.conf

test_expect_success 'memory: per job, per node, per CPU, and what a job gets by default' '
	mem=$(submit -A q --mem=1000) &&
	per_node=$(submit -A q -N2 --mem=500) &&
	all_run $mem $per_node &&
	more=$(submit -A q -n3 --mem-per-cpu=350) &&
	holds_for 3 "job_waits $more" &&
	wait_for 10 "job_reason $more | grep \"wait=quota(mem@any),need=1050,free=1000\"" &&
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
	wait_for 10 "squeue -h -t PD -A q -o %r | grep \"wait=quota(mem@any),need=400,free=200\""
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
