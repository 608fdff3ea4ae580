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
# second: N jobs that end one after another, each exactly at its limit
fill() {
	local i id end running=''
	for ((i = 1; i <= JOBS; i++)); do
		id=$(submit_for $((15 + 2 * i)) -t 5 -A $([ $((i % 2)) = 0 ] && echo a || echo b)) || return 1
		running="$running $id"
	done
	all_run $running || return 1
	i=0
	: >planned
	for id in $running; do
		end=$(($(started $id) + 15 + 2 * ++i))
		scontrol update JobId=$id EndTime="$(date -d "@$end" +%FT%T)" || return 1
		echo "$id $end" >>planned
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

# A machine that stalls makes jobs end late, which nobody can foresee: the longest
# time between two looks at the clock, in ms, goes to $1 as long as there is "looking"
watch_clock() {
	local last now longest=0
	last=$(now_ms)
	while [ -e looking ]; do
		sleep 0.2
		now=$(now_ms)
		[ $((now - last)) -le "$longest" ] || echo $((longest = now - last)) >"$1"
		last=$now
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

# foreseen: the median error of the first estimates is below 10% of the wait
foreseen() {
	: >first
	cluster_clear && fill &&
	waiting=$(submit_some $((JOBS / 2)) -A a -t 1; submit_some $((JOBS / 2)) -A b -t 1) &&
	wait_for 10 "note_first $JOBS" && wait_for 60 "job_runs $(echo $waiting)" &&
	errors >errors && cat errors && median=$(sed -n "$((JOBS / 2 + 1))p" errors) &&
	awk "BEGIN { exit !($median < 10) }"
}

# If not, and the machine stalled, that says nothing: once more
test_given_time 'each job that waits is told when, at once, and starts then' '
	touch looking && { watch_clock longest & } && foreseen && rm looking && return
	rm looking && wait $! && before $(cat longest) 1500 && before $(latest) 3
	return 1
' 1 2 3 4

echo "# errors of the first estimates in % of the wait: $(xargs <errors)"
test_done
