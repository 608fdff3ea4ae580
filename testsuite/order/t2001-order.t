#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the order of waiting jobs, and which of them hold up others'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

cat >slurm.conf <<-EOF
	$(quick_scheduler)
	PartitionName=low Nodes=ALL PriorityTier=1
	PartitionName=high Nodes=ALL PriorityTier=20
EOF

# Three worlds that share nothing: two teams that lend to each other, two that
# live off a pool, and two queues without a cohort
cat >cohort.yaml <<-EOF
	visibility: {updateInterval: 1s}
	flavors:
	  - {name: any}
	cohorts:
	  - {name: lend}
	  - name: pool
	    resourceGroups:
	      - coveredResources: [cpu]
	        flavors: [{name: any, nominalQuota: cpu=4}]
	clusterQueues:
	  - name: a
	    cohort: lend
	    match: [{account: a}]
	    resourceGroups: &four
	      - coveredResources: [cpu]
	        flavors: [{name: any, nominalQuota: cpu=4}]
	  - {name: b, cohort: lend, match: [{account: b}], resourceGroups: *four}
	  - name: x
	    cohort: pool
	    match: [{account: x}]
	    resourceGroups: &none
	      - coveredResources: [cpu]
	        flavors: [{name: any, nominalQuota: cpu=0}]
	  - {name: y, cohort: pool, match: [{account: y}], resourceGroups: *none}
	  - {name: best, match: [{account: best}], resourceGroups: *four}
	  - name: strict
	    match: [{account: strict}]
	    queueingStrategy: StrictFIFO
	    resourceGroups: *four
EOF

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Its own quota first: else the one that came first and has the higher class
# would take what the other queue owns
test_expect_success 'a job that needs no borrowing goes before one that borrows' '
	a1=$(submit -A a -N1 -n4 -p low) && b1=$(submit -A b -n1 -p low) &&
	wait_for 10 "job_runs $a1 $b1" &&
	a2=$(submit -A a -n3 -p low) &&
	wait_for 10 "job_runs $a2" &&
	a3=$(submit -A a -n3 -p high) && b2=$(submit -A b -n3 -p low) &&
	wait_for 10 "in_line $a3 $b2" &&
	scancel $a2 &&
	wait_for 10 "job_runs $b2" &&
	holds_for 3 "job_waits $a3" &&
	[ "$(usage a) $(usage b)" = "4 4" ]
'

test_expect_success 'then priority decides, across queues' '
	cluster_clear &&
	x1=$(submit -A x -N1 -n4 -p low) &&
	wait_for 10 "job_runs $x1" &&
	y1=$(submit -A y -N1 -n4 -p low) && x2=$(submit -A x -N1 -n4 -p high) &&
	wait_for 10 "in_line $y1 $x2" &&
	scancel $x1 &&
	wait_for 10 "job_runs $x2" &&
	holds_for 3 "job_waits $y1" &&
	scancel $x2 &&
	wait_for 10 "job_runs $y1"
'

# x stands first in the file and had the quota before: neither counts
test_expect_success 'then age decides, across queues' '
	cluster_clear &&
	x1=$(submit -A x -N1 -n4 -p low) &&
	wait_for 10 "job_runs $x1" &&
	y1=$(submit -A y -N1 -n4 -p low) && next_second &&
	x2=$(submit -A x -N1 -n4 -p low) &&
	wait_for 10 "in_line $y1 $x2" &&
	scancel $x1 &&
	wait_for 10 "job_runs $y1" &&
	holds_for 3 "job_waits $x2"
'

test_expect_success 'within a queue: priority, then age' '
	cluster_clear &&
	running=$(submit -A best -N1 -n4 -p low) &&
	wait_for 10 "job_runs $running" &&
	first=$(submit -A best -n3 -p low) && next_second &&
	second=$(submit -A best -n3 -p low) &&
	urgent=$(submit -A best -n3 -p high) &&
	wait_for 10 "[ \"\$(positions $urgent $first $second)\" = \"1/3 2/3 3/3\" ]" &&
	scancel $running &&
	wait_for 10 "job_runs $urgent" && job_waits $first $second &&
	scancel $urgent &&
	wait_for 10 "job_runs $first" && job_waits $second &&
	scancel $first &&
	wait_for 10 "job_runs $second"
