#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that are drained, held, not due, behind others or find no nodes, and components: none misses its time'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/looks.sh"

# In wide there is quota for all, and nodes for few; narrow comes after it
{
	quota_head
	echo 'clusterQueues:'
	queue a 8
	queue b 8
	queue wide 10000
	queue narrow 8
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
away_from_midnight 300

# ---- nodes were missing once ----

# How many Slurm tried, and found no node that is up; of the first one it says that in other words
tried() { squeue -h -t PD -o %r | grep -c ReqNodeNotAvail; }

waiting=20
test_expect_success 'all nodes are drained: Slurm tries each job, and says so' '
	scontrol update NodeName=ALL State=DRAIN Reason=test &&
	for ((i = 0; i < waiting; i++)); do submit -A a -n8 || return 1; done &&
	wait_for 60 "[ \"\$(tried)\" -ge $((waiting - 1)) ]"
'

test_expect_success 'one starts, and the others wait for quota' '
	scontrol update NodeName=ALL State=RESUME &&
	wait_for 30 "runs=\$(squeue -h -t R -o %A) && [ -n \"\$runs\" ]" &&
	wait_for 30 "in_line \$(squeue -h -t PD -o %A)" && passed
'

# stamp: slurmctld notes that some job has changed, which could be any
stamp() { scontrol update JobId="$runs" Comment="$EPOCHREALTIME"; }

# What Slurm noted of nodes stays in these records, as nobody tries them now.
test_expect_success 'nothing but a comment changes: no plan is made for that' '
	stamp &&
	array=$(submit -A a -n8 -a 1-3) && after=$(submit -A a -n1 -d afterany:$runs) &&
	wait_for 10 "in_line $array" && passed && count && passes_on 4 && count &&
	[ $passes -ge 5 ] && [ $looks -ge $passes ] && [ $plans -eq 0 ]
'

test_expect_success 'the array is updated: its text follows' '
	job_update $array NumTasks=4 NumCPUs=4 && wait_for 10 "job_reason $array | grep -q ,need=4,"
'

# ---- held, not due, behind others; components ----

het() { sbatch --parsable -o /dev/null "$@" --wrap 'exec sleep 1000' | tail -n 1; }

put_off=80
# Both queues are full; of each kind there are many
fill() {
	local i
	for ((i = 0; i < 8; i++)); do
		running+=("$(submit -A a -n1)") || return 1
	done
	other=$(submit -A b -n8) && all_run "${running[@]}" $other || return 1
	for ((i = 0; i < put_off; i += 4)); do
		held+=("$(submit -A a -n2 -H)") && later+=("$(submit -A a -n2 --begin=now+1hour)") &&
			behind+=("$(submit -A a -n2 -d afterany:$other)") &&
			submit -A b -n2 -H --array=0-3 >/dev/null || return 1
	done
	for ((i = 0; i < 6; i++)); do
		pairs+=("$(het -A a -n3 : -A b -n3)") || return 1
	done
}

# none_in_line ID..., all_in_line ID...: after one pass
none_in_line() { passed && ! positions "$@" | grep '[0-9]'; }
all_in_line() { passed && in_line "$@"; }

second() {
	local id
	for id; do
		echo $((id + 1))
	done
}

test_expect_success 'the world: many are put off, and pairs wait' '
	cluster_clear && fill && wait_for 30 "in_line ${pairs[*]}" &&
	none_in_line ${held[*]} ${later[*]} ${behind[*]}
'

submit_and_end() {
	local i
	for ((i = 0; i < 5; i++)); do
		submit -A "$1" -n2 && end_one && passed || return 1
	done
}

test_expect_success 'more are submitted, some end and others begin' '
	submit_and_end a
'

test_expect_success 'those that are released are in line, and held again they are not' '
	some=(${held[@]:0:10}) && scontrol release ${some[*]} && all_in_line ${some[*]} &&
	scontrol hold ${some[*]} && none_in_line ${some[*]}
'

test_expect_success 'those whose time comes are in line, and put off again they are not' '
	some=(${later[@]:0:10}) && at=$(date -d "+2 seconds" +%FT%T) &&
	for id in ${some[*]}; do job_update $id StartTime=$at || return 1; done &&
	wait_for 20 "[ \"\$(date +%FT%T)\" \\> $at ]" && all_in_line ${some[*]} &&
	for id in ${some[*]}; do job_update $id StartTime=now+1hour || return 1; done &&
	none_in_line ${some[*]}
'

test_expect_success 'a component is held: the other one is out of line with it, until it is released' '
	seconds=$(second ${pairs[*]}) && in_line ${pairs[*]} &&
	for id in ${pairs[*]}; do scontrol hold $id+1 || return 1; done &&
	none_in_line ${pairs[*]} $seconds &&
	for id in ${pairs[*]}; do scontrol release $id+1 || return 1; done &&
	all_in_line ${pairs[*]}
'

test_expect_success 'the first component gets another begin time: so it is with that' '
	for id in ${pairs[*]}; do job_update $id+0 StartTime=now+1hour || return 1; done &&
	none_in_line ${pairs[*]} $seconds &&
	for id in ${pairs[*]}; do job_update $id+0 StartTime=now || return 1; done &&
	all_in_line ${pairs[*]}
'

# None of them is of the queue that has quota then.
test_expect_success 'those that depended on one that has ended are in line' '
	none_in_line ${behind[*]} && scancel $other && wait_for 20 "job_gone $other" &&
	all_in_line ${behind[*]}
'

# That one is of no queue
test_expect_success 'the component that is held is of no queue: so it is with that' '
	for ((i = 0; i < 6; i++)); do
		mixed+=("$(het -A a -n5 : -A nobody -n1)") || return 1
	done &&
	wait_for 20 "in_line ${mixed[*]}" &&
	for id in ${mixed[*]}; do scontrol hold $id+1 || return 1; done &&
	none_in_line ${mixed[*]} &&
	for id in ${mixed[*]}; do scontrol release $id+1 || return 1; done &&
	all_in_line ${mixed[*]} && scancel ${mixed[*]}
'

test_expect_success 'a time that comes while all is quiet is not missed' '
	scancel $(squeue -h -t PD -A a -o %A | sort -u | grep -vx ${later[0]}) &&
	wait_for 20 "[ \"\$(squeue -h -t PD -A a -o %A)\" = ${later[0]} ]" &&
	at=$(date -d "+10 seconds" +%FT%T) && job_update ${later[0]} StartTime=$at &&
	wait_for 30 "[ \"\$(date +%FT%T)\" \\> $at ]" && wait_for 10 "in_line ${later[0]}"
'

# ---- nodes are missing ----

lacks_nodes() { job_reason "$1" | grep -q 'wait=nodes'; }

# What backfill tries is looked at: it tries one
waiting=80
test_expect_success 'many may start, and find no nodes' '
	sed -i "s/^SchedulerParameters=/&bf_max_job_test=1,/" "$CLUSTER/etc/slurm.conf" &&
	use_cohort cat cohort.yaml && running=() &&
	for ((i = 0; i < 8; i++)); do running+=("$(submit -A wide -n2)") || return 1; done &&
	all_run ${running[*]} &&
	for ((i = 0; i < waiting; i++)); do last=$(submit -A wide -n2) || return 1; done &&
	narrow=$(submit -A narrow -n2) && wait_for 30 "lacks_nodes $last && lacks_nodes $narrow" && passed
'

test_expect_success 'more are submitted, some end and others begin: they wait for nodes all the same' '
	submit_and_end wide && lacks_nodes $last && lacks_nodes $narrow
'

test_expect_success 'one asks for more than its queue has, and for less again: so it says' '
	job_update $narrow NumTasks=9 NumCPUs=9 && wait_for 10 "! lacks_nodes $narrow" &&
	job_update $narrow NumTasks=3 NumCPUs=3 && wait_for 10 "lacks_nodes $narrow"
'

test_expect_success 'one is held and released: it has no place, and has one again' '
	scontrol hold $last && wait_for 10 "squeue -h -j $last -o %r | grep -q JobHeld" &&
	scontrol release $last && wait_for 10 "lacks_nodes $last"
'

test_expect_success 'none has changed without a word' '
	! grep "nobody has told" "$CLUSTER/log/slurmctld.log"
'

test_done
