#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='files that slurmctld cannot read or write: logged once, kept aside, tried again'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

state=$CLUSTER/state/cohort_state

# config [PUBLISH]
config() {
	quota_head | sed "s|1s}|1s${1:+, publish: $1}}|"
	echo 'clusterQueues:'
	queue a 4
}

config >cohort.yaml
cluster_up --cohort cohort.yaml

# publish_at PATH: from now on
publish_at() {
	config "$1" >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure
}

# told N PATTERN: as often in the log, from the mark on
told() { [ "$(log_lines "$2" | wc -l)" -eq "$1" ]; }

# A job starts and ends: there is something to save
something_new() { new=$(submit_for 0 -A a -n1) && wait_for 20 "job_gone $new"; }

test_expect_success 'a job runs, another waits' '
	runs=$(submit -A a -N1 -n4) && all_run $runs &&
	waits=$(submit -A a -n1) && wait_for 10 "in_line $waits" &&
	wait_for 10 "[ -s $state ]" && squeue -h -o "%i %T" | sort >before
'

test_expect_success 'a damaged state file is kept aside, which is told once' '
	cluster_stop_ctld && head -c 40 "$state" >half && cp half "$state" &&
	log_mark && cluster_restart_ctld &&
	told 1 "error: slurm-cohort: .*cohort_state is damaged and ignored" &&
	wait_for 10 "cmp -s half $state.damaged" && wait_for 10 "[ -s $state ]" &&
	wait_for 10 "told 1 \"the damaged .*cohort_state is kept as .*cohort_state.damaged\"" &&
	wait_for 10 "in_line $waits" &&
	log_mark && cluster_restart_ctld && ! log_has damaged && cmp half "$state.damaged"
'

test_expect_success 'so is one of another version' '
	cluster_stop_ctld && echo "{\"version\":99,\"jobs\":[]}" >other && cp other "$state" &&
	log_mark && cluster_restart_ctld &&
	told 1 "error: slurm-cohort: .*cohort_state is of another version and ignored" &&
	wait_for 10 "cmp -s other $state.damaged" && wait_for 10 "[ -s $state ]"
'

for kind in fifo directory; do
test_expect_success "a state file that is a $kind: slurmctld starts" '
	cluster_stop_ctld && rm -f "$state" "$state.damaged" &&
	case $kind in fifo) mkfifo "$state" ;; *) mkdir -p "$state/x" ;; esac &&
	log_mark && cluster_restart_ctld &&
	told 1 "error: slurm-cohort: .*cohort_state is not a regular file and ignored" &&
	wait_for 10 "[ -f $state ]" && [ -e "$state.damaged" ] && [ ! -f "$state.damaged" ] &&
	wait_for 10 "in_line $waits" &&
	squeue -h -o "%i %T" | sort >after && test_cmp before after &&
	rm -r "$state.damaged"
'
done

# Also when nothing more changes
test_expect_success 'a state file that could not be written is written when it can be' '
	log_mark && rm "$state" && mkdir -p "$state/x" &&
	scancel $runs && all_run $waits &&
	wait_for 20 "told 1 \"error: slurm-cohort: can.t write .*cohort_state: Is a directory\"" &&
	holds_for 12 "told 1 \"error: slurm-cohort: can.t write\"" &&
	rm -r "$state" &&
	wait_for 20 "[ -s $state ]" && wait_for 5 "told 1 \"cohort_state is written again\"" &&
	wait_for 10 "[ -z \"\$(ls $CLUSTER/state | grep cohort.*[.]new[.])\" ]"
'

test_expect_success 'what is left of a slurmctld that was killed while it wrote goes, if it is old' '
	cluster_stop_ctld &&
	touch -d "2 hours ago" "$state.new.abcdef" "$state.new.other-thing" && touch "$state.new.ghijkl" &&
	cluster_restart_ctld && something_new &&
	wait_for 20 "[ ! -e $state.new.abcdef ]" && ls "$state.new.ghijkl" "$state.new.other-thing" &&
	rm "$state".new.*
'

test_expect_success 'a published file that cannot be written is told once, a second one too' '
	log_mark && publish_at "$WORK/nowhere/one.json" &&
	wait_for 10 "told 1 \"error: slurm-cohort: can.t write .*one.json .visibility.publish.: No such file\"" &&
	publish_at "$WORK/nowhere/two.json" &&
	wait_for 10 "told 1 \"error: slurm-cohort: can.t write .*two.json .visibility.publish.: No such file\"" &&
	something_new && holds_for 3 "told 2 \"error: slurm-cohort: can.t write\""
'

test_expect_success 'and written as soon as it can be, also when nothing more changes' '
	mkdir "$WORK/nowhere" && wait_for 10 "[ -s $WORK/nowhere/two.json ]" &&
	wait_for 5 "told 1 \"two.json is written again\"" &&
	[ "$(stat -c %a "$WORK/nowhere/two.json")" = 644 ] && [ "$(stat -c %a "$state")" = 600 ]
'

test_done
