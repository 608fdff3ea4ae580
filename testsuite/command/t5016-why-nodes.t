#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort why and whatif: quota is there and nodes are not; what is missing, and who has it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/estimate.sh"

# vision and audio own 8 and 4 of the 16 CPUs, guest what the cohort has
three() {
	quota_head
	cohorts lab:-:nominal=4
	echo 'clusterQueues:'
	queue vision 8 cohort=lab reclaim=Any
	queue audio 4 cohort=lab
	queue guest 0 cohort=lab
}

three >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# one_on_each ACCOUNT OPTIONS...: a job of one CPU on each of the nodes
one_on_each() {
	local account=$1 node ids=''
	shift
	for node in n1 n2 n3 n4; do
		ids="$ids $(submit -A "$account" -n1 -w $node "$@")" || return 1
	done
	all_run $ids && echo $ids
}

# facts ID EXPRESSION: of its document, `j`
facts() { scohort why --json "$1" | json "[j for j in d['jobs']][0]$2"; }

# whatif_says TEXT OPTIONS...: with these for sbatch
whatif_says() {
	local text=$1
	shift
	COLUMNS=10000 scohort whatif "$@" --wrap true >whatif.out 2>&1
	grep -F -- "$text" whatif.out >/dev/null || {
		cat whatif.out
		return 1
	}
}

first_end() {
	local id
	for id; do
		date -d "$(job_field "$id" EndTime)" +%s
	done | sort -n | head -n 1
}

test_expect_success 'whole nodes: how many there are, and who is on them until when' '
	small=$(one_on_each audio -t 30) && job=$(submit -A vision -N2 --exclusive) && says $job "wait=nodes," &&
	why_soon $job "It wants 2 whole nodes with 1 cpu" &&
	why_soon $job "Flavor any has 0 nodes without other jobs." &&
	why_soon $job "On nodes of flavor any run jobs of audio (4 jobs; the first ends by its limit at $(told_time $(first_end $small)))." &&
	why_soon $job "when enough of those on its nodes have ended, or earlier if jobs end" &&
	[ "$(facts $job "[\"missing\"][0][\"held\"][0][\"running\"]")" = 4 ]
'

test_expect_success 'the same in whatif' '
	scancel $job && wait_for 10 "whatif_says \"Quota is available, but no suitable nodes are free\" -A vision -N2 --exclusive" &&
	whatif_says "It wants 2 whole nodes with 1 cpu" -A vision -N2 --exclusive &&
	whatif_says "Flavor any has 0 nodes without other jobs." -A vision -N2 --exclusive &&
	whatif_says "run jobs of audio (4 jobs; the first ends by its limit at" -A vision -N2 --exclusive &&
	whatif_says ", when enough of those on its nodes have ended, or earlier" -A vision -N2 --exclusive
'

# GPUs of n1 and n2 are of no quota
test_expect_success 'several resources: each is named, the scarcest first' '
	cluster_clear && gpus=$(submit -A nobody -N2 -n2 --gres=gpu:1 -w n[1-2]) && all_run $gpus &&
	small=$(one_on_each audio -t 30) &&
	job=$(submit -A vision -N1 -n4 --gres=gpu:2) && says $job "wait=nodes," &&
	why_soon $job "Flavor any has 0 nodes with 2 gres/gpu free (the most on one is 1); 0 nodes with 4 cpu free (the most on one is 3)." &&
	why_soon $job "audio (4 jobs;" && why_says $job "no cluster queue (1 job; no time limit)" &&
	[ "$(facts $job "[\"missing\"][0][\"lacks\"][0][\"resource\"]")" = gres/gpu ] &&
	[ "$(facts $job "[\"missing\"][0][\"lacks\"][1][\"largestFree\"]")" = 3 ]
'

test_expect_success 'borrowers that are protected: from when they may go, and the start by that' '
	use_cohort eval "three | sed \"1a minRuntime: {reclaim: 1h}\"" &&
	small=$(one_on_each guest -t 600) && job=$(submit -A vision -N2 -n8) && says $job "wait=nodes," &&
	over=$(for id in $small; do date -d "$(job_field $id StartTime) 1 hour" +%s; done | sort -n | head -n 1) &&
	why_soon $job "It wants 2 nodes with 4 cpu, 2000M of mem on each." &&
	why_soon $job "Flavor any has 0 nodes with 4 cpu free (the most on one is 3)." &&
	why_soon $job "guest (4 jobs; the first may be evicted from $(told_time $over) on; the first ends by its limit at " &&
	scancel $job && wait_for 10 "whatif_says \"after evicting\" -A vision -N2 -n8" &&
	scohort whatif --json -A vision -N2 -n8 --wrap true >whatif.json &&
	near "$(json "d[\"start\"]" <whatif.json)" $over 60
'

# A job of another user on each node, all for itself
of_nobody() {
	local node
	for node in n1 n2 n3 n4; do
		(cd / && as_nobody sbatch --parsable -o /dev/null -A guest -n1 -w "$node" "$@" \
			--wrap 'exec sleep 1000') || return 1
	done
}

test_expect_success 'nodes for one other user are not free' '
	use_cohort three && others=$(of_nobody --exclusive=user) && all_run $others &&
	job=$(submit -A vision -n2 -N1) && says $job "wait=nodes," &&
	why_soon $job "4 nodes of flavor any are each for one other user alone (--exclusive=user or ExclusiveUser)" &&
	! why_says $job "Flavor any has" && [ "$(facts $job "[\"missing\"][0][\"nodesOfOtherUsers\"]")" = 4 ] &&
	whatif_says "4 nodes of flavor any are each for one other user alone" -A vision -n2 -N1 &&
	scancel $job && wait_for 10 "job_gone $job"
'

test_expect_success 'nobody waits for nodes: nobody is told of' '
	cluster_restart_ctld && cluster_clear && id=$(submit -A audio -n4) && all_run $id &&
	wait_for 10 "[ \"\$(published \"[len(f[\\\"held\\\"]) for f in d[\\\"flavors\\\"]]\")\" = 0 ]"
'

test_done
