#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that are held, not due or behind others, and components: few looks, and none misses its time'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/looks.sh"

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org
	queue b 8 cohort=org
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
put_off=160

het() { sbatch --parsable -o /dev/null "$@" --wrap 'exec sleep 1000' | tail -n 1; }

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

# All are looked at once a minute, and with them those that a pass needs. A look at each in
# each of eight passes would be far more.
may_look() { echo $(((put_off + 40) * ($1 / 60000 + 1) + 20 * $2)); }

# none_in_line ID..., all_in_line ID...: two passes later. That is too soon for a look that
# comes in turn, within six seconds, to have found all of them.
none_in_line() { passes_on 2 && ! positions "$@" | grep '[0-9]'; }
all_in_line() { passes_on 2 && in_line "$@"; }

second() {
	local id
	for id; do
		echo $((id + 1))
	done
}

test_expect_success 'the world: many are put off, and pairs wait' '
	fill && wait_for 30 "in_line ${pairs[*]}" && passes_on 2 &&
	none_in_line ${held[*]} ${later[*]} ${behind[*]}
'

test_expect_success 'more are submitted: few records are looked at' '
	few submit -A a -n2
'

test_expect_success 'some end and others begin: few records are looked at' '
	few end_one
'

test_expect_success 'those that are released are in line, and held again they are not' '
	some=(${held[@]:0:20}) && scontrol release ${some[*]} && all_in_line ${some[*]} &&
	scontrol hold ${some[*]} && none_in_line ${some[*]}
'

test_expect_success 'those whose time comes are in line, and put off again they are not' '
	some=(${later[@]:0:10}) && at=$(date -d "+4 seconds" +%FT%T) &&
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

test_expect_success 'those that depended on one that has ended are in line' '
	none_in_line ${behind[*]} && scancel $other && wait_for 20 "job_gone $other" &&
	running_or_in_line() { in_line $(squeue -h -t PD -j "$(IFS=,; echo "${behind[*]}")" -o %i); } &&
	passes_on 2 && running_or_in_line
'

# That one is of no queue
test_expect_success 'the component that is held is of no queue: so it is with that' '
	for ((i = 0; i < 8; i++)); do
		mixed+=("$(het -A a -n5 : -A nobody -n1)") || return 1
	done &&
	wait_for 20 "in_line ${mixed[*]}" && passes_on 2 &&
	for id in ${mixed[*]}; do scontrol hold $id+1 || return 1; done &&
	none_in_line ${mixed[*]} &&
	for id in ${mixed[*]}; do scontrol release $id+1 || return 1; done &&
	all_in_line ${mixed[*]} && scancel ${mixed[*]}
'

# Nothing is stamped after a while, and no look comes by itself for a minute
test_expect_success 'a time that comes while all is quiet is not missed' '
	scancel $(squeue -h -t PD -A a -o %A | sort -u | grep -vx ${later[0]}) &&
	wait_for 20 "[ \"\$(squeue -h -t PD -A a -o %A)\" = ${later[0]} ]" &&
	at=$(date -d "+15 seconds" +%FT%T) && job_update ${later[0]} StartTime=$at &&
	wait_for 30 "[ \"\$(date +%FT%T)\" \\> $at ]" && wait_for 10 "in_line ${later[0]}"
'

test_expect_success 'none has changed without a word' '
	! grep "nobody has told" "$CLUSTER/log/slurmctld.log"
'

test_done
