#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what becomes of a victim: REQUEUE, CANCEL, OFF; the record of its preemptor is kept'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quick_scheduler
	echo "PartitionName=cancel Nodes=ALL PreemptMode=CANCEL State=UP MaxTime=INFINITE"
	echo "PartitionName=requeue Nodes=ALL PreemptMode=REQUEUE State=UP MaxTime=INFINITE"
	echo "PartitionName=off Nodes=ALL PreemptMode=OFF State=UP MaxTime=INFINITE"
} >modes.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 1 cohort=org
	queue b 3 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf modes.conf

fixed="jobs of partition off can't be evicted, unless the PreemptMode of their QOS lets them: its own is OFF or SUSPEND"

test_expect_success 'a partition with OFF: the log and check warn of it' '
	log_has "warning: $fixed" && ! log_has "jobs of partition \\(cancel\\|requeue\\)" &&
	scohort check 2>err && grep "cohort.yaml: warning: $fixed" err && ! grep "partition \(cancel\|requeue\)" err
'

test_expect_success 'REQUEUE: the victim waits again' '
	stays=$(submit -A a -n1) &&
	all_run $stays &&
	next_second &&
	victim=$(submit -A a -n3) &&
	all_run $victim &&
	scontrol update job=$victim AdminComment=mine &&
	next_second &&
	next_second &&
	b=$(submit -A b -n3) &&
	all_run $b &&
	evicted_are $victim &&
	job_runs $stays &&
	job_waits $victim &&
	[ "$(job_restarts $victim)" -eq 1 ]
'

test_expect_success 'it keeps who took its place, by which rule and when' '
	system_comment $victim >comment &&
	cat comment &&
	grep -E "^preempted at [0-9-]{10}T[0-9:]{8} by job $b \(cluster queue b\), rule InCohortReclamation" comment &&
	grep -E ", a held 4 of 1 cpu@any, b held 0 of 3, needed 3, free 0, ran [1-9][0-9]* s, preemption 1, counted 0 of 3$" comment &&
	[ "$(job_field $victim AdminComment)" = mine ]
'

test_expect_success 'so does slurmctld.log, with the numbers' '
	log_lines "slurm-cohort: evict: " >line &&
	cat line &&
	grep "JobId=$victim (a) for JobId=$b (b), rule InCohortReclamation, a held 4 of 1 cpu@any, b held 0 of 3, needed 3, free 0, ran [1-9][0-9]* s, preemption 1, counted 0 of 3$" line &&
	[ $(wc -l <line) -eq 1 ]
'

test_expect_success 'it starts again when there is room, and still knows' '
	wait_for 20 "job_reason $victim | grep ^Cohort:" &&
	scancel $b &&
	all_run $victim &&
	job_runs $stays &&
	[ "$(system_comment $victim)" = "$(cat comment)" ]
'

test_expect_success 'a second preemption is counted' '
	b=$(submit -A b -n3) &&
	all_run $b &&
	wait_for 5 "[ \"\$(evicted)\" = \"$victim $victim\" ]" &&
	system_comment $victim | grep -E "by job $b .*, preemption 2, counted 0 of 3$"
'

test_expect_success 'REQUEUE: a victim that must not be requeued is cancelled' '
	cluster_clear &&
	log_mark &&
	victim=$(submit -A a -n4 --no-requeue) &&
	all_run $victim &&
	b=$(submit -A b -n3) &&
	all_run $b &&
	evicted_are $victim &&
	[ "$(job_state $victim)" = PREEMPTED ]
'

test_expect_success 'CANCEL for one partition' '
	cluster_clear &&
	log_mark &&
	victim=$(submit -A a -p cancel -n4) &&
	all_run $victim &&
	b=$(submit -A b -n3) &&
	all_run $b &&
	evicted_are $victim &&
	[ "$(job_state $victim)" = PREEMPTED ] &&
	system_comment $victim | grep "by job $b (cluster queue b), rule InCohortReclamation"
'

test_expect_success 'OFF for one partition: its jobs are no victims, others are' '
	cluster_clear &&
	log_mark &&
	off=$(submit_some 2 -A a -p off) &&
	all_run $off &&
	why_soon ${off% *} "No job can evict it: the PreemptMode of its QOS or partition is neither REQUEUE nor CANCEL." &&
	next_second &&
	victim=$(submit_some 2 -A a -p requeue) &&
	all_run $victim &&
	more=$(submit -A b -n3) &&
	nobody_evicted_for $more &&
	scancel $more &&
	b=$(submit -A b -n2) &&
	all_run $b &&
	evicted_are $victim &&
	job_runs $off
'

test_expect_success 'CANCEL for the cluster, but REQUEUE for one partition' '
	cluster_clear &&
	sed -i "s/^PreemptMode=.*/PreemptMode=CANCEL/" "$CLUSTER/etc/slurm.conf" &&
	cluster_restart_ctld &&
	log_mark &&
	cancelled=$(submit -A a -n2) &&
	requeued=$(submit -A a -p requeue -n2) &&
	all_run $cancelled $requeued &&
	b=$(submit -A b -n3) &&
	all_run $b &&
	evicted_are $cancelled $requeued &&
	[ "$(job_state $cancelled)" = PREEMPTED ] &&
	[ "$(job_state $requeued)" = PENDING ]
'

test_done
