#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='heterogeneous jobs: all components start or none, and they are evicted as one'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

# Queues by account, 8 CPUs each, one cohort; and a queue of its own, c
queues() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org
	queue b 8 cohort=org reclaim=Any
	queue c 4
	queue strict 4 strategy=StrictFIFO
}

# het OPTIONS : OPTIONS...: one job that runs until it is cancelled; its id
het() { sbatch --parsable -o /dev/null "$@" --wrap 'exec sleep 1000' | tail -n 1; }

# parts_run ID N: all N components run
parts_run() { [ "$(squeue -h -t R -j "$1" -o %i | wc -l)" -eq "$2" ]; }

parts_wait() { [ "$(squeue -h -t PD -j "$1" -o %i | wc -l)" -eq "$2" ]; }

# parts_say ID WORDS: the text of every component has it
parts_say() {
	local n all
	all=$(squeue -h -t PD -j "$1" -o %r)
	n=$(echo "$all" | grep -cF -- "$2")
	[ "$n" -gt 1 ] && [ "$n" -eq "$(echo "$all" | wc -l)" ]
}

{ quick_scheduler; three_tiers; } >conf
queues >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf conf

test_expect_success 'it starts, and each queue is charged for its components' '
	h=$(het -A a -n4 : -A b -n2) &&
	wait_for 10 "parts_run $h 2" &&
	[ "$(usage a)/$(usage b)" = 4/2 ] &&
	grep -q "charge: .*(a): cpu@any=4" "$CLUSTER/log/slurmctld.log" &&
	grep -q "charge: .*(b): cpu@any=2" "$CLUSTER/log/slurmctld.log" &&
	scancel $h && wait_for 10 "[ -z \"\$(squeue -h)\" ]"
'

test_expect_success 'one component has no quota: none starts, all say why, others go' '
	c=$(submit -A c -n2) && all_run $c &&
	h=$(het -A a -n4 : -A c -n3) &&
	wait_for 5 "parts_say $h \"wait=quota(cpu@any),need=3,free=2,cq=c\"" &&
	a=$(submit -A a -n8) && all_run $a &&
	holds_for 2 "parts_wait $h 2"
'

test_expect_success 'it has one place in each queue, and starts when all have quota' '
	d=$(submit -A c -n4) &&
	wait_for 5 "[ \"\$(reason_pos $d)\" = 2/2 ]" &&
	scancel $a && holds_for 1 "parts_wait $h 2" &&
	scancel $c && wait_for 10 "parts_run $h 2" &&
	job_waits $d &&
	[ "$(usage a)/$(usage c)" = 4/3 ]
'

test_expect_success 'cancelled while it waits, while it runs' '
	k=$(het -A a -n1 : -A c -n3) &&
	wait_for 5 "parts_say $k wait=" &&
	scancel $k && wait_for 5 "[ -z \"\$(squeue -h -j $k)\" ]" &&
	scancel $h && all_run $d
'

test_expect_success 'two components in one queue: one entry, both or none' '
	cluster_clear &&
	s=$(submit -A c -n2) && all_run $s &&
	h=$(het -A c -n2 : -A c -n1) && t=$(submit -A c -n4) &&
	wait_for 5 "[ \"\$(reason_pos $t)\" = 2/2 ]" &&
	wait_for 5 "parts_say $h pos=1/2" && parts_wait $h 2 &&
	scancel $s && wait_for 10 "parts_run $h 2"
'

test_expect_success 'it reclaims for both components, and starts' '
	cluster_clear && log_mark &&
	v=$(submit_some 4 -A a -n4) && all_run $v &&
	h=$(het -A b -n4 : -A b -n4) &&
	wait_for 20 "parts_run $h 2" &&
	[ "$(evicted | wc -w)" -eq 2 ] &&
	[ "$(usage a)/$(usage b)" = 8/8 ]
'

test_expect_success 'a component whose queue may evict nobody gets what the victim of another one leaves' '
	for order in "-A b -n6 : -A a -n8" "-A a -n8 : -A b -n6"; do
		cluster_clear && log_mark &&
		v=$(submit -A a -n12) && all_run $v &&
		h=$(het $order) && wait_for 20 "parts_run $h 2" &&
		[ "$(evicted)" = $v ] && [ "$(usage a)/$(usage b)" = 8/6 ] || return 1
	done
'

# The first component has all that it needs, and shares a resource with the victim
lender() {
	quota_head
	cohorts org
	cat <<-END
		clusterQueues:
		  - name: a
		    cohort: org
		    match: [{account: a}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: any, nominalQuota: "cpu=8"}]
		      - coveredResources: [gres/gpu]
		        flavors: [{name: any, nominalQuota: "gres/gpu=0"}]
		  - name: b
		    cohort: org
		    match: [{account: b}]
		    preemption: {reclaimWithinCohort: Any}
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: any, nominalQuota: "cpu=8"}]
		      - coveredResources: [gres/gpu]
		        flavors: [{name: any, nominalQuota: "gres/gpu=1"}]
	END
}

