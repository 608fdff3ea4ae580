#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='arrays: each task charges for itself'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue best 4
	queue strict 4 strategy=StrictFIFO
	queue a 2 cohort=org borrow=1
	queue b 2 cohort=org
} >cohort.yaml

quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Tasks of the array that run, or are in the given STATE
tasks() { squeue -h -r -t "${2:-R}" -j "$1" -o %K | wc -l; }

test_expect_success 'as many tasks start as there is quota for, and no more' '
	array=$(submit -A best -n1 -a 0-7) &&
	wait_for 10 "[ \$(tasks $array) -eq 4 ]" && log_mark && from=$(now_ms) &&
	holds_for 5 "[ \$(tasks $array) -eq 4 ]" && took=$(($(now_ms) - from)) &&
	[ "$(usage best)" -eq 4 ]
'

# There was no other job yet: nothing but the clock told one pass from the next
test_expect_success 'and the rest waits without keeping the scheduler busy' '
	runs=$(log_lines "sched: Running job scheduler" | wc -l) && echo "$runs passes in $took ms" &&
	[ "$runs" -gt 0 ] && [ $((runs * 1000)) -lt $((took * 8)) ]
'

test_expect_success 'positions count tasks' '
	behind=$(submit -A best -n1) &&
	wait_for 5 "[ \"\$(reason_pos $behind)\" = 5/5 ]" &&
	expected="Cohort:pos=1/5,wait=quota(cpu@any),need=1,free=0,cq=best" &&
	wait_for 5 "[ \"\$(squeue -h -j $array -t PD -o %r)\" = \"$expected\" ]"
'

test_expect_success 'a task that ends makes room for the next one' '
	scancel ${array}_1 &&
	wait_for 10 "[ \$(tasks $array) -eq 4 ] && [ \$(tasks $array PD) -eq 3 ]" &&
	holds_for 3 "[ \$(tasks $array) -eq 4 ]" &&
	job_waits $behind &&
	wait_for 5 "[ \"\$(reason_pos $behind)\" = 4/4 ]"
'

# The last one is the record that stood for all of them before
test_expect_success 'an array of which all tasks run counts them once' '
	cluster_clear && all=$(submit -A best -n1 -a 0-3) &&
	wait_for 10 "[ \$(tasks $all) -eq 4 ]" &&
	wait_for 10 "scohort status -nP -o name,run,wait best | grep -F \"best|4|0\""
'

test_expect_success 'tasks of 2 CPUs: two of them' '
	cluster_clear &&
	array=$(submit -A strict -N1 -n2 -a 1-5) &&
	wait_for 10 "[ \$(tasks $array) -eq 2 ]" &&
	holds_for 3 "[ \$(tasks $array) -eq 2 ]" &&
	[ "$(usage strict)" -eq 4 ]
'

test_expect_success 'tasks borrow one by one' '
	cluster_clear &&
	array=$(submit -A a -n1 -a 1-5) &&
	wait_for 10 "[ \$(tasks $array) -eq 3 ]" &&
	holds_for 3 "[ \$(tasks $array) -eq 3 ]" &&
	b=$(submit -A b -n1 -a 1-2) &&
	wait_for 10 "[ \$(tasks $b) -eq 1 ]" &&
	holds_for 2 "[ \$(tasks $b) -eq 1 ]"
'

# Its own limit lets no task start: it has no position, not even in StrictFIFO
test_expect_success 'an array that waits for its own limit blocks nobody' '
	cluster_clear &&
	array=$(submit -A strict -n1 -a 0-7%2) &&
	wait_for 10 "[ \$(tasks $array) -eq 2 ]" &&
	behind=$(submit -A strict -n1) &&
	wait_for 10 "job_runs $behind" &&
	holds_for 3 "[ \$(tasks $array) -eq 2 ]" &&
	scancel ${array}_0 &&
	wait_for 10 "[ \$(tasks $array) -eq 2 ] && [ \$(tasks $array PD) -eq 5 ]"
'

test_expect_success 'an array longer than its queue is worked off, never over quota' '
	cluster_clear &&
	array=$(submit_for 0.2 -A best -n1 -a 1-24) && other=$(submit_for 0.2 -A strict -n1 -a 1-24) &&
	wait_for 120 "over=\$(usage_by_queue | awk \"\\\$2 > 4\"); [ -n \"\$over\" ] || [ -z \"\$(squeue -h)\" ]" &&
	[ -z "$over" ] &&
	[ "$(scontrol -o show job $array | grep -c "JobState=COMPLETED")" -eq 24 ] &&
	[ "$(scontrol -o show job $other | grep -c "JobState=COMPLETED")" -eq 24 ]
'

test_expect_success 'cancelling a waiting array takes all its places away' '
	running=$(submit -A best -N1 -n4) &&
	wait_for 10 "job_runs $running" &&
	array=$(submit -A best -n1 -a 0-3) && behind=$(submit -A best -n1) &&
	wait_for 8 "[ \"\$(reason_pos $behind)\" = 5/5 ]" &&
	scancel ${array}_2 &&
	wait_for 8 "[ \"\$(reason_pos $behind)\" = 4/4 ]" &&
	scancel $array &&
	wait_for 8 "[ \"\$(reason_pos $behind)\" = 1/1 ]"
'

test_done
