#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what Slurm has from 25.05 on: external jobs and nodes, hierarchical resources'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"
. "$TESTSUITE/lib/scohort.sh"

slurm_since 25.05 || {
	skip_all='there are no external jobs and no resources.yaml before Slurm 25.05'
	test_done
}

# b owns all CPUs, also those of x1, which has no slurmd and is for external jobs; a borrows
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org
	queue b 8 cohort=org reclaim=Any
	queue c 16
} >cohort.yaml
{
	quick_scheduler
	echo 'MaxNodeCount=8'
	echo 'PartitionName=ext Nodes=ALL State=UP MaxTime=INFINITE'
} >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# No slurmd comes up for this one
scontrol create NodeName=x1 CPUs=4 RealMemory=2000 State=EXTERNAL || exit 1

external() { sbatch --parsable --external -p ext "$@"; }

# uses QUEUE CPUS: soon
uses() { wait_for 10 "[ \"\$(scohort status -n -P -o used $1 | tail -n 1)\" = $2 ]"; }

test_expect_success 'an external job is charged, also after a restart, and its quota is free when it ends' '
	a=$(external -A a -N1 -n3 -w n1) && x=$(external -A a -N1 -n2 -w x1) && all_run $a $x &&
	charged $a cpu=3 && charged $x cpu=2 && same_after_restart $a $x && uses a 5 &&
	scancel $x && uses a 3 && job_runs $a
'

test_expect_success 'an owner takes its quota back: an external job is cancelled, and the owner starts' '
	log_mark && b=$(submit -A b -N2 -n6 -w "n[1-2]") && all_run $b && evicted_are $a && uses a 0 &&
	[ "$(squeue -h -t all -j $a -o %T)" = PREEMPTED ]
'

test_expect_success 'a node that is external is of no use for others: nobody is evicted there for nodes' '
	cluster_clear && log_mark && c=$(submit -A c -N4 -n16) && x=$(external -A a -n4 -w x1) && all_run $c $x &&
	b=$(submit -A b -p ext -n1) && wait_for 10 "reason_wait $b | grep nodes" && evicted_are "" && job_runs $x &&
	scancel $c && all_run $b && job_runs $x
'

cluster_down

# ---- hierarchical resources: jobs ask for them as for licenses ----

CLUSTER=$WORK/layers
own 'cpu, license/natural, license/flat, license/power' 'cpu=16,license/natural=5,license/flat=4,license/power=10' >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

layer() { echo "    - {nodes: [\"$1\"], count: $2}"; }

test_expect_success 'a name that resources.yaml defines is known; what jobs ask for is charged, mode 3 on each node' '
	for r in "natural 1 4 3" "flat 2 6 4" "power 3 20 10"; do
		set -- $r
		printf "%s\n" "- resource: $1" "  mode: MODE_$2" "  layers:"
		layer "n[1-4]" $3 && layer "n[1-2]" $4 && layer "n[3-4]" $4
	done >"$CLUSTER/etc/resources.yaml" && cluster_restart_ctld &&
	n=$(submit -A q -L natural:2) && f=$(submit -A q -L flat:2) && p=$(submit -A q -N2 -L power:3) && all_run $n $f $p &&
	charged $n cpu=1 license/natural=2 && charged $f cpu=1 license/flat=2 && charged $p cpu=2 license/power=6 &&
	same_after_restart $n $f $p
'

test_expect_success 'what the quota does not have waits, and starts when others end' '
	n2=$(submit -A q -L natural:4) && f2=$(submit -A q -L flat:3) && p2=$(submit -A q -N2 -L power:3) &&
	waits_for $n2 "quota(license/natural@any),need=4,free=3" && waits_for $f2 "quota(license/flat@any),need=3,free=2" &&
	waits_for $p2 "quota(license/power@any),need=6,free=4" &&
	scancel $n $f $p && all_run $n2 $f2 $p2 && cluster_clear && books_empty
'

lent() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org resource=license/flat
	queue b 4 cohort=org resource=license/flat reclaim=Any
}

test_expect_success 'lent ones are taken back where a layer has enough left, and else nobody is evicted in vain' '
	use_cohort lent && a=$(submit -A a -w n1 -L flat:3) && all_run $a && b=$(submit -A b -w n3 -L flat:2) && all_run $b &&
	evicted_are $a && scancel $a $b && log_mark &&
	a=$(submit -A a -w n1 -L flat:3) && all_run $a && b=$(submit -A b -w n2 -L flat:2) && job_waits $b &&
	evicted_are "" && job_waits $b && scancel $a && all_run $b
'

test_done
