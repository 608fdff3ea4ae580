#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='nodes fail: quota is free when the job has left them, and not before'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/nodes.sh"

{
	three_tiers
	quick_scheduler
	echo 'SlurmdTimeout=300'
	# Else an answer on its way when a node fails returns it to service
	echo 'ReturnToService=0'
} >slurm.conf
borrower_owner_and_loner >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# on NODE ID: it runs there and nowhere else
on() { [ "$(running_nodes "$2" | xargs)" = "$1" ]; }

test_expect_success 'a node fails: its job waits again, and its quota is free' '
	job=$(submit -A c -N1 -n4 -w n1) && all_run $job &&
	behind=$(submit -A c -N1 -n4 -x n1) && says $behind "free=0" &&
	node_fails n1 && all_run $behind && job_waits $job && [ "$(usage c)" -eq 4 ]
'

test_expect_success 'it wants that node and has none: no quota is taken' '
	scancel $behind && other=$(submit -A c -N1 -n4 -x n1) && all_run $other &&
	wait_for 15 "[ -n \"\$(reason_pos $job)\" ] || job_reason $job | grep -i node" &&
	job_reason $job
'

# A new job: slurmctld may still send n1 the order to kill the old one
test_expect_success 'the node comes back: who waits for it starts, when there is quota' '
	new=$(submit -A c -N1 -n4 -w n1) && scancel $job && node_returns n1 &&
	says $new "free=0" && scancel $other && all_run $new && on n1 $new
'

test_expect_success 'with --no-requeue it ends, and its quota is free' '
	cluster_clear &&
	job=$(submit -A c --no-requeue -N1 -n4 -w n1) && all_run $job &&
	behind=$(submit -A c -N1 -n4 -x n1) && says $behind "free=0" &&
	node_fails n1 && all_run $behind &&
	wait_for 5 "[ \"\$(job_field $job JobState)\" = NODE_FAIL ]" && node_returns n1
'

test_expect_success 'one node of several, a task of an array' '
	cluster_clear &&
	wide=$(submit -A b -N2 -n2 -w n1,n2) && array=$(submit -A c -a 0-1 -N1 -n1 -w n1) && all_run $wide &&
	wait_for 10 "[ \$(usage c) -eq 2 ]" && node_fails n1 &&
	wait_for 15 "[ \$(usage b) -eq 0 ] && [ \$(usage c) -eq 0 ]" &&
	other=$(submit -A c -N1 -n4 -x n1) && b=$(submit -A b -N1 -n4 -x n1) && all_run $other $b &&
	scancel $wide $array && node_returns n1 && new=$(submit -A c -n1 -w n1) && says $new "free=0" &&
	scancel $other && all_run $new && [ "$(usage c) $(usage b)" = "1 4" ]
'

# It would have had to be killed: what it leaves behind is the preemptor'\''s
test_expect_success 'the node of a victim fails while it is told to go' '
	cluster_clear && log_mark &&
	holder=$(submit -A a -N1 -n4 -w n2) && all_run $holder && next_second &&
	a=$(submit_stubborn -A a -N1 -n4 -w n1) &&
	all_run $a &&
	b=$(submit -A b -N1 -n4 -x n1) && wait_for 10 "[ \"\$(evicted)\" = $a ]" &&
	node_fails n1 && wait_for 15 "job_runs $b" && [ "$(usage a) $(usage b)" = "4 4" ] &&
	node_returns n1
'

test_expect_success 'no node is left: it is said, and others of the queue pass' '
	cluster_clear &&
	scontrol update NodeName=n1 state=drain reason=test &&
	job=$(submit -A c -N1 -n2 -w n1) && says $job "nodes\|Nodes\|ReqNodeNotAvail" &&
	other=$(submit -A c -N1 -n2) && all_run $other && job_waits $job &&
	scontrol update NodeName=n1 state=resume && all_run $job && [ "$(usage c)" -eq 4 ]
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
