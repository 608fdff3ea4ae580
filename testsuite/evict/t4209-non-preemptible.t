#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that cannot be preempted: by rule and by word, capped by nominal quota'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

fixed=cohort:preemptibility=non-preemptible
free=cohort:preemptibility=preemptible

# site NOMINAL [SECTION]: a owns so much and lends and borrows, b the rest of 8; users
# of a may choose, and jobs of the partition hi can't be preempted. SECTION: instead
by_word_and_rule='byUser: true, match: [{partition: hi}]'
site() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a "$1" cohort=org reclaim=Any within=LowerPriority \
		"nonpre=${2-$by_word_and_rule}"
	queue b $((8 - $1)) cohort=org reclaim=Any
}

{ three_tiers; quick_scheduler; } >tiers.conf
site 4 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

# np ARGS...: a job of a that says so
np() { submit -A a --comment="$fixed" "$@"; }

# explains ID TEXT: soon, "." for an apostrophe
explains() {
	wait_for 10 "COLUMNS=10000 scohort why $1 2>&1 | grep -- \"$2\" >/dev/null" || {
		COLUMNS=10000 scohort why "$1"
		return 1
	}
}

# fixed_metric NAME: of a
fixed_metric() { scohort metrics | sed -n "s/^slurm_cohort_$1{.*\"a\".*} //p"; }

# fixed_is N: so much of a is used by jobs that can't be preempted
fixed_is() {
	wait_for 10 "[ \"\$(published 'queue(\"a\")[\"quota\"][0][\"nonPreemptible\"]')\" = $1 ]"
}

# is_saved ID: the state file has it. From 25.05 on a reconfigure may come before
# that (doc/limits.md).
is_saved() {
	wait_for 5 "grep -E '\"id\" *: *$1\\b' $CLUSTER/state/cohort_state >/dev/null"
}

test_expect_success 'evicted is the other one, whatever started first' '
	stays=$(np -n4) && goes=$(submit -A a -n4) && all_run $stays $goes && log_mark &&
	b=$(submit -A b -n4) && all_run $b &&
	evicted_are $goes && job_runs $stays
'

test_expect_success 'the cap is nominal quota: what is above it waits and says why' '
	log_mark && more=$(np -n1) &&
	says $more "wait=nonpreemptible(cpu@any),cap=4,used=4,need=1," &&
	never=$(np -n5) && says $never "wait=never(max=4),need=5_cpu@any" &&
	nobody_evicted_for $more
'

test_expect_success 'not for nodes either' '
	cluster_clear && log_mark &&
	stays=$(np -N1 -w n1 -n3) && all_run $stays &&
	b=$(submit -A b -N1 -w n1 -n4) && wait_for 10 "[ \"\$(reason_wait $b)\" = nodes ]" &&
	nobody_evicted_for $b && job_runs $stays && scancel $b &&
	goes=$(submit -A a -N1 -w n2 -n3) && all_run $goes &&
	c=$(submit -A b -N1 -w n2 -n4) && all_run $c && evicted_are $goes
'

test_expect_success 'by the rule of the queue, and not against the word of the user' '
	cluster_clear && log_mark &&
	stays=$(submit -A a -p hi -n4) && all_run $stays &&
	goes=$(submit -A a -p hi --comment="x $free" -n4) && all_run $goes &&
	b=$(submit -A b -n4) && all_run $b && evicted_are $goes && job_runs $stays
'

test_expect_success 'nor does a higher priority of its own queue take it' '
	cluster_clear && log_mark &&
	stays=$(np -p lo -n4) && fills=$(submit -A b -n4) && all_run $stays $fills &&
	high=$(submit -A a -p mid -n4) &&
	wait_for 10 "[ \"\$(reason_wait $high)\" = \"quota(cpu@any)\" ]" &&
	nobody_evicted_for $high
'

test_expect_success 'an end makes room under the cap' '
	cluster_clear && first=$(np -n3) && all_run $first && second=$(np -n3) &&
	says $second "wait=nonpreemptible(cpu@any),cap=4,used=3,need=3," &&
	scancel $first && all_run $second
'

test_expect_success 'status, why and metrics tell' '
	cluster_clear && stays=$(np -n3) && other=$(submit -A a -n2) && all_run $stays $other &&
	more=$(np -n2) && says $more "wait=nonpreemptible(cpu@any),cap=4,used=3,need=2," &&
	status_soon a used,fixed,fixedcap "5 3 4" &&
	scohort status | grep FIXED >/dev/null &&
	wait_for 10 "[ \"\$(fixed_metric nonpreemptible)\" = 3 ]" &&
	wait_for 10 "[ \"\$(fixed_metric nonpreemptible_cap)\" = 4 ]" &&
	explains $stays "No rule can preempt it" &&
	explains $stays "says cohort:preemptibility=non-preemptible. a lets users choose, so that decides" &&
	COLUMNS=10000 scohort whatif -A a -n1 --comment="$fixed" >out && grep "Once it runs it can.t be preempted" out &&
	COLUMNS=10000 scohort whatif -A a -n1 >out && ! grep "be preempted" out &&
	explains $more "of flavor any it needs 2 cpu, the limit for all of them together is 4, and they use 3" &&
	explains $more "Jobs that can.t be preempted use 3 of it; their limit is 4" &&
	explains $other "no other queue can evict it\|Jobs of these other queues can evict it" &&
	typo=$(submit -A a -n1 --comment=cohort:preemptibility=never) &&
	explains $typo "the valid words are preemptible and non-preemptible" &&
	none=$(submit -A b -n1 --comment="$fixed") && explains $none "b does not let users choose"
