#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job goes to a flavor that can hold it: features, lists, switches, sizes'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/places.sh"
. "$TESTSUITE/lib/cycles.sh"

# n1, n2 are on one switch, n3, n4 on the other. The flavor "odd" has one node of each.
mkdir -p "$CLUSTER/etc"
printf '%s\n' 'SwitchName=s1 Nodes=n[1-2]' 'SwitchName=s2 Nodes=n[3-4]' \
	'SwitchName=top Switches=s[1-2]' >"$CLUSTER/etc/topology.conf"
{
	quick_scheduler
	echo TopologyPlugin=topology/tree
} >slurm.conf

# Another queue, with nothing of its own
borrower() {
	cat <<-EOF
		  - name: b
		    match: [{account: b}]
		    cohort: org
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: $1, nominalQuota: cpu=0}, {name: $2, nominalQuota: cpu=0}]
	EOF
}

with_borrower() { two "$@" && borrower "$@"; }

# A reconfigure takes features back to those of slurm.conf.
racks() {
	features n[1-2] rack1 && features n3 rack2 && features n4 rack2,big
}

two odd west >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

test_expect_success 'features: AND, OR, parentheses' '
	use_cohort two west east && racks &&
	runs_on n1 -C rack1 && runs_on n3 -C rack2 && runs_on n4 -C "rack2&big" &&
	runs_on n4 -C "(rack1|rack2)&big" && runs_on "n1 n2" -N2 -C "rack1|rack2" &&
	test_must_fail submit -A q -C "rack1&big"
'

test_expect_success 'features with counts: more kinds of nodes than a flavor has' '
	never -N2 -C "[rack1*1&rack2*1]" && never -N2 -C "[rack1*1&big*1]" &&
	runs_on "n3 n4" -N2 -C "[rack2*1&big*1]" && runs_on "n1 n2" -N2 -C "[rack1*2]" &&
	use_cohort two west odd && racks &&
	runs_on "n1 n3" -N2 -C "[rack1*1&rack2*1]"
'

test_expect_success 'one of several for all nodes: the flavor that has two of a kind' '
	use_cohort two odd east && racks &&
	runs_on "n3 n4" -N2 -C "[rack1|rack2]" && runs_on "n1 n3" -N2 -C "rack1|rack2" &&
	runs_on n1 -C "[rack1|rack2]"
'

test_expect_success '--nodelist, --exclude, --contiguous, more nodes than a flavor has' '
	runs_on n4 -w n4 && runs_on "n3 n4" -N2 -w n4 && runs_on n4 -x n1,n3 &&
	runs_on "n3 n4" -N2 -x n1 && runs_on "n3 n4" -N2 --contiguous &&
	never -N2 -w n1,n4 && never -N3 && never -N2 -x n1,n3
'

test_expect_success '--switches: not in the flavor whose nodes are on two' '
	runs_on "n3 n4" -N2 --exclusive --switches=1 &&
	runs_on "n1 n3" -N2 --exclusive
'

test_expect_success '--prefer: in the second flavor while there is quota, else in the first' '
	use_cohort two west east && racks &&
	runs_on n3 --prefer=rack2 &&
	first=$(submit_some 2 -A q -N1 -n4 -C rack2) && all_run $first &&
	runs_on n1 --prefer=rack2
'

test_expect_success 'what no flavor can hold stands in the way of nobody' '
	cluster_clear &&
	n=$(submit -A q -N2 -n8 -w n1,n4 -p main) && runs_on n1 -n4 && job_waits $n
'

# ---- and nobody is evicted in a flavor that can't hold it ----

# borrowers NODE...: a job of b on each; $b1 is that on n1
borrowers() {
	local node ids=
	for node; do
		ids="$ids $(submit -A b -w "$node" -n4)" && eval "b${node#n}=\${ids##* }" || return 1
	done
	all_run $ids && log_mark
}

test_expect_success 'features: evicted is in the flavor that has them' '
	use_cohort with_borrower west east && racks && borrowers n1 n2 n3 n4 &&
	q=$(submit -A q -n4 -C big) && all_run $q &&
	[ "$(running_nodes $q)" = n4 ] && evicted_are $b4
'

test_expect_success 'alternatives: in the flavor that has two of a kind' '
	use_cohort with_borrower west east && racks && features n2 rack2 &&
	borrowers n1 n2 n3 n4 &&
	q=$(submit -A q -N2 -n8 -C "[rack1|rack2]") && all_run $q &&
	[ "$(running_nodes $q | xargs)" = "n3 n4" ] && evicted_are $b3 $b4
'

test_expect_success 'never: nobody is evicted at all' '
	use_cohort with_borrower west east && racks && borrowers n1 n2 n3 n4 &&
	q=$(submit -A q -N2 -n2 -C "[rack1*1&rack2*1]") &&
	wait_for 5 "[ \"\$(reason_wait $q)\" = \"never(nodes)\" ]" &&
	nobody_evicted_for $q
'

# The first flavor is idle, but its nodes have no GPUs; a plan can't know
test_expect_success 'nodes of the first flavor that are too small: evicted is in the second' '
	use_cohort with_borrower east west &&
	b=$(submit_some 2 -A b -N1 -n4 -w n1) && b="$b $(submit -A b -n4 -w n2)" &&
	set -- $b && all_run $1 $3 && log_mark &&
	q=$(submit -A q -n4 --gres=gpu:1 -w n2) && all_run $q && evicted_are $3 &&
	q2=$(submit -A q -n4 --gres=gpu:2) && wait_for 15 "job_runs $q2" && running_nodes $q2 | grep n1
'

# slurmctld stamps a change of partitions with the second
test_expect_success 'a partition is changed: it is asked once more, and not until the second is over' '
	use_cohort with_borrower east west &&
	q=$(submit -A q -n1 --gres=gpu:2 -w n1) && q="$q $(submit -A q -n1 --gres=gpu:2 -w n2)" && all_run $q &&
	q2=$(submit -A q -n1 --gres=gpu:1) && wait_for 10 "[ \"\$(reason_wait $q2)\" = nodes ]" &&
	before=$(main_cycles) && next_second && from=$(now_ms) && scontrol update partition=main maxtime=100 &&
	wait_for 10 "has_grown $before 3 \$(main_cycles)" && next_second &&
	passes=$(($(main_cycles) - before)) && ms=$(($(now_ms) - from)) && echo "$passes passes in $ms ms" &&
	[ $((passes * 1000)) -lt $((ms * 8)) ]
'

test_expect_success 'nodes of the first flavor are drained: evicted is in the second' '
	use_cohort with_borrower east west &&
	b=$(submit_some 2 -A b -N1 -n4 -C a100) && all_run $b && log_mark &&
	scontrol update nodename=n[3-4] state=drain reason=test &&
	q=$(submit -A q -n8 -N2) && all_run $q && evicted_are $b
'

test_expect_success 'all are drained: it waits for nodes, and goes where they come back' '
	use_cohort with_borrower east west &&
	scontrol update nodename=n[1-2] state=drain reason=test &&
	q=$(submit -A q -n4) && wait_for 10 "[ \"\$(reason_wait $q)\" = nodes ]" &&
	scontrol update nodename=n2 state=resume && all_run $q &&
	[ "$(running_nodes $q)" = n2 ] &&
	scontrol update nodename=n[1,3-4] state=resume
'

test_done
