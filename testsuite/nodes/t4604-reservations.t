#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='reservations are charged like all others, and no other job uses their nodes'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# b owns 8 CPUs, a only borrows; two nodes are west, two are east
config() {
	cat <<-EOF
		visibility: {updateInterval: 1s}
		priority: partition
		flavors: [{name: any}]
	EOF
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org
	queue b "${1-8}" cohort=org reclaim=Any
}

by_flavor() {
	cat <<-EOF
		visibility: {updateInterval: 1s}
		priority: partition
		flavors: [{name: west, nodes: "n[1-2]"}, {name: east, nodes: "n[3-4]"}]
		cohorts: [{name: org}]
		clusterQueues:
	EOF
	local name
	for name in a b; do
		cat <<-EOF
			  - name: $name
			    match: [{account: $name}]
			    cohort: org
			    resourceGroups:
			      - coveredResources: [cpu]
			        flavors:
			          - {name: west, nominalQuota: cpu=$([ $name = a ] && echo 0 || echo 8)}
			          - {name: east, nominalQuota: cpu=$([ $name = a ] && echo 0 || echo 8)}
			    preemption: {reclaimWithinCohort: Any}
		EOF
	done
}

# reserve NAME WORDS...: from now on
reserve() {
	scontrol create reservation ReservationName="$1" StartTime=now Duration=600 \
		Users=root "${@:2}" >/dev/null
}

# No job and no reservation is left
clear_all() {
	cluster_clear || return 1
	scontrol -o show res | sed -n 's/^ReservationName=\([^ ]*\) .*/\1/p' |
		xargs -r -n 1 timeout 10 scontrol delete reservation
	log_mark
}

config >cohort.yaml
quick_scheduler >quick.conf
cluster_up --cohort cohort.yaml --slurm-conf quick.conf

test_expect_success 'a job in a reservation is charged, and waits for quota like others' '
	reserve r Nodes=n[1-2] &&
	r=$(submit_some 2 -A b -n4 -N1 --reservation=r) && all_run $r &&
	[ "$(running_nodes ${r% *}) $(running_nodes ${r#* })" = "n1 n2" ] &&
	w=$(submit -A b -n1 --reservation=r) && out=$(submit -A a -n1) &&
	wait_for 10 "[ \"\$(reason_wait $w)\" = \"quota(cpu@any)\" ]" &&
	wait_for 10 "[ \"\$(reason_wait $out)\" = \"quota(cpu@any)\" ]" && job_reason $w
'

test_expect_success 'when quota is free it starts there' '
	scancel ${r% *} && all_run $w && [ "$(running_nodes $w)" = n1 ]
'

test_expect_success 'who borrows in a reservation gives quota back, and the owner runs on other nodes' '
	clear_all && reserve r Nodes=n[1-2] &&
	a=$(submit_some 2 -A a -n4 -N1 --reservation=r) && all_run $a && log_mark &&
	b=$(submit -A b -n4) && all_run $b &&
	[ "$(running_nodes $b)" = n3 ] && [ "$(evicted | wc -w)" -eq 1 ]
'

# n3, n4 are taken: only the nodes of the reservation would get free
test_expect_success 'but nobody is evicted for nodes of a reservation that one may not use' '
	clear_all && reserve r Nodes=n[1-2] &&
	full=$(submit_some 2 -A outside -n4 -N1) && all_run $full &&
	a=$(submit_some 2 -A a -n4 -N1 --reservation=r) && all_run $a && log_mark &&
	b=$(submit -A b -n4) && wait_for 10 "[ \"\$(reason_wait $b)\" = nodes ]" &&
	nobody_evicted_for $b && job_runs $a
'

test_expect_success 'the reservation ends: its nodes are like all others, and the owner gets his' '
	scontrol delete reservation r 2>err || grep "in use" err &&
	scancel ${full% *} && all_run $b && [ "$(evicted | wc -w)" -eq 1 ]
'

