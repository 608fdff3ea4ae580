# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# cloud.sh - queues and nodes of clusters whose nodes come and go
#
# Used: what lib.sh has.

# one NAME FLAVOR QUOTA [LINE]: a cluster queue
one() {
	cat <<-EOT
		  - name: $1
		    match: [{account: $1}]
		    cohort: org
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: $2, nominalQuota: cpu=$3}]
		${4-}
	EOT
}

# cloud_queues EXTRA: flavors by features: nodes that are always there, of a
# cloud, and dynamic ones, of which the queue "extra" owns so many CPUs
cloud_queues() {
	cat <<-EOT
		visibility: {updateInterval: 1s}
		priority: partition
		flavors:
		  - {name: fixed, features: a100}
		  - {name: cloud, features: rented}
		  - {name: extra, features: extra}
		cohorts: [{name: org}]
		clusterQueues:
	EOT
	one fixed fixed 100
	one owner cloud 8 '    preemption: {reclaimWithinCohort: Any}'
	one borrower cloud 0
	one extra extra "$1"
}

node_state() { sinfo -h -n "$1" -p main -o %T; }

# slurmd_down NODE: it shuts down as it does when it is told to
slurmd_down() { procs proc_alive "slurmd.$1" && procs proc_signal TERM "slurmd.$1"; }
