#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job that waits for quota blocks no other in the main scheduler either'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"

# In stock Slurm a waiting job blocks its partition in the main scheduler, and
# those below it on the same nodes; only backfill goes around it. Here backfill
# never comes.
cat >slurm.conf <<-EOF
	SchedulerParameters=bf_interval=3600,sched_interval=2,sched_min_interval=0
	PartitionName=low Nodes=ALL PriorityTier=1
	PartitionName=high Nodes=ALL PriorityTier=20
EOF

cat >cohort.yaml <<-EOF
	flavors:
	  - {name: any}
	clusterQueues:
	  - name: full
	    match: [{account: full}]
	    resourceGroups: &four
	      - coveredResources: [cpu]
	        flavors: [{name: any, nominalQuota: cpu=4}]
	  - {name: free, match: [{account: free}], resourceGroups: *four}
	  - name: strict
	    match: [{account: strict}]
	    queueingStrategy: StrictFIFO
	    resourceGroups: *four
EOF

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

test_expect_success 'nor its partition, nor lower ones, for other queues and jobs outside' '
	running=$(submit -A full -N1 -n4) && running2=$(submit -A strict -N1 -n3) &&
	wait_for 10 "job_runs $running $running2" &&
	wait1=$(submit -A full -n2 -p high) && wait2=$(submit -A strict -n2 -p high) &&
	wait3=$(submit -A full -n1 -p low) && wait4=$(submit -A strict -n1 -p low) &&
	wait_for 10 "in_line $wait1 $wait2 $wait3 $wait4" &&
	same=$(submit -A free -n1 -p high) && lower=$(submit -A free -n1 -p low) &&
	outside=$(submit -n1 -p high) && outside2=$(submit -n1 -p low) &&
	wait_for 5 "job_runs $same $lower $outside $outside2" &&
	job_waits $wait1 $wait2 $wait3 $wait4
'

test_expect_success 'one that can never start holds up nobody, in a StrictFIFO queue either' '
	cluster_clear &&
	never=$(submit -A strict -n5) &&
	wait_for 10 "job_reason $never | grep \"wait=never(max=4),need=5\"" &&
	behind=$(submit -A strict -n4) && wait_for 5 "job_runs $behind" && job_waits $never
'

# After one task of an array has started, the main scheduler takes the next one
# without asking whether the array must wait
test_expect_success 'nor does the rest of an array' '
	cluster_clear &&
	first=$(submit -A full -n1 -p high -a 0-7 -H) && second=$(submit -A free -n1 -p low -H) &&
	third=$(submit -n1 -p high -H) && fourth=$(submit -n1 -p low -H) &&
	scontrol release $first $second $third $fourth &&
	wait_for 5 "[ \$(squeue -h -r -t R -j $first | wc -l) -eq 4 ]" &&
	wait_for 5 "job_runs $second $third $fourth" &&
	holds_for 3 "[ \$(squeue -h -r -t R -j $first | wc -l) -eq 4 ]"
'

test_expect_success 'freed quota is used by the next in line without backfill' '
	cluster_clear &&
	running=$(submit -A full -N1 -n4 -p low) &&
	wait_for 10 "job_runs $running" &&
	first=$(submit -A full -n3 -p low) && second=$(submit -A full -n3 -p high) &&
	wait_for 10 "[ \"\$(positions $second $first)\" = \"1/2 2/2\" ]" &&
	scancel $running &&
	wait_for 5 "job_runs $second" && job_waits $first &&
	scancel $second &&
	wait_for 5 "job_runs $first"
'

test_done