test_expect_success 'it begins while a borrower is on its nodes: he gives way to the owner in it' '
	clear_all &&
	a=$(submit -A a -n4 -w n1) && all_run $a && log_mark &&
	full=$(submit -A outside -n12) && all_run $full &&
	reserve r Nodes=n1 Flags=IGNORE_JOBS &&
	b=$(submit -A b -n4 --reservation=r) && all_run $b &&
	[ "$(running_nodes $b)" = n1 ] && evicted_are $a
'

# From 26.05 on it draws those that end before it does
test_expect_success 'a magnetic one draws jobs that do not ask for it, and they are charged once' '
	clear_all && reserve r Nodes=n4 Flags=MAGNETIC &&
	b=$(submit_some 2 -A b -n4 -N1 -t 5) && all_run $b &&
	for id in $b; do running_nodes $id; done | sort | xargs >nodes && cat nodes &&
	[ "$(cat nodes)" = "n1 n4" ] &&
	more=$(submit -A b -n1) && says $more "wait=quota(cpu@any),need=1,free=0"
'

test_expect_success 'a magnetic one whose nodes are taken: the job starts elsewhere, nobody is evicted' '
	clear_all && reserve r Nodes=n4 Flags=MAGNETIC &&
	a=$(submit -A a -n4 --reservation=r) && all_run $a && log_mark &&
	b=$(submit -A b -n4 -t 5) && all_run $b && [ "$(running_nodes $b)" != n4 ] &&
	evicted_are
'

test_expect_success '--prefer: the same, nobody is evicted for a wish' '
	clear_all && use_cohort config 16 &&
	a=$(submit_some 2 -A a -N1 -n4 -C cpu) && all_run $a && log_mark &&
	b=$(submit -A b -n4 --prefer=cpu) && all_run $b && [ "$(running_nodes $b)" = n1 ] &&
	evicted_are && use_cohort config
'

test_expect_success 'FLEX: also on nodes outside of it' '
	clear_all && reserve r Nodes=n1 Flags=FLEX &&
	b=$(submit -A b -N2 -n8 --reservation=r) && all_run $b &&
	running_nodes $b | grep -x n1 && [ "$(running_nodes $b | wc -l)" -eq 2 ]
'

test_expect_success 'MAINT: nobody is evicted for its nodes, the job waits for nodes' '
	clear_all &&
	full=$(submit -A outside -n12 -w n[2-4]) && all_run $full &&
	a=$(submit -A a -n4 -w n1) && all_run $a && log_mark &&
	reserve r Nodes=n1 Flags=MAINT,IGNORE_JOBS &&
	b=$(submit -A b -n4) && wait_for 10 "[ \"\$(reason_wait $b)\" = nodes ]" &&
	nobody_evicted_for $b &&
	scontrol delete reservation r && all_run $b && evicted_are $a
'

# Slurm holds back those of the one below, with a reason of its own
test_expect_success 'OVERLAP: the nodes are those of the jobs in the upper one' '
	clear_all && reserve r Nodes=n1 && reserve s Nodes=n[1-2] Flags=OVERLAP &&
	a=$(submit -A a -n4 -w n1 --reservation=s) && all_run $a && log_mark &&
	b=$(submit -A b -n4 --reservation=r) && nobody_evicted_for $b &&
	c=$(submit -A b -n4 --reservation=s) && all_run $c && [ "$(running_nodes $c)" = n2 ] &&
	evicted_are
'

# Not root: from Slurm 23.11 on SlurmUser and root may use them all
test_expect_success 'one who may not use it is refused by sbatch' '
	clear_all && reserve r Nodes=n1 &&
	test_must_fail as_nobody sbatch --chdir=/ -o /dev/null -A b -n1 --reservation=r --wrap true 2>err &&
	grep -i "reservation" err
'

test_expect_success 'the flavor is that of the nodes of the reservation' '
	clear_all && use_cohort by_flavor && reserve r Nodes=n4 &&
	a=$(submit -A a -n4 -w n4 --reservation=r) && all_run $a && log_mark &&
	b=$(submit -A b -n4 --reservation=r) && all_run $b &&
	[ "$(running_nodes $b)" = n4 ] && evicted_are $a &&
	test_must_fail submit -A b -N2 --reservation=r
'

test_done
