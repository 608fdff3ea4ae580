#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the owner of cleared nodes is known after a restart'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# A node's epilog lasts until we let it
cat >"$WORK/epilog" <<-EOF
	#!/bin/bash
	while [ ! -e $WORK/go ]; do sleep 0.1; done
EOF
chmod +x "$WORK/epilog"
touch "$WORK/go"

{
	quick_scheduler
	echo "Epilog=$WORK/epilog"
	echo 'PartitionName=lo Nodes=ALL State=UP MaxTime=INFINITE PriorityTier=10'
	echo 'PartitionName=hi Nodes=ALL State=UP MaxTime=INFINITE PriorityTier=100'
} >slurm.conf
{
	quota_head
	echo 'cohorts:'
	echo '  - name: org'
	quota_group cpu any nominal=12
	echo 'clusterQueues:'
	queue a 4 cohort=org reclaim=Any
	queue c 0 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --nodes 3 --cohort cohort.yaml --slurm-conf slurm.conf

completing() { squeue -h -t CG -o %A | grep -qx "$1"; }

state="$CLUSTER/state/cohort_state"

# p evicts x1 for n2, and waits for it; it has half of n1, too
evicts() {
	touch "$WORK/go" && cluster_clear && log_mark && out=$(submit -A out -p hi -w n1 -n2) &&
		x1=$(submit -A c -p hi -N1 -n4 -w n2) && all_run $out $x1 && rm "$WORK/go" &&
		p=$(submit -A a -p lo -N2 -n2 -w n1,n2) && wait_for 10 "completing $x1" &&
		wait_for 10 "grep -q ownNodes \"$state\""
}

test_expect_success 'others do not get the nodes after a restart, nor when slurmctld was killed' '
	evicts && cluster_restart_ctld &&
	x2=$(submit -A c -p hi -N1 -n2 -w n1) && x3=$(submit -A c -p hi -N1 -n2 -w n3) && all_run $x3 &&
	holds_for 3 "job_waits $x2 $p" && cluster_kill_ctld && holds_for 3 "job_waits $x2 $p" &&
	touch "$WORK/go" && all_run $p && evicted_are $x1 &&
	! log_has "Select plugin failed"
'

# Those in the state file, in one line
owned() { tr -d ' \n' <"$state" | sed -n 's/.*"ownNodes":\[\([^]]*\)\].*/\1/p'; }

test_expect_success 'a node that is gone by then is left out' '
	evicts && [ "$(owned)" = "\"n1\",\"n2\"" ] &&
	"$TESTSUITE/cluster" stop-ctld --dir "$CLUSTER" &&
	sed -i "/ownNodes/,/]/ s/\"n1\"/\"n99\"/" "$state" && [ "$(owned)" = "\"n99\",\"n2\"" ] &&
	cluster_restart_ctld && wait_for 10 "[ \"\$(owned)\" = \\\"n2\\\" ]" &&
	touch "$WORK/go" && all_run $p && evicted_are $x1
'

test_done
