#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='several partitions in one submission: each is considered, one is used, one queue is charged'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"

# Queues by partition: pa has n1 and n2, pb n3 and n4, each 8 CPUs; po has all
# nodes and belongs to nobody. hi is of queue a, too, and is tried first.
partitions() {
	echo 'PartitionName=pa Nodes=n[1-2] State=UP MaxTime=INFINITE PriorityTier=10'
	echo 'PartitionName=pb Nodes=n[3-4] State=UP MaxTime=INFINITE PriorityTier=10'
	echo 'PartitionName=po Nodes=ALL State=UP MaxTime=INFINITE PriorityTier=1'
	echo 'PartitionName=hi Nodes=ALL State=UP MaxTime=INFINITE PriorityTier=100'
}

# by_partition NAME PARTITION[,PARTITION] NOMINAL WORDS...: a queue for these
by_partition() {
	local name=$1 list=$2 nominal=$3 rules='' p
	shift 3
	for p in ${list//,/ }; do
		rules="$rules, {partition: $p}"
	done
	queue "$name" "$nominal" "$@" | sed "s/match: .*/match: [${rules#, }]/"
}

# Quota of 4 in each, none to be borrowed
apart() {
	quota_head
	echo 'clusterQueues:'
	by_partition a pa,hi 4 within=LowerPriority
	by_partition b pb 4 within=LowerPriority
}

# One queue, a flavor in each partition
two_flavors() {
	cat <<-END
		visibility: {updateInterval: 1s}
		priority: partition
		flavors: [{name: first, nodes: "n[1-2]"}, {name: second, nodes: "n[3-4]"}]
		clusterQueues:
		  - name: q
		    match: [{partition: pa}, {partition: pb}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors:
		          - {name: first, nominalQuota: "cpu=4"}
		          - {name: second, nominalQuota: "cpu=4"}
	END
}

# cq ID: the cluster queue that the text names
cq() { job_reason "$1" | sed -n 's/^Cohort:.*,cq=\([^,]*\)$/\1/p'; }

# charged QUEUE: CPUs that its running jobs hold, by the log of what was
# charged; the last word counts for each job
charged() {
	local id total=0 n
	for id in $(squeue -h -t R -o %A); do
		n=$(grep "slurm-cohort: charge: JobId=$id ($1):" "$CLUSTER/log/slurmctld.log" |
			tail -n 1 | sed -n 's/.* cpu@any=\([0-9]*\).*/\1/p')
		total=$((total + ${n:-0}))
	done
	echo $total
}

in_partition() { [ "$(squeue -h -t R -j "$1" -o %P)" = "$2" ]; }

starts_in() { wait_for 10 "in_partition $1 $2"; }

# moved ID PARTITION,...: without associations slurmctld now and then answers this
# with an errno that something else has left (_update_job() in job_mgr.c)
moved() { wait_for 5 "scontrol update jobid=$1 partition=$2 2>/dev/null"; }

{ partitions; quick_scheduler; } >pconf
apart >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf pconf

test_expect_success 'the first that can: both have room' '
	j=$(submit -p pa,pb -n4) &&
	starts_in $j pa &&
	[ "$(charged a)/$(charged b)" = 4/0 ]
'

test_expect_success 'quota of the first is used up: the second, at once' '
	k=$(submit -p pa,pb -n4) &&
	starts_in $k pb &&
	[ "$(charged a)/$(charged b)" = 4/4 ]
'

test_expect_success 'neither has room: a place in each, and the text of the nearer one' '
	x=$(submit -p pb -n4) &&
	y=$(submit -p pa,pb -n4) &&
	z=$(submit -p pa -n4) &&
	wait_for 5 "[ \"\$(positions $x $y $z)\" = \"1/2 1/2 2/2\" ]" &&
	wait_for 5 "[ \"\$(cq $y)\" = a ]" &&
	wait_for 5 "[ \"\$(reason_wait $y)\" = \"quota(cpu@any)\" ]"
'

test_expect_success 'it starts where quota comes free, and leaves the other line' '
	scancel $x && wait_for 5 "[ \"\$(positions $y $z)\" = \"1/2 2/2\" ]" &&
	scancel $k &&
	starts_in $y pb &&
	wait_for 5 "[ \"\$(positions $z)\" = 1/1 ]" &&
	[ "$(charged a)/$(charged b)" = 4/4 ]
'

test_expect_success 'requeued by hand, it waits in both lines again' '
	scontrol requeuehold $y &&
	b=$(submit -p pb -n4) &&
	all_run $b &&
	wait_for 20 "scontrol release $y; [ \"\$(positions $z $y)\" = \"2/2 1/2\" ]" &&
	scancel $b &&
	starts_in $y pb
'

test_expect_success 'its list of partitions is changed while it waits' '
	u=$(submit -p pa,pb -n2) &&
	wait_for 5 "in_line $u" &&
	moved $u pb &&
	wait_for 5 "[ \"\$(cq $u)\" = b ] && [ \"\$(positions $z $u)\" = \"1/1 1/1\" ]" &&
	moved $u pb,pa &&
	wait_for 5 "[ \"\$(positions $z $u)\" = \"1/2 1/1\" ]" &&
	moved $u po &&
	starts_in $u po &&
	wait_for 5 "[ \"\$(positions $z)\" = 1/1 ]" &&
	[ "$(charged a)/$(charged b)" = 4/4 ]
'

test_expect_success 'cancelled, it leaves both lines' '
	c=$(submit -p pa,pb -n4) &&
	d=$(submit -p pb -n4) &&
	wait_for 5 "[ \"\$(positions $z $c $d)\" = \"1/2 1/2 2/2\" ]" &&
	scancel $c &&
	wait_for 5 "[ \"\$(positions $z $d)\" = \"1/1 1/1\" ]"
'

test_expect_success 'a partition of no queue: the job starts there, charged to nobody' '
	scancel $u &&
	o=$(submit -p pa,po -n4) &&
	starts_in $o po &&
	[ "$(charged a)/$(charged b)" = 4/4 ] &&
	wait_for 5 "[ \"\$(positions $z)\" = 1/1 ]"
'

test_expect_success 'an array starts in both, each task charged where it runs' '
	cluster_clear &&
	t=$(submit -p pa,pb --array=0-5 -n2) &&
	wait_for 10 "[ \$(squeue -h -r -t R -j $t | wc -l) -eq 4 ]" &&
	[ "$(squeue -h -r -t R -j $t -o %P | sort | uniq -c | xargs)" = "2 pa 2 pb" ] &&
	holds_for 2 "[ \$(squeue -h -r -t R -j $t | wc -l) -eq 4 ]" &&
	[ "$(positions $t)" != gone ]
'

test_expect_success 'one queue, two partitions: flavors and nodes of either' '
	use_cohort two_flavors &&
	f=$(submit -p pa,pb -N1 -n4) &&
	g=$(submit -p pa,pb -N1 -n4) &&
	all_run $f $g &&
	[ "$(running_nodes $f | head -c 1)" = n ] &&
	[ "$(squeue -h -t R -o %P | sort | xargs)" = "pa pb" ] &&
	h=$(submit -p pa,pb -N1 -n4) &&
	wait_for 5 "[ \"\$(reason_wait $h)\" = \"quota(cpu@first)\" ]" &&
	wait_for 5 "[ \"\$(positions $h)\" = 1/1 ]"
'

test_expect_success 'after a restart: what runs is charged where it runs, who waits has his places' '
	use_cohort apart &&
	r=$(submit -p pa,pb -n4) && starts_in $r pa &&
	s=$(submit -p pa,pb -n4) && starts_in $s pb &&
	w=$(submit -p pa,pb -n4) &&
	wait_for 5 "in_line $w" &&
	cluster_restart_ctld && wait_for 30 nodes_have_registered &&
	wait_for 10 "in_line $w" &&
	holds_for 2 "job_waits $w" &&
	scancel $s && starts_in $w pb &&
	[ "$(charged a)/$(charged b)" = 4/4 ]
'

test_expect_success 'nobody is evicted by one partition while another has room' '
	cluster_clear && log_mark &&
	v=$(submit -p pa -n4) && all_run $v &&
	p=$(submit -p hi,pb -n4) &&
	starts_in $p pb &&
	job_runs $v && [ -z "$(evicted)" ]
'

test_expect_success 'a partition that takes no jobs now is no way to start' '
	cluster_clear && log_mark &&
	v=$(submit -p pa -n4) && p=$(submit -p pb -n4) && all_run $v $p &&
	m=$(submit -p pa,pb -n4) && d=$(submit -p pa -n4) &&
	wait_for 5 "[ \"\$(cq $m)/\$(positions $m $d)\" = \"a/1/2 2/2\" ]" &&
	scontrol update partitionname=pa state=inactive &&
	wait_for 5 "[ \"\$(cq $m)/\$(positions $m)\" = b/1/1 ]" &&
	scontrol update partitionname=pa state=up &&
	wait_for 5 "[ \"\$(cq $m)/\$(positions $m $d)\" = \"a/1/2 2/2\" ]" &&
	scancel $m $d
'

test_expect_success 'no room in any: it evicts by one of them only' '
	scancel $p && wait_for 5 "[ -z \"\$(squeue -h -j $p)\" ]" &&
	q=$(submit -p pb -n4) && all_run $q &&
	p=$(submit -p hi,pb -n4) &&
	starts_in $p hi &&
	evicted_are $v &&
	job_runs $q
'

test_expect_success 'it could evict by one, and gets no nodes for that: slurmctld does not try over and over' '
	cluster_clear && log_mark && v=$(submit -p pa -w n1 -n4) && o=$(submit -p po -w n2 -n4) &&
	all_run $v $o && m=$(submit -p hi,po -w n2 -n4) &&
	wait_for 5 "[ \"\$(reason_wait $m)\" = nodes ]" && steady $m && job_runs $v
'

test_done
