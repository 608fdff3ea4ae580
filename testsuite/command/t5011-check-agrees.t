#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort check and slurmctld agree on a corpus of wrong files

Each file of the corpus differs from a right one in one place. slurmctld and
scohort check give the same errors, and take the same files.'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

cat >accounts <<-EOF
	add account vision,audio
	add user root account=vision,audio defaultaccount=vision
	add qos high
EOF
cat >extra.conf <<-EOF
	Licenses=matlab:10
	AccountingStorageEnforce=associations
EOF

right() {
	cat <<-EOF
		flavors:
		  - {name: a100, features: a100}
		  - {name: named, nodes: "n[1-3]"}
		  - {name: part, partitions: "gpu,cpu"}
		cohorts:
		  - name: ml
		    resourceGroups:
		      - coveredResources: [mem]
		        flavors: [{name: named, nominalQuota: "mem=1G"}]
		clusterQueues:
		  - name: vision
		    cohort: ml
		    match: [{account: "vis*", partition: gpu}, {qos: high}, {account: audio, user: nobody-yet}]
		    resourceGroups:
		      - coveredResources: [gres/gpu, node]
		        flavors: [{name: a100, nominalQuota: "gres/gpu=1,node=1"}]
		      - coveredResources: [cpu, license/matlab]
		        flavors: [{name: part, nominalQuota: "cpu=8,license/matlab=10"}]
		    preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}
	EOF
}

# One change a line, as sed makes it: of words, of names that only the cluster
# knows, of amounts, and of what YAML is. "ok" stands before those that are right.
cat >changes <<'END'
ok s/x/x/
s/features: a100}/features: a1OO}/
s/features: a100}/features: "a100\&ib"}/
ok s/features: a100}/features: "a100\&a100"}/
s/n\[1-3\]/n[1-9]/
s/n\[1-3\]/other1/
s/n\[1-3\]/n[1-/
ok s/n\[1-3\]/n[1,3]/
s/"gpu,cpu"/"gpu,cpus"/
s/partition: gpu/partition: gpus/
ok s/partition: gpu/partition: "gpus*"/
s/qos: high/qos: urgent/
ok s/qos: high/qos: "urgent*"/
s/account: audio/account: video/
ok s/account: audio/account: "video*"/
ok s/nobody-yet/nobody-ever/
s/gres\/gpu/gres\/tpu/g
ok s/gres\/gpu/gres\/gpu:a100/g
s/license\/matlab/license\/maple/g
s/\[mem\]/[energyy]/; s/mem=1G/energyy=1/
s/\bnode\b/billin/g
ok s/\bnode\b/billing/g
s/cpu=8/cpu=many/
s/cpu=8/cpu=-1/
s/cpu=8,//
s/cohort: ml/cohort: mll/
s/name: a100, n/name: a1OO, n/
s/reclaimWithinCohort: Any/reclaimWithinCohort: Anybody/
s/reclaimWithinCohort: Any, w/borrowWithinCohort: {policy: LowerPriority}, w/
s/LowerPriority/LowerPriority, withinClusterQueueConfig: {minAdmitDuration: 4h}/
s/flavors:/flavours:/
s/- name: vision/- nam: vision/
s/preemption: {/preemption: [/
s/  - name: ml/  - name: ml\n    parent: ml/
$d; s/clusterQueues:/clusterQueues: 5/
1,$d
1ienforcement: never
1iminRuntime: {reclaim: soon}
1ifairSharing: {enable: perhaps}
1i\	tab
1imaxPreemptions: 1
END

right >cohort.yaml
cluster_up --accounting --sacctmgr accounts --cohort cohort.yaml --slurm-conf extra.conf
yaml=$CLUSTER/etc/cohort.yaml

# After a reconfigure: the errors that slurmctld has told of the file, and whether
# it has taken it
asked_of_slurmctld() {
	log_mark && cluster_reconfigure &&
	wait_for 10 "log_has \"slurm-cohort: .*cohort.yaml(: .* cluster queues| has errors)\"" &&
	log_lines . | sed -n "s|.*error: slurm-cohort: \($yaml:.*\)|\1|p" | sort >theirs &&
	! log_has "cohort.yaml has errors"
}

agree() {
	local want=1 taken=1 good=1
	case $1 in ok\ *) want=0 ;; esac
	right | sed "${1#ok }" >"$yaml" || return 1
	asked_of_slurmctld && taken=0
	scohort check >out 2>err && good=0
	grep -v ": warning: " err | sort >ours
	diff theirs ours && [ $taken -eq $want ] && [ $good -eq $want ] && return
	echo "$1: slurmctld $taken, check $good, wanted $want"
	cat err
	return 1
}

test_expect_success 'each file: the same errors, and taken or not by both' '
	while IFS= read -r change; do
		agree "$change" || echo "$change" >>differ
	done <changes
	[ ! -e differ ]
'

test_expect_success 'the corpus has files of both kinds, and errors of names among them' '
	[ $(grep -c "^ok" changes) -ge 8 ] && [ $(grep -vc "^ok" changes) -ge 25 ] &&
	right | sed "s/features: a100}/features: a1OO}/" >draft.yaml &&
	test_expect_code 1 scohort check draft.yaml 2>err &&
	grep "^draft.yaml:2: flavors\[0\].features: \"a1OO\" is no feature of any node" err &&
	scohort check --offline draft.yaml
'

test_done
