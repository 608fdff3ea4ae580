#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='with slurmdbd: no job waits for one that a limit of Slurm holds back, and none is evicted for it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cycles.sh"

{
	quick_scheduler
	echo 'PartitionName=other Nodes=ALL State=UP MaxTime=INFINITE'
} >slurm.conf

# a owns nothing; q owns all and takes it back
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue q 16 cohort=org reclaim=Any | sed 's/account: "q"/account: "q*"/'
	queue a 0 cohort=org
} >cohort.yaml
cat >commands <<-EOF
	add account q,q2,a
	add qos one set MaxJobsPU=1
	add qos small set MaxTRESPU=mem=600
	add user root account=q,q2,a qos=normal,one,small defaultqos=normal defaultaccount=q
EOF

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --accounting --sacctmgr commands

# limit ACCOUNT KEY=VALUE: -1 is none
limit() { sacctmgr -i modify account "$1" set "$2" >/dev/null; }

# lent JOB REASON N: it has no position, and the other queue has N nodes of its queue's
lent() {
	is_refused "$1" "$2" && a=$(submit_some "$3" -A a -n4 -N1) && all_run $a &&
		[ "$(job_reason "$1")" = "$2" ]
}

# no_eviction_for JOB: none was even decided
no_eviction_for() {
	passed && passed && ! log_has "slurm-cohort: evict: .* for JobId=$1 " &&
		! log_has "slurmctld did not evict it"
}

test_expect_success 'MaxJobsPU: what the job would have is lent, and scohort why names the limit' '
	first=$(submit -A q -q one -n4 -N1) && all_run $first &&
	job=$(submit -A q -q one -n4 -N1) && lent $job QOSMaxJobsPerUserLimit 3 &&
	scohort why $job | tee why && xargs <why | grep -q "has no position: Slurm holds it back (QOSMaxJobsPerUserLimit)"
'

test_expect_success 'it comes back in line when the limit lets it, and takes back what is its own' '
	log_mark && scancel $first && all_run $job && b=$(submit -A q -n4 -N1) && all_run $b &&
	[ "$(evicted | wc -w)" -eq 1 ]
'

test_expect_success 'GrpTRESRunMins, looked at when nodes are selected: the same' '
	cluster_clear && limit q GrpTRESRunMins=cpu=10 &&
	job=$(submit -A q -n8 -N2 -t30) && lent $job AssocGrpCPURunMinutesLimit 4 && log_mark &&
	no_eviction_for $job && limit q GrpTRESRunMins=cpu=-1 && all_run $job && [ "$(evicted | wc -w)" -eq 2 ]
'

test_expect_success 'GrpTRES below what the job asks for: no job goes for it, and the log says of none' '
	cluster_clear && log_mark && limit q GrpTRES=cpu=4 && a=$(submit_some 4 -A a -n4 -N1) && all_run $a &&
	job=$(submit -A q -n6) && is_refused $job AssocGrpCpuLimit && no_eviction_for $job && all_run $a &&
	limit q GrpTRES=cpu=-1 && all_run $job
'

# One CPU is asked for, and a node is selected.
test_expect_success 'whole nodes: the limit refuses what is selected, not what is asked for' '
	cluster_clear && log_mark && limit q GrpTRES=cpu=2 && a=$(submit_some 3 -A a -n4 -N1) && all_run $a &&
	job=$(submit -A q -n1 --exclusive) && is_refused $job AssocGrpCpuLimit &&
	last=$(submit -A a -n4 -N1) && all_run $last && no_eviction_for $job &&
	limit q GrpTRES=cpu=-1 && all_run $job && [ "$(evicted | wc -w)" -eq 1 ]
'

# 22.05 does not take this reason for one of a limit, and leaves it.
test_expect_success 'a limit on memory is lifted' '
	cluster_clear && first=$(submit -A q -q small -n1 --mem=500) && all_run $first &&
	job=$(submit -A q -q small -n1 --mem=500) && lent $job QOSMaxMemoryPerUser 3 &&
	sacctmgr -i modify qos small set MaxTRESPU=mem=-1 >/dev/null && all_run $job
'

test_expect_success 'a job with two partitions' '
	cluster_clear && first=$(submit -A q -q one -n4 -N1) && all_run $first &&
	job=$(submit -A q -q one -n4 -N1 -p main,other) && lent $job QOSMaxJobsPerUserLimit 3 &&
	scancel $first && all_run $job
'

# Backfill rests while no job and no node changes, and it alone tries components.
backfill_wakes() { scontrol update nodename=n1 comment=changed; }

test_expect_success 'a component of a heterogeneous job' '
	cluster_clear && limit q2 GrpTRESRunMins=cpu=10 && het=$(submit -A q -n4 -N1 -t30 : -A q2 -n4 -N1 -t30) &&
	lent $((het + 1)) AssocGrpCPURunMinutesLimit 4 && holds_for 2 "job_waits $het" &&
	limit q2 GrpTRESRunMins=cpu=-1 && backfill_wakes && all_run $het $((het + 1))
'

test_expect_success 'over a restart' '
	cluster_clear && first=$(submit -A q -q one -n4 -N1) && all_run $first &&
	job=$(submit -A q -q one -n4 -N1) && is_refused $job QOSMaxJobsPerUserLimit &&
	cluster_restart_ctld && wait_for 30 nodes_have_registered && lent $job QOSMaxJobsPerUserLimit 3
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled q:16
'

test_done