test_expect_success 'a victim is told which component needed what it had' '
	use_cohort lender && log_mark &&
	v=$(submit -A a -n2 --gres=gpu:1) && all_run $v &&
	h=$(het -A a -n1 : -A b -n1 --gres=gpu:1) &&
	wait_for 20 "parts_run $h 2" &&
	log_lines "evict: JobId=$v \\(a\\) for JobId=$h\\+1\\($((h + 1))\\) \\(b\\), rule InCohortReclamation, a held 1 of 0 gres/gpu@any, b held 0 of 1, needed 1, free 0" &&
	system_comment $v | grep "by job $((h + 1)) (cluster queue b)" &&
	use_cohort queues
'

test_expect_success 'where nodes are scarce, too: two whole nodes, and nobody else' '
	cluster_clear && log_mark &&
	v=$(submit_some 16 -A a -n1) && all_run $v &&
	h=$(het -A b -N1 -n4 : -A b -N1 -n4) &&
	wait_for 20 "parts_run $h 2" &&
	holds_for 1 "[ \$(evicted | wc -w) -eq 8 ]" &&
	[ "$(usage a)/$(usage b)" = 8/8 ]
'

test_expect_success 'one component can never have its victims: nobody is evicted' '
	cluster_clear && log_mark &&
	v=$(submit_some 4 -A a -n4) && all_run $v &&
	w=$(submit -A c -n3) &&
	h=$(het -A b -n4 : -A c -n5) &&
	wait_for 5 "parts_say $h \"wait=never(max=4),need=5\"" &&
	holds_for 2 "[ -z \"\$(evicted)\" ] && parts_wait $h 2"
'

test_expect_success 'too large only together: never, and nobody waits for it, in a StrictFIFO queue either' '
	cluster_clear &&
	h=$(het -A strict -n3 : -A strict -n2) &&
	wait_for 5 "parts_say $h \"wait=never(max=4),need=5_cpu@any\"" &&
	s=$(submit -A strict -n4) && all_run $s &&
	why_soon $h "they need 5 cpu of flavor any, and they can never get more than 4" &&
	k=$(het -A a -n9 : -A b -n8) &&
	wait_for 5 "parts_say $k \"wait=never(max=16),need=17_cpu@any\"" &&
	parts_wait $h 2 && parts_wait $k 2
'

test_expect_success 'as a victim it goes as one, which is enough, and says so' '
	cluster_clear && log_mark &&
	h=$(het -A a -n4 : -A a -n4 : -A a -n4) && wait_for 10 "parts_run $h 3" &&
	next_second && s=$(submit -A a -n4) && all_run $s &&
	x=$(submit -A b -n8) &&
	all_run $x &&
	[ "$(evicted)" = $h ] && job_runs $s &&
	wait_for 20 "parts_wait $h 3" &&
	[ "$(squeue -h -t all -j $h -o %i | wc -l)" -eq 3 ] &&
	scontrol show job $h | grep -c "SystemComment=preempted at .* by job $x" | grep -qx 3
'

test_expect_success 'a waiting one and a running one, across a restart of slurmctld' '
	wait_for 20 "parts_say $h wait=quota" &&
	cluster_restart_ctld && wait_for 30 nodes_have_registered &&
	wait_for 10 "parts_say $h wait=quota" &&
	scancel $x && wait_for 20 "parts_run $h 3" &&
	cluster_restart_ctld && wait_for 30 nodes_have_registered &&
	y=$(submit -A b -n8) && all_run $y &&
	wait_for 10 "[ \"\$(evicted)\" = \"$h $h\" ]" &&
	wait_for 20 "parts_wait $h 3"
'

test_expect_success 'components in two queues go as one' '
	cluster_clear && log_mark &&
	h=$(het -A a -n4 : -A c -n2) && wait_for 10 "parts_run $h 2" &&
	a=$(submit_some 2 -A a -n4) && all_run $a &&
	next_second && scontrol requeue $h && wait_for 20 "parts_run $h 2" &&
	x=$(submit -A b -n8) && all_run $x &&
	[ "$(evicted)" = $h ] &&
	wait_for 20 "parts_wait $h 2" &&
	[ "$(usage c)" -eq 0 ]
'

# slurmctld books its components in another order when it starts
test_expect_success 'two components in one queue have one place, also after kill -9' '
	cluster_clear && h=$(het -A a -n4 : -A a -n5) && wait_for 10 "parts_run $h 2" &&
	x=$(submit -A b -n8) && all_run $x && wait_for 20 "parts_wait $h 2" &&
	behind=$(submit -A a -n9) && wait_for 20 "[ \"\$(positions $behind)\" = 2/2 ]" &&
	cluster_kill_ctld && wait_for 30 nodes_have_registered &&
	wait_for 20 "parts_say $h pos=1/2" && wait_for 10 "[ \"\$(positions $behind)\" = 2/2 ]" &&
	holds_for 2 "parts_say $h pos=1/2"
'

# Backfill plans a node for each partition of a component: more than there are
test_expect_success 'of several partitions: no component takes the nodes of the next one' '
	cluster_clear &&
	s=$(submit -A a -N1 -n4) && all_run $s &&
	h=$(het -A a -n1 -p hi,mid,lo : -A b -n1 -p hi,mid,lo) &&
	k=$(het -A a -n1 -p hi,mid,lo : -A none -n1 -p hi,mid,lo) &&
	wait_for 20 "parts_run $h 2 && parts_run $k 2"
'

test_done
