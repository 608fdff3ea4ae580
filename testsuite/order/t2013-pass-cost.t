#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what a pass has to do is what has changed since the last one'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

# The short form of testsuite/bench-slurmctld: counted is what noise does not move
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org reclaim=Any
	queue b 8 cohort=org reclaim=Any
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
records=44

# count: what was done so far, PASSES LOOKS MATCHES BOOKED PLANS, of one document
count() {
	scohort metrics | awk '
		$1 == "slurm_cohort_pass_duration_seconds_count" { passes = $2 }
		$1 == "slurm_cohort_job_record_looks_total" { looks = $2 }
		$1 == "slurm_cohort_rule_matches_total" { matches = $2 }
		$1 == "slurm_cohort_job_bookings_total" { booked = $2 }
		$1 == "slurm_cohort_plans_total" { plans = $2 }
		END { print passes, looks, matches, booked, plans }'
}

# at_most_marks WAITING: since "before". Each waiting job is compared with the plan in
# a pass that has looked at the records or made a plan; and in no other
marks() { scohort metrics | awk '
	$1 == "slurm_cohort_pass_duration_seconds_count" { passes = $2 }
	$1 == "slurm_cohort_job_record_looks_total" { looks = $2 }
	$1 == "slurm_cohort_plans_total" { plans = $2 }
	$1 == "slurm_cohort_job_marks_total" { marks = $2 }
	END { print passes, looks, plans, marks }'; }
at_most_marks() {
	local now
	now=$(marks)
	echo "before $before, now $now"
	# shellcheck disable=SC2086
	set -- "$1" $before $now
	[ $(($6 - $2)) -gt 0 ] &&
		[ $(($9 - $5)) -le $((($7 - $3) / records * $1 + ($8 - $4) * $1)) ]
}

# No text for squeue is made where nothing changes, however old the texts are
texts_stay() {
	local before
	before=$(metric reason_texts_total) && passes_on 5 &&
	[ "$(metric reason_texts_total)" -eq "$before" ]
}

# No text has been made for longer than updateInterval
texts_stand() {
	local before
	before=$(metric reason_texts_total) && passes_on 4 &&
	[ "$(metric reason_texts_total)" -eq "$before" ]
}
texts_settle() { wait_for 60 texts_stand; }

# at_most MATCHES BOOKED PLANS: since "before"; and one look at a record in a pass
at_most() {
	local now
	now=$(count)
	echo "before $before, now $now"
	# shellcheck disable=SC2086
	set -- "$@" $before $now
	[ $(($9 - $4)) -gt 0 ] && [ $((${10} - $5)) -le $((($9 - $4 + 1) * records)) ] &&
		[ $((${11} - $6)) -le "$1" ] && [ $((${12} - $7)) -le "$2" ] &&
		[ $((${13} - $8)) -le "$3" ]
}

fill() {
	local i
	for ((i = 0; i < 20; i++)); do
		submit -A a -n $((i % 4 + 1)) && submit -A b -n $((i % 3 + 1)) || return 1
	done
}

# all_of N: each job that waits in queue a or b says that N wait there
all_of() {
	echo "$(squeue -h -t PD -O reason:120 | sed 's/,.*//' | sort | uniq -c)"
	[ "$(squeue -h -t PD -O reason:120 | grep -c "pos=[0-9]*/$1,")" -eq $((2 * $1)) ]
}

# They come faster than texts may be written anew. Nothing happens after that.
test_expect_success 'the last change is told when texts may be written again' '
	big=$(submit -A a -n8) && other=$(submit -A b -n8) && all_run $big $other && fill &&
	wait_for 20 "all_of 20" && submit -A a -n1 && submit -A b -n1 &&
	wait_for 20 "all_of 21" && texts_settle
'

test_expect_success 'nothing changes: no job is matched, booked or planned' '
	passes_on 3 && before=$(count) && passes_on 5 && at_most 0 0 0
'

# Those two run, the others wait
test_expect_success 'nothing changes: no job is compared with the plan' '
	before=$(marks) && passes_on 5 && at_most_marks 42
'

# They may be written anew each second
test_expect_success 'nothing changes: no text is made, however old they are' '
	[ "$(metric reason_texts_total)" -ge 40 ] && texts_stay
'

test_expect_success 'one more job: it is matched at most once, and booked' '
	records=45 && before=$(count) && submit -A a -n1 && passes_on 2 && at_most 1 1 2
'

# 23 wait in its queue, and each of them is told that
texts_made() { made=$(($(metric reason_texts_total) - before)); }
test_expect_success 'one more job: texts of its queue are made, and of no other' '
	records=46 && before=$(metric reason_texts_total) && submit -A a -n1 &&
	wait_for 10 "texts_made && [ \$made -ge 23 ]" && passes_on 2 &&
	texts_made && echo "$made texts" && [ $made -eq 23 ]
'

test_expect_success 'one ends: it, and those that start, are booked anew, and nobody else' '
	before=$(count) && scancel $big &&
	wait_for 10 "job_gone $big && [ \"\$(usage a)\" -eq 8 ]" &&
	passes_on 2 &&
	started=$(($(squeue -h -t R | wc -l) - 1)) && echo "$started started" &&
	[ $started -ge 2 ] && at_most 0 $((started + 1)) $((2 * started + 2))
'

# Others of the cohort would fit, too, until it starts
test_expect_success 'one ends, and another one starts: only the places behind that are told' '
	one=$(squeue -h -t R -A a -O jobid:12,numcpus:4 | awk "\$2 == 1 { print \$1; exit }") &&
	[ -n "$one" ] && texts_settle && before=$(metric reason_texts_total) &&
	waiting=$(squeue -h -t PD -A a | wc -l) && scancel $one &&
	wait_for 10 "job_gone $one && [ \"\$(usage a)\" -eq 8 ]" && texts_settle &&
	texts_made && echo "$made texts, $waiting waited" && [ $made -le $waiting ]
'

test_done
