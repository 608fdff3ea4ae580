#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='arrays: %limit, tasks that are evicted, requeued, cancelled, held; restart, dependencies'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{ three_tiers; quick_scheduler; } >slurm.conf
borrower_owner_and_loner >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# tasks ARRAY [STATE]: how many
tasks() { squeue -h -r -t "${2:-R}" -j "$1" -o %K 2>/dev/null | wc -l; }

# running ARRAY N: soon so many tasks run, and no more
running() {
	wait_for 15 "[ \$(tasks $1) -eq $2 ]" && holds_for 1 "[ \$(tasks $1) -eq $2 ]"
}

# head_of ARRAY: the text of what has not been split off
head_of() { squeue -h -j "$1" -t PD -o %r | head -n 1; }

test_expect_success 'its own limit below quota: the rest is not in line, and Slurm says why' '
	array=$(submit -A c -n1 -a 0-5%2) && running $array 2 &&
	wait_for 5 "head_of $array | grep -qx JobArrayTaskLimit" &&
	behind=$(submit -A c -n2) && all_run $behind && [ "$(usage c)" -eq 4 ] &&
	next=$(submit -A c -n1) && wait_for 5 "[ \"\$(positions $next)\" = 1/1 ]" && scancel $next
'

test_expect_success 'a higher limit: quota decides, and the text says so' '
	scontrol update job $array ArrayTaskThrottle=4 &&
	wait_for 8 "head_of $array | grep -q \"pos=1/4,wait=quota(cpu@any),need=1,free=0\"" &&
	scancel $behind && running $array 4
'

test_expect_success 'a lower one while they run: none starts until there are fewer' '
	scontrol update job $array ArrayTaskThrottle=1 &&
	one=$(submit -A c -n1) &&
	scancel $(squeue -h -r -t R -j $array -o %i | head -n 3) && running $array 1 && all_run $one &&
	{ scontrol update job $array ArrayTaskThrottle=0 || true; } && scancel $one && running $array 3
'

test_expect_success 'a limit above quota does not count' '
	cluster_clear && array=$(submit -A c -n1 -a 0-9%7) && running $array 4 &&
	[ "$(usage c)" -eq 4 ] && wait_for 5 "head_of $array | grep -q pos=1/6,wait=quota"
'

test_expect_success 'waiting tasks are cancelled, one and several: places follow' '
	behind=$(submit -A c -n1) && wait_for 5 "[ \"\$(positions $behind)\" = 7/7 ]" &&
	scancel ${array}_9 && wait_for 5 "[ \"\$(positions $behind)\" = 6/6 ]" &&
	scancel ${array}_[6-8] && wait_for 5 "[ \"\$(positions $behind)\" = 3/3 ]" &&
	scancel ${array}_[0-5] && all_run $behind &&
	wait_for 5 "[ \$(usage c) -eq 1 ]"
'

test_expect_success 'one task is held and released' '
	cluster_clear && array=$(submit -A c -n2 -a 0-3) && running $array 2 &&
	scontrol hold ${array}_3 && behind=$(submit -A c -n1) && wait_for 5 "[ \"\$(positions $behind)\" = 2/2 ]" &&
	scancel ${array}_0 && running $array 2 &&
	wait_for 5 "[ \"\$(positions $behind)\" = 1/1 ]" && holds_for 1 "[ \"\$(job_state ${array}_3)\" = PENDING ]" &&
	scontrol release ${array}_3 && wait_for 5 "[ \"\$(positions $behind)\" = 2/2 ]"
'

test_expect_success 'tasks are evicted and come back, with their place' '
	cluster_clear && log_mark &&
	array=$(submit -A a -n2 -N1 -a 0-5) && running $array 4 &&
	b=$(submit -A b -n4 -N1) && all_run $b && running $array 2 &&
	[ "$(evicted | wc -w)" -eq 2 ] && [ "$(usage a) $(usage b)" = "4 4" ] &&
	behind=$(submit -A a -n1) && wait_for 15 "[ \"\$(positions $behind)\" = 5/5 ]" &&
	scancel $b && running $array 4 && job_waits $behind
'

