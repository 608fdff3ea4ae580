#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='scohort import: manifests of Kueue to cohort.yaml

What is taken over, what is said to have no counterpart, both API versions,
JSON and lists, and what is no manifest.'

. "$(dirname "$0")/../lib/offline.sh"


# without: a file without its comments and empty lines
without() { grep -v '^ *#' "$1" | grep -v '^$'; }
# comments: only these, unwrapped, a line each
comments() { sed -n 's/^ *# //p' "$1" | tr '\n' ' '; }

cat >v1beta1.yaml <<'END'
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: a100}
spec:
  nodeLabels: {example.com/gpu: a100, example.com/nvlink: "true"}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: vision}
spec:
  cohort: ml
  namespaceSelector: {}
  queueingStrategy: StrictFIFO
  resourceGroups:
  - coveredResources: [cpu, memory, nvidia.com/gpu]
    flavors:
    - name: a100
      resources:
      - {name: cpu, nominalQuota: "64"}
      - {name: memory, nominalQuota: 512Gi}
      - {name: nvidia.com/gpu, nominalQuota: 8, borrowingLimit: 4, lendingLimit: 6}
  flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: TryNextFlavor}
  preemption:
    withinClusterQueue: LowerPriority
    reclaimWithinCohort: Any
    borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 100}
  fairSharing: {weight: "1500m"}
  stopPolicy: Hold
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: audio}
spec:
  cohort: ml
  resourceGroups:
  - coveredResources: [cpu, memory, nvidia.com/gpu]
    flavors:
    - name: a100
      resources:
      - {name: cpu, nominalQuota: 64}
      - {name: memory, nominalQuota: 512Gi}
      - {name: nvidia.com/gpu, nominalQuota: 8}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Cohort
metadata: {name: ml}
spec:
  parent: org
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: main, namespace: vision-lab}
spec: {clusterQueue: vision}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: second, namespace: vision-lab}
spec: {clusterQueue: vision}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: main, namespace: audio-lab}
spec: {clusterQueue: audio}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: WorkloadPriorityClass
metadata: {name: prod}
value: 1000
END

cat >expect.yaml <<'END'
priority: qos
flavors:
  - name: a100
    features: "a100&nvlink"
cohorts:
  - name: org
  - name: ml
    parent: org
clusterQueues:
  - name: vision
    cohort: ml
    match:
      - {account: vision-lab}
    queueingStrategy: StrictFIFO
    resourceGroups:
      - coveredResources: [cpu, mem, gres/gpu]
        flavors:
          - name: a100
            nominalQuota: "cpu=64,mem=512G,gres/gpu=8"
            borrowingLimit: "gres/gpu=4"
            lendingLimit: "gres/gpu=6"
    flavorFungibility:
      whenCanBorrow: Borrow
      whenCanPreempt: TryNextFlavor
    preemption:
      withinClusterQueue: LowerPriority
      reclaimWithinCohort: Any
      borrowWithinCohort:
        policy: LowerPriority
        maxPriorityThreshold: 100
    fairSharing: {weight: 1.5}
    stopPolicy: Hold
  - name: audio
    cohort: ml
    match:
      - {account: audio-lab}
    resourceGroups:
      - coveredResources: [cpu, mem, gres/gpu]
        flavors:
          - name: a100
            nominalQuota: "cpu=64,mem=512G,gres/gpu=8"
END

cp expect.yaml expect.v1beta1

test_expect_success 'v1beta1: all of it, and check takes the result' '
	scohort import v1beta1.yaml >out.yaml 2>err &&
	without out.yaml >out &&
	test_cmp expect.yaml out &&
	comments out.yaml >said &&
	grep "need feature a100 " said && grep "need feature nvlink " said &&
	grep "sacctmgr add qos prod Priority=1000" said &&
	! grep "no counterpart:" said &&
	scohort check out.yaml 2>err
'

test_expect_success 'v1beta2 has other names for the same' '
	sed -e "s/v1beta1/v1beta2/; s/^  cohort:/  cohortName:/" \
	    -e "s/^  parent:/  parentName:/" v1beta1.yaml >v1beta2.yaml &&
	grep -c cohortName v1beta2.yaml && grep parentName v1beta2.yaml &&
	scohort import v1beta2.yaml >out.yaml &&
	without out.yaml >out &&
	test_cmp expect.yaml out
'

