#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that cannot be preempted, by QOS and by the priority of a QOS, with slurmdbd'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

cat >commands <<-EOT
	add account a,b
	add qos inter,urgent,low
	modify qos urgent set priority=100
	modify qos low set priority=10
	add user root account=a,b defaultaccount=a
	modify user root set qos=normal,inter,urgent,low defaultqos=low
EOT
quick_scheduler >quick.conf

{
	printf 'visibility: {updateInterval: 1s}\nflavors: [{name: any}]\n'
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org within=LowerPriority nonpre='match: [{qos: inter}], priority: 100'
	queue b 4 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf quick.conf --accounting --sacctmgr commands

# fixed_is N: so much of a is used by jobs that can't be preempted
fixed_is() {
	wait_for 10 "[ \"\$(published 'queue(\"a\")[\"quota\"][0][\"nonPreemptible\"]')\" = $1 ]"
}

test_expect_success 'by QOS, and by the priority of a QOS' '
	inter=$(submit -A a -q inter -n2) && urgent=$(submit -A a -q urgent -n2) &&
	low=$(submit -A a -q low -n4) && all_run $inter $urgent $low && log_mark &&
	b=$(submit -A b -n4) && all_run $b && evicted_are $low && job_runs $inter && job_runs $urgent
'

test_expect_success 'all of them count for one cap' '
	log_mark && more=$(submit -A a -q inter -n1) &&
	says $more "wait=nonpreemptible(cpu@any),cap=4,used=4,need=1," && nobody_evicted_for $more
'

# slurmdbd tells slurmctld
test_expect_success 'a QOS of lower priority makes its running jobs preemptible at once' '
	cluster_clear && was=$(submit -A a -q urgent -n4) && too=$(submit -A a -q inter -n4) &&
	all_run $was && fixed_is 4 && sacctmgr -Q -i modify qos urgent set priority=50 >/dev/null &&
	all_run $too && fixed_is 4 && log_mark &&
	b=$(submit -A b -n4) && all_run $b && evicted_are $was && job_runs $too
'

test_done
