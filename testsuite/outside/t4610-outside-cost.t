#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs outside all queues: what they cost; the first job of ours is judged when it is tried'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/looks.sh"

# config [INTERVAL]
config() {
	quota_head "$@"
	echo 'clusterQueues:'
	queue a 4
	queue b 4
	queue of_gpu 2 | sed 's/{account: .*}/{partition: gpu}/'
}
config >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
away_from_midnight 300

# Jobs of other accounts have all nodes, and more wait: Slurm tries them in each pass
outside=30
fill() {
	local i
	for ((i = 0; i < outside; i++)); do
		submit -A out -n1 || return 1
	done
}

test_expect_success 'thirty that are alike are compared with the rules once' '
	count && fill &&
	wait_for 10 "[ \"\$(squeue -h -t R -A out | wc -l)\" -eq 16 ]" && passed && count && [ $matches -eq 1 ]
'

test_expect_success 'nothing is kept of them, and nothing is booked' '
	[ "$(published "d[\"memory\"][\"records\"]")" -eq 0 ] && [ $booked -eq 0 ]
'

# Where the books are empty nobody can be a victim. From 25.05 on Slurm does not
# ask whether it is to look for some.
slurm_since 25.05 || test_set_prereq asks_first
test_expect_success asks_first 'Slurm looks for no victims, after a reconfigure either' '
	passed && count && [ $candidates -eq 0 ] &&
	cluster_reconfigure && passed && count && passed && passed && count && [ $candidates -eq 0 ]
'

# Slurm tries each of them in each pass
test_expect_success 'a try of one looks at no other: only passes do' '
	count && scancel -A out -t R && passed && passed && count && [ $looks -le $(((passes + 1) * outside)) ]
'

# They are told apart by a number that some share
test_expect_success 'each account is another comparison, a partition too, and not in each pass' '
	for ((i = 0; i < 150; i++)); do submit -A account$i -n16 || return 1; done &&
	submit -A out -p cpu -n1 && submit -A out -p cpu -n1 && passed && count && [ $matches -eq 151 ] &&
	passed && passed && count && [ $matches -eq 0 ] && cancel_all PD
'

test_expect_success 'one that moves to a queue is booked there, and one that leaves it is not' '
	cluster_clear && count && id=$(submit -A out -n1 -H) && scontrol release $id && all_run $id &&
	id=$(submit -A out -n1 -H) && job_update $id Partition=gpu && passed && count && [ $booked -eq 0 ] &&
	scontrol release $id && all_run $id && passed && count && [ $booked -ge 1 ] &&
	[ "$(published "d[\"memory\"][\"records\"]")" -eq 1 ]
'

# Slurm asked once, after the reconfigure, whether its sort is to ask us
test_expect_success asks_first 'where there are jobs of ours Slurm looks for victims, and sorts by us' '
	cluster_clear && count && big=$(submit -A b -n4) && all_run $big &&
	first=$(submit -A b -n2) && second=$(submit -A b -n2) &&
	wait_for 10 "[ \"\$(positions $first $second)\" = \"1/2 2/2\" ]" &&
	scancel $big && all_run $first $second && submit -A out -n1 && passed && count && [ $candidates -gt 0 ]
'

# ---- no job of ours: a pass comes seldom ----

# The record of one that was there is there for a while, so it is another cluster.
test_expect_success 'another cluster' '
	cluster_down && CLUSTER=$WORK/other && config 4s >cohort.yaml &&
	cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
'

# By the interval for texts, and once in six seconds if slurmctld tries some
test_expect_success 'Slurm makes many passes, and we make few of them' '
	fill && wait_for 10 "[ \"\$(squeue -h -t R -A out | wc -l)\" -eq 16 ]" && count &&
	before=$(main_cycles) && wait_for 30 "has_grown $before 8 \"\$(main_cycles)\"" && count &&
	[ $passes -le $((ms / 4000 + ms / 6000 + 3)) ]
'

# Nobody of ours runs, so nobody has used the quota. It fits the nodes and not the quota.
test_expect_success 'submitted: one beyond its quota does not start' '
	cluster_clear && over=$(submit -A a -n5) && wait_for 20 "job_reason $over | grep ^Cohort:" &&
	passed && job_waits $over && scancel $over
'

# Two fit the quota, the third one does not, though all are tried in one pass
test_expect_success 'several that become ours at once share the quota' '
	wait_for 20 "[ -z \"\$(squeue -h)\" ]" &&
	ids=$(for i in 1 2 3; do submit -A out -n1 -H || exit 1; done) && published_anew &&
	for id in $ids; do job_update $id Partition=gpu || return 1; done &&
	scontrol release $(echo $ids | tr " " ,) &&
	wait_for 20 "[ \"\$(squeue -h -t R | wc -l)\" -eq 2 ]" &&
	wait_for 20 "squeue -h -t PD -o %r | grep Cohort:" && passed && [ "$(squeue -h -t R | wc -l)" -eq 2 ]
'

test_done
