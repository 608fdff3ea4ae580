#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job starts with exactly the quota that it is charged, and not with one less'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"

# As gpu_kinds, but n1 and n2 with 2 CPUs a core
{
	gpu_kinds | sed 's/^NodeName=n\[1-2\]/& CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2/'
	quick_scheduler
	echo 'PartitionName=bygpu Nodes=n[1-2] DefCpuPerGPU=3 DefMemPerGPU=700 State=UP MaxTime=INFINITE'
	echo 'Licenses=matlab:6'
} >kinds.conf
gpu_kinds_gres >kinds.gres
RESOURCES='cpu, mem, node, gres/gpu, "gres/gpu:a100", "gres/gpu:v100", gres/shard, license/matlab, billing'
NAMES=$(tr -d '",' <<<"$RESOURCES")

# quotas WORDS...: "cpu=4 mem=500": these, and none of everything else
quotas() {
	local name amount text=
	for name in $NAMES; do
		amount=$(printf '%s\n' "$@" | sed -n "s|^$name=||p")
		text=$text,$name=${amount:-0}
	done
	own "$RESOURCES" "${text#,}"
}

quotas $(for name in $NAMES; do echo "$name=99999"; done) >cohort.yaml
cp cohort.yaml plenty.yaml
cluster_up --cohort cohort.yaml --slurm-conf kinds.conf --gres-conf kinds.gres

# exact OPTIONS...: what it is charged is what it needs
exact() {
	local id charge cpus
	use_cohort cat plenty.yaml && id=$(submit -A q "$@") && all_run "$id" &&
		wait_for 5 "[ -n \"\$(charge_of $id)\" ]" || return 1
	charge=$(charge_of "$id" | sed 's/@any//g')
	echo "$*: $charge"
	use_cohort quotas $charge && id=$(submit -A q "$@") && all_run "$id" || return 1
	cpus=$(sed 's/^cpu=\([0-9]*\).*/\1/' <<<"$charge")
	use_cohort quotas cpu=$((cpus - 1)) ${charge#* } && id=$(submit -A q "$@") &&
		waits_for "$id" '[nq]*' && job_waits "$id"
}

test_expect_success 'cores' '
	exact -n3 -w n1 && exact -n2 --hint=nomultithread -w n1 && exact -N2 -n5 -C a100
'

test_expect_success 'whole nodes' '
	exact -w n2 --exclusive --mem=0 && exact -N2 -p whole -C a100 && exact -w n1,n3 --exclusive
'

test_expect_success 'whole nodes of which the job leaves threads, cores or CPUs alone' '
	exact -w n1 --exclusive --hint=nomultithread && exact -w n1 --exclusive --threads-per-core=1 -n3 &&
	exact -w n1 --exclusive --ntasks-per-core=1 -n3 && exact -w n1 --exclusive -c3 &&
	exact -w n1 --exclusive --ntasks-per-node=3 && exact -w n1 --exclusive -O -n12
'

test_expect_success 'the same of shared ones' '
	exact -w n1 -n3 --threads-per-core=1 && exact -w n1 -n3 --ntasks-per-core=1 &&
	exact -w n1 -c3 && exact -w n1 -n2 --ntasks-per-socket=1 && exact -w n1 -O -n3
'

test_expect_success 'GPUs' '
	exact --gpus=v100:2 --cpus-per-gpu=2 && exact -p bygpu --gpus=2 &&
	exact -C a100 -n2 --gpus-per-task=1 -L matlab:2 && exact --gres=shard:3 --mem=100
'

test_done
