#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description=${test_description-'GPUs of several types, shards: what is charged, and limited'}
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"

GPUS='gres/gpu, "gres/gpu:a100", "gres/gpu:v100", gres/shard'

{ gpu_kinds; quick_scheduler; echo 'AccountingStorageTRES=gres/gpu,gres/gpu:a100'; } >kinds.conf
[ -n "${ACCOUNTING-}" ] || sed -i /AccountingStorageTRES/d kinds.conf
gpu_kinds_gres >kinds.gres
printf '%s\n' 'add account a' 'add account b' 'add account q' \
	'add user root account=a,b,q defaultaccount=q' >commands

# everything QUOTA: one queue that covers all of it
everything() { own "cpu, mem, node, $GPUS" "$1"; }
plenty() { everything 'cpu=99,mem=99G,node=99,gres/gpu=99,gres/gpu:a100=99,gres/gpu:v100=99,gres/shard=99'; }

plenty >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf kinds.conf --gres-conf kinds.gres \
	${ACCOUNTING:+--accounting --sacctmgr commands}

test_expect_success 'charged are the type that was picked, and the CPUs and memory with it' '
	gets_charged cpu=1 mem=500 node=1 gres/gpu=1 gres/gpu:a100=1 -- --gres=gpu:1 &&
	gets_charged cpu=1 mem=500 node=1 gres/gpu=2 gres/gpu:v100=2 -- --gres=gpu:v100:2 &&
	gets_charged cpu=2 mem=1000 node=2 gres/gpu=3 gres/gpu:a100=3 -- --gpus=3 &&
	gets_charged cpu=2 mem=1000 node=2 gres/gpu=2 gres/gpu:a100=2 -- \
		-N2 --gpus-per-node=1 &&
	gets_charged cpu=2 mem=1000 node=1 gres/gpu=2 gres/gpu:a100=2 -- \
		-n2 --gpus-per-task=a100:1 &&
	gets_charged cpu=1 mem=500 node=1 gres/gpu=2 gres/gpu:v100=2 -- \
		-w n3 --sockets-per-node=1 --gpus-per-socket=2 &&
	gets_charged cpu=4 mem=2000 node=1 gres/gpu=2 gres/gpu:a100=2 -- \
		--gpus=2 --cpus-per-gpu=2 &&
	gets_charged cpu=1 mem=600 node=1 gres/gpu=2 gres/gpu:a100=2 -- \
		--gpus=2 --mem-per-gpu=300 &&
	gets_charged cpu=2 mem=1000 node=2 gres/shard=6 -- -N2 --gres=shard:3
'

test_expect_success 'whole nodes come with their GPUs' '
	gets_charged cpu=4 mem=2000 node=1 gres/gpu=2 gres/gpu:a100=2 -- \
		-N1 --exclusive &&
	gets_charged cpu=4 mem=4000 node=1 gres/gpu=2 gres/gpu:v100=2 -- \
		-w n3 -p whole --mem=0 &&
	gets_charged cpu=4 mem=2000 node=1 -- -w n4 -p whole
'

test_expect_success 'a restart charges the same again, and in the end nothing is left' '
	cluster_clear &&
	some="$(submit -A q --gres=gpu:1) $(submit -A q --gpus=v100:1 --cpus-per-gpu=2)
		$(submit -A q --gres=shard:3) $(submit -A q -w n2 --exclusive)
		$(submit -A q -w n4 --mem=0)" &&
	all_run $some && for id in $some; do [ -n "$(charge_of $id)" ] || return 1; done &&
	same_after_restart $some &&
	cluster_clear && books_empty
'

# Nodes of several types: which it will be, only the selection tells
few() { everything 'cpu=99,mem=99G,node=99,gres/gpu=3,gres/gpu:a100=1,gres/gpu:v100=2,gres/shard=4'; }

