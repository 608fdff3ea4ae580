#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the first estimate and the start that follows'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"

JOBS=12

quick_scheduler >quick.conf
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 6 cohort=org
	queue b 6 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf quick.conf

# Limits are whole minutes, but the end of a running job can be set to the
# second: N jobs that end one after another, each exactly at its limit, the first
# one after TIME seconds
fill() {
	local i id end running=''
	for ((i = 1; i <= JOBS; i++)); do
		id=$(submit_for $((TIME + 2 * i)) -t 5 -A "$(queue_of $i)") || return 1
		running="$running $id"
	done
	all_run $running || return 1
	i=0
	: >planned
	for id in $running; do
		end=$(($(started $id) + TIME + 2 * ++i))
		scontrol update JobId=$id EndTime="$(date -d "@$end" +%FT%T)" || return 1
		echo "$id $end" >>planned
	done
}

# queue_of I: of the I-th job. What the I-th that runs leaves, the I-th that waits
# takes: the estimate of each is right also while those after it are not there yet.
queue_of() { if [ $(($1 % 2)) = 0 ]; then echo a; else echo b; fi; }

# submit_waiting: their ids
submit_waiting() {
	local i
	for ((i = 1; i <= JOBS; i++)); do
		submit -t 1 -A "$(queue_of $i)" || return 1
	done
}

# note_first: the first estimates of the waiting jobs, "ID TIME" a line in
# first; fails until each has one
note_first() {
	local id when
	while read -r id when; do
		[ "$when" = N/A ] || grep -q "^$id " first || echo "$id $(date -d "$when" +%s)" >>first
	done < <(squeue -h -t PD --start -o '%A %S')
	[ "$(wc -l <first)" -eq "$1" ]
}

# errors: of the estimates, in percent of the wait, in order
errors() {
	local id at
	while read -r id at; do
		echo "$at $(started "$id") $(date -d "$(job_field "$id" SubmitTime)" +%s)"
	done <first | awk '{ e = $1 - $2; printf "%.1f\n", 100 * (e < 0 ? -e : e) / ($2 - $3) }' | sort -n
}

# A machine that stalls makes jobs end late, and slurmctld answer late, which nobody
# can foresee. As long as there is "looking", in ms, the longest of these goes to $1:
# the time between two looks at the clock with a question to slurmctld between them,
# and the time for which a job is completing, its slurmd silent.
watch_stalls() {
	local last now longest=0 id late
	local -A since=()
	last=$(now_ms)
	while [ -e looking ]; do
		sleep 0.2
		late=$(squeue -h -t CG -o %A)
		now=$(now_ms)
		[ $((now - last)) -le "$longest" ] || echo $((longest = now - last)) >"$1"
		last=$now
		for id in $late; do
			: "${since[$id]:=$now}"
			[ $((now - since[$id])) -le "$longest" ] ||
				echo $((longest = now - since[$id])) >"$1"
		done
	done
}

# latest: how many seconds after its time one of those that ran first has ended, at most
latest() {
	local id end late longest=0
	while read -r id end; do
		late=$(($(date -d "$(job_field "$id" EndTime)" +%s) - end))
		[ $late -le $longest ] || longest=$late
	done <planned
	echo $longest
}

# foreseen: the median error of the first estimates is below 10% of the wait. How many
# seconds of the waits had passed when all jobs were there: $took
foreseen() {
	: >first
	cluster_clear && took=$EPOCHSECONDS && fill && waiting=$(submit_waiting) &&
	wait_for 10 "note_first $JOBS" && took=$((EPOCHSECONDS - took)) && before "$EPOCHSECONDS" "$(sed -n '1s/.* //p' planned)" &&
	wait_for $((TIME + 45)) "job_runs $(echo $waiting)" &&
	errors >errors && cat errors && median=$(sed -n "$((JOBS / 2 + 1))p" errors) &&
	awk "BEGIN { exit !($median < 10) }"
}

# If not, and what the machine lost is more than a twentieth of the time, or it took long to
# submit all, so that a second is much of what was left to wait, that says nothing: once
# more, with longer waits, of which this is a smaller part
test_given_time 'each job that waits is told when, at once, and starts then' '
	echo 0 >longest && touch looking && { watch_stalls longest & } && foreseen && rm looking && return
	rm looking && wait $! && echo "the longest stall: $(cat longest) ms, $(latest) s" &&
	before $(($(cat longest) + 1000 * $(latest))) $((50 * TIME)) && before $took $((TIME / 3))
	return 1
' 15 45 120

echo "# errors of the first estimates in % of the wait: $(xargs <errors)"
test_done
