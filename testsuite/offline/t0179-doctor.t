#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort doctor: without a slurmctld, without files, wrong calls'
. "$(dirname "$0")/../lib/offline.sh"

unset "${!SLURM_@}" "${!SCOHORT_@}"
mkdir etc
export SLURM_CONF=$PWD/etc/slurm.conf SCOHORT_TIMEOUT=2
conf() {
	cat >etc/slurm.conf <<-EOF
		ClusterName=down
		SlurmctldHost=localhost(127.0.0.1)
		SlurmctldPort=1
		NodeName=n1
		PartitionName=p Nodes=n1
	EOF
}
# lone QUOTA: a queue without a cohort
lone() {
	cat <<-EOF
		flavors: [{name: f}]
		clusterQueues:
		- name: q
		  match: [{user: u}]
		  resourceGroups:
		  - {coveredResources: [cpu], flavors: [{name: f, nominalQuota: cpu=$1}]}
	EOF
}

# doctor STATUS [ARGUMENT...]
doctor() {
	local status=$1
	shift
	test_expect_code "$status" scohort doctor "$@" >out 2>err && test_must_be_empty err || { cat out err; return 1; }
}

rest="PreemptType, PluginDir, PreemptMode, other settings, SchedulerParameters, memory, bf_window"
rest="$rest, accounts, QOS and users, policies, min-runtimes and turns, jobs outside all queues"
rest="$rest, enforcement, the file, what slurmctld publishes, who can read that, scohort record"

test_expect_success 'no slurm.conf, no cohort.yaml: nothing could be looked at, exit 2' '
	cat >expect <<-EOF &&
	Not looked at
	  $PWD/etc/cohort.yaml: No such file or directory: cohort.yaml, evictions without end
	  $SLURM_CONF: No such file or directory: $rest
	Nothing wrong was seen: 0 things looked at
	EOF
	doctor 2 && test_cmp expect out
'

test_expect_success 'a draft alone: what it says by itself' '
	lone 4 >good.yaml && doctor 2 good.yaml && tail -n 1 out >last &&
	echo "Nothing wrong was seen: 2 things looked at" >expect && test_cmp expect last &&
	lone lots >bad.yaml && doctor 1 bad.yaml && head -n 2 out >first && cat >expect <<-\EOF &&
	cohort.yaml
	  error    bad.yaml:6: clusterQueues[0].resourceGroups[0].flavors[0].nominalQuota: cpu=lots is not an amount (a whole number, with a suffix K, M, G, T or P if wanted)
	EOF
	test_cmp expect first && grep "^  bad.yaml has errors: evictions without end$" out
'

test_expect_success 'a warning of the file alone is one of the doctor, too' '
	{ lone 4 && sed -n "/^- name/,\$p" good.yaml | sed "s/name: q/name: r/"; } >twice.yaml && doctor 1 twice.yaml &&
	scohort check twice.yaml 2>said && sed "s/: warning: /: /" said | sed "s/^/  warning  /" >expect &&
	grep "^  warning" out >got && test_cmp expect got && [ -s got ]
'

test_expect_success 'a slurmctld that does not answer' '
	conf && lone 4 >etc/cohort.yaml && doctor 2 && grep -F "does not answer" out | grep -F ": $rest" &&
	grep "^Nothing wrong was seen: 2 things looked at$" out
'

test_expect_success 'a file that others can write is an error, unless it is a draft' '
	chmod 666 etc/cohort.yaml && doctor 1 && grep "^  error    $PWD/etc/cohort.yaml: " out && cp etc/cohort.yaml draft.yaml &&
	chmod 666 draft.yaml && doctor 2 draft.yaml
'

test_expect_success '-v, --json and --yaml' '
	doctor 2 -v good.yaml && grep "^  ok       scohort check$" out && grep "^  ok       evictions without end$" out &&
	doctor 1 --json bad.yaml && python3 -c "
import json, sys
d = json.load(open(\"out\"))
print(d[\"file\"], d[\"lookedAt\"], d[\"errors\"], d[\"warnings\"], d[\"notes\"], [f[\"where\"] for f in d[\"findings\"]],
      sum(len(u[\"what\"]) for u in d[\"notLookedAt\"]))" >got &&
	echo "bad.yaml 1 1 0 0 ['"'"'bad.yaml:6'"'"'] 17" >expect && test_cmp expect got &&
	doctor 1 --yaml bad.yaml && grep "^  severity: error$\|^- group: cohort.yaml$" out
'

test_expect_success 'wrong calls: exit 2, and why' '
	test_expect_code 2 scohort doctor --quick 2>err && grep "unrecognized option" err &&
	test_expect_code 2 scohort doctor one two 2>err && grep "unexpected argument \"two\"" err &&
	test_expect_code 2 env SCOHORT_TIMEOUT=soon scohort doctor good.yaml >out && grep "SCOHORT_TIMEOUT: \"soon\" is not a number" out &&
	doctor 2 nowhere.yaml && grep "^  nowhere.yaml: No such file or directory: cohort.yaml, evictions without end$" out &&
	scohort doctor --help >out && grep "^Usage: scohort doctor" out
'

test_done