'

test_expect_success 'StrictFIFO: who waits for quota holds up its own queue, and no other' '
	cluster_clear &&
	running=$(submit -A strict -n2) &&
	wait_for 10 "job_runs $running" &&
	head=$(submit -A strict -N1 -n4) &&
	wait_for 10 "in_line $head" &&
	behind=$(submit -A strict -n1) &&
	wait_for 10 "in_line $behind" &&
	other=$(submit -A best -n1) && outside=$(submit -n1) &&
	wait_for 10 "job_runs $other $outside" &&
	holds_for 5 "job_waits $head $behind" &&
	[ "$(positions $head $behind)" = "1/2 2/2" ] &&
	wait_for 5 "[ \"\$(reason_wait $head) \$(reason_wait $behind)\" = \"quota(cpu@any) order\" ]" &&
	scancel $running &&
	wait_for 10 "job_runs $head" && job_waits $behind &&
	scancel $head &&
	wait_for 10 "job_runs $behind"
'

test_expect_success 'BestEffortFIFO: who waits for quota lets those behind go' '
	cluster_clear &&
	running=$(submit -A best -n2) &&
	wait_for 10 "job_runs $running" &&
	head=$(submit -A best -N1 -n4) &&
	wait_for 10 "in_line $head" &&
	behind=$(submit -A best -n1) &&
	wait_for 10 "job_runs $behind" && job_waits $head &&
	scancel $running &&
	holds_for 3 "job_waits $head" &&
	scancel $behind &&
	wait_for 10 "job_runs $head"
'

# Quota is there, a whole node is not
test_expect_success 'who waits for nodes holds up a StrictFIFO queue and no other' '
	cluster_clear &&
	blockers=$(for i in 1 2 3 4; do submit -w n$i -n2; done) &&
	wait_for 10 "job_runs $(echo $blockers)" &&
	head1=$(submit -A strict -N1 -n3) && head2=$(submit -A best -N1 -n3) &&
	wait_for 10 "[ \"\$(reason_wait $head1) \$(reason_wait $head2)\" = \"nodes nodes\" ]" &&
	behind1=$(submit -A strict -n1) && behind2=$(submit -A best -n1) &&
	other=$(submit -A a -n1) && outside=$(submit -n1) &&
	wait_for 10 "job_runs $behind2 $other $outside" &&
	holds_for 5 "job_waits $head1 $head2 $behind1" &&
	wait_for 5 "[ \"\$(reason_wait $behind1)\" = order ]" &&
	scancel $blockers &&
	wait_for 10 "job_runs $head1 $head2 $behind1"
'

# Nobody can tell them from the ones that wait for quota but by what they say
test_expect_success 'who waits for nodes has a place and a text that keeps still' '
	cluster_clear &&
	blockers=$(for i in 1 2 3 4; do submit -w n$i -n4; done) &&
	wait_for 10 "job_runs $(echo $blockers)" &&
	head1=$(submit -A best -N1 -n2) && head2=$(submit -A best -n2) &&
	wait_for 10 "[ \"\$(positions $head1 $head2) \$(reason_wait $head1) \$(reason_wait $head2)\" = \"1/2 2/2 nodes nodes\" ]" &&
	for i in 1 2 3 4 5 6 7 8 9 10; do job_reason $head1; job_reason $head2; sleep 0.3; done >texts &&
	sort -u texts >different &&
	cat >expected <<-EOF &&
		Cohort:pos=1/2,wait=nodes,cq=best
		Cohort:pos=2/2,wait=nodes,cq=best
	EOF
	test_cmp expected different
'

test_expect_success 'what a job that waits for nodes asks for is out of reach of borrowers' '
	cluster_clear &&
	blocker=$(submit -w n1 -n4) && b1=$(submit -A b -w n2 -n4) &&
	wait_for 10 "job_runs $blocker $b1" &&
	a1=$(submit -A a -w n1 -n4) &&
	wait_for 10 "[ \"\$(reason_wait $a1)\" = nodes ]" &&
	b2=$(submit -A b -w n3 -n4) &&
	wait_for 10 "in_line $b2" &&
	holds_for 5 "job_waits $a1 $b2" &&
	scancel $a1 &&
	wait_for 10 "job_runs $b2"
'

test_done
