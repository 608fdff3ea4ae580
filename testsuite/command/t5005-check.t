#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort check on a cluster: what is legal, but unwise there'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

cat >accounts <<-EOF
	add account vision,audio
	add user root account=vision,audio defaultaccount=vision
	add qos high
EOF

# teams GPUS MATCH [KEYS]: two that lend to each other; there are 4 GPUs on the
# nodes of a100, 16000 MB on all, and 10 licenses
teams() {
	cat <<-EOF
		flavors:
		  - {name: a100, features: a100}
		  - {name: named, nodes: "n[1-3]"}
		  - {name: part, partitions: cpu}
		  - {name: any}
		cohorts: [{name: ml}]
		clusterQueues:
		  - name: vision
		    cohort: ml
		    match: [{account: "vis*", partition: gpu}, $2]
		    resourceGroups:
		      - coveredResources: [gres/gpu]
		        flavors: [{name: a100, nominalQuota: "gres/gpu=$1"}]
		      - coveredResources: [cpu]
		        flavors:
		          - {name: named, nominalQuota: "cpu=12"}
		          - {name: part, nominalQuota: "cpu=8"}
		      - coveredResources: [mem, license/matlab]
		        flavors: [{name: any, nominalQuota: "mem=16000M,license/matlab=10"}]
		    preemption: {${3:-reclaimWithinCohort: Any}}
		  - name: audio
		    cohort: ml
		    match: [{account: audio}]
		    resourceGroups:
		      - coveredResources: [gres/gpu]
		        flavors: [{name: a100, nominalQuota: "gres/gpu=1"}]
		      - coveredResources: [cpu]
		        flavors:
		          - {name: named, nominalQuota: "cpu=0"}
		          - {name: part, nominalQuota: "cpu=0"}
		      - coveredResources: [mem, license/matlab]
		        flavors: [{name: any, nominalQuota: "mem=0,license/matlab=0"}]
		    preemption: {reclaimWithinCohort: Any}
	EOF
}

# warns FILE [LINE...]: check says these warnings of it, and that it can be used
warns() {
	local file=$1
	shift
	scohort check "$file" >out 2>err &&
	if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi | sed "s|^|$file:|" >expect &&
	test_cmp expect err && grep "^$file: 1 cohort, 2 cluster queues, 4 flavors" out
}

dead="no job can match: the cluster has no such partition, QOS or account"

echo Licenses=matlab:10 >extra.conf
teams 3 "{qos: high}" >cohort.yaml
cluster_up --accounting --sacctmgr accounts --cohort cohort.yaml --slurm-conf extra.conf

test_expect_success 'quota that is there: nothing to say' '
	warns cohort.yaml
'

test_expect_success 'quota above what the nodes of the flavor have' '
	teams 4 "{qos: high}" | sed "s/cpu=12/cpu=13/; s/cpu=8/cpu=9/; s/16000M/16001M/;
		s/matlab=10/matlab=11/" >big.yaml &&
	warns big.yaml \
	"2: warning: flavors[0]: \"a100\" has gres/gpu=4 on its nodes, quotas on it sum to 5: the quotas promise more than the nodes have. Lower them" \
	"3: warning: flavors[1]: \"named\" has cpu=12 on its nodes, quotas on it sum to 13: the quotas promise more than the nodes have. Lower them" \
	"4: warning: flavors[2]: \"part\" has cpu=8 on its nodes, quotas on it sum to 9: the quotas promise more than the nodes have. Lower them" \
	"5: warning: flavors[3]: \"any\" has mem=16000M on its nodes, quotas on it sum to 16001M: the quotas promise more than the nodes have. Lower them" \
	"5: warning: flavors[3]: \"any\" has license/matlab=10 on its nodes, quotas on it sum to 11: the quotas promise more than the nodes have. Lower them"
'

test_expect_success 'in force, scohort status says that not all of it can be used' '
	cp big.yaml "$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 10 "COLUMNS=200 scohort status | grep \"^The quotas of flavor a100 sum to 5 gres/gpu, and its nodes have 4: not all that is free can be used.\"" &&
	cp cohort.yaml "$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 10 "scohort status | sed -n \"/NOMINAL/h; /quotas of flavor/H; \\\${g;/quotas/q1}\""
'

test_expect_success 'for a time: each that is too much, and only these' '
	during() { echo "{begin: 2030-$1, end: 2030-$2, nominalQuota: \"gres/gpu=$3\"}"; } &&
	week="{begin: Mon 08:00, end: Mon 09:00, nominalQuota: \"gres/gpu=0\"}" &&
	vision="$(during 01-01 01-03 2), $(during 02-01 02-03 5), $week" &&
	audio="$(during 01-02 01-04 2), $(during 03-01 03-02 1)" &&
	teams 3 "{qos: high}" | sed "s|gres/gpu=3\"|&, temporaryQuota: [$vision]|
		s|gres/gpu=1\"|&, temporaryQuota: [$audio]|" >time.yaml &&
	much="\"a100\" has gres/gpu=4 on its nodes, quotas on it sum to" &&
	more="the quotas promise more than the nodes have. Lower them" &&
	warns time.yaml "13: warning: clusterQueues[0].temporaryQuota: $much 6 at 2030-02-01T00:00:00: $more" \
		"26: warning: clusterQueues[1].temporaryQuota: $much 5 at 2030-01-03T00:00:00: $more"
