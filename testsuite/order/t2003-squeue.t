#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='squeue: the REASON of a waiting job gives its place and reason, and keeps still'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

cat >slurm.conf <<-EOF
	$(quick_scheduler)
	PartitionName=low Nodes=ALL PriorityTier=1
	PartitionName=high Nodes=ALL PriorityTier=20
EOF

long=a-queue-with-quite-a-long-name-as-big-organisations-have
cat >cohort.yaml <<-EOF
	visibility: {maxPosition: 6, updateInterval: 1s}
	flavors:
	  - {name: any}
	clusterQueues:
	  - name: q
	    match: [{account: "q*"}]
	    resourceGroups: &four
	      - coveredResources: [cpu]
	        flavors: [{name: any, nominalQuota: cpu=4}]
	  - {name: $long, match: [{account: long}], resourceGroups: *four}
EOF

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# sample_reasons ID...: 20 looks in 5 s, one line a job and look, "ID REASON"
sample_reasons() {
	local i list
	list=$(IFS=,; echo "$*")
	for ((i = 0; i < 20; i++)); do
		squeue -h -r -j "$list" -o '%A %T %r' || return 1
		sleep 0.25
	done
}

# With one job there is no comparison in the sort that could tell the plugin
# that a pass has begun. The first pass of slurmctld comes seconds after its start, with this line.
test_expect_success 'one job that waits alone: the same text in 20 looks in 5 s' '
	running=$(submit -A q -N1 -n4) &&
	wait_for 10 "job_runs $running" &&
	alone=$(submit -A q -n3) &&
	wait_for 60 "log_has SchedulerParameters=" && wait_for 5 "in_line $alone" &&
	sample_reasons $alone >samples &&
	[ "$(wc -l <samples)" -eq 20 ] &&
	sort -u samples >different &&
	echo "$alone PENDING Cohort:pos=1/1,wait=quota(cpu@any),need=3,free=0,cq=q" >expected &&
	test_cmp expected different
'

# Jobs outside come and go all the time: passes, texts that Slurm overwrites
test_expect_success 'several in a busy cluster: the same texts in 20 looks in 5 s' '
	second=$(submit -A q1 -n4 -N1) && third=$(submit -A q2 -n1) &&
	big=$(submit -n10) && all_run $big && outside=$(submit -N1 -n4) &&
	wait_for 8 "[ \"\$(positions $alone $second $third)\" = \"1/3 2/3 3/3\" ]" &&
	{ for i in $(seq 12); do submit_for 0 -n1 -p low; submit_for 1 -n1 -p high; sleep 0.3; done & } &&
	sample_reasons $alone $second $third >samples &&
	wait $! &&
	[ "$(wc -l <samples)" -eq 60 ] &&
	sort -u samples >different &&
	cat >expected <<-EOF &&
		$alone PENDING Cohort:pos=1/3,wait=quota(cpu@any),need=3,free=0,cq=q
		$second PENDING Cohort:pos=2/3,wait=quota(cpu@any),need=4,free=0,cq=q
		$third PENDING Cohort:pos=3/3,wait=quota(cpu@any),need=1,free=0,cq=q
	EOF
	test_cmp expected different
'

test_expect_success 'jobs have come and gone meanwhile; one outside has no place' '
	wait_for 10 "[ \$(scontrol -o show job | grep -c JobState=COMPLETED) -ge 5 ]" &&
	job_waits $outside && ! in_line $outside &&
	scancel $big $outside
'

test_expect_success 'positions renumber when one in the middle leaves' '
	scancel $second &&
	wait_for 8 "[ \"\$(positions $alone $third)\" = \"1/2 2/2\" ]"
'

test_expect_success 'and when one of a higher class comes' '
	urgent=$(submit -A q -n3 -p high) &&
	wait_for 8 "[ \"\$(positions $urgent $alone $third)\" = \"1/3 2/3 3/3\" ]"
'

test_expect_success 'and when the first one starts' '
	scancel $running &&
	wait_for 10 "job_runs $urgent $third" &&
	wait_for 8 "[ \"\$(positions $alone)\" = 1/1 ]" &&
	[ "$(job_reason $urgent)" = None ]
'

test_expect_success 'scontrol shows the same text; it has no spaces and under 120 characters' '
	cluster_clear &&
	running=$(submit -A long -N1 -n4 -p high) &&
	wait_for 10 "job_runs $running" &&
	id=$(submit -A long -n2) &&
	wait_for 5 "in_line $id" &&
	reason=$(job_reason $id) && echo "$reason" &&
	[ "${#reason}" -lt 120 ] &&
	expr "$reason" : "[!-~]*\$" &&
	[ "$(job_field $id Reason)" = "$reason" ] &&
	case $reason in *,cq=$long) ;; *) false ;; esac
'

test_expect_success 'a need that nothing can meet is said as such' '
	id=$(submit -A q -N2 -n8) &&
	wait_for 5 "in_line $id" &&
	wait_for 5 "[ \"\$(reason_wait $id)\" = \"never(max=4)\" ]" &&
	holds_for 2 "job_waits $id" &&
	fits=$(submit -A q -n2) &&
	wait_for 10 "job_runs $fits"
'

test_expect_success 'an array counts as many as it has tasks, and places are named up to maxPosition' '
	cluster_clear &&
	running=$(submit -A q -N1 -n4) &&
	wait_for 10 "job_runs $running" &&
	first=$(submit -A q -n4 -N1) && array=$(submit -A q -n2 -a 0-2) &&
	last=$(submit -A q -n1) &&
	wait_for 8 "[ \"\$(positions $first $array $last)\" = \"1/5 2/5 5/5\" ]" &&
	more=$(submit -A q -n1) && most=$(submit -A q -n1) &&
	wait_for 8 "[ \"\$(positions $first $more $most)\" = \"1/6+ 6/6+ 6+\" ]"
'

test_done
