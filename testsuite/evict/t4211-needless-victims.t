#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job stays if the nodes are enough without it, or are soon'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/epilog.sh"

{
	quick_scheduler
	epilog_line
} >slurm.conf
two_nodes_lent >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# c has n3 and n4. Of n1 and n2 each holds three CPUs of one job; the thin one has
# the fourth of both. It is the youngest: quota takes it first.
two_fat_and_a_thin_one() {
	cluster_clear && log_mark &&
		c=$(submit -A c -N2 --ntasks-per-node=4 -w n3,n4) && all_run $c &&
		fat1=$(submit -A a -n3 -N1 -w n1) && fat2=$(submit -A a -n3 -N1 -w n2) &&
		all_run $fat1 $fat2 && next_second &&
		thin=$(submit -A a -N2 --ntasks-per-node=1 -w n1,n2) && all_run $thin
}

test_expect_success 'two CPUs of each of two nodes: the thin job stays' '
	two_fat_and_a_thin_one &&
	b=$(submit -A b -N2 --ntasks-per-node=2) && all_run $b &&
	evicted_are $fat1 $fat2 && job_runs $thin
'

test_expect_success 'all of both nodes: it goes as well' '
	two_fat_and_a_thin_one &&
	b=$(submit -A b -N2 --ntasks-per-node=4) && all_run $b &&
	evicted_are $fat1 $fat2 $thin
'

# Its quota is free, and no job has to go for that.
test_expect_success 'a node that is being cleaned up is soon enough: nobody goes on another' '
	cluster_clear && log_mark &&
	c=$(submit -A c -N2 --ntasks-per-node=4 -w n3,n4) && out=$(submit -A out -N1 -n4 -w n1) &&
	a=$(submit -A a -N1 -n4 -w n2) && all_run $c $out $a &&
	epilog_lasts n1 && scancel $out && wait_for 10 "completing $out" &&
	b=$(submit -A b -N1 -n4) && nobody_evicted_for $b &&
	epilog_ends n1 && all_run $b && evicted_are && job_runs $a
'

test_done
