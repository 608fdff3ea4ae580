#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description=${test_description-'all features at once, by random commands: slurmctld lives, quota holds, the queue drains'}
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/charge.sh"
. "$TESTSUITE/lib/storm.sh"

# COHORT_SOAK="SECONDS SEED...": storms of that length, one for each seed;
# COHORT_SOAK_CLUSTER: more options for testsuite/cluster
read -r seconds seeds <<<"${COHORT_SOAK-8 1}"
ACCOUNTS='a b c d out'
VARIANTS='base base fair lately strict turns delayed broken empty'
QOSES=${ACCOUNTING:+normal quick slow}
RESTARTS=60

{
	gpu_kinds
	three_tiers
	quick_scheduler
	echo 'PartitionName=cancel Nodes=ALL PriorityTier=10 PreemptMode=CANCEL GraceTime=1 State=UP MaxTime=INFINITE'
	echo 'PartitionName=out Nodes=ALL PriorityTier=20 State=UP MaxTime=INFINITE'
	echo 'Licenses=soft:4'
	# records are purged after two seconds
	echo 'MinJobAge=2'
} >slurm.conf
gpu_kinds_gres >gres.conf

# team NAME COHORT: a cluster queue with quota for all kinds of things
team() {
	cat <<-END
		  - name: $1
		    cohort: $2
		    match: [{account: $1}]
		    queueingStrategy: $strategy
		    maxPreemptions: 3
		    reclaimDelay: ${delay}s
		    reclaimDelayPolicy: $policy
		    admissionScope: {admissionMode: $mode}
		    localQueues: [{name: $1, fairSharing: {weight: $weight}}]
		    nonPreemptible: {$fixed}
		    resourceGroups:
		      - coveredResources: [cpu, mem, gres/gpu]
		        flavors:
		          - {name: a100, nominalQuota: "cpu=2,mem=2G,gres/gpu=1", borrowingLimit: "cpu=4"}
		          - {name: rest, nominalQuota: "cpu=2,mem=2G,gres/gpu=1", borrowingLimit: "cpu=4"}
		      - coveredResources: [license/soft]
		        flavors: [{name: any, nominalQuota: "license/soft=1"}]
		    preemption:
		      withinClusterQueue: $within
		      reclaimWithinCohort: Any
		      borrowWithinCohort: {policy: LowerPriority}
	END
}

# variant NAME: the quotas are the same in all of them
variant() {
	local strategy=BestEffortFIFO within=LowerPriority fair=false past=''
	local delay=0 policy=Always weight=1 mode=NoAdmissionFairSharing fixed='byUser: true'
	case $1 in
	fair) fair=true ;;
	delayed) delay=2 ;;
	lately)
		fair=true past=', usageHalfLifeTime: 1m, kValue: 2, historyMargin: 0.5'
		weight=0.5
		mode=UsageBasedAdmissionFairSharing fixed='byUser: true, match: [{partition: cancel}]'
		;;
	strict) strategy=StrictFIFO delay=90 policy=Expected ;;
	turns) within=LowerOrNewerEqualPriority ;;
	broken) echo 'clusterQueues: [{name: a, cohort: nobody' && return ;;
	empty) return ;;
	esac
	quota_head
	cat <<-END
		  - {name: a100, features: a100}
		  - {name: rest, nodes: "n[3-4]"}
		fairSharing: {enable: $fair$past}
		admissionFairSharing: {usageHalfLifeTime: 1m, usageSamplingInterval: 1s, resourceWeights: {gres/gpu: 2}}
		cohorts: [{name: org}, {name: sub, parent: org}]
		clusterQueues:
	END
	team a org
	team b org
	team c sub
	team d sub
}

# over_quota: teams with more CPUs than they may ever have, by squeue
over_quota() {
	squeue -h -t R,CG,S -o '%a %C %i:%t' | awk '
		{ n[$1] += $2; all = all " " $1 ":" $2 ":" $3 }
		END { for (q in n) if (q ~ /^[abcd]$/ && n[q] > 12) print q "=" n[q], all }'
}

# Things that go on until the storm is over, and what must never be
watch_quota() {
	while [ ! -e "$WORK/over" ]; do
		over_quota >>"$WORK/over_quota"
		sleep 0.2
	done
}

