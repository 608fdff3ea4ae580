#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a heterogeneous job whose start is taken back holds up no other'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# of FLAVOR CPUS GPUS [CPUS GPUS]: its quota, and what may be borrowed of it
of() {
	printf '{name: %s, nominalQuota: "cpu=%s,gres/gpu=%s"' "$1" "$2" "$3"
	[ -z "${4-}" ] || printf ', borrowingLimit: "cpu=%s,gres/gpu=%s"' "$4" "$5"
	printf '}'
}

# group FLAVOR [FLAVOR]: as of() has them
group() {
	printf '    resourceGroups: [{coveredResources: [cpu, gres/gpu], flavors: [%s]}]\n' \
		"$1${2:+, $2}"
}

# team NAME COHORT FLAVOR FLAVOR [RULES]
team() {
	printf '  - name: %s\n    cohort: %s\n    match: [{account: %s}]\n' "$1" "$2" "$1"
	group "$3" "$4"
	printf '    preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any%s}\n' \
		"${5:+, $5}"
}

# c borrows from all, b takes its own back
teams() {
	cat <<-'END'
		visibility: {updateInterval: 1s}
		priority: partition
		flavors: [{name: g, features: a100}, {name: c, features: cpu}]
		cohorts:
	END
	printf '  - name: org\n' && group "$(of c 1 0)"
	printf '  - name: sub\n    parent: org\nclusterQueues:\n'
	team a org "$(of g 2 1 3 1)" "$(of c 2 0 3 0)"
	team b org "$(of g 2 1)" "$(of c 2 0)" 'borrowWithinCohort: {policy: LowerPriority}'
	team c sub "$(of g 2 1 4 2)" "$(of c 1 0 4 0)"
	team d sub "$(of g 1 1)" "$(of c 1 0)"
}

# Ids of all that run
running() { squeue -h -t R -o %i | sort; }

{ quick_scheduler; three_tiers; } >conf
teams >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf conf

# The one that wants all nodes lets the others come together
test_expect_success 'with nodes idle somebody starts' '
	r=$(submit -A c -p hi -w n2 -n1) && all_run $r &&
	all=$(submit -A out -p hi -N4 -n16) &&
	sbatch -o /dev/null -A a -p hi -N2 -n4 : -A c -p hi -n1 --wrap "exec sleep 1000" &&
	submit -A b -p lo --exclusive -N1 &&
	submit -A b -p lo -n2 -a 0-1 &&
	scancel $all &&
	wait_for 30 "[ \"\$(running)\" != $r ]"
'

# ended ID...: none of them is on a node any more; the next one may be there already
ended() { ! squeue -h -t R,CG -o %i | grep -qxF "$(printf '%s\n' "$@")"; }

test_expect_success 'and whenever one has ended the next ones do, until all had their turn' '
	for i in 1 2 3 4 5 6; do
		wait_for 30 "[ \"\$(running)\" != $r ]" || return 1
		[ -n "$(squeue -h -t PD)" ] || break
		turn=$(running | grep -vx $r | xargs) &&
		scancel $(printf "%s\n" $turn | sed "s/+.*//" | sort -u) &&
		wait_for 30 "ended $turn" || return 1
	done &&
	[ -z "$(squeue -h -t PD)" ]
'

test_done
