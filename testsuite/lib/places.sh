# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# places.sh - which nodes a job of the queue q gets, by its options
#
# Used: what lib.sh, quota.sh and reason.sh have.

# two FIRST SECOND [LINE...]: a queue q with 8 CPUs in each of the two flavors
two() {
	local line
	cat <<-EOF
		visibility: {updateInterval: 1s}
		priority: partition
		flavors:
		  - {name: odd, nodes: "n[1,3]"}
		  - {name: even, nodes: "n[2,4]"}
		  - {name: west, nodes: "n[1-2]"}
		  - {name: east, nodes: "n[3-4]"}
		cohorts: [{name: org}]
		clusterQueues:
		  - name: q
		    match: [{account: q}]
		    cohort: org
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: $1, nominalQuota: cpu=8}, {name: $2, nominalQuota: cpu=8}]
		    preemption: {reclaimWithinCohort: Any}
	EOF
	shift 2
	for line; do
		echo "$line"
	done
}

# features NODES LIST: they have these, and no others
features() { scontrol update nodename="$1" availablefeatures="$2" activefeatures="$2"; }

# runs_on NODES OPTIONS...: a job with these starts there
runs_on() {
	local id nodes=$1 got='' rc
	shift
	id=$(submit -A q "$@") && all_run "$id" && got=$(running_nodes "$id" | xargs) && [ "$got" = "$nodes" ]
	rc=$?
	echo "$got"
	scancel "$id" && wait_for 10 "job_gone $id"
	return $rc
}

# never OPTIONS...: no flavor has the nodes for it, and it says so
never() {
	local id
	id=$(submit -A q "$@") && wait_for 10 "[ \"\$(reason_wait $id)\" = 'never(nodes)' ]" || {
		job_reason "$id"
		return 1
	}
	holds_for 1 "job_waits $id" && scancel "$id"
}
