#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job with several partitions: in each it needs what it would get there'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"
. "$TESTSUITE/lib/estimate.sh"

{
	quick_scheduler
	echo 'NodeName=n[1-4] Gres=gpu:2'
	for part in std:DefMemPerCPU=100 big:DefMemPerCPU=900 capped:MaxMemPerCPU=250 \
		bygpu:DefCpuPerGPU=2 bymem:DefMemPerGPU=800; do
		echo "PartitionName=${part%:*} Nodes=ALL State=UP MaxTime=INFINITE ${part#*:}"
	done
} >parts.conf
echo 'NodeName=n[1-4] Name=gpu File=@DIR@/dev/gpu[0-1]' >parts.gres

# lent CPUS MEM: q owns so much, and a has nothing of its own
lent() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	wide_queue q 'cpu, mem' "cpu=$1,mem=$2"
	printf '    cohort: org\n    preemption: {reclaimWithinCohort: Any}\n'
	wide_queue a 'cpu, mem' cpu=0,mem=0
	echo '    cohort: org'
}

# either PARTITION CHARGE OTHER OPTIONS...: with that quota and no more a job that names both
# runs in that one, whichever comes first, and by a question as well
either() {
	local part=$1 charge=$2 other=$3 id list
	shift 3
	use_cohort lent $charge || return 1
	for list in "$part,$other" "$other,$part"; do
		test_only -A q -p "$list" -t 5 "$@" && id=$(submit -A q -p "$list" "$@") &&
			all_run "$id" && [ "$(squeue -h -j "$id" -o %P)" = "$part" ] || {
			echo "$list $*"
			return 1
		}
		scancel "$id" && wait_for 20 "job_gone $id" || return 1
	done
}

lent 16 4000 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf parts.conf --gres-conf parts.gres

test_expect_success 'memory by default' '
	either std "2 200" big -n2
'

test_expect_success 'CPUs instead of memory beyond the limit' '
	either main "1 1000" capped -n1 --mem-per-cpu=1000
'

test_expect_success 'CPUs and memory that come with GPUs' '
	either main "1 500" bygpu -N1 --gpus=2 && either main "1 500" bymem -N1 --gpus=2
'

test_expect_success 'what no partition has quota for never starts' '
	use_cohort lent 16 150 &&
	never=$(submit -A q -p std,big -n2) && waits_for $never "never(max=150)"
'

test_expect_success 'the owner evicts for the partition that needs least' '
	use_cohort lent 16 4000 &&
	a=$(submit_some 8 -A a -n1 --mem=500) && all_run $a && log_mark &&
	q=$(submit -A q -p std,big -n4) && all_run $q &&
	[ "$(squeue -h -j $q -o %P)" = std ] && [ "$(evicted | wc -w)" -eq 1 ]
'

test_expect_success 'an array, and one that comes while the other partition is looked at' '
	use_cohort lent 4 400 &&
	tasks=$(submit -A q -p big,std -n2 --array=1-3) &&
	wait_for 15 "[ \"\$(squeue -h -r -t R -j $tasks -o %P | xargs)\" = \"std std\" ]" &&
	scontrol update partition=std DefMemPerCPU=300 && scancel $tasks && wait_for 20 "job_gone $tasks" &&
	more=$(submit -A q -p big,std -n2) && waits_for $more "*mem@any*"
'

test_expect_success 'a component of a heterogeneous job' '
	use_cohort lent 3 350 &&
	het=$(submit -A q -p std,big -n2 : -A q -p big,std -n1) &&
	wait_for 30 "[ \"\$(squeue -h -t R -A q -o %P | xargs)\" = \"std std\" ]"
'

test_done
