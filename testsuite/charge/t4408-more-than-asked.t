#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what Slurm would select decides before others are evicted, and what it bills before a job starts'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"

{
	quick_scheduler
	echo 'NodeName=n[1-4] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 Gres=gpu:2'
	echo 'PartitionName=billed Nodes=ALL State=UP MaxTime=INFINITE TRESBillingWeights=CPU=1.0,GRES/gpu=10.0'
	echo 'AccountingStorageTRES=gres/gpu'
} >more.conf
echo 'NodeName=n[1-4] Name=gpu File=@DIR@/dev/gpu[0-1]' >more.gres
printf '%s\n' 'add account q' 'add account a' 'add account c' 'add user root account=q,a,c defaultaccount=q' >commands

# owner RESOURCE N: q owns so much, c the rest of 32; a has nothing of its own
owner() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue q "$2" resource="$1" cohort=org reclaim=Any
	queue c $((32 - $2)) resource="$1" cohort=org
	queue a 0 resource="$1" cohort=org
}

# all_lent: a has all 32 CPUs, two a job
all_lent() {
	submit_some 16 -A a -n2 -N1 >/dev/null && wait_for 20 '[ "$(usage a)" -eq 32 ]' && log_mark
}

# evicts_none OWNED NEED OPTIONS...: the owner of so many CPUs would not get what this takes
evicts_none() {
	local owned=$1 need=$2 id
	shift 2
	use_cohort owner cpu "$owned" && all_lent && id=$(submit -A q "$@") &&
		waits_for "$id" "quota(cpu@any),need=$need" && holds_for 2 '[ -z "$(evicted)" ]'
}

# evicts VICTIMS OWNED OPTIONS...: and with so many more it evicts them at once
evicts() {
	local victims=$1 owned=$2 id
	shift 2
	use_cohort owner cpu "$owned" && all_lent && id=$(submit -A q "$@") && all_run "$id" &&
		[ "$(evicted | wc -w)" -eq "$victims" ]
}

owner cpu 8 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf more.conf --gres-conf more.gres \
	--accounting --sacctmgr commands

test_expect_success 'one task a core: twice the CPUs that it asks for' '
	evicts_none 2 4 -n2 --ntasks-per-core=1 && evicts 2 4 -n2 --ntasks-per-core=1
'

test_expect_success 'another job that asks for the same knows it at once' '
	evicts_none 2 4 -n2 --ntasks-per-core=1 &&
	same=$(submit -A q -n2 --ntasks-per-core=1) && waits_for $same "quota(cpu@any),need=4" &&
	other=$(submit -A q -n1 --ntasks-per-core=1) && wait_for 20 "job_runs $other" &&
	[ "$(evicted | wc -w)" -eq 1 ]
'

# Each waits already when the first one is tried. What its try has taught is forgotten after ten
# seconds: then the same job is tried again.
test_expect_success 'so do those that wait: victims are sought for one of them only' '
	use_cohort owner cpu 2 && all_lent && same=$(submit_some 5 -A q -H -n2 --ntasks-per-core=1) &&
	scontrol release $(echo $same | tr " " ,) && for id in $same; do waits_for $id "quota(cpu@any),need=4" || return 1; done &&
	[ "$(log_lines "cons_tres was asked" | grep -o "JobId=[0-9]*" | sort -u | wc -l)" -le 1 ]
'

test_expect_success 'GPUs of a whole node are billed' '
	use_cohort own billing billing=27 &&
	wait=$(submit -A q -p billed -n1 --exclusive --gres=gpu:1) &&
	waits_for $wait "quota(billing@any),need=28" &&
	use_cohort own billing billing=28 &&
	runs=$(submit -A q -p billed -n1 --exclusive --gres=gpu:1) && all_run $runs && charged $runs billing=28
'

test_done
