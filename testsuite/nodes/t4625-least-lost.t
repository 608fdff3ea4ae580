#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='victims for nodes: not two small ones for one, not a wide one, in any order that is allowed; lossWeights'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/epilog.sh"

# b owns all four nodes of 4 CPUs, which a borrows; jobs of c stay
four_nodes_lent() {
	[ $# -eq 0 ] || echo "$1 $2"
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org
	queue b 16 cohort=org reclaim=Any
	queue c 16
}

{
	quick_scheduler
	echo 'PartitionName=graced Nodes=ALL GraceTime=60 State=UP MaxTime=INFINITE'
	epilog_line
} >slurm.conf
four_nodes_lent >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# on_node ACCOUNT NODES CPUS [OPTION]...: a job with so many CPUs on each; waits
# until it runs; prints its id
on_node() {
	local id count
	count=$(scontrol show hostnames "$2" | wc -l)
	id=$(submit -A "$1" -N "$count" --ntasks-per-node="$3" -w "$2" "${@:4}") && all_run "$id" && echo "$id"
}

test_expect_success 'one job on a node, not two that are younger on another' '
	log_mark && on_node c n2 1 && on_node c "n[3-4]" 4 &&
	one=$(on_node a n2 3) && next_second && young=$(on_node a n1 2) && young2=$(on_node a n1 2) &&
	loses_less 3 "$one" 2 "$young $young2" &&
	b=$(submit -A b -N1 --ntasks-per-node=3) && all_run $b && evicted_are $one
'

# two_not_wide: two jobs on a node each go, not one on four that is younger
two_not_wide() {
	log_mark && on_node c "n[3-4]" 2 &&
		one=$(on_node a n1 2) && two=$(on_node a n2 2) && next_second && wide=$(on_node a "n[1-4]" 2) &&
		loses_less 2 "$one $two" 8 "$wide" &&
		b=$(submit -A b -N2 --ntasks-per-node=2) && all_run $b && evicted_are $one $two
}

test_expect_success 'two jobs on a node each, not one on four that is younger' '
	cluster_clear && two_not_wide
'

test_expect_success 'two CPUs on each of four nodes: one CPU on each is of no use, and its job stays' '
	cluster_clear && log_mark &&
	fat=$(for n in 1 2 3 4; do on_node a n$n 3 || exit; done | xargs) && next_second &&
	thin=$(on_node a "n[1-4]" 1) &&
	b=$(submit -A b -N4 --ntasks-per-node=2) && all_run $b && evicted_are $fat && job_runs $thin
'

# small_ones_and_a_large X X2: these are the two jobs of a on n1. There are two on n2 as well;
# the youngest one has all of the other nodes.
small_ones_and_a_large() {
	x=$1 x2=$2
	y=$(on_node a n2 2) && y2=$(on_node a n2 2) && next_second && large=$(on_node a "n[3-4]" 4) &&
		loses_less 2 "$y $y2" 8 "$large"
}

# one_each: the first of two owners waits for one of n1, and n1 is kept for him. The quota that
# the second one needs is free with another one of two CPUs, as soon as the first one is gone.
one_each() {
	b=$(submit -A b -N1 -n2 -w n1) && wait_for 10 "[ \$(evicted | wc -w) -eq 1 ]" && v=$(evicted) &&
		b2=$(submit -A b -N1 -n2) && evicted_some 2 $x $x2 $y $y2 && job_waits $b $b2
}

test_expect_success 'one small one goes where another is on its way out, on a node kept for others' '
	cluster_clear && log_mark &&
	small_ones_and_a_large $(submit_stubborn -A a -N1 -n2 -w n1 -p graced) \
		$(submit_stubborn -A a -N1 -n2 -w n1 -p graced) && one_each &&
	scancel $v && all_run $b $b2 && evicted_some 2 $x $x2 $y $y2
'

test_expect_success 'the same while that one is being cleaned up' '
	cluster_clear && log_mark && epilog_lasts n1 &&
	small_ones_and_a_large $(on_node a n1 2) $(on_node a n1 2) && one_each && completing $v &&
	epilog_ends n1 && all_run $b $b2 && evicted_some 2 $x $x2 $y $y2
'

# A queue gives as long as it borrows, so its largest goes last: a borrows two, and
# newest first would stop after that of three.
one_goes_last() {
	quota_head
	cohorts "org:-:nominal=$1"
	echo 'clusterQueues:'
	queue a 2 cohort=org
	queue b 4 cohort=org reclaim=Any
	queue c 16
}

# whole_node: a job of b gets n1, on which an older job of one CPU has to go, too
whole_node() {
	on_node c "n[2-4]" 4 && one=$(on_node a n1 1) && next_second && three=$(on_node a n1 3) &&
		b=$(submit -A b -N1 --ntasks-per-node=4) && all_run $b && evicted_are $one $three
}

test_expect_success 'both of a node go, as the rules allow it in one order: nodes are missing' '
	use_cohort one_goes_last 2 && whole_node
'

test_expect_success 'the same where quota is missing as well' '
	use_cohort one_goes_last 0 && whole_node
'

# gpus_lent [KEY VALUE]: the same with quota for GPUs, of which n1 and n2 have two each
gpus_lent() {
	four_nodes_lent "$@" | sed -e "s/coveredResources: \[cpu\]/coveredResources: [cpu, gres\/gpu]/" \
		-e "s/\"cpu=\([0-9]*\)\"/\"cpu=\1,gres\/gpu=4\"/"
}

# n1 has a job with one CPU and two GPUs, n2 one with two CPUs that is younger; one
# CPU is wanted
gpus_or_cpus() {
	log_mark && on_node c n1 3 && on_node c n2 2 && on_node c "n[3-4]" 4 &&
		gpus=$(on_node a n1 1 --gres=gpu:2) && next_second && cpus=$(on_node a n2 2) &&
		loses_less 1 "$gpus" 2 "$cpus" && b=$(submit -A b -N1 -n1) && all_run $b
}

test_expect_success 'what is lost is CPU time' '
	use_cohort gpus_lent && gpus_or_cpus && evicted_are $gpus
'

test_expect_success 'lossWeights: GPUs are worth more' '
	use_cohort gpus_lent lossWeights: "{cpu: 1, gres/gpu: 8}" && gpus_or_cpus && evicted_are $cpus
'

test_expect_success 'lossWeights: what is not named does not count' '
	use_cohort gpus_lent lossWeights: "{gres/gpu: 1}" && gpus_or_cpus && evicted_are $cpus
'

test_expect_success 'lossWeights: who has nothing of what counts goes by CPU time' '
	use_cohort gpus_lent lossWeights: "{gres/gpu: 1}" && two_not_wide
'

test_done
