#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='nodes that are powered up and down for real, and dynamic nodes that register'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cloud.sh"
. "$TESTSUITE/lib/charge.sh"

power=$WORK/power
mkdir "$power"

# n1 and n2 are always there, n3 and n4 are of a cloud, what was n5 is room for
# a dynamic node
{
	quick_scheduler
	cat <<-EOF
		SuspendProgram=$power/suspend
		ResumeProgram=$power/resume
		SuspendTime=3
		SuspendExcNodes=n[1-2]
		SuspendTimeout=2
		ResumeTimeout=120
		# a node whose registration was lost is asked again after 20 s, not 100
		SlurmdTimeout=60
		TreeWidth=65533
		MaxNodeCount=8
		SlurmctldParameters=cloud_dns,idle_on_node_suspend
		PrivateData=cloud
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
	EOF
} >slurm.conf

# A slurmd is a machine of the cloud: -b, it has booted just now; as long as there is
# the file "wait" it has not. Slurm 24.11 kills
# the process group of this script when it ends: a session of its own, or a slurmd
# that has not got one yet would go, too.
cat >"$power/resume" <<-EOF
	#!/bin/bash
	[ -n "\${OWN_SESSION-}" ] || OWN_SESSION=1 exec setsid --wait "\$0" "\$@"
	export PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
	dir=$CLUSTER
	. "$TESTSUITE/lib/procs.sh"
	flock $power/lock true	# who is still being powered down
	for node in \$(SLURM_CONF=\$dir/etc/slurm.conf scontrol show hostnames "\$1"); do
		echo "\$node" >>$power/resumed
		while [ -e $power/wait ]; do sleep 0.1; done
		set -- -N \$node -f \$dir/etc/slurm.conf
		[[ \$node == n* ]] || set -- "\$@" -Z --conf "CPUs=4 RealMemory=4000 Feature=extra"
		proc_start slurmd.\$node slurmd -D -b "\$@"
	done
EOF
cat >"$power/suspend" <<-EOF
	#!/bin/bash
	export PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
	dir=$CLUSTER
	. "$TESTSUITE/lib/procs.sh"
	exec 9>>$power/lock
	flock 9
	for node in \$(SLURM_CONF=\$dir/etc/slurm.conf scontrol show hostnames "\$1"); do
		proc_signal KILL slurmd.\$node
		until procs_gone slurmd.\$node; do sleep 0.1; done
		echo "\$node" >>$power/suspended
	done
EOF
chmod +x "$power"/*
: >"$power/resumed"
: >"$power/suspended"

own cpu cpu=1 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --nodes 5

into_the_cloud() {
	local port
	port=$(sed -n 's/^NodeName=n\[4-5\] .*Port=\[\([0-9]*\)-.*/\1/p' "$CLUSTER/etc/slurm.conf")
	[ -n "$port" ] || return 1
	extra_port=$((port + 1))
	slurmd_down n3 && slurmd_down n4 && slurmd_down n5
	sed -i -e '/^NodeName=n\[4-5\] /d' -e '/^PartitionName=\(cpu\|gpu\) /d' \
		-e "s/^NodeName=n\[1-3\] .*/NodeName=n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((port - 3))-$((port - 2))] CPUs=4 RealMemory=4000 Feature=a100\nNodeName=n[3-4] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((port - 1))-$port] CPUs=4 RealMemory=4000 Feature=rented State=CLOUD/" \
		"$CLUSTER/etc/slurm.conf"
	echo "SlurmdPort=$extra_port" >>"$CLUSTER/etc/slurm.conf"
	: >"$CLUSTER/etc/gres.conf"
}

# Also of one whose node is powering up
nodes_of() { squeue -h -j "$1" -o %N; }
# Slurm 22.05 may take the registration of a node that powers up for nothing, and asks no
# such node again (ping_nodes.c): its slurmd registers anew when it is told to read its
# configuration.
node_up() {
	is_up "$1" 20 || { ! slurm_since 23.11 && procs proc_signal HUP "slurmd.$1" && is_up "$1" 60; }
}
is_up() { wait_for "$2" "[[ \$(node_state $1) =~ ^[a-z]+\$ ]]"; }
powered_down() { wait_for 40 "[ \"\$(node_state $1)\" = idle~ ]"; }

