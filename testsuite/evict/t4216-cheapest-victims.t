#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='where nodes decide, the victims are those that lose least; priority comes first'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

{
	three_tiers
	quick_scheduler
} >slurm.conf
two_nodes_lent >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# c has n3 and n4: what follows happens on n1 and n2
only_two_nodes() {
	cluster_clear && log_mark &&
		c=$(submit -A c -N2 --ntasks-per-node=4 -w n3,n4) && all_run $c
}

# The youngest loses four CPUs a second, the small one only one
small_one_goes() {
	only_two_nodes &&
		old=$(submit -A a -N1 -n3 -w n1) && small=$(submit -A a -N1 -n1 -w n1) && all_run $old $small && next_second &&
		large=$(submit -A a -N1 -n4 -w n2) && all_run $large && loses_less 1 $small 4 $large &&
		b=$(submit -A b -N1 -n1) && all_run $b && evicted_are $small
}

test_expect_success 'a small one goes, not the large one that is the youngest' 'small_one_goes'

test_expect_success 'one on one node goes, not one on both' '
	only_two_nodes &&
	one=$(submit -A a -N1 -n2 -w n1) && old=$(submit -A a -N1 -n2 -w n2) && all_run $one $old && next_second &&
	wide=$(submit -A a -N2 --ntasks-per-node=2 -w n1,n2) && all_run $wide && loses_less 2 $one 4 $wide && loses_less 2 $old 4 $wide &&
	b=$(submit -A b -N1 -n2) && all_run $b && evicted_some 1 $one $old && job_runs $wide
'

test_expect_success 'lower priority goes first, whatever it loses' '
	only_two_nodes &&
	low=$(submit -A a -p lo -N1 -n4 -w n1) && all_run $low && next_second &&
	high=$(submit -A a -p mid -N1 -n1 -w n2) && more=$(submit -A a -p mid -N1 -n3 -w n2) && all_run $high $more &&
	b=$(submit -A b -p hi -N1 -n1) && all_run $b && evicted_are $low
'

test_expect_success 'the same where CPUs= counts cores, and not their threads' '
	cluster_down && echo "NodeName=n[1-4] CPUs=4 CoresPerSocket=4 ThreadsPerCore=2" >>slurm.conf &&
	cluster_up --cohort cohort.yaml --slurm-conf slurm.conf && small_one_goes
'

test_done
