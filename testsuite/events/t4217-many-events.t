#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='many evictions at once: a slow disk, one that fails or is full, slow names and programs, and slurmctld restarted while they run'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/events.sh"

if ! preload_ctld slow; then
	skip_all='no compiler for a slow disk'
	test_done
fi
disk=$WORK/slow-disk
export COHORT_SLOW_DISK=$disk

# Each program says that it runs, how many do, and waits for $out.go, or ten minutes, or until
# the folder of the test is gone
program=$WORK/program
out=$WORK/out
mkdir -p "$out.at"
cat >"$program" <<-END
	#!/bin/sh
	echo \$\$ >"$out.\$\$" && mv "$out.\$\$" "$out.at/\$COHORT_JOB"
	ls "$out.at" | wc -l >>"$out.together"
	n=0
	until [ -e "$out.go" ] || [ ! -d "$out.at" ] || [ \$n -ge 6000 ]; do sleep 0.1; n=\$((n + 1)); done
	echo "\$COHORT_JOB" >>"$out.told"
	rm "$out.at/\$COHORT_JOB"
END
chmod 755 "$program"

# b owns most of what a borrows, one CPU each job
config() {
	quota_head
	echo "notify: {program: $program, timeLimit: 600s, atOnce: $1}"
	cohorts org
	echo 'clusterQueues:'
	queue a 2 cohort=org
	queue b 14 cohort=org reclaim=Any
}
config 3 >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --nodes 4 --cohort cohort.yaml --slurm-conf slurm.conf
EVENTS=$CLUSTER/state/cohort_events.jsonl

# fill: a has all 16 CPUs
fill() {
	local ids=() i
	for i in $(seq 16); do
		ids+=("$(submit -A a -N1 -n1)") || return
	done
	all_run "${ids[@]}" && next_second && next_second && log_mark
}

# running: how many programs are
running() { ls "$out.at" | wc -l; }

# all_ended: the runs of all $victims
all_ended() {
	local id
	for id in $victims; do
		wait_for 60 "job_waits $id" || return
	done
}

test_expect_success 'the disk is slow: all that comes meanwhile is written at once' '
	fill && : >"$disk" && owner=$(submit -A b -n14) && all_run $owner && wait_for 30 "[ -e \"$disk.now\" ]" &&
	set -- $(evicted | xargs) && [ $# -eq 14 ] && victims=$* && all_ended && [ "$(told written)" = 0 ] && rm "$disk" &&
	told_soon written 14 && events_number 14 && [ "$(told writes)" -le 2 ] &&
	[ "$(metric events_writes_total)" = "$(told writes)" ] && [ "$(told lost)" = 0 ]
'

test_expect_success 'programs are slow: no more than atOnce run, the others wait, each eviction is told once' '
	wait_for 30 "[ \$(running) -eq 3 ]" && holds_for 2 "[ \$(running) -eq 3 ]" && [ "$(told ran) $(told failed)" = "0 0" ] &&
	scancel $owner && all_run $victims && : >"$out.go" && wait_for 90 "[ \"\$(told ran)\" = 14 ]" && [ $(running) -eq 0 ] &&
	[ "$(sort -n "$out.told" | xargs)" = "$(printf "%s\n" $victims | sort -n | xargs)" ] && [ "$(told failed)" = 0 ] &&
	[ "$(sort -n "$out.together" | tail -n 1)" -le 3 ]
'

# pid_of JOB: of its program
pid_of() { cat "$out.at/$1"; }

# goes_on: the program $pid, which began at $began, has not ended. Nobody may have asked how
# it ended: a zombie has.
goes_on() { [ "$(procs proc_start_time $pid)" = "$began" ]; }

test_expect_success 'slurmctld is restarted while one runs: it goes on, is told once, and what waited for its turn is not' '
	cluster_clear && use_published config 1 && rm -f "$out.go" "$out.told" && fill &&
	owner=$(submit -A b -n2) && all_run $owner && set -- $(evicted | xargs) && [ $# -eq 2 ] &&
	wait_for 30 "[ \$(running) -eq 1 ]" && one=$(ls "$out.at") && pid=$(pid_of $one) &&
	began=$(procs proc_start_time $pid) && events_number 16 &&
	cluster_stop_ctld && goes_on && cluster_restart_ctld && goes_on && : >"$out.go" && wait_for 30 "! goes_on" &&
	holds_for 3 "[ \"\$(cat $out.told)\" = $one ]" &&
	owner=$(submit -A b -n1) && all_run $owner && wait_for 30 "[ \$(wc -l <$out.told) -eq 2 ]" && tail -n 1 "$out.told" >two &&
	! grep -x $one two && told_soon ran 1 && [ "$(events_count)" = 17 ]
'

# evict_all: b takes 14 CPUs, each from one job of a
evict_all() {
	owner=$(submit -A b -n14) && all_run $owner && set -- $(evicted | xargs) && [ $# -eq 14 ] && victims=$*
}

# at_once [KIND]: the disk hangs until the runs of all of these have ended, then KIND begins
at_once() {
	rm -f "$disk.now" && : >"$disk" && evict_all && wait_for 30 "[ -e \"$disk.now\" ]" &&
		all_ended && first=$(events_count) && { [ -z "${1-}" ] || : >"$disk$1"; } && rm "$disk"
}

# none_twice: each event is in the file once
none_twice() {
	python3 -c "import json, sys
runs = [(e['job'], e['started']) for e in map(json.loads, sys.stdin)]
sys.exit(len(runs) != len(set(runs)))" <"$EVENTS"
}

test_expect_success 'names are slow: what has its names is written, and does not wait for those of the others' '
	cluster_clear && use_published config 3 && fill && n=$(events_count) && written=$(told written) && writes=$(told writes) &&
	at_once .names && told_soon written $((written + 14)) && rm "$disk.names" &&
	[ "$(told writes)" -eq $((writes + 1 + n + 14 - first)) ] && none_twice
'

test_expect_success 'the disk fails, and nothing can be cut off: what may be in the file is not written again' '
	cluster_clear && fill && n=$(events_count) && lost=$(told lost) && : >"$disk.bad" &&
	at_once && told_soon lost $((lost + 14)) && rm "$disk.bad" && none_twice && [ "$(events_count)" = $((n + 14)) ]
'

test_expect_success 'the disk is full: the first ones that have room are written, with few tries' '
	cluster_clear && fill && n=$(events_count) && lost=$(told lost) && written=$(told written) &&
	truncate -s $(($(stat -c %s "$EVENTS") + 3000)) "$disk.full" &&
	at_once && wait_for 10 "[ \$((\$(told lost) - lost + \$(told written) - written)) -eq 14 ]" && rm "$disk.full" &&
	more=$(($(told written) - written)) && [ $more -ge 1 ] && [ $more -le 5 ] && [ "$(events_count)" = $((n + more)) ] &&
	none_twice && [ $(stat -c %s "$disk.full.tries") -le 8 ]
'

test_done
