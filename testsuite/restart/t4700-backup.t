#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a backup controller: control goes to it and back, twice, and nothing is lost'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/controllers.sh"

controllers_work || {
	skip_all='no process may have a host name of its own here'
	test_done
}

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org max=5
	queue b 12 cohort=org reclaim=Any
	queue c 4
} >cohort.yaml

controllers_up --nodes 5 --cohort cohort.yaml

# published KEY: of the document itself
published() {
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' \
		"$CLUSTER/state/cohort_status.json" "$1"
}

# published_by NAME: this controller wrote what is published, and still does
published_by() { [ "$(published pid)" = "$(controller_pid "$1")" ]; }

# counted: the counters that grow by starts and evictions only
counted() {
	python3 - "$CLUSTER/state/cohort_status.json" <<-'END'
		import json, sys
		status = json.load(open(sys.argv[1]))
		print(status["counters"]["since"])
		for queue in status["clusterQueues"]:
		    counters = queue["counters"]
		    print(queue["name"], counters["admitted"], counters["evicted"])
	END
}

# look: what a change of control must keep. Of an evicted job its place in line is
# known to the state file only.
look() {
	states
	positions "$@"
}
states() { squeue -h -r -o '%i %T' | sort; }

# same_as FILE IDS...: soon; states stay, and places are the same again: for a moment Slurm's own
# word may stand where ours was
same_as() {
	local file=$1
	shift
	wait_for 20 "look $* >now && cmp -s $file now" && states >states.then &&
		holds_for 3 "states | cmp -s states.then -" && wait_for 10 "look $* >now && cmp -s $file now" ||
		{ test_cmp "$file" now; return 1; }
}

# The state file has this job as often evicted as that
evictions_of() {
	python3 - "$CLUSTER/state/cohort_state" "$1" <<-'END'
		import json, sys
		for job in json.load(open(sys.argv[1]))["jobs"]:
		    if job["id"] == int(sys.argv[2]):
		        print(job["evictions"])
	END
}

# The jobs that the events file tells of: one event each, whoever was in control
events_of_jobs() {
	python3 - "$CLUSTER/state/cohort_events.jsonl" <<-'END'
		import json, sys
		print(*sorted(json.loads(line)["job"] for line in open(sys.argv[1])))
	END
}

# What we say in the log of a controller after it began to stand by last
said_standing_by() {
	awk '/running in background mode/ { said = "" } /slurm-cohort/ { said = said $0 "\n" }
		END { printf "%s", said }' "$(controller_log "$1")"
}

test_expect_success 'the primary is in control, the backup stands by' '
	controller_start primary && controller_leads primary 1 &&
	controller_start backup && controller_stands_by backup 1 &&
	wait_for 10 "published_by primary" && holds_for 2 "published_by primary" &&
	[ -z "$(said_standing_by backup)" ]
'

test_expect_success 'the primary dies: the backup has the same jobs' '
	for i in 1 2 3 4; do
		a=$(submit -A a -N1 -n4) && all_run $a && next_second || return 1
	done &&
	w1=$(submit -A a -N1 -n4) && saved $w1 && wait_for 10 "in_line $w1" &&
	look $w1 >before && controller_kill primary && backup_takes_over && controller_leads backup 1 &&
	same_as before $w1 && wait_for 10 "published_by backup"
'

test_expect_success 'the primary is back: the backup gives control and does nothing more' '
	controller_start primary && controller_leads primary 2 &&
	controller_stands_by backup 2 &&
	wait_for 10 "published_by primary" && same_as before $w1 &&
	{ slurm_since 25.05 ||
		wait_for 10 "said_standing_by backup | grep \"another slurmctld is in control now\""; } &&
	holds_for 4 "published_by primary" &&
	! said_standing_by backup | grep -v "another slurmctld is in control now"
'

test_expect_success 'under the primary: evictions, and places in line that only the state file has' '
	b1=$(submit -A b -N1 -n4) && all_run $b1 && next_second &&
	w2=$(submit -A a -N1 -n4) && next_second &&
	b2=$(submit -A b -N1 -n4) && all_run $b2 &&
	set -- $(squeue -h -A a -t PENDING -o %i | sort -n) && [ $# -eq 4 ] &&
	e1=$1 && e2=$2 && [ "$3 $4" = "$w1 $w2" ] &&
	wait_for 60 "[ \"\$(positions $e1 $e2 $w1 $w2)\" = \"1/4 2/4 3/4 4/4\" ]" &&
	wait_for 20 "[ \"\$(evictions_of $e1) \$(evictions_of $e2)\" = \"1 1\" ]" &&
	wait_for 20 "counted | grep \"^a 4 .*InCohortReclamation.: 2\"" &&
	saved $w1 && wait_for 10 "in_line $e1 $e2 $w1 $w2" &&
	look $e1 $e2 $w1 $w2 >before && counted >counted.before
'

test_expect_success 'the backup takes over once more: it has what the primary had' '
	controller_kill primary && backup_takes_over && controller_leads backup 2 &&
	same_as before $e1 $e2 $w1 $w2 &&
	wait_for 10 "published_by backup" && counted >counted.after &&
	test_cmp counted.before counted.after &&
	[ "$(evictions_of $e1) $(evictions_of $e2)" = "1 1" ]
'

# No job ends here: a slurmd may take a minute to find the backup and say so
test_expect_success 'and starts jobs, and counts' '
	c1=$(submit -A c -N1 -n4) && all_run $c1 && next_second &&
	c2=$(submit -A c -N1 -n4) && wait_for 10 "in_line $c2" &&
	wait_for 20 "counted | grep \"^c 1 \"" && saved $c2 &&
	wait_for 10 "in_line $e1 $e2 $w1 $w2 $c2" &&
	look $e1 $e2 $w1 $w2 $c2 >before && counted >counted.before
'

# Slurm 22.05 joins a thread that is gone when a backup gives control back a second
# time, and may hang there: it dies instead.
test_expect_success 'and back: the primary has what the backup had' '
	{ slurm_since 23.02 || controller_kill backup; } &&
	controller_start primary && controller_leads primary 3 &&
	wait_for 10 "published_by primary" && same_as before $e1 $e2 $w1 $w2 $c2 &&
	counted >counted.after && test_cmp counted.before counted.after &&
	holds_for 3 "published_by primary" &&
	[ "$(events_of_jobs)" = "$e1 $e2" ]
'

test_expect_success 'who has waited longest starts first' '
	scancel $(squeue -h -A a -t RUNNING -o %i) && wait_for 90 "job_runs $e1 $e2" &&
	job_waits $w1 $w2
'

test_expect_success 'no complaints, and nothing is left beside the files' '
	! grep "error: slurm-cohort" "$(controller_log primary)" "$(controller_log backup)" &&
	wait_for 10 "[ -z \"\$(ls \"$CLUSTER/state\" | grep \"cohort.*new\")\" ]"
'

test_done
