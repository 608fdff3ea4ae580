#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='node ranges: as many nodes as quota allows, at least the minimum'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

quick_scheduler >quick.conf
{
	quota_head
	echo 'cohorts: [{name: org}]'
	echo 'clusterQueues:'
	queue cpus 8
	queue nodes 3 resource=node
	queue owner 3 resource=node cohort=org reclaim=Any
	queue guest 0 resource=node cohort=org
	queue gpus 3 resource=gres/gpu
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf quick.conf

# nodes_of ID: how many it has
nodes_of() { squeue -h -j "$1" -t R -o %D; }

# gets NODES ACCOUNT RANGE [OPTIONS...]: a job of whole nodes runs on so many;
# with options: as they say
gets() {
	local n=$1 account=$2 range=$3 id
	shift 3
	[ $# -gt 0 ] || set -- --exclusive
	id=$(submit -A "$account" -N"$range" "$@") && all_run "$id" &&
		[ "$(nodes_of "$id")" -eq "$n" ] || return 1
	scancel "$id"
	wait_for 10 '[ -z "$(squeue -h)" ]'
}

test_expect_success 'outside all queues the whole range' '
	gets 4 nobody 1-4
'

test_expect_success 'by nodes and by what they have' '
	gets 3 nodes 1-4 && gets 2 cpus 1-4 && gets 2 nodes 1-2
'

test_expect_success 'by the GPUs of each node, asked for or with the whole node' '
	gets 2 gpus 1-2 --gpus-per-node=1 && gets 1 gpus 1-2 --gpus-per-node=2 &&
	gets 1 gpus 1-2 -p gpu --exclusive && gets 2 gpus 1-3 --gpus-per-node=1 &&
	never=$(submit -A gpus -N2-3 --gpus-per-node=2) &&
	wait_for 10 "[ \"\$(reason_wait $never)\" = \"never(max=3)\" ]" && scancel $never
'

test_expect_success 'what others have counts, and the minimum holds' '
	one=$(submit -A nodes -N1 -n1) && all_run $one &&
	some=$(submit -A nodes -N1-4 --exclusive) && all_run $some &&
	[ $(nodes_of $some) -eq 2 ] &&
	wait=$(submit -A nodes -N2-3 --exclusive) &&
	wait_for 10 "[ \"\$(reason_wait $wait)\" = \"quota(node@any)\" ]" &&
	scancel $one && wait_for 20 "job_gone $one" && holds_for 2 "job_waits $wait" &&
	scontrol hold $wait && scancel $some && wait_for 20 "job_gone $some" &&
	scontrol release $wait && all_run $wait && [ $(nodes_of $wait) -eq 3 ]
'

test_expect_success 'a minimum beyond the quota never fits' '
	cluster_clear &&
	never=$(submit -A cpus -N3-4 --exclusive) &&
	wait_for 10 "[ -n \"\$(reason_wait $never | grep ^never)\" ]"
'

# The minimum is worth an eviction, more than that is not
test_expect_success 'nobody is evicted for more than the minimum' '
	cluster_clear && log_mark &&
	guests=$(submit_some 2 -A guest -N1 -n4) && all_run $guests &&
	owner=$(submit -A owner -N1-3 --exclusive) && all_run $owner &&
	[ $(nodes_of $owner) -eq 1 ] && job_runs $guests && [ -z "$(evicted)" ]
'

test_done
