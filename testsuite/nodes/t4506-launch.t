#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='launches that fail: quota is free when the job has left its nodes, and not before'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/nodes.sh"

{
	three_tiers
	quick_scheduler
	echo 'Prolog=@DIR@/etc/prolog'
	echo 'PrologSlurmctld=@DIR@/etc/prolog_ctld'
	echo 'SlurmdTimeout=300'
} >slurm.conf
{
	quota_head
	echo 'clusterQueues:'
	queue c 4
} >cohort.yaml

# Prologs fail as long as there is a file for it
mkdir -p "$CLUSTER/etc"
for which in prolog prolog_ctld; do
	printf '#!/bin/sh\n[ ! -e "%s/etc/fail.%s" ]\n' "$CLUSTER" $which >"$CLUSTER/etc/$which"
	chmod 755 "$CLUSTER/etc/$which"
done

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# on NODE ID: it runs there and nowhere else
on() { [ "$(running_nodes "$2" | xargs)" = "$1" ]; }

# As long as slurmctld can not know what became of the node, the job is there
test_expect_success 'its node is dead when it is launched: it counts until that is known' '
	slurmd_kill n1 &&
	job=$(submit -A c -N1 -n4 -w n1) &&
	wait_for 20 "[ \"\$(job_restarts $job)\" = 1 ]" &&
	behind=$(submit -A c -N1 -n4 -x n1) && says $behind "free=0" &&
	node_fails n1 && wait_for 15 "job_runs $behind && job_waits $job" && [ "$(usage c)" -eq 4 ]
'

# A new one: slurmctld may still send n1 the order to kill the old one
test_expect_success 'then it waits again; the node comes back' '
	new=$(submit -A c -N1 -n4 -w n1) && scancel $job $behind && node_returns n1 && all_run $new && on n1 $new
'

test_expect_success 'the prolog fails: held, without charge; released, it runs' '
	cluster_clear && touch "$CLUSTER/etc/fail.prolog" &&
	job=$(submit -A c -N1 -n4 -w n2) && says $job "launch failed requeued held" &&
	rm "$CLUSTER/etc/fail.prolog" &&
	other=$(submit -A c -N1 -n4 -x n2) && all_run $other && [ -z "$(reason_pos $job)" ] &&
	node_returns n2 && scontrol release $job && says $job "free=0" &&
	scancel $other && all_run $job
'

test_expect_success 'the prolog of slurmctld fails: the same, with no node to repair' '
	cluster_clear && touch "$CLUSTER/etc/fail.prolog_ctld" &&
	job=$(submit -A c -N1 -n4) && wait_for 15 "[ \"\$(job_restarts $job)\" -ge 1 ]" &&
	rm "$CLUSTER/etc/fail.prolog_ctld" &&
	wait_for 10 "job_waits $job" && { scontrol release $job || true; } && wait_for 15 "job_runs $job" &&
	[ "$(usage c)" -eq 4 ]
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled c:4
'

test_done
