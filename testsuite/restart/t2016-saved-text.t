#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a text that slurmctld saved disappears when it is not true any more, also of a job that Slurm does not try'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

lone_queue 8 >cohort.yaml
# Backfill tries nobody while this runs
cat >slurm.conf <<-'EOF'
	Licenses=tool:1
	PartitionName=other Nodes=ALL State=UP MaxTime=INFINITE
	SchedulerParameters=bf_interval=3600,sched_interval=4,sched_min_interval=0,batch_sched_delay=0
EOF
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# without_text ID...: no text of ours is there
without_text() {
	local id
	for id; do
		[[ $(job_reason $id) != Cohort:* ]] || return 1
	done
}

# A pass of slurmctld tries no heterogeneous job, so Slurm has no word of its own for the
# component that could start
test_expect_success 'a heterogeneous job that is out of line after a restart has no old text' '
	first=$(submit -A c -n6) && all_run $first &&
	het=$(submit -A c -n2 : -A c -n2 -p other) && wait_for 10 "in_line $het && in_line $((het + 1))" &&
	cluster_stop_ctld && sed -i "s/^\(PartitionName=other.*\)State=UP/\1State=DOWN/" \
		"$CLUSTER/etc/slurm.conf" && cluster_restart_ctld &&
	wait_for 30 nodes_have_registered && wait_for 10 "without_text $het $((het + 1))" && all_run $first && cluster_clear
'

# A job that slurmctld tries before it is in line for quota would be refused for the licence: it
# is in line first
test_expect_success 'a job waits for quota, and its licence is in use: it is in line' '
	lone_queue 1 >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	job=$(submit -A c -n2 -L tool:1) && wait_for 10 "in_line $job" &&
	holder=$(submit -n1 -L tool:1) && all_run $holder && wait_for 10 "in_line $job" &&
	says $job "wait=never(max=1)"
'

test_expect_success 'one that waits for nodes goes before it: Slurm tries nobody behind that one' '
	first=$(submit -N4 --exclusive) && job_update $first Priority=4294967200 &&
	is_refused $first Resources
'

# Of a job behind one that waits for nodes our text may say so
test_expect_success 'its queue has more while slurmctld is down: the old text is gone' '
	cluster_stop_ctld && lone_queue 8 >"$CLUSTER/etc/cohort.yaml" &&
	cluster_restart_ctld && wait_for 30 nodes_have_registered &&
	wait_for 10 "job_waits $job && [[ \$(job_reason $job) != *never* ]]"
'

test_done
