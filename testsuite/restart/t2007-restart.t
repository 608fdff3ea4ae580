#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='slurmctld restarted: same usage, same positions, no job lost'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cycles.sh"

three_tiers >slurm.conf
borrower_owner_and_loner >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# All jobs, with what a restart must keep; the start of one that waits is an
# estimate, which may move
look() { squeue -h -r -o '%i %a %T %N %S %r' | awk '$3 == "PENDING" { $4 = $5 = "" } 1' | sort; }

# settled: nothing has changed over two passes; it is in `before`
settled() { wait_for 20 'look >before; two_passes && look >after && cmp -s before after'; }

# same_soon: as the file `before` has it, and it stays so
same_soon() { still 'look >after; cmp -s before after' || { test_cmp before after; return 1; }; }

complaints() { grep 'error: slurm-cohort' "$CLUSTER/log/slurmctld.log"; }

test_expect_success 'a cluster with jobs of all kinds' '
	a1=$(submit -A a -N1 -n3 -p lo) && b1=$(submit -A b -n2 -p lo) &&
	c1=$(submit -A c -N1 -n4 -p lo) && out=$(submit -n2 -p lo) &&
	all_run $a1 $b1 $c1 $out && next_second &&
	a2=$(submit -A a -n2 -p lo) && all_run $a2 && next_second &&
	a3=$(submit -A a -n2 -p lo) && array=$(submit -A a -n1 -a 0-2 -p lo -H) &&
	c2=$(submit -A c -n4 -N1 -p lo) && c3=$(submit -A c -n4 -N1 -p hi) &&
	wait_for 10 "[ \"\$(positions $a3 $c2 $c3)\" = \"1/1 2/2 1/2\" ]" &&
	[ "$(usage a) $(usage b) $(usage c)" = "5 2 4" ]
'

test_expect_success 'restart: all is as before' '
	settled && cluster_restart_ctld && same_soon && wait_for 30 nodes_have_registered &&
	[ "$(usage a) $(usage b) $(usage c)" = "5 2 4" ] &&
	! complaints
'

# One CPU is free: enough for b, not for a3, and then nothing is left
test_expect_success 'the books are as before: what fitted fits, what did not does not' '
	b2=$(submit -A b -n1 -p lo) && all_run $b2 &&
	a4=$(submit -A a -n1 -p lo) && wait_for 5 "in_line $a4" &&
	holds_for 3 "job_waits $a3 $a4 && job_runs $a2" &&
	scancel $a4 $b2 &&
	wait_for 10 "[ \$(usage b) -eq 2 ]"
'

test_expect_success 'killed and started again: all is as before' '
	saved $out && settled && cluster_kill_ctld && same_soon && wait_for 30 nodes_have_registered &&
	! complaints
'

test_expect_success 'who is next starts next' '
	scancel $c1 &&
	all_run $c3 && job_waits $c2 &&
	scancel $c3 &&
	all_run $c2
'

# Slurm says that a requeued job was submitted now; a3 came before that
test_expect_success 'an evicted job has its place back in line' '
	b2=$(submit -A b -n2 -p lo) &&
	all_run $b2 && evicted_are $a2 &&
	wait_for 15 "[ \"\$(positions $a2 $a3)\" = \"1/2 2/2\" ]"
'

test_expect_success 'a restart keeps that place, and the note on who took its quota' '
	settled && cluster_restart_ctld && same_soon &&
	scontrol show job $a2 | grep "SystemComment=preempted at .* by job $b2 (cluster queue b), rule InCohortReclamation" &&
	! complaints
'

# Jobs and states, whatever their order
jobs() { squeue -h -r -o '%i %T %N' | sort; }

test_expect_success 'a damaged state file costs order, never a job' '
	jobs >before &&
	cluster_stop_ctld && [ -s "$CLUSTER/state/cohort_state" ] &&
	head -c 40 "$CLUSTER/state/cohort_state" >half && cp half "$CLUSTER/state/cohort_state" &&
	log_mark && cluster_restart_ctld &&
	log_has "error: slurm-cohort: .*cohort_state is damaged and ignored" &&
	wait_for 10 "in_line $a2 $a3" &&
	jobs >after && test_cmp before after &&
	holds_for 3 "jobs >after; cmp -s before after"
'

test_expect_success 'nonsense in the state file does no harm' '
	for text in "[1,2]" "{\"version\":1,\"jobs\":[3,null,{\"id\":\"x\"},{\"id\":$a3,\"owns\":{\"cpu\":1,\"x@y\":2,\"cpu@any\":-5}}]}" \
		"{\"version\":99,\"jobs\":[]}" "{\"version\":1}" ""; do
		cluster_stop_ctld &&
		printf "%s" "$text" >"$CLUSTER/state/cohort_state" &&
		cluster_restart_ctld &&
		wait_for 10 "in_line $a2 $a3" &&
		jobs >after && test_cmp before after || return 1
	done
'

test_expect_success 'a lost state file too' '
	cluster_stop_ctld && rm "$CLUSTER/state/cohort_state" &&
	cluster_restart_ctld &&
	wait_for 10 "in_line $a2 $a3" &&
	jobs >after && test_cmp before after &&
	[ "$(usage a) $(usage b)" = "3 4" ]
'

test_done
