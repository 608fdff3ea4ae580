#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='reclaimDelay: an owner gives jobs of other queues time to end before it evicts them'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

# No periodic pass in the time of this test: whoever starts at the end of a delay was woken
# up for that.
{ three_tiers; no_passes; } >slurm.conf

DELAY=300

# lend [WORD...]: a and b own 4 CPUs each, c nothing; the words are b's
lend() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 4 cohort=org within=LowerPriority reclaim=Any delay=${DELAY}s "$@"
	queue c 0 cohort=org
}

# A time in seconds since the epoch, as texts have it
clock() { date -d "@$1" +%H:%M:%S; }

# is_delayed ID: its text says that it waits, and until when: $UNTIL, in seconds since the epoch.
# The text has no date, and may mean tomorrow.
is_delayed() {
	says "$1" 'wait=delayed(until=' &&
		UNTIL=$(date -d "$(reason_wait "$1" | sed 's/.*until=\(.*\))/\1/')" +%s) || return 1
	[ "$UNTIL" -ge $(($(ctld_now) - 43200)) ] || UNTIL=$((UNTIL + 86400))
}

# still_delayed ID: until the same time as before
still_delayed() { says "$1" "wait=delayed(until=$(clock $UNTIL))"; }

# could_evict: the state file says since when: $SINCE
could_evict() {
	SINCE=$(tr -d ' \n\t' <"$CLUSTER/state/cohort_state" | sed -n 's/.*"couldEvict":{"b":\([0-9]*\).*/\1/p')
	[ -n "$SINCE" ]
}

ctld_clock
lend >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

test_expect_success 'who could evict waits, and all say until when' '
	a=$(submit -A a -N2 -n8) && all_run $a && log_mark && before=$(ctld_now) &&
	b=$(submit -A b -n4) && is_delayed $b && [ $UNTIL -ge $((before + DELAY)) ] &&
	[ $UNTIL -le $(($(ctld_now) + DELAY)) ] && nobody_evicted_for $b &&
	scohort why $b | xargs >why && grep "the reclaimDelay of b gives them time to end" why &&
	grep "No job is evicted for it before $(clock $UNTIL)\." why &&
	grep "could evict others for that waits 5:00 first" why &&
	wait_for 20 "scohort why $b | xargs | grep \"Expected start: .*, after these evictions\"" &&
	scohort why $a | grep "b after a delay of 5:00" &&
	scohort queue b | grep delayed && scohort status --json >status.json &&
	grep "\"reclaimDelay\": *300" status.json
'

test_expect_success 'a change of its priority, a reconfigure and kill -9 do not begin anew' '
	scontrol update job=$b partition=mid && later 100 && pass_now && still_delayed $b &&
	cluster_reconfigure && still_delayed $b &&
	wait_for 10 "grep -q couldEvict $CLUSTER/state/cohort_state" &&
	cluster_kill_ctld && pass_now && still_delayed $b &&
	cluster_restart_ctld && pass_now && still_delayed $b && job_runs $a
'

test_expect_success 'at that second, and not before, its victim goes' '
	log_mark && due_at $UNTIL "job_waits $b" $a && all_run $b && evicted_are $a &&
	[ "$(rule_of $a)" = InCohortReclamation ]
'

test_expect_success 'jobs that ask for the same wait together, and one that comes later waits for itself' '
	use_cohort lend && for i in 1 2 3 4; do a=$(submit -A a -n2) && all_run $a || return 1; done && b1=$(submit -A b -n2) && b2=$(submit -A b -n2) && is_delayed $b1 &&
	still_delayed $b2 && first=$UNTIL && later 100 && b3=$(submit -A b -n1) && is_delayed $b3 &&
	[ $UNTIL -ge $((first + 90)) ] && clock_to $first && all_run $b1 $b2 && [ "$(evicted | wc -w)" = 2 ] && job_waits $b3
'

test_expect_success 'jobs that end in time: no job is evicted, and no borrower takes what they leave' '
	use_cohort lend && a1=$(submit -A a -n6 -N2) && a2=$(submit -A a -n2) && all_run $a1 $a2 &&
	b=$(submit -A b -n4) && is_delayed $b && c=$(submit -A c -n2) && scancel $a2 &&
	says $c wait=order && still_delayed $b && job_waits $c && scancel $a1 &&
	all_run $b $c && [ -z "$(evicted)" ]
'

test_expect_success 'within its queue nobody waits' '
	use_cohort lend && a=$(submit -A a -N1 -n4) && lo=$(submit -A b -p lo -n4) && all_run $a $lo &&
	hi=$(submit -A b -p hi -n4) && all_run $hi && evicted_are $lo
'

# A job of three minutes has ended within the delay, one of ten has not.
test_expect_success 'Expected: only if enough jobs end in time by their limits' '
	use_cohort lend expected=t && a1=$(submit -A a -n4 -t 3) && a2=$(submit -A a -n4 -t 10) &&
	all_run $a1 $a2 && b=$(submit -A b -n4) && is_delayed $b &&
	scontrol update job=$a1 timelimit=10 && pass_now && all_run $b && [ "$(evicted | wc -w)" = 1 ]
'

test_expect_success 'for nodes, too' '
	use_cohort lend && c=$(submit -A c -w n3 -n2) && all_run $c && log_mark && b=$(submit -A b -N1 -w n3 -n4) &&
	wait_for 10 could_evict && due_at $((SINCE + DELAY)) "job_waits $b" $c && evicted_are $c && all_run $b
'

test_expect_success 'whatif and the estimate know it' '
	use_cohort lend && a=$(submit -A a -N2 -n8) && all_run $a && later 5 &&
	scohort whatif -A b -n4 -t 10 | xargs >whatif && grep "It would wait in cluster queue b" whatif &&
	grep "the reclaimDelay of b gives them time to end" whatif && b=$(submit -A b -n4) && is_delayed $b &&
	wait_for 20 "[ \$(date -d \"\$(job_field $b StartTime)\" +%s) -ge $UNTIL ]" &&
	[ "$(started $b)" -le $((UNTIL + 60)) ] && later 200 &&
	sbatch --test-only -A b -n2 -t 10 --wrap true 2>&1 | sed -n "s/.* start at \([^ ]*\) .*/\1/p" >at &&
	at=$(date -d "$(cat at)" +%s) && [ "$at" -ge $UNTIL ] && [ "$at" -le $((UNTIL + 60)) ]
'

test_done