test_expect_success 'standard input, JSON, and objects in a list' '
	cat >list.json <<-\EOF &&
	{"apiVersion": "v1", "kind": "List", "items": [
	 {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ResourceFlavor",
	  "metadata": {"name": "any", "uid": "1"}},
	 {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ClusterQueue",
	  "metadata": {"name": "q"}, "status": {"pendingWorkloads": 3},
	  "spec": {"resourceGroups": [{"coveredResources": ["cpu"], "flavors":
	   [{"name": "any", "resources": [{"name": "cpu", "nominalQuota": "9"}]}]}]}}]}
	EOF
	cat >expect <<-\EOF &&
	flavors:
	  - name: any
	clusterQueues:
	  - name: q
	    resourceGroups:
	      - coveredResources: [cpu]
	        flavors:
	          - name: any
	            nominalQuota: "cpu=9"
	EOF
	scohort import - <list.json >out.yaml &&
	without out.yaml >out && test_cmp expect out &&
	comments out.yaml >said &&
	grep "no nodeLabels, so it includes every node" said &&
	grep "no LocalQueue names it" said
'

test_expect_success 'several files are one; order does not matter' '
	awk -v RS="---\n" "{ print > (\"part\" NR \".yaml\") }" v1beta1.yaml &&
	scohort import part8.yaml part7.yaml part6.yaml part5.yaml part4.yaml \
		part2.yaml part3.yaml part1.yaml >out.yaml &&
	without out.yaml >out && test_cmp expect.yaml out
'

# one_queue SPEC: a manifest with this in the spec of its queue, and a flavor
one_queue() {
	cat <<-END
	apiVersion: kueue.x-k8s.io/v1beta1
	kind: ResourceFlavor
	metadata: {name: f}
	spec: {nodeLabels: {x: y}}
	---
	apiVersion: kueue.x-k8s.io/v1beta1
	kind: ClusterQueue
	metadata: {name: q}
	spec:
	  $1
	END
}

# cq COVERED RESOURCE QUANTITY: resourceGroups of one resource
cq() {
	echo "resourceGroups: [{coveredResources: [$1], flavors: [{name: f," \
	     "resources: [{name: $2, nominalQuota: $3}]}]}]"
}

test_expect_success 'resources: their names, and those that Slurm has not' '
	while read -r name want; do
		one_queue "$(cq "$name" "$name" 4)" >in.yaml &&
		scohort import in.yaml >out.yaml && grep "$want" out.yaml ||
			return 1
	done <<-\EOF
	cpu cpu=4
	nvidia.com/gpu gres/gpu=4
	amd.com/gpu gres/gpu=4
	nvidia.com/mig-1g.5gb gres/gpu:1g.5gb=4
	example.com/fpga gres/fpga=4
	pods no.counterpart:.resource."pods"
	ephemeral-storage no.counterpart:.resource."ephemeral-storage"
	EOF
'

test_expect_success 'names that gres.conf must know are to be checked, once' '
	one_queue "$(cq nvidia.com/total-gpucores nvidia.com/total-gpucores 4)" >in.yaml &&
	scohort import in.yaml >out.yaml &&
	comments out.yaml >said &&
	grep "check: nvidia.com/total-gpucores is gres/total-gpucores here: GresTypes must have total-gpucores" said &&
	one_queue "$(cq nvidia.com/gpu nvidia.com/gpu 4)" >in.yaml &&
	scohort import in.yaml >out.yaml && ! grep "check: nvidia" out.yaml
'

test_expect_success 'no counterpart: with line, in the file and on standard error' '
	one_queue "$(cq pods pods 110)" >in.yaml &&
	scohort import in.yaml >out.yaml 2>err &&
	comments out.yaml >said &&
	grep "no counterpart: resource \"pods\" (in.yaml:10)" said &&
	grep "^in.yaml:10: warning: no counterpart: resource \"pods\"$" err
'

# labelled VALUE FEATURE: a node label gpu of this value is this feature
labelled() {
	one_queue "$(cq cpu cpu 1)" | sed "s/{x: y}/{example.com\/gpu: \"$1\"}/" >in.yaml &&
	scohort import in.yaml >out.yaml && grep "^    features: $2\$" out.yaml
}

test_expect_success 'labels that say yes are the feature; those that say no have their own' '
	for yes in on true Yes 1 enabled; do
		labelled $yes gpu || return 1
	done &&
	labelled a100 a100 && labelled off gpu-off && labelled false gpu-false
'

