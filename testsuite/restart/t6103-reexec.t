#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scontrol reconfigure under load: places, owned quota and timers survive'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/cycles.sh"

# Victims take their time: GraceTime
{
	quick_scheduler
	echo 'PartitionName=main Nodes=ALL Default=YES GraceTime=8 MaxTime=INFINITE State=UP'
} >slurm.conf

# lend RECLAIM
lend() {
	quota_head
	echo "minRuntime: {reclaim: $1}"
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org
	queue b 8 cohort=org reclaim=Any
	queue load 0
}

lend 0 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Submissions and cancellations without end, of jobs that never run
load_begins() {
	touch loading
	{
		while [ -e loading ]; do
			id=$(submit -A load -n1) && scancel "$id"
		done &
	} 2>/dev/null 3>&- 4>&-
	loader=$!
}

load_ends() { rm -f loading && wait $loader; }

complaints() { log_lines 'error: slurm-cohort|fatal'; }

test_expect_success 'a victim is on its way; the freed quota is the preemptor'\''s through three reconfigures' '
	a=$(submit_some 4 -A a -N1 -n4) && all_run $a && a5=$(submit -A a -N1 -n4) &&
	log_mark && b=$(submit -A b -N1 -n4) && load_begins &&
	wait_for 10 "[ -n \"\$(evicted)\" ]" && victim=$(evicted) &&
	for i in 1 2 3; do cluster_reconfigure || return 1; done &&
	all_run $b && job_waits $a5 &&
	[ "$(evicted)" = "$victim" ] && ! complaints
'

# Slurm says that a requeued job was submitted now; a5 came after it
test_expect_success 'the victim has its old place, before and after another one' '
	wait_for 20 "[ \"\$(positions $victim $a5)\" = \"1/2 2/2\" ]" &&
	cluster_reconfigure && cluster_reconfigure &&
	still "[ \"\$(positions $victim $a5)\" = \"1/2 2/2\" ]" && ! complaints
'

test_expect_success 'a protection ends when it should, whatever is reconfigured meanwhile' '
	load_ends && use_cohort lend 8s &&
	a=$(submit -A a -N4 -n16) && all_run $a && end=$(($(started $a) + 8)) &&
	b=$(submit -A b -n1) && load_begins &&
	until_then $end "cluster_reconfigure && job_runs $a && [ -z \"\$(evicted)\" ]" &&
	wait_for 15 "[ \"\$(evicted)\" = $a ]" &&
	[ "$(ran $a)" -ge 8 ] && all_run $b && ! complaints
'

test_expect_success 'afterwards the books are right' '
	load_ends && wait_for 10 "[ \"\$(usage a) \$(usage b)\" = \"0 1\" ]" &&
	scancel $a && small=$(submit -A a -n15) && all_run $small &&
	over=$(submit -A a -n1) && wait_for 10 "in_line $over" && holds_for 2 "job_waits $over"
'

test_done