'

test_expect_success 'a rule for which the cluster has no name' '
	teams 3 "{qos: \"urg*\"}" >nobody.yaml &&
	warns nobody.yaml "10: warning: clusterQueues[0].match[1]: $dead. Correct or remove the rule" &&
	teams 3 "{account: \"video*\"}" | sed "s/vis\\*/via*/" >nobody.yaml &&
	warns nobody.yaml \
	"10: warning: clusterQueues[0].match[0]: $dead; no job can enter the queue. Correct or remove the rule" \
	"10: warning: clusterQueues[0].match[1]: $dead; no job can enter the queue. Correct or remove the rule"
'

test_expect_success 'a name that slurmctld would not take is an error' '
	teams 3 "{qos: urgent}" >nobody.yaml &&
	test_expect_code 1 scohort check nobody.yaml >out 2>err && test_must_be_empty out &&
	echo "nobody.yaml:10: clusterQueues[0].match[1].qos: \"urgent\" is no QOS of this cluster" >expect &&
	test_cmp expect err &&
	test_expect_code 1 scohort check --json nobody.yaml >out && grep "\"valid\": *false" out
'

test_expect_success 'lending with reclaimWithinCohort: Never' '
	teams 3 "{qos: high}" "reclaimWithinCohort: Never" >never.yaml &&
	warns never.yaml "8: warning: clusterQueues[0]: \"vision\" lends to other queues, but its reclaimWithinCohort is Never: its quota returns only when their jobs end. Any would let it reclaim"
'

test_expect_success 'turns that end before most jobs do' '
	for i in 1 2 3 4 5 6 7 8 9 10; do
		sbatch -H -A vision -p gpu -t 2:00:00 -n1 --wrap="sleep 1" || return 1
	done &&
	turns="withinClusterQueue: LowerOrNewerEqualPriority" &&
	turns="$turns, withinClusterQueueConfig: {minAdmitDuration: 1h}" &&
	teams 3 "{qos: high}" "reclaimWithinCohort: Any, $turns" >turns.yaml &&
	warns turns.yaml "8: warning: clusterQueues[0].preemption.withinClusterQueueConfig.minAdmitDuration: a turn of 1h is shorter than most jobs of \"vision\": half of its jobs request 2h or more. Make it longer" &&
	sed -i "s/1h/2h/" turns.yaml &&
	warns turns.yaml
'

test_expect_success 'accounts, QOS and partitions that jobs have, and no queue matches' '
	put() { sbatch --parsable -H -A vision -p "$1" -n1 --wrap="sleep 1"; } &&
	put cpu,main && put main && put main && put cpu,gpu && over=$(put cpu) && scancel $over &&
	teams 3 "{qos: high}" >few.yaml && out="warning: no cluster queue matches account vision, QOS normal" &&
	rest="Slurm alone schedules such jobs. A rule of a queue could match them" && scohort check few.yaml 2>err; cat err &&
	grep "^few.yaml: $out, partition cpu,main, which 1 job has: $rest$" err &&
	grep "^few.yaml: $out, partition main, which 2 jobs have: $rest$" err &&
	[ "$(grep -c "no cluster queue" err)" = 2 ] && scancel -A vision
'

test_expect_success 'a user is told what he may know; accounts are not judged for him' '
	teams 3 "{qos: urgent}" >nobody.yaml && chmod a+r ./*.yaml &&
	as_nobody scohort check "$PWD/big.yaml" 2>err &&
	grep "has gres/gpu=4 on its nodes" err &&
	as_nobody scohort check "$PWD/nobody.yaml" 2>err &&
	test_must_be_empty err
'

test_expect_success '--json tells whether the cluster was asked' '
	scohort check --json big.yaml >out &&
	grep "\"cluster_asked\": *true" out && grep "quotas on it sum to 5" out &&
	scohort check --offline --json big.yaml >out &&
	grep "\"cluster_asked\": *false" out && ! grep "quotas on it" out
'

test_expect_success 'slurmctld hangs: a file with errors does not wait for it' '
	echo "clusterQueues: 5" >wrong.yaml &&
	read -r pid _ <"$CLUSTER/run/slurmctld.pid" && kill -STOP $pid &&
	{ SCOHORT_TIMEOUT=60 timeout 30 scohort check wrong.yaml 2>err; code=$?; kill -CONT $pid; } &&
	[ $code = 1 ] &&
	grep "^wrong.yaml:1: clusterQueues:" err
'

test_expect_success 'slurmctld down: said, and the file is judged all the same' '
	scontrol shutdown slurmctld &&
	wait_for 10 "scontrol ping | grep DOWN" &&
	scohort check big.yaml >out 2>err &&
	grep "^scohort check: .*names, nodes and jobs were not checked" err &&
	! grep "quotas on it" err && grep "^big.yaml: 1 cohort" out
'

test_done
