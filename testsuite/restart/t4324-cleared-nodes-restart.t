#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the owner of cleared nodes is known after a restart'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/epilog.sh"

{
	quick_scheduler
	epilog_line
	three_tiers
} >slurm.conf
shared_by_two 12 >cohort.yaml
cluster_up --nodes 3 --cohort cohort.yaml --slurm-conf slurm.conf

state="$CLUSTER/state/cohort_state"

# p evicts x1 for n2, and waits for it; it has half of n1, too
evicts() {
	epilog_ends && cluster_clear && log_mark && out=$(submit -A out -p hi -w n1 -n2) &&
		x1=$(submit -A c -p hi -N1 -n4 -w n2) && all_run $out $x1 && epilog_lasts &&
		p=$(submit -A a -p lo -N2 -n2 -w n1,n2) && wait_for 10 "completing $x1" &&
		wait_for 10 "grep -q ownNodes \"$state\""
}

test_expect_success 'others do not get the nodes after a restart, nor when slurmctld was killed' '
	evicts && cluster_restart_ctld && wait_for 30 nodes_have_registered &&
	x2=$(submit -A c -p hi -N1 -n2 -w n1) && x3=$(submit -A c -p hi -N1 -n2 -w n3) && all_run $x3 &&
	holds_for 3 "job_waits $x2 $p" && saved $x3 && cluster_kill_ctld && wait_for 30 nodes_have_registered && job_waits $x2 $p &&
	epilog_ends && all_run $p && evicted_are $x1 &&
	! log_has "Select plugin failed"
'

# saves: the state file is written once more, after something that is to be saved
saves() {
	local before=$(stat -c %y "$state")

	other=$(submit -A c -p hi -N1 -n1 -w n3) && all_run $other && wait_for 10 "[ \"\$(stat -c %y $state)\" != \"$before\" ]"
}

test_expect_success 'a reconfigure keeps the owner of quota' '
	evicts && grep -q "\"owns\"" "$state" && cluster_reconfigure && saves && grep -q "\"owns\"" "$state" &&
	epilog_ends && all_run $p && evicted_are $x1
'

# Those in the state file, in one line
owned() { tr -d ' \n' <"$state" | sed -n 's/.*"ownNodes":\[\([^]]*\)\].*/\1/p'; }

test_expect_success 'a node that is gone by then is left out' '
	evicts && [ "$(owned)" = "\"n1\",\"n2\"" ] &&
	"$TESTSUITE/cluster" stop-ctld --dir "$CLUSTER" &&
	sed -i "/ownNodes/,/]/ s/\"n1\"/\"n99\"/" "$state" && [ "$(owned)" = "\"n99\",\"n2\"" ] &&
	cluster_restart_ctld && wait_for 30 nodes_have_registered && wait_for 10 "[ \"\$(owned)\" = \\\"n2\\\" ]" &&
	epilog_ends && all_run $p && evicted_are $x1
'

test_done
