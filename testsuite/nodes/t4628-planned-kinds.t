#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='backfill keeps nodes for all kinds of jobs: arrays, several partitions, components, jobs that have to evict'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

ctld_clock || {
	skip_all='no C compiler'
	test_done
}

# lent [WORD=VALUE]...: one job is planned; a borrows from o; t owns what is left, apart from them. Words
# are of o; and rmin=SECONDS: for so long nobody takes back
lent() {
	local word own=() org=org
	for word; do
		case $word in
		rmin=*) org="org:-:$word" ;;
		*) own+=("$word") ;;
		esac
	done
	echo 'plannedJobs: 1'
	quota_head
	cohorts "$org"
	echo 'clusterQueues:'
	queue o 12 cohort=org "${own[@]}"
	queue t 4
	queue a 0 cohort=org
}

{
	quick_scheduler | sed 's/$/,bf_resolution=1/'
	three_tiers
	echo 'PartitionName=gentle Nodes=ALL GraceTime=600 State=UP MaxTime=INFINITE'
} >slurm.conf
lent >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# hosts_of ID: the nodes that backfill has planned for a job, one a line
hosts_of() {
	scontrol show hostnames "$(scontrol show job "$1" | sed -n 's/.* SchedNodeList=//p' | sort -u | paste -sd,)"
}
planned_nodes() { hosts_of "$1" | grep -c .; }

# planned ID N: N nodes are planned for it; backfill does not rest meanwhile
planned() { wait_for 30 "backfilled 0 0; [ \"\$(planned_nodes $1)\" -eq $2 ]"; }

# Others take these nodes only if they are done in time
kept() {
	long=$(submit -A t -t 600 -N2 -n2) && says $long "wait=nodes" &&
	short=$(submit -A t -t 1 -N2 -n2) && all_run $short && job_waits $long
}

# a holds two of four nodes for an hour
lend_nodes() { a=$(submit -A a -t 60 -N2 --ntasks-per-node=4 "$@") && all_run $a; }

# How many tasks or components of it run
running() { squeue -h -t R -j "$1" -o %i | wc -l; }

test_expect_success 'an array: nodes for its next task, and then for the one after' '
	lend_nodes && o=$(submit -A o -t 60 --array=1-3 -N3 --ntasks-per-node=4) &&
	planned $o 3 && kept && scancel $short $a $long &&
	wait_for 15 "[ \"\$(running $o)\" -eq 1 ]" && planned $o 3
'

test_expect_success 'several partitions: by the one in which it starts first' '
	cluster_clear && lend_nodes && o=$(submit -A o -t 60 -p lo,hi -N3 --ntasks-per-node=4) &&
	planned $o 3 && kept && scancel $short $a && all_run $o
'

# het_job: two components, three nodes
het_job() {
	sbatch --parsable -o /dev/null -A o -t 60 -N1 --ntasks-per-node=4 : \
		-A o -t 60 -N2 --ntasks-per-node=4 --wrap "exec sleep 1000" | tail -n 1
}
both_run() { wait_for 30 "[ \"\$(running $o)\" -eq 2 ]"; }

test_expect_success 'components: each has nodes of its own, and a job between them takes none' '
	cluster_clear && lend_nodes && o=$(het_job) && planned $o 3 && kept &&
	scancel $short $a && both_run && job_waits $long
'

test_expect_success 'components: they start where there are no other nodes' '
	cluster_clear && u=$(submit -A t -t 600 -N1 -n4) && all_run $u && lend_nodes &&
	o=$(het_job) && planned $o 3 && scancel $a && both_run
'

test_expect_success 'who may evict later: nodes that its victims leave, and free ones' '
	use_cohort lent reclaim=Any rmin=600s && lend_nodes &&
	o=$(submit -A o -t 60 -N3 --ntasks-per-node=4) && says $o "wait=protected(until=" &&
	planned $o 3 && kept && job_runs $a
'

# It may start on one of the nodes while its victim is still ending on the other
test_expect_success 'victims on their way out: the nodes that are cleared for it' '
	use_cohort lent reclaim=Any && s=$(submit_stubborn -A a -t 60 -p gentle -N2 --ntasks-per-node=4) &&
	all_run $s && o=$(submit -A o -t 60 -N3 --ntasks-per-node=4) && says $o "wait=preempting(1)" &&
	planned $o 3 && job_runs $s && [ "$(job_restarts $s)" -eq 0 ]
'

test_expect_success 'quota is not in sight: nothing is planned, and others take the nodes' '
	use_cohort lent && lend_nodes -t UNLIMITED && o=$(submit -A o -t 60 -N3 --ntasks-per-node=4) &&
	says $o "wait=quota" && from=$(backfill_cycles) && wait_for 30 "backfilled $from 6" &&
	[ "$(planned_nodes $o)" -eq 0 ] && long=$(submit -A t -t 600 -N2 -n2) && all_run $long
'

test_expect_success 'the protection of its victims ends: only these go, once, and it starts' '
	use_cohort lent reclaim=Any rmin=200s && lend_nodes &&
	o=$(submit -A o -t 60 -N3 --ntasks-per-node=4) && says $o "wait=protected(until=" &&
	planned $o 3 && clock_is 200 && wait_for 40 "job_runs $o" &&
	wait_for 30 "[ \"\$(job_restarts $a)\" -eq 1 ]" && [ "$(log_lines "slurm-cohort: evict:" | wc -l)" -eq 1 ]
'

test_done
