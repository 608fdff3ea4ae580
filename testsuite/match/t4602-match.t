#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='queues by QOS, account and user, priorities, and names that are deleted, with slurmdbd'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# Each command takes half a second: several names in one
cat >commands <<-EOF
	add account vision,audio,misc
	add account vision-lab,vision-web parent=vision
	add qos low,high,batch-1,batch-2
	modify qos high set priority=100
	modify qos low set priority=10
	add user root account=misc,vision,audio,vision-lab,vision-web defaultaccount=misc
	add user daemon account=audio defaultaccount=audio
	modify user root,daemon set qos=normal,low,high,batch-1,batch-2 defaultqos=low
EOF
quick_scheduler >quick.conf

# The queue that a job belongs to is told by the text of one that waits: nobody
# has quota for 4 CPUs.
each() {
	echo "  - name: $1"
	echo "    match: [$2]"
	quota_group cpu any nominal=1
}

by_rules() {
	printf 'visibility: {updateInterval: 1s}\nflavors: [{name: any}]\nclusterQueues:\n'
	each both '{qos: high, account: "vision*"}'
	each batch '{qos: "batch-[0-9]"}'
	each lab '{account: "vision-*"}, {account: audio, partition: gpu}'
	each mine '{user: daemon}'
	each vision '{account: vision}'
	each misc '{account: misc, qos: low}'
	each rest '{account: "*"}'
}

by_rules >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf quick.conf --accounting --sacctmgr commands

# queue_is NAME OPTIONS...: a job with these belongs to it
queue_is() {
	local id name=$1
	shift
	id=$(submit -n4 "$@") && wait_for 10 "[[ \"\$(job_reason $id)\" == *,cq=$name ]]" || {
		job_reason "$id"
		return 1
	}
	scancel "$id"
}

test_expect_success 'by account, with patterns, the first rule in the file that matches' '
	queue_is lab -A vision-lab && queue_is lab -A vision-web &&
	queue_is vision -A vision && queue_is rest -A audio
'

test_expect_success 'by QOS, with patterns; all keys of a rule must match' '
	queue_is both -A vision-web -q high && queue_is both -A vision -q high &&
	queue_is batch -A audio -q batch-2 && queue_is rest -A audio -q high
'

test_expect_success 'a second rule of a queue, with a partition' '
	queue_is lab -A audio -p gpu && queue_is rest -A audio -p cpu
'

test_expect_success 'without --account and --qos the defaults of the user decide' '
	queue_is misc && queue_is rest -q normal
'

# Not nobody: Slurm 26.05 has no such user
as_daemon() { timeout -k 1 "$CLIENT_LIMIT" setpriv --reuid=daemon --regid=daemon --clear-groups "$@"; }

test_expect_success 'by the name of the user, before queues that stand behind' '
	id=$(cd / && as_daemon sbatch --parsable -o /dev/null -n4 --wrap "exec sleep 1000") &&
	wait_for 10 "[[ \"\$(job_reason $id)\" == *,cq=mine ]]" && scancel $id
'

# ---- priorities ----

prio_head() {
	printf 'visibility: {updateInterval: 1s}\nflavors: [{name: any}]\n'
	[ -z "${1-}" ] || echo "priority: $1"
	echo 'clusterQueues:'
}
one_queue() {
	prio_head "${1-}"
	queue misc 4 within=LowerPriority
}

# evicts WHOM BY...: the job of 4 CPUs with the options WHOM gives way to one
# with BY
evicts() {
	local victim by
	# shellcheck disable=SC2086
	victim=$(submit -n4 -A misc $1) && all_run "$victim" && shift &&
	by=$(submit -n4 -A misc "$@") && all_run "$by" && evicted_are "$victim"
	local rc=$?
	cluster_clear && log_mark
	return $rc
}

# waits_for WHOM BY...: it does not
waits_for() {
	local other by
	# shellcheck disable=SC2086
	other=$(submit -n4 -A misc $1) && all_run "$other" && shift &&
	by=$(submit -n4 -A misc "$@") && wait_for 10 "in_line $by" && nobody_evicted_for "$by"
	local rc=$?
	cluster_clear && log_mark
	return $rc
}

test_expect_success 'the priority is that of the QOS by default' '
	use_cohort one_queue &&
	evicts "-q low" -q high && waits_for "-q high" -q low --priority=1000000
'

test_expect_success 'priority: job' '
	use_cohort one_queue job &&
	evicts "-q high --priority=500" -q low --priority=1000
'

test_expect_success 'priority: partition' '
	scontrol create PartitionName=urgent Nodes=ALL PriorityTier=50 &&
	use_cohort one_queue partition &&
	scontrol create PartitionName=urgent Nodes=ALL PriorityTier=50 &&
	evicts "-q high" -p urgent -q low
'

# ---- names ----

names_of() {
	by_rules | sed "s/$1/$2/"
}

# refused MESSAGE SED...: reconfigure says so, and all stays as it was
refused() {
	local message=$1
	log_mark
	by_rules | sed "$2" >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 5 "log_has \"has errors: the configuration in force does not change\"" &&
	log_has "error: slurm-cohort: .*cohort.yaml:[0-9]+: $message"
}

test_expect_success 'names that nobody knows: refused, with the line; patterns may match nobody' '
	use_cohort by_rules &&
	refused "clusterQueues.0..match.0..qos: .*none.* is no QOS of this cluster" s/high/none/ &&
	refused "clusterQueues.4..match.0..account: .*nobody.* is no account of this cluster" \
		"s/{account: vision}/{account: nobody}/" &&
	refused "clusterQueues.2..match.1..partition: .*night.* is no partition of this cluster" \
		"s/partition: gpu/partition: night/" &&
	refused "clusterQueues.0..resourceGroups.0..coveredResources.0.: .*gres/tape.* is no resource of this cluster" \
		"s/cpu/gres\\/tape/g" &&
	refused "clusterQueues.0..resourceGroups.0..coveredResources.0.: .*license/none.* is no resource of this cluster" \
		"s/cpu/license\\/none/g" &&
	use_cohort names_of "account: audio" "account: \"none*\""
'

# From 25.05 on none that a job has can be deleted
test_expect_success 'a QOS that is deleted in the database: what is in force goes on' '
	use_cohort by_rules &&
	run=$(submit -A audio -q batch-2) && all_run $run &&
	wait=$(submit -A audio -q high -n4) && wait_for 10 "in_line $wait" &&
	{ ! slurm_since 25.05 || scancel $wait; } &&
	wait_for 10 "sacctmgr -Q -i delete qos high >/dev/null" && log_mark &&
	queue_is batch -A audio -q batch-2 && queue_is vision -A vision &&
	job_runs $run
'

test_expect_success 'a reconfigure then says so, and changes nothing' '
	cluster_reconfigure &&
	wait_for 5 "log_has \"the configuration in force does not change\"" &&
	log_has ".*high.* is no QOS of this cluster" &&
	queue_is vision -A vision && job_runs $run
'

test_expect_success 'and after a restart slurmctld is there, with the last good configuration' '
	log_mark &&
	cluster_restart_ctld &&
	log_has ".*high.* is no QOS of this cluster" &&
	log_has "has errors: starting with the last valid one" &&
	job_runs $run && queue_is batch -A audio -q batch-2
'

test_done
