#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='CPUs, cores, sockets, with and without memory: charged is what Slurm allocates'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"

# Nodes of 2 sockets, 4 cores, 8 CPUs
nodes_with_threads() {
	echo 'NodeName=n[1-2] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2'
	echo 'PartitionName=whole Nodes=ALL OverSubscribe=EXCLUSIVE State=UP MaxTime=INFINITE'
	quick_scheduler
}

plenty() { own "cpu, mem, node" "cpu=99,mem=99G,node=99"; }
# cpus N MB: so much, and it is told to whom it is not enough
limit() { own "cpu, mem" "cpu=$1,mem=$2"; }

# on TYPE: a cluster with these SelectTypeParameters
on() {
	cluster_down 2>/dev/null
	{ nodes_with_threads; echo "SelectTypeParameters=$1"; } >"$WORK/type.conf"
	plenty >"$WORK/cohort.yaml"
	"$TESTSUITE/cluster" up --dir "$CLUSTER" --nodes 2 --cohort "$WORK/cohort.yaml" \
		--slurm-conf "$WORK/type.conf" && . "$CLUSTER/env"
}
CLUSTERS=$CLUSTER

# mem_has_no_effect: slurmctld says so
mem_has_no_effect() {
	grep -q "error: slurm-cohort: .*quota for mem has no effect" "$CLUSTER/log/slurmctld.log"
}

test_expect_success 'CR_CPU: single CPUs; memory is not allocated, and a quota for it is reported' '
	on CR_CPU && mem_has_no_effect &&
	gets_charged cpu=1 node=1 -- -n1 &&
	gets_charged cpu=3 node=1 -- -n3 --mem=700 &&
	gets_charged cpu=8 node=1 -- -p whole &&
	use_cohort limit 3 10 &&
	runs=$(submit -A q -n3 --mem=700) && all_run $runs &&
	waits=$(submit -A q -n1) && waits_for $waits "quota(cpu@any),need=1,free=0"
'

test_expect_success 'CR_CPU_Memory' '
	on CR_CPU_Memory && ! mem_has_no_effect &&
	gets_charged cpu=3 mem=1500 node=1 -- -n3 &&
	gets_charged cpu=1 mem=4000 node=1 -- -n1 --mem=0 &&
	cluster_clear && books_empty
'

test_expect_success 'CR_Core: a core of two CPUs is charged as two' '
	on CR_Core && mem_has_no_effect &&
	gets_charged cpu=2 node=1 -- -n1 &&
	gets_charged cpu=4 node=1 -- -n3
'

test_expect_success 'CR_Core_Memory: memory for each CPU of the core, and nobody starts beyond' '
	on CR_Core_Memory &&
	gets_charged cpu=2 mem=1000 node=1 -- -n1 &&
	gets_charged cpu=4 mem=1200 node=1 -- -n3 --mem-per-cpu=300 &&
	gets_charged cpu=4 mem=1000 node=1 -- -n2 --hint=nomultithread &&
	gets_charged cpu=8 mem=4000 node=1 -- -N1 --exclusive &&
	use_cohort limit 5 9000 &&
	never=$(submit -A q -n5) && whole=$(submit -A q -N1 --exclusive) &&
	waits_for $never "never(max=5),need=6_cpu@any" &&
	waits_for $whole "never(max=5),need=8_cpu@any" &&
	three=$(submit -A q -n3) && all_run $three &&
	one=$(submit -A q -n1) && waits_for $one "quota(cpu@any),need=2,free=1" && steady $one &&
	use_cohort limit 99 1100 &&
	two=$(submit -A q -n3 --mem-per-cpu=250) && all_run $two &&
	more=$(submit -A q -n1 --mem-per-cpu=60) &&
	waits_for $more "quota(mem@any),need=120,free=100" &&
	scancel $two && all_run $more
'

# Slurm spreads three CPUs over both sockets: only the selection tells
test_expect_success 'CR_Socket: whole sockets' '
	on CR_Socket && mem_has_no_effect &&
	gets_charged cpu=4 node=1 -- -n1 &&
	use_cohort limit 6 1 &&
	both=$(submit -A q -n3) && waits_for $both "quota(cpu@any),need=8,free=6" &&
	steady $both &&
	one=$(submit -A q -n1) && all_run $one && job_waits $both
'

test_expect_success 'CR_Socket_Memory, over a restart' '
	on CR_Socket_Memory &&
	one=$(submit -A q -w n1 -n1) && two=$(submit -A q -w n2 -n3) && all_run $one $two &&
	charged $one cpu=4 mem=2000 node=1 && charged $two cpu=8 mem=4000 node=1 &&
	same_after_restart $one $two && cluster_clear && books_empty
'

test_done