test_expect_success 'no type asked for: on to another one when the first is used up' '
	use_cohort few &&
	first=$(submit -A q --gpus=1) && all_run $first &&
	charged $first cpu=1 mem=500 node=1 gres/gpu=1 gres/gpu:a100=1 &&
	second=$(submit -A q --gpus=1) && all_run $second &&
	charged $second cpu=1 mem=500 node=1 gres/gpu=1 gres/gpu:v100=1 &&
	third=$(submit -A q -w n2 --gpus=1) &&
	waits_for $third "quota(gres/gpu:a100@any),need=1,free=0" &&
	steady $third && job_waits $third &&
	scancel $first && all_run $third
'

test_expect_success 'both, the sum and the type, are limits' '
	cluster_clear &&
	v100=$(submit -A q --gres=gpu:v100:2) && a100=$(submit -A q --gres=gpu:a100:1) &&
	all_run $v100 $a100 &&
	more=$(submit -A q --gres=gpu:1) &&
	waits_for $more "quota(gres/gpu@any),need=1,free=0" &&
	scancel $v100 && all_run $more && charged $more cpu=1 mem=500 node=1 gres/gpu=1 gres/gpu:v100=1
'

test_expect_success 'more of a type than there is, by what it asks or by what it would get' '
	cluster_clear &&
	asks=$(submit -A q --gres=gpu:a100:2) &&
	named=$(submit -A q -w n1 --exclusive) && kind=$(submit -A q -C a100 -p whole) &&
	tried=$(submit -A q -N1 --exclude=n3,n4 --exclusive) &&
	waits_for $asks "never(max=1),need=2_gres/gpu:a100@any" &&
	waits_for $named "never(max=1),need=2_gres/gpu:a100@any" &&
	waits_for $kind "never(max=1),need=2_gres/gpu:a100@any" &&
	waits_for $tried "quota(gres/gpu:a100@any),need=2,free=1" &&
	steady $tried && job_waits $asks $named $kind $tried &&
	elsewhere=$(submit -A q -N1 --exclusive) && all_run $elsewhere &&
	[ "$(running_nodes $elsewhere)" != n1 ]
'

test_expect_success 'shards' '
	cluster_clear &&
	three=$(submit -A q --gres=shard:3) && all_run $three &&
	two=$(submit -A q --gres=shard:2) && one=$(submit -A q --gres=shard:1) &&
	all_run $one && waits_for $two "quota(gres/shard@any),need=2,free=0" &&
	scancel $three && all_run $two
'

# b owns it all and takes it back
lent() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	for name in a b; do
		cat <<-EOF
			  - name: $name
			    match: [{account: $name}]
			    cohort: org
			    resourceGroups:
			      - coveredResources: [$GPUS]
			        flavors: [{name: any, nominalQuota: "$(lent_$name)"}]
		EOF
	done
	echo '    preemption: {reclaimWithinCohort: Any}'
}
lent_a() { echo 'gres/gpu=0,gres/gpu:a100=0,gres/gpu:v100=0,gres/shard=0'; }
lent_b() { echo 'gres/gpu=4,gres/gpu:a100=2,gres/gpu:v100=2,gres/shard=8'; }

test_expect_success 'a type is taken back from who has that type' '
	use_cohort lent &&
	v100=$(submit -A a --gres=gpu:v100:2) && a100=$(submit_some 2 -A a -w n1 --gres=gpu:1) &&
	all_run $v100 $a100 &&
	b=$(submit -A b --gres=gpu:a100:1) && all_run $b &&
	charged $b gres/gpu=1 gres/gpu:a100=1 &&
	evicted_some 1 $a100 && job_runs $v100
'

test_expect_success 'whole nodes are taken back, and nobody for nothing' '
	log_mark &&
	b2=$(submit -A b -w n3 --exclusive) && all_run $b2 &&
	charged $b2 gres/gpu=2 gres/gpu:v100=2 && evicted_are $v100 &&
	log_mark && over=$(submit -A b -w n2 --exclusive) &&
	waits_for $over "quota(gres/gpu:a100@any),need=2,free=0" &&
	steady $over && [ -z "$(evicted)" ]
'

test_expect_success 'shards are taken back, as many as needed' '
	use_cohort lent &&
	a=$(submit_some 4 -A a --gres=shard:2) && all_run $a &&
	b=$(submit -A b --gres=shard:3) && all_run $b &&
	evicted_some 2 $a &&
	cluster_clear && books_empty
'

test_done