test_expect_success 'a folder: all its manifests, and those below it' '
	mkdir -p all/below all/.git && awk -v RS="---\n" "{ print > (\"all/part\" NR \".yaml\") }" v1beta1.yaml &&
	mv all/part1.yaml all/below/part1.yml && echo "[" >all/README.md && echo "[" >all/.git/x.yaml &&
	scohort import all >out.yaml && without out.yaml | sort >out &&
	sort expect.v1beta1 | diff - out &&
	mkdir empty && test_expect_code 1 scohort import empty 2>err &&
	grep "^empty: contains no file \*.yaml, \*.yml or \*.json" err
'

test_expect_success 'GPUs of two vendors in one group: both are gres/gpu, so exit 1' '
	one_queue "resourceGroups: [{coveredResources: [nvidia.com/gpu,
	  amd.com/gpu], flavors: [{name: f, resources: [{name: nvidia.com/gpu,
	  nominalQuota: 2}, {name: amd.com/gpu, nominalQuota: 3}]}]}]" >in.yaml &&
	test_expect_code 1 scohort import in.yaml >out.yaml 2>err &&
	grep "coveredResources\[1\]: gres/gpu is there twice" err
'

test_expect_success 'what is rounded is said' '
	one_queue "$(cq cpu cpu 1500m)" >in.yaml &&
	scohort import in.yaml >out.yaml &&
	grep "cpu=1\"" out.yaml &&
	grep "# rounded down: nominalQuota of cpu was 1500m" out.yaml
'

test_expect_success 'priorities below 0 raise all, thresholds too' '
	{ cat v1beta1.yaml; cat <<-\EOF; } >in.yaml &&
	---
	apiVersion: kueue.x-k8s.io/v1beta1
	kind: WorkloadPriorityClass
	metadata: {name: low}
	value: -50
	EOF
	scohort import in.yaml >out.yaml &&
	grep "qos low Priority=0" out.yaml &&
	grep "qos prod Priority=1050" out.yaml &&
	grep "maxPriorityThreshold: 150" out.yaml
'

test_expect_success 'LocalQueues of one namespace in two queues: the QOS tells' '
	{ cat v1beta1.yaml; cat <<-\EOF; } >in.yaml &&
	---
	apiVersion: kueue.x-k8s.io/v1beta1
	kind: LocalQueue
	metadata: {name: ears, namespace: vision-lab}
	spec: {clusterQueue: audio, stopPolicy: Hold}
	EOF
	scohort import in.yaml >out.yaml &&
	grep "{account: vision-lab, qos: main}" out.yaml &&
	grep "{account: vision-lab, qos: second}" out.yaml &&
	grep "{account: vision-lab, qos: ears}" out.yaml &&
	grep "{account: audio-lab}" out.yaml &&
	comments out.yaml | grep "no counterpart: \"stopPolicy\" of LocalQueue vision-lab/ears"
'

test_expect_success 'other objects and keys are named with file and line' '
	one_queue "admissionChecks: [x]" >in.yaml &&
	cat >>in.yaml <<-\EOF &&
	---
	apiVersion: kueue.x-k8s.io/v1beta1
	kind: AdmissionCheck
	metadata: {name: x}
	EOF
	scohort import in.yaml >out.yaml &&
	comments out.yaml >said &&
	grep "no counterpart: AdmissionCheck x (in.yaml:12)" said &&
	grep "no counterpart: \"admissionChecks\" of ClusterQueue q (in.yaml:10)" said
'

test_expect_success 'fair sharing from the configuration of the controller' '
	{ cat v1beta1.yaml; cat <<-\EOF; } >in.yaml &&
	---
	apiVersion: config.kueue.x-k8s.io/v1beta1
	kind: Configuration
	fairSharing: {enable: true, preemptionStrategies: [LessThanInitialShare]}
	EOF
	scohort import in.yaml >out.yaml &&
	without out.yaml | head -n 4 >out &&
	printf "%s\n" "fairSharing:" "  enable: true" \
		"  preemptionStrategies:" "    - LessThanInitialShare" >expect &&
	test_cmp expect out
'

# history TIMES WEIGHTS: the manifests with admission fair sharing
history() {
	sed "s/^  queueingStrategy:.*/&\n  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}/" \
		v1beta1.yaml
	cat <<-END
	---
	apiVersion: config.kueue.x-k8s.io/v1beta1
	kind: Configuration
	admissionFairSharing:
	  usageHalfLifeTime: $1
	  usageSamplingInterval: 10m
	  resourceWeights: $2
	END
}

# weighted WEIGHT NAME...: LocalQueues of vision-lab in vision with this weight
weighted() {
	local weight=$1 name
	shift
	for name; do
		cat <<-END
		---
		apiVersion: kueue.x-k8s.io/v1beta1
		kind: LocalQueue
		metadata: {name: $name, namespace: vision-lab}
		spec: {clusterQueue: vision, fairSharing: {weight: $weight}}
		END
	done
}

