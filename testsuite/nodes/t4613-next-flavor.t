#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='quota in one flavor and no nodes there: the job takes back quota in the next one'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# n1 and n2 are of flavor a100, n3 and n4 of flavor plain: 8 CPUs each
two_flavors() {
	two_kinds_head
	cat <<-EOF
		  - name: owner
		    cohort: org
		    match: [{account: owner}]
		    preemption: {reclaimWithinCohort: $1}
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors:
		          - {name: a100, nominalQuota: "cpu=8"}
		          - {name: plain, nominalQuota: "cpu=8"}
		  - name: guest
		    cohort: org
		    match: [{account: guest}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: plain, nominalQuota: "cpu=0"}]
	EOF
}

two_flavors Any >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# on_nodes ID LIST: as squeue shows it
on_nodes() { [ "$(squeue -h -j "$1" -o %N)" = "$2" ]; }

# Jobs outside all queues have the nodes of a100, of whose quota nothing is used.
take_a100() {
	outside=$(submit -A nobody -N2 -n2 --exclusive -w n[1-2]) && all_run $outside
}

test_expect_success 'it reclaims in the next flavor, and starts there' '
	take_a100 && log_mark && guest=$(submit -A guest -N2 -n8) && all_run $guest &&
	job=$(submit -A owner -N2 -n8) && all_run $job && evicted_are $guest &&
	on_nodes $job "n[3-4]"
'

test_expect_success 'one that has no nodes there either evicts nobody, and waits for those of any flavor' '
	cluster_clear && take_a100 && log_mark && guest=$(submit -A guest -N1 -n2 -w n3) && all_run $guest &&
	other=$(submit -A nobody -N1 -n4 --exclusive -w n4) && all_run $other &&
	job=$(submit -A owner -N2 -n8) && says $job "wait=nodes," && nobody_evicted_for $job &&
	scancel $outside && all_run $job && on_nodes $job "n[1-2]" && evicted_are
'

test_expect_success 'the next job evicts nobody in vain, and takes nodes of the first flavor when they are released' '
	cluster_clear && take_a100 && log_mark &&
	guest=$(submit -A guest -p main -N1 -n4 -w n3) && all_run $guest &&
	hold=$(submit -A nobody -N1 -n4 -w n4) && all_run $hold &&
	job=$(submit -A owner -N1 -n4) && all_run $job && evicted_are $guest && on_nodes $job n3 &&
	next=$(submit -A owner -N1 -n4) && says $next "wait=nodes," && scancel $outside && all_run $next &&
	(on_nodes $next n1 || on_nodes $next n2)
'

test_expect_success 'it may not reclaim: it waits for nodes' '
	use_cohort two_flavors Never && take_a100 && guest=$(submit -A guest -N2 -n8) && all_run $guest &&
	job=$(submit -A owner -N2 -n8) && says $job "wait=nodes," && nobody_evicted_for $job &&
	scancel $outside && all_run $job
'

test_done
