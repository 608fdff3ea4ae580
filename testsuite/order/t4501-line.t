#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='in line or not: dependencies, begin times, holds, requeue by hand'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"

# A victim that ignores SIGTERM stays until its preemptor has changed
{ three_tiers; quick_scheduler; echo KillWait=120; } >slurm.conf
sed -i 's/^SchedulerParameters=.*/&,enable_user_top,requeue_delay=0/' slurm.conf

# a and b own 4 each of one cohort; b takes back what a borrows
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org within=LowerPriority
	queue b 4 cohort=org reclaim=Any
	queue strict 4 strategy=StrictFIFO
} >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# ended ID STATE: and soon nothing of ours is left in its record
ended() {
	wait_for 15 "[ \"\$(job_field $1 JobState)\" = $2 ]" &&
		wait_for 5 "! scontrol show job $1 | grep Cohort:"
}

# out_of_line REASON ID...: no place, and Slurm's own reason, for some passes
out_of_line() {
	local reason=$1 id
	shift
	for id; do
		wait_for 10 "[ \"\$(job_reason $id)\" = \"$reason\" ]" || return 1
	done
	for id; do
		holds_for 1 "[ \"\$(job_reason $id)\" = \"$reason\" ]" || return 1
	done
}

fill() { filler=$(submit -A strict -N1 -n4) && all_run $filler; }

# ---- dependencies ----

test_expect_success 'afterok: no place until then, then one, then it starts' '
	fill &&
	first=$(submit_for 0.5 -A strict -n2) && next=$(submit -A strict -n4 -N1 -d afterok:$first) &&
	other=$(submit -A strict -n1) &&
	wait_for 5 "[ \"\$(positions $first $next $other)\" = \"1/2 - 2/2\" ]" &&
	out_of_line Dependency $next && in_line $first $other &&
	scancel $other $filler &&
	all_run $next
'

test_expect_success 'afterok of one that fails: never, no place, and the others pass' '
	first=$(sbatch --parsable -o /dev/null -A b -n1 --wrap false) &&
	next=$(submit -A b -n4 -N1 -d afterok:$first) &&
	out_of_line DependencyNeverSatisfied $next &&
	other=$(submit -A b -N1 -n4) && all_run $other && scancel $other $next
'

test_expect_success 'with --kill-on-invalid-dep it is cancelled and leaves nothing' '
	first=$(sbatch --parsable -o /dev/null -A b -n1 --wrap false) &&
	next=$(submit -A b -n4 -N1 -d afterok:$first --kill-on-invalid-dep=yes) &&
	ended $next CANCELLED
'

test_expect_success 'afterany of a job that waits and is cancelled' '
	first=$(submit -A strict -n4 -N1) && wait_for 5 "in_line $first" &&
	next=$(submit -A strict -n4 -N1 -d afterany:$first) && out_of_line Dependency $next &&
	scancel $first && ended $first CANCELLED &&
	wait_for 5 "[ \"\$(positions $next)\" = 1/1 ]"
'

test_expect_success 'singleton: one at a time, the rest has no place' '
	cluster_clear &&
	one=$(submit -A strict -n2 -J single -d singleton) && all_run $one &&
	two=$(submit -A strict -n2 -J single -d singleton) &&
	other=$(submit -A strict -n2) &&
	all_run $other && out_of_line Dependency $two &&
	scancel $one && all_run $two && [ "$(usage strict)" -eq 4 ]
'

# The preemptor waits for the end of the one that it would have to evict
test_expect_success 'after its end: a victim that frees the dependency, once' '
	cluster_clear && log_mark &&
	victim=$(submit -A a -n8 -N2) && all_run $victim &&
	dep=$(submit -A b -n2 -d after:$victim) &&
	all_run $dep && wait_for 10 "[ \"\$(evicted)\" = $victim ]"
'

test_expect_success 'a dependency that is given while it waits takes the place away' '
	cluster_clear && fill &&
	waiting=$(submit -A strict -n1) && wait_for 5 "in_line $waiting" &&
	other=$(submit -n1) && all_run $other &&
	scontrol update job $waiting Dependency=afterany:$other &&
	out_of_line Dependency $waiting &&
	scontrol update job $waiting Dependency= &&
	says $waiting "wait=quota(cpu@any),"
'

# ---- begin ----