test_expect_success 'usage history inside queues: times, mode, weights of resources' '
	history 168h "{cpu: 2, nvidia.com/gpu: 10.5, memory: \"0\"}" >in.yaml &&
	scohort import in.yaml >out.yaml 2>err &&
	without out.yaml | head -n 7 >out &&
	cat >expect <<-\EOF &&
	admissionFairSharing:
	  usageHalfLifeTime: "168h"
	  usageSamplingInterval: "10m"
	  resourceWeights:
	    cpu: 2
	    gres/gpu: 10.5
	    mem: 0
	EOF
	test_cmp expect out &&
	grep -A1 "^    admissionScope:$" out.yaml >out &&
	grep -c "^      admissionMode: UsageBasedAdmissionFairSharing$" out &&
	! grep "admissionScope\|admissionFairSharing" err &&
	comments out.yaml | grep "check: what was used is divided by the most"
'

test_expect_success 'weights of resources: Slurm has none, or no queue has' '
	history 0s "{pods: 1}" >in.yaml &&
	scohort import in.yaml >out.yaml 2>err &&
	! grep "resourceWeights:" out.yaml &&
	grep "no counterpart: resourceWeights of \"pods\"" err &&
	sed "/usageHalfLifeTime\|usageSamplingInterval/d" in.yaml >less.yaml &&
	scohort import less.yaml >out.yaml && grep -A1 "^admissionFairSharing:" out.yaml >out &&
	printf "%s\n" "admissionFairSharing:" "  usageHalfLifeTime: 0s" >expect && test_cmp expect out &&
	history 0s "{example.com/fpga: 3}" >in.yaml &&
	test_expect_code 1 scohort import in.yaml >out.yaml 2>err &&
	grep "resourceWeights.gres/fpga: no cluster queue covers this resource" err
'

test_expect_success 'weights of LocalQueues become those of accounts' '
	{ history 168h "{}"; } >base.yaml &&
	sed -i "/^kind: LocalQueue/,/^---/{/namespace: vision-lab/,/^spec/s/clusterQueue: vision}/clusterQueue: vision, fairSharing: {weight: 1500m}}/}" base.yaml &&
	{ cat base.yaml; weighted 1.5 third; } >in.yaml &&
	scohort import in.yaml >out.yaml 2>err &&
	grep -A1 "^    localQueues:" out.yaml >out &&
	printf "%s\n" "    localQueues:" \
		"      - {name: vision-lab, fairSharing: {weight: 1.5}}" >expect &&
	test_cmp expect out && test 1 = "$(grep -c localQueues: out.yaml)" &&
	{ cat base.yaml; weighted 2 third; } >in.yaml &&
	scohort import in.yaml >out.yaml 2>err && ! grep localQueues: out.yaml &&
	grep "no counterpart: different weights of the LocalQueues of namespace vision-lab; they are one account here" err &&
	{ cat base.yaml; weighted -1 third; } >in.yaml &&
	test_expect_code 1 scohort import in.yaml >out 2>err &&
	test_must_be_empty out &&
	grep "^in.yaml:.*: fairSharing.weight: \"-1\" is not a quantity" err
'

test_expect_success 'a half-life that slurmctld would not take: exit 1, and why' '
	history 30s "{}" >in.yaml &&
	test_expect_code 1 scohort import in.yaml >out.yaml 2>err &&
	grep "admissionFairSharing.usageHalfLifeTime: .*30s" err &&
	history 168h "{cpu: -1}" >in.yaml &&
	test_expect_code 1 scohort import in.yaml >out.yaml 2>err &&
	grep "^in.yaml:.*: resourceWeights: \"-1\" is not a quantity" err
'

# fails TEXT MESSAGE: import of TEXT says it and writes nothing
fails() {
	printf '%s\n' "$1" >bad.yaml &&
	test_expect_code 1 scohort import bad.yaml >out 2>err &&
	echo "$2" >expect && test_cmp expect err && test_must_be_empty out
}

