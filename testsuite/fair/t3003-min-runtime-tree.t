#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the min-runtime that protects: of queues, of cohorts, of the branch that outsiders see'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"

{ three_tiers; quick_scheduler; } >tiers.conf

#	org --+-- ml --+-- v
#	      |        +-- s
#	      +-- bio --- b
#	      +-- c
# tree SITE ORG ML V [BIO B]: the min-runtime of each, "-" where there is none.
# Everybody owns 1 and takes it back from anybody; the first word of a text says
# which of the two min-runtimes.
tree() {
	local key=rmin word names=(site org ml v bio b) i
	local site='' org='' ml='' v='' bio='' b=''
	[ "$1" != pmin ] || { key=pmin; shift; }
	for ((i = 0; i < 6; i++)); do
		word=${1--}
		[ $# -eq 0 ] || shift
		[ "$word" = - ] || printf -v "${names[i]}" '%s' "$word"
	done
	quota_head
	case $key in
	rmin) echo "minRuntime: {resolve: $RESOLVE${site:+, reclaim: $site}}" ;;
	pmin) echo "minRuntime: {resolve: $RESOLVE${site:+, preempt: $site}}" ;;
	esac
	cohorts "org:-${org:+:$key=$org}" "ml:org${ml:+:$key=$ml}" "bio:org${bio:+:$key=$bio}"
	echo 'clusterQueues:'
	queue v 1 cohort=ml reclaim=Any within=LowerPriority ${v:+"$key=$v"}
	queue s 1 cohort=ml reclaim=Any within=LowerPriority
	queue b 1 cohort=bio reclaim=Any within=LowerPriority ${b:+"$key=$b"}
	queue c 1 cohort=org reclaim=Any within=LowerPriority
}
RESOLVE=lca

tree - 30m 20m 10m >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf tiers.conf

# victim QUEUE: one job of it holds all there is
victim() {
	victim=$(submit -A "$1" -p lo -n4) && all_run $victim && start=$(started $victim)
}

# owes QUEUE... MINUTES: a job of each of these queues waits that long for it
owes() {
	local name id
	for name in "${@:1:$#-1}"; do
		id=$(submit -A $name -p mid) &&
			protected $id $((start + 60 * ${!#})) && job_runs $victim || return 1
	done
}

# gives QUEUE: to this one it owes nothing
gives() {
	local id
	id=$(submit -A "$1" -p mid) && all_run $id && evicted_are $victim
}

test_expect_success 'lca: neighbours see the value of the queue, outsiders that of the branch' '
	victim v &&
	owes s 10 &&
	owes b c 20
'

test_expect_success 'a branch without value: the next one above it' '
	use_cohort tree - 30m - 10m &&
	victim v &&
	owes s 10 &&
	owes b c 30
'

test_expect_success 'no value in the queue: the first one above it, for neighbours too' '
	use_cohort tree - 30m 20m - &&
	victim v &&
	owes s b c 20
'

test_expect_success 'no value anywhere: that of the site' '
	use_cohort tree 40m &&
	victim v &&
	owes s b c 40
'

test_expect_success 'in another branch: its own value is for nobody but its neighbours' '
	use_cohort tree - 30m 20m 10m - 5m &&
	victim b &&
	owes v s c 30
'

test_expect_success 'directly below the common cohort: its own, or the one above' '
	use_cohort tree - 30m 20m 10m - 5m &&
	victim c &&
	owes v s b 30
'

test_expect_success '0 is a value: the search ends there' '
	use_cohort tree 40m 30m 20m 0 &&
	victim v &&
	owes b 20 &&
	gives s
'

test_expect_success 'also in a cohort' '
	use_cohort tree 40m 30m 0 10m &&
	victim v &&
	owes s 10 &&
	gives c
'

RESOLVE=queue

test_expect_success 'resolve: queue: everybody sees the value of the queue' '
	use_cohort tree 40m 30m 20m 10m &&
	victim v &&
	owes s b c 10
'

test_expect_success 'resolve: queue: or the first one above it' '
	use_cohort tree 40m 30m - - - 0 &&
	victim v &&
	owes s b c 30 &&
	use_cohort tree 40m 30m - - - 0 &&
	victim b &&
	gives c
'

# own MINUTES: a job of higher priority of the same queue waits that long
own() {
	local id
	id=$(submit -A v -p hi) && protected $id $((start + 60 * $1)) && job_runs $victim
}

test_expect_success 'preemptMinRuntime: from the queue upwards, whatever resolve says' '
	for RESOLVE in lca queue; do
		use_cohort tree pmin 40m 30m 20m 10m && victim v && own 10 &&
		use_cohort tree pmin 40m 30m - - && victim v && own 30 &&
		use_cohort tree pmin 40m && victim v && own 40 || return 1
	done
'

test_expect_success 'preemptMinRuntime: 0 is a value' '
	use_cohort tree pmin 40m 30m 0 - &&
	victim v &&
	hi=$(submit -A v -p hi) && all_run $hi && evicted_are $victim
'

test_done