test_given_time 'begin: no place before, then in line at once' '
	cluster_clear && fill &&
	later=$(submit -A strict -n1 --begin=now+$TIME) && due=$(date -d "$(job_field $later EligibleTime)" +%s) &&
	{ out_of_line BeginTime $later || { before $EPOCHSECONDS $due; false; }; } &&
	wait_for $((TIME + 10)) "[ \"\$(positions $later)\" = 1/1 ]" &&
	scontrol update job $later StartTime=now+1hour &&
	out_of_line BeginTime $later && scancel $filler &&
	holds_for 1 "job_waits $later" &&
	scontrol update job $later StartTime=now && all_run $later
' 3 15 40

# ---- held ----

test_expect_success 'held by its user, by root, released: the text follows' '
	cluster_clear && fill &&
	waiting=$(submit -A strict -n1) && behind=$(submit -A strict -n1) &&
	wait_for 5 "[ \"\$(positions $waiting $behind)\" = \"1/2 2/2\" ]" &&
	scontrol uhold $waiting && out_of_line JobHeldUser $waiting &&
	wait_for 5 "[ \"\$(positions $behind)\" = 1/1 ]" &&
	scontrol release $waiting &&
	wait_for 5 "[ \"\$(positions $waiting $behind)\" = \"1/2 2/2\" ]" &&
	scontrol hold $waiting && out_of_line JobHeldAdmin $waiting &&
	scontrol release $waiting &&
	wait_for 5 "[ \"\$(positions $waiting $behind)\" = \"1/2 2/2\" ]"
'

test_expect_success 'a held job of priority 0, and an array of which one task is held' '
	cluster_clear && fill &&
	zero=$(submit -A strict -n1) && wait_for 5 "in_line $zero" &&
	scontrol update job $zero Priority=0 && out_of_line JobHeldAdmin $zero &&
	array=$(submit -A strict -n1 -a 0-3) && wait_for 5 "[ \"\$(positions $array)\" = 1/4 ]" &&
	scontrol hold ${array}_0 &&
	behind=$(submit -A strict -n1) && wait_for 5 "[ \"\$(positions $behind)\" = 4/4 ]" &&
	scontrol release ${array}_0 && wait_for 5 "[ \"\$(positions $behind)\" = 5/5 ]"
'

# ---- by hand ----

test_expect_success 'requeue: its quota is free, and it waits with its old place' '
	cluster_clear &&
	running=$(submit -A strict -n4 -N1) && all_run $running &&
	behind=$(submit -A strict -n2) && wait_for 5 "in_line $behind" &&
	scontrol requeue $running &&
	wait_for 15 "job_waits $running && job_runs $behind" && [ "$(usage strict)" -eq 2 ] &&
	wait_for 15 "[ \"\$(positions $running)\" = 1/1 ]" &&
	scancel $behind && all_run $running && [ "$(job_restarts $running)" -eq 1 ]
'

test_expect_success 'requeuehold: no place until it is released' '
	cluster_clear &&
	running=$(submit -A strict -n4 -N1) && all_run $running &&
	scontrol requeuehold $running &&
	wait_for 15 "job_waits $running" && out_of_line "job requeued in held state" $running &&
	other=$(submit -A strict -n4 -N1) && all_run $other &&
	scontrol release $running &&
	wait_for 15 "[ \"\$(positions $running)\" = 1/1 ]" &&
	scancel $other && all_run $running
'

# Its victim owns what the holder has, and would take that as soon as it may start
test_expect_success 'a preemptor that is held gives back what it owns; released, it is served' '
	cluster_clear && log_mark &&
	holder=$(submit -A a -n4 -N1) && all_run $holder && next_second &&
	victim=$(stubborn_until "[ -e $WORK/enough ]" -A a -n4 -N1) &&
	all_run $victim &&
	p=$(submit -A b -N1 -n4) && wait_for 10 "[ \"\$(evicted)\" = $victim ]" &&
	scontrol hold $p && out_of_line JobHeldAdmin $p &&
	other=$(submit -A b -n4 -N1) && touch "$WORK/enough" && all_run $other &&
	wait_for 15 "job_waits $victim" && scontrol hold $victim &&
	scancel $holder && scontrol release $p && all_run $p && job_waits $victim
'

# ---- the end ----

test_expect_success 'nothing is owned by those who have gone' '
	cluster_clear && books_settled a:4 b:4 strict:4
'

test_done