'


test_expect_success 'of an elastic array as many tasks as it needs' '
	cluster_clear && log_mark &&
	arr=$(submit -A a --array=0-3 -N1 -n2 --comment="$fixed,cohort:min-available=2") &&
	wait_for 10 "tasks_run $arr 4" && fixed_is 4 &&
	b=$(submit -A b -n4) && all_run $b && tasks_run $arr 2 && fixed_is 4 &&
	cluster_restart_ctld && fixed_is 4 && tasks_run $arr 2
'

test_expect_success 'it stays so over restart, and when its owner wants all' '
	cluster_clear && stays=$(np -n4) && goes=$(submit -A a -n2) && all_run $stays $goes &&
	cluster_restart_ctld && log_mark &&
	b=$(submit -A b -n4) && all_run $b && evicted_are $goes && job_runs $stays
'

test_expect_success 'a cut quota evicts nobody, and refuses more' '
	cluster_clear && stays=$(np -n4) && all_run $stays && is_saved $stays &&
	site 2 >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure && log_mark &&
	b=$(submit -A b -n6) && more=$(np -n1) &&
	says $more "wait=nonpreemptible(cpu@any),cap=2,used=4,need=1," &&
	says $b "wait=protected(nonpreemptible)" &&
	nobody_evicted_for $b && job_runs $stays &&
	scancel $stays && all_run $b $more
'

test_expect_success 'a word that changes counts at once, as far as the cap allows' '
	use_cohort site 4 && log_mark &&
	was=$(np -n4) && all_run $was &&
	scontrol update job=$was Comment="$free" && big=$(submit -A a -p hi -n2) &&
	fills=$(submit -A b -n2) && all_run $big $fills && job_runs $was &&
	b=$(submit -A b -n2) && all_run $b && evicted_are $was
'

test_expect_success 'a running job becomes one only below the cap, also when rules change' '
	use_cohort site 4 "byUser: false" && log_mark &&
	a1=$(submit -A a -p lo -n3) && a2=$(submit -A a -p mid -n3) && all_run $a1 $a2 &&
	site 4 "match: [{partition: \"*\"}]" >"$CLUSTER/etc/cohort.yaml" &&
	cluster_reconfigure && cluster_restart_ctld &&
	fixed_is 3 &&
	log_mark && b=$(submit -A b -n4) && all_run $b &&
	{ job_runs $a1 || job_runs $a2; }
'

draining() { site 4 | sed '/^  - name: a$/a\    stopPolicy: HoldAndDrain'; }

test_expect_success 'stopPolicy HoldAndDrain ends it, and it has to pass the limit anew' '
	use_cohort site 4 && one=$(np -n3) && all_run $one && other=$(submit -A b -n4) && all_run $other && is_saved $one &&
	draining >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 20 "! job_runs $one" && wait_for 10 "[ \"\$(reason_wait $one)\" = \"held(cq)\" ]" && job_runs $other &&
	more=$(np -p hi -n2) && site 4 >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	all_run $more && says $one "wait=nonpreemptible(cpu@any),cap=4,used=2,need=3,"
'

test_expect_success 'check: partitions that nobody has, and what selects no job' '
	site 4 "match: [{partition: nowhere}]" >wrong.yaml && ! scohort check wrong.yaml >out 2>&1 && cat out &&
	grep "^wrong.yaml:[0-9]*: clusterQueues.0..nonPreemptible.match.0..partition: .nowhere. is no partition of this cluster" out &&
	site 4 "match: [{partition: \"no*\"}]" >wrong.yaml && scohort check wrong.yaml >out 2>&1 && cat out &&
	grep "^wrong.yaml:[0-9]*: warning: clusterQueues.0..nonPreemptible.match.0.: no job can match" out &&
	site 4 "byUser: false" >wrong.yaml && scohort check wrong.yaml >out 2>&1 && cat out &&
	grep "^wrong.yaml:[0-9]*: warning: clusterQueues.0..nonPreemptible: selects no jobs" out
'

test_expect_success 'where users have no say the word does nothing' '
	use_cohort site 4 "priority: 100" && log_mark &&
	goes=$(np -p mid -n8) && all_run $goes &&
	explains $goes "a does not let users choose" &&
	b=$(submit -A b -n4) && all_run $b && evicted_are $goes
'

test_done