complaints() {
	grep -E 'fatal:|error: slurm-cohort' "$CLUSTER/log/slurmctld.log" |
		grep -vE 'cohort\.yaml|license/soft: quota is'
}

# settle: no more input, and nothing that keeps jobs from going
settle() {
	settings base
	if [ -n "$QOSES" ]; then
		sacctmgr -Q -i modify qos "${QOSES// /,}" set GrpTRES=cpu=-1
		sacctmgr -Q -i modify account "${ACCOUNTS// /,}" set MaxJobs=-1
	fi
	scontrol update NodeName='n[1-4]' State=RESUME
	scontrol update PartitionName=mid State=UP
	# one that jobs wait for can't be deleted
	scancel --reservation=res
	scontrol delete reservation=res
	scontrol delete PartitionName=new
	return 0
} >>"$WORK/storm.out" 2>&1

# Who waits for what will never be goes, also who is held; the suspended go on
settle_stuck() {
	squeue -h -r -t PD -o '%i %r' | awk '/Held|held|[Nn]ever|BadCons|NotAvail|Reservation|Invalid/ { sub(/\+.*/, "", $1); print $1 }' |
		sort -u | xargs -r -n1 timeout 20 scancel
	squeue -h -r -t S -o %i | xargs -r -n1 timeout 20 scontrol resume
} >>"$WORK/storm.out" 2>&1

# Who is left, and what he asked for
left() {
	squeue -h -o %A | sort -u | while read -r id; do scontrol -o show job "$id"; done
	false
}

drained() { [ -z "$(squeue -h)" ] || { settle_stuck; false; }; }

# Reclaimed from a queue that held no more than its own
inside_nominal() {
	grep 'slurm-cohort: evict: .* rule InCohortReclamation,' "$CLUSTER/log/slurmctld.log" |
		grep -E 'held [0-9]+ of [0-9]+' |
		awk '{ match($0, /held [0-9]+ of [0-9]+/); split(substr($0, RSTART, RLENGTH), w, " ")
			if (w[2] <= w[4]) print }'
}

# Seconds in which the scheduler went through the queue without a pause
restless() {
	grep 'sched: Running job scheduler for full queue' "$CLUSTER/log/slurmctld.log" |
		cut -c 2-20 | uniq -c | awk '$1 > 100'
}

cat >commands <<-EOF
	add account a,b,c,d,out
	add qos quick priority=50 gracetime=1
	add qos slow priority=5
	add user root account=a,b,c,d,out
	modify user root set qos+=quick,slow
EOF
variant base >cohort.yaml
# shellcheck disable=SC2086
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --gres-conf gres.conf \
	${ACCOUNTING:+--accounting --sacctmgr commands} ${COHORT_SOAK_CLUSTER-}

soak_seed() {
	rm -f "$WORK/over" && : >"$WORK/over_quota"
	watch_quota &
	local watcher=$! rc=0
	storm "$seconds" "$1" || rc=1
	touch "$WORK/over" && wait "$watcher"
	return $rc
}

for seed in $seeds; do
	test_expect_success "seed $seed: slurmctld lives" '
		soak_seed $seed
	'
	test_expect_success "seed $seed: without complaints, and the scheduler rests" '
		! complaints && [ -z "$(restless)" ] || { restless; false; }
	'
	test_expect_success "seed $seed: nobody had more than he may" '
		! grep . "$WORK/over_quota"
	'
	# Jobs that no nodes can ever satisfy are among them, which says something
	# to who looks, and nothing to make check: there the rest is cancelled
	test_expect_success "seed $seed: without more input it calms down" '
		settle &&
		if [ -n "${COHORT_SOAK-}" ]; then wait_for 90 drained || left
		else wait_for 20 drained || cluster_clear; fi
	'
	test_expect_success "seed $seed: nobody was reclaimed from inside his quota" '
		[ -z "$(inside_nominal)" ] || { inside_nominal; false; }
	'
	test_expect_success "seed $seed: then all books are at zero" '
		books_empty && ctld_alive && ! complaints
	'
done

test_done