test_expect_success 'over a restart: charges of its tasks, place and text of its rest' '
	wait_for 5 "[ \"\$(positions $behind)\" = 3/3 ]" && cluster_restart_ctld && wait_for 30 nodes_have_registered &&
	wait_for 10 "[ \"\$(positions $behind)\" = 3/3 ]" && [ "$(tasks $array)" -eq 4 ] &&
	wait_for 10 "head_of $array | grep -q \"need=2,free=0\"" &&
	scancel ${array}_$(squeue -h -r -t R -j $array -o %K | head -n 1) && running $array 4 &&
	job_waits $behind
'

test_expect_success 'all that waits is cancelled while its tasks run on' '
	scancel -t PD $array && running $array 4 &&
	wait_for 5 "[ \"\$(positions $behind)\" = 1/1 ]" && [ "$(usage a)" -eq 8 ]
'

test_expect_success 'aftercorr: each task after its own' '
	cluster_clear && one=$(submit -A c -n1 -a 0-2) && running $one 3 &&
	two=$(submit -A c -n1 -a 0-2 -d aftercorr:$one) &&
	wait_for 5 "head_of $two | grep -qx Dependency" && behind=$(submit -A c -n1) && all_run $behind &&
	third=$(submit_for 0.2 -A b -n1 -a 0-2%1) && four=$(submit -A b -n1 -a 0-2 -d aftercorr:$third) &&
	running $four 3 && [ "$(usage b)" -eq 3 ]
'

test_expect_success 'a dependency on a part of an array that is evicted meanwhile' '
	cluster_clear && log_mark &&
	array=$(submit -A a -n4 -N1 -a 0-1) && running $array 2 &&
	dep=$(submit -A a -n1 -d afterany:$array) && b=$(submit -A b -n4 -N1) && all_run $b &&
	running $array 1 && [ "$(job_reason $dep)" = Dependency ]
'

# A refusal of the next task ends the turn of the partition in a main pass
test_expect_success 'who stands behind an array with quota for a part of it starts at once' '
	cluster_clear && log_mark &&
	array=$(submit -A c -n1 -a 0-9 -H) && others=$(submit_some 3 -A b -n1 -H) &&
	scontrol release $array $others && wait_for 10 "[ \$(tasks $array) -eq 4 ]" &&
	all_run $others
'

test_expect_success 'the last task, which fills the limit, is charged after a reconfigure, too' '
	cluster_clear && array=$(submit -A c -n2 -a 0-1%1) && running $array 1 &&
	scancel ${array}_0 && wait_for 15 "[ \"\$(squeue -h -r -t R -j $array -o %K)\" = 1 ]" &&
	log_mark && cluster_reconfigure && wait_for 5 "log_has \"charge: JobId=${array}_1.*: cpu@any=2\"" &&
	! log_has "error: slurm-cohort: JobId" &&
	next=$(submit -A c -n4) && wait_for 5 "job_reason $next | grep -q need=4,free=2"
'

# Slurm refuses it before it asks us. What the plan has for it would be lost for all others.
test_expect_success 'a task that was requeued, and the limit is used up by another: it is not in line' '
	cluster_clear && array=$(submit -A c -n2 -N1 -a 0-1%1) && running $array 1 &&
	scontrol requeuehold ${array}_0 && wait_for 20 "[ \"\$(squeue -h -r -t R -j $array -o %K)\" = 1 ]" &&
	wait_for 20 "[ \"\$(job_state ${array}_0)\" = PENDING ]" && scontrol release ${array}_0 &&
	scontrol update JobId=${array}_0 StartTime=now &&
	wait_for 10 "[ \"\$(job_reason ${array}_0)\" = JobArrayTaskLimit ]" &&
	behind=$(submit -A c -n2) && all_run $behind && last=$(submit -A c -n1) &&
	wait_for 5 "[ \"\$(positions $last)\" = 1/1 ]" && [ "$(job_reason ${array}_0)" = JobArrayTaskLimit ]
'

test_expect_success 'when the other one has ended it is back in line, before those that came later' '
	scancel ${array}_1 && wait_for 15 "[ \"\$(squeue -h -r -t R -j $array -o %K)\" = 0 ]" &&
	wait_for 5 "[ \"\$(positions $last)\" = 1/1 ]" && job_waits $last && scancel $behind && all_run $last
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