test_expect_success 'nodes of the cloud are powered down' '
	into_the_cloud && cloud_queues 100 >"$CLUSTER/etc/cohort.yaml" && log_mark &&
	cluster_restart_ctld && log_has "4 cluster queues, 3 flavors" &&
	scontrol update nodename=n[3-4] state=power_down_force &&
	powered_down "n[3-4]" && : >"$power/suspended"
'

test_expect_success 'a job powers one up, and is charged from the beginning' '
	touch "$power/wait" && b=$(submit -A borrower -n4 -N1) &&
	wait_for 10 "[ \"\$(squeue -h -j $b -o %t)\" = CF ]" && charged $b cpu@cloud=4 && rm "$power/wait" &&
	more=$(submit -A borrower -n5) &&
	says $more "wait=quota(cpu@cloud),need=5,free=4" && scancel $more &&
	wait_for 10 "[ \"\$(cat $power/resumed)\" = $(nodes_of $b) ]" && node_up "$(nodes_of $b)"
'

test_expect_success 'evicted there, its node goes to the owner, who needs the other one, too' '
	log_mark && o=$(submit -A owner -N2 -n8) && evicted_are $b &&
	wait_for 30 "[ -n \"\$(nodes_of $o)\" ]" && node_up n3 && node_up n4 && wait_for 60 "[ \"\$(squeue -h -j $o -o %t)\" = R ]" && charged $o cpu@cloud=8 &&
	job_waits $b && [ "$(sort -u "$power/resumed" | xargs)" = "n3 n4" ]
'

test_expect_success 'the nodes are powered down when nobody is left, and the books are empty' '
	cluster_clear && books_empty && powered_down "n[3-4]" &&
	wait_for 20 "[ \"\$(sort -u $power/suspended | xargs)\" = \"n3 n4\" ]"
'

test_expect_success 'they are of the flavor as before' '
	: >"$power/resumed" && b=$(submit -A borrower -n4 -N1) &&
	charged $b cpu@cloud=4 && node_up "$(nodes_of $b)" && [ -s "$power/resumed" ]
'

# ---- dynamic nodes ----

# dynamic_up NAME CONF: a slurmd that brings its node along
dynamic_up() {
	mkdir -p "$CLUSTER/spool/$1" &&
	procs proc_start "slurmd.$1" slurmd -D -b -Z -N "$1" -f "$CLUSTER/etc/slurm.conf" --conf "$2"
}

dynamic_down() {
	slurmd_down "$1" && wait_for 10 "procs procs_gone slurmd.$1"
}

test_expect_success 'a node that brings itself along: what waited for its flavor starts' '
	cluster_clear && n=$(submit -A extra -n4) &&
	wait_for 10 "[ \"\$(reason_wait $n)\" = nodes ]" &&
	dynamic_up d1 "CPUs=4 RealMemory=4000 Feature=extra" &&
	wait_for 30 "job_runs $n" && [ "$(running_nodes $n)" = d1 ] && charged $n cpu@extra=4
'

test_expect_success 'deleted: its flavor is empty, quota for 100 CPUs is no error' '
	scancel $n && wait_for 20 "[ -z \"\$(squeue -h -j $n)\" ]" && dynamic_down d1 && log_mark &&
	wait_for 20 "scontrol delete nodename=d1" && books_empty &&
	n=$(submit -A extra -n1) && wait_for 10 "[ \"\$(reason_wait $n)\" = nodes ]" &&
	f=$(submit -A fixed -N2 -n8) && all_run $f && ! log_has "error: slurm-cohort"
'

# Slurm 24.11 gives a new node the place of a deleted one, and then no jobs (it is
# missing in share_node_bitmap) before it is reconfigured
test_expect_success 'created by hand, its slurmd comes later' '
	touch "$power/wait" && cluster_reconfigure && scontrol create nodename=d2 nodehostname=localhost nodeaddr=127.0.0.1 port=$extra_port \
		cpus=4 realmemory=4000 feature=extra state=cloud &&
	mkdir -p "$CLUSTER/spool/d2" && wait_for 20 "[ \"\$(squeue -h -j $n -o %t,%N)\" = CF,d2 ]" &&
	rm "$power/wait" && charged $n cpu@extra=1 && node_up d2
'

test_done
