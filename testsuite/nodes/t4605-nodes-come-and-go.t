#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='nodes that come and go: cloud, dynamic, drained, down, other features'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cloud.sh"

# slurm.conf has no way to name a folder with spaces
power=$WORK/power
mkdir "$power"

# n1 to n3 are always there. n4 and n5 become nodes of a cloud; what was n6 is
# room for a dynamic node.
{
	quick_scheduler
	cat <<-EOF
		SuspendProgram=$power/suspend
		ResumeProgram=$power/resume
		SuspendTime=3600
		SuspendTimeout=2
		ResumeTimeout=120
		MaxNodeCount=8
		SlurmctldParameters=cloud_dns
		PrivateData=cloud
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
	EOF
} >slurm.conf
# ---- a cloud whose nodes never come up: all of this happens before ----

cat >"$power/resume" <<-EOF
	#!/bin/sh
	PATH=$PATH
	for node in \$(SLURM_CONF=$CLUSTER/etc/slurm.conf scontrol show hostnames "\$1"); do
		echo "\$node" >>$power/resumed
	done
EOF
cat >"$power/suspend" <<-EOF
	#!/bin/sh
	PATH=$PATH
	for node in \$(SLURM_CONF=$CLUSTER/etc/slurm.conf scontrol show hostnames "\$1"); do
		echo "\$node" >>$power/suspended
	done
EOF
chmod +x "$power"/*
: >"$power/resumed"
: >"$power/suspended"

own cpu cpu=1 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --nodes 6

port_of() {
	sed -n 's/^NodeName=n\[4-6\] .*Port=\[\([0-9]*\)-.*/\1/p' "$CLUSTER/etc/slurm.conf"
}

into_the_cloud() {
	local port
	port=$(port_of) && [ -n "$port" ] || return 1
	extra_port=$((port + 2))
	slurmd_down n4 && slurmd_down n5 && slurmd_down n6
	sed -i -e "s/^NodeName=n\[4-6\] .*/NodeName=n[4-5] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$port-$((port + 1))] CPUs=4 RealMemory=4000 Feature=rented State=CLOUD/" \
		-e 's/^\(PartitionName=cpu Nodes=\)[^ ]*/\1n[4-5]/' "$CLUSTER/etc/slurm.conf"
}

test_expect_success 'slurmctld starts with quota for nodes that are not there' '
	into_the_cloud && cloud_queues 8 >"$CLUSTER/etc/cohort.yaml" && log_mark &&
	cluster_restart_ctld &&
	log_has "cohort.yaml: 1 cohorts, 4 cluster queues, 3 flavors" &&
	log_has "cohort.yaml names the feature extra, which does not exist yet" &&
	scontrol update nodename=n[4-5] state=power_down &&
	wait_for 30 "[ \"\$(node_state n[4-5])\" = idle~ ]" && : >"$power/suspended"
'

test_expect_success 'a job on a node that has to be switched on is charged at once' '
	b=$(submit_some 2 -A borrower -n4 -N1) &&
	wait_for 20 "[ \"\$(squeue -h -A borrower -o %t | xargs)\" = \"CF CF\" ]" &&
	wait_for 20 "[ \"\$(sort $power/resumed | xargs)\" = \"n4 n5\" ]" &&
	more=$(submit -A borrower -n1) &&
	says $more "wait=quota(cpu@cloud),need=1,free=0" && scancel $more
'

test_expect_success 'and evicted while its node is powering up; the owner takes its place there' '
	log_mark && o=$(submit -A owner -n4) &&
	wait_for 10 "[ \$(evicted | wc -w) -eq 1 ]" &&
	wait_for 10 "[ \"\$(squeue -h -j $o -o %t)\" = CF ]" &&
	[ "$(squeue -h -A borrower -t CF | wc -l)" -eq 1 ] && evicted >gone && [ "$(wc -w <gone)" -eq 1 ] &&
	wait_for 10 "job_waits $(cat gone)"
'

# ---- drained, other features ----

test_expect_success 'nodes that are drained: the job waits for nodes, nobody goes for it' '
	cluster_clear && log_mark &&
	scontrol update nodename=n[4-5] state=drain reason=test &&
	f=$(submit -A fixed -N3 -n12) && all_run $f &&
	o=$(submit -A owner -n4) && wait_for 10 "[ \"\$(reason_wait $o)\" = nodes ]" &&
	nobody_evicted_for $o
'

test_expect_success 'another feature: the node is of the other flavor from now on' '
	cluster_clear &&
	n=$(submit -A extra -n1) && wait_for 10 "[ \"\$(reason_wait $n)\" = nodes ]" &&
	scontrol update nodename=n3 availablefeatures=extra activefeatures=extra &&
	all_run $n && [ "$(running_nodes $n)" = n3 ] &&
	f=$(submit -A fixed -N3 -n3) && wait_for 10 "[ \"\$(reason_wait $f)\" = \"never(nodes)\" ]" &&
	scancel $n && scontrol update nodename=n3 availablefeatures=a100 activefeatures=a100 &&
	all_run $f
'

# ---- dynamic nodes ----

test_expect_success 'a dynamic node is created: what waited for its flavor goes there' '
	cluster_clear &&
	n=$(submit -A extra -n4) && wait_for 10 "[ \"\$(reason_wait $n)\" = nodes ]" &&
	scontrol create nodename=d2 nodehostname=localhost nodeaddr=127.0.0.1 port=$extra_port \
		cpus=4 realmemory=4000 feature=extra state=cloud &&
	wait_for 20 "[ \"\$(squeue -h -j $n -o %t,%N)\" = CF,d2 ]"
'

test_expect_success 'it is deleted: the flavor is empty again, and slurmctld goes on' '
	cluster_clear && wait_for 20 "scontrol delete nodename=d2" &&
	n=$(submit -A extra -n1) && wait_for 10 "[ \"\$(reason_wait $n)\" = nodes ]" &&
	f=$(submit -A fixed -N3 -n12) && all_run $f
'

test_done
