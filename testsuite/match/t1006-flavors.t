#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='flavors: in order of preference, on their own nodes only'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# Two groups would need two resources; here each queue has one group with two flavors.

# two_flavors NAME N_A100 N_PLAIN [LINE...]: a queue with quota for both
two_flavors() {
	local name=$1 a100=$2 plain=$3 line
	shift 3
	cat <<-EOF
		  - name: $name
		    match: [{account: $name}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors:
		          - {name: a100, nominalQuota: "cpu=$a100"}
		          - {name: plain, nominalQuota: "cpu=$plain"}
	EOF
	for line; do
		printf '    %s\n' "$line"
	done
}

one_queue() {
	two_kinds_head
	two_flavors q "$1" "$2"
}

# CPUs in use on the nodes FIRST and SECOND together, by jobs of account q
cpus_on() {
	squeue -h -t R -A "${3-q}" -o '%C %N' |
		awk -v a="$1" -v b="$2" '$2 == a || $2 == b { n += $1 } END { print n + 0 }'
}
on_a100() { cpus_on n1 n2 "$@"; }
on_plain() { cpus_on n3 n4 "$@"; }

one_queue 3 5 >cohort.yaml
quick_scheduler >quick.conf
cluster_up --cohort cohort.yaml --slurm-conf quick.conf

test_expect_success 'the second flavor when the first has no quota left, each on its nodes' '
	submit_some 10 -A q &&
	wait_for 10 "[ \$(usage q) -ge 8 ]" &&
	holds_for 4 "[ \$(on_a100) -eq 3 ] && [ \$(on_plain) -eq 5 ]"
'

test_expect_success 'a place that gets free is taken on the nodes of its flavor' '
	first=$(squeue -h -t R -A q -w n[1-2] -o %i | head -n 1) &&
	scancel $first &&
	wait_for 10 "[ \$(squeue -h -t PD -A q | wc -l) -eq 1 ] && [ \$(usage q) -eq 8 ]" &&
	holds_for 2 "[ \$(on_a100) -eq 3 ] && [ \$(on_plain) -eq 5 ]"
'

test_expect_success 'a --constraint that only the second flavor satisfies' '
	cluster_clear &&
	plain=$(submit_some 5 -A q --constraint=cpu) &&
	all_run $plain &&
	[ "$(on_plain)" -eq 5 ] &&
	more=$(submit -A q --constraint=cpu) &&
	holds_for 3 "job_waits $more" &&
	says $more "wait=quota(cpu@plain),need=1,free=0" &&
	any=$(submit -A q) &&
	all_run $any &&
	[ "$(on_a100)" -eq 1 ]
'

test_expect_success 'a --constraint that only the first flavor satisfies' '
	cluster_clear &&
	a100=$(submit_some 3 -A q --constraint=a100) &&
	all_run $a100 &&
	[ "$(on_a100)" -eq 3 ] &&
	more=$(submit -A q --constraint=a100) &&
	holds_for 3 "job_waits $more" &&
	says $more "wait=quota(cpu@a100),need=1,free=0" &&
	any=$(submit -A q) &&
	all_run $any &&
	[ "$(on_plain)" -eq 1 ]
'

test_expect_success '--nodelist and --exclude choose the flavor' '
	cluster_clear &&
	listed=$(submit -A q -w n4) &&
	excluded=$(submit -A q -x n1,n2,n4) &&
	all_run $listed $excluded &&
	[ "$(running_nodes $listed)" = n4 ] &&
	[ "$(running_nodes $excluded)" = n3 ]
'

test_expect_success 'all nodes of a job are of one flavor' '
	cluster_clear &&
	one=$(submit -A q -n1) &&
	all_run $one &&
	wide=$(submit -A q -N2 -n4) &&
	all_run $wide &&
	[ "$(running_nodes $one)" = n1 ] &&
	[ "$(running_nodes $wide | xargs)" = "n3 n4" ]
'

test_expect_success 'quota in the first flavor, but nodes only in the second' '
	cluster_clear &&
	full=$(submit -A outside -N2 -w n[1-2] --exclusive) &&
	all_run $full &&
	q=$(submit_some 6 -A q) &&
	wait_for 15 "[ \$(usage q) -ge 5 ]" &&
	holds_for 3 "[ \$(usage q) -eq 5 ] && [ \$(on_plain) -eq 5 ]" &&
	scancel $full &&
	wait_for 10 "[ \$(on_a100) -eq 1 ]"
'

# b lends a100; a has 1 of its own there and plain besides
borrow_or_next() {
	two_kinds_head
	two_flavors a 1 4 'cohort: org' "flavorFungibility: {whenCanBorrow: $1}"
	two_flavors b 4 0 'cohort: org'
}

# The job before it gets no nodes, which ends the main pass for the partition
# in 22.05; backfill could have it on n1 later, or on n3 now
test_expect_success 'backfill, too: a flavor where it starts now before one where it starts later' '
	use_cohort one_queue 16 16 &&
	outside=$(submit -w "n[1-2]" -N2 -n8 -t 60) && all_run $outside &&
	first=$(submit -A q -C a100 -N2 -n8 -t 60) && wait_for 10 "in_line $first" &&
	job=$(submit -A q -N1 -n4 -t 5) && all_run $job &&
	job_waits $first && [ "$(on_plain)" -eq 4 ]
'

test_expect_success 'MayStopSearch: borrows in the first flavor before it tries the second' '
	use_cohort borrow_or_next MayStopSearch &&
	a=$(submit_some 5 -A a) &&
	all_run $a &&
	[ "$(on_a100 a)" -eq 5 ]
'

test_expect_success 'TryNextFlavor: its own quota in the second flavor first' '
	use_cohort borrow_or_next TryNextFlavor &&
	a=$(submit_some 5 -A a) &&
	all_run $a &&
	[ "$(on_a100 a)" -eq 1 ] &&
	[ "$(on_plain a)" -eq 4 ] &&
	more=$(submit -A a) &&
	all_run $more &&
	[ "$(on_a100 a)" -eq 2 ]
'

reclaim_by_flavor() {
	two_kinds_head
	two_flavors a 1 1 'cohort: org'
	two_flavors b 3 3 'cohort: org' 'preemption: {reclaimWithinCohort: Any}'
}

test_expect_success 'reclaim takes from the flavor that is asked for, from no other' '
	use_cohort reclaim_by_flavor &&
	a=$(submit_some 8 -A a) &&
	all_run $a &&
	b=$(submit_some 2 -A b --constraint=cpu) &&
	all_run $b &&
	wait_for 5 "[ \$(evicted | wc -w) -eq 2 ]" &&
	holds_for 2 "[ \$(evicted | wc -w) -eq 2 ] && [ \$(on_a100 a) -eq 4 ]" &&
	[ "$(on_plain a)" -eq 2 ] &&
	[ "$(on_plain b)" -eq 2 ]
'

test_done