test_expect_success 'what is no manifest: file, line, what is wrong; exit 1' '
	fails "" "bad.yaml: contains no objects" &&
	fails "a: 1" "bad.yaml:1: is not a Kubernetes object: it has no apiVersion or no kind" &&
	echo "[1" >bad.yaml &&
	test_expect_code 1 scohort import bad.yaml 2>err &&
	grep "^bad.yaml:2: YAML syntax, column 1: " err &&
	fails "{apiVersion: kueue.x-k8s.io/v1beta1, kind: Cohort}" \
		"bad.yaml:1: Cohort without metadata.name" &&
	fails "$(one_queue "$(cq cpu cpu many)")" \
		"bad.yaml:10: nominalQuota: \"many\" is not a quantity like 8, 500m or 512Gi" &&
	fails "$(one_queue "fairSharing: {weight: -1}")" \
		"bad.yaml:10: fairSharing.weight: \"-1\" is not a quantity like 2, 0.5 or 500m" &&
	test_expect_code 1 scohort import absent.yaml 2>err &&
	grep "^absent.yaml: cannot be read: No such file" err &&
	test_expect_code 1 scohort import v1beta1.yaml v1beta1.yaml >out 2>err &&
	grep "clusterQueues\[2\].name: \"vision\" is there twice" err
'

test_expect_success 'a result that slurmctld would not take: exit 1, and why' '
	one_queue "queueingStrategy: Lifo" >in.yaml &&
	test_expect_code 1 scohort import in.yaml >out.yaml 2>err &&
	grep "clusterQueues\[0\].queueingStrategy: \"Lifo\"" err
'

test_expect_success 'wrong calls: usage, exit 2' '
	test_expect_code 2 scohort import 2>err && grep "FILE.FOLDER... is missing" err &&
	test_expect_code 2 scohort import --frob x 2>err &&
	grep "unrecognized option" err &&
	scohort import --help | grep "^Usage: scohort import"
'

# What stands in a name must stay in it: no line of the result is made by one.
# U+2028 and U+0085 end lines of YAML, too.
cat >breaks.yaml <<'END'
apiVersion: kueue.x-k8s.io/v1beta1
kind: WorkloadPriorityClass
metadata: {name: "low\nenforcement: observe\n#"}
value: 5
---
apiVersion: v1
kind: "Pod\nx: y\n#"
metadata: {name: "p\rz: w\r#"}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: "f\Lenforcement: observe"}
spec: {nodeLabels: {"l\Nenforcement": "v\Lenforcement: observe"}}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Configuration
fairSharing: {enable: true, preemptionStrategies: ["a\Nenforcement: observe"]}
END

test_expect_success 'line breaks in names are no lines of the result' '
	cp breaks.yaml "$(printf "b\nenforcement: observe")" &&
	for file in breaks.yaml b*observe; do
		scohort import "$file" >out.yaml 2>err
		LC_ALL=C sed "s/\xe2\x80\xa8/\n/g; s/\xc2\x85/\n/g; s/\r/\n/g" out.yaml >lines &&
		! grep -E "^ *(enforcement|x|z):" lines || return 1
	done &&
	grep -F "qos \"low\\x0aenforcement: observe\\x0a#\" Priority=5" out.yaml &&
	grep -F "name: \"f\\xe2\\x80\\xa8enforcement: observe\"" out.yaml
'

# a_class VALUE: a priority class, and a queue that knows a threshold
a_class() {
	cat <<-END
	apiVersion: kueue.x-k8s.io/v1beta1
	kind: WorkloadPriorityClass
	metadata: {name: low}
	value: $1
	END
}

test_expect_success 'priorities are of 32 bits' '
	for value in -9999999999999999999 -2147483649 2147483648 1.5 x "\"\"" "[]"; do
		a_class "$value" >in.yaml
		test_expect_code 1 scohort import in.yaml >out 2>err &&
		test_must_be_empty out &&
		grep "^in.yaml:4: value must be a whole number from -2147483648 to 2147483647" err || return 1
	done &&
	a_class -2147483648 >in.yaml
	scohort import in.yaml >out
	grep "raised by 2147483648:" out && grep "Priority=0\$" out &&
	one_queue "cohort: c
	  preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 9223372036854775807}}" |
	sed "s/^	  /  /" >in.yaml &&
	test_expect_code 1 scohort import in.yaml >out 2>err &&
	test_must_be_empty out &&
	grep "maxPriorityThreshold must be a whole number from -2147483648 to 2147483647" err
'

test_expect_success 'nodeLabels that are too many are refused, not cut' '
	{
		printf "%s\n" "apiVersion: kueue.x-k8s.io/v1beta1" "kind: ResourceFlavor" \
			"metadata: {name: f}" "spec: {nodeLabels: {"
		for i in $(seq 100); do echo "  label-$i: value-$i,"; done
		echo "  }}"
	} >in.yaml &&
	test_expect_code 1 scohort import in.yaml >out 2>err &&
	test_must_be_empty out && grep "^in.yaml:.*nodeLabels" err
'

test_done
