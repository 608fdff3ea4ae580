#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='unmanaged.preemption: jobs outside all queues preempt each other as Slurm has it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# One partition or QOS is preempted as the cluster is (requeue), one cancels
{
	quick_scheduler
	echo 'PartitionName=low Nodes=ALL PriorityTier=10'
	echo 'PartitionName=lowc Nodes=ALL PriorityTier=10 PreemptMode=CANCEL'
	echo 'PartitionName=high Nodes=ALL PriorityTier=20'
} >slurm.conf
cat >commands <<-EOF
	add account a
	add account out
	add qos low
	add qos lowc preemptmode=cancel
	add qos high preempt=low,lowc
	add user root account=a qos=normal,low,lowc,high defaultqos=normal
	add user root account=out qos=normal,low,lowc,high defaultqos=normal
EOF

# conf PREEMPTION [ENFORCEMENT]: jobs of account a are managed, those of out not
conf() {
	echo "enforcement: ${2-enforce}"
	echo "unmanaged: {preemption: $1}"
	quota_head
	echo 'clusterQueues:'
	queue a 16 within=LowerPriority
}

# use_cohort has marked the log: look at all of it
said() { wait_for 5 "grep -E -- \"$1\" \"$CLUSTER/log/slurmctld.log\""; }

conf none >cohort.yaml
cluster_up --accounting --sacctmgr commands --slurm-conf slurm.conf --cohort cohort.yaml

# full ACCOUNT OPTIONS...: a job on all CPUs that runs
full() { full=$(submit -A "$1" -N4 -n16 "${@:2}") && all_run "$full"; }

# nobody_goes VICTIM JOB: the one runs on, the other waits for nodes
nobody_goes() {
	wait_for 10 "[ -n \"\$(job_reason $2)\" ]" && holds_for 2 "job_runs $1 && job_waits $2" &&
		[ "$(evicted)" = "" ] && scancel "$2" && job_runs "$1"
}

ends="cohort.yaml: warning: preempt/qos does not work beside slurm-cohort, not even with enforcement: observe"

test_expect_success 'none: check warns while slurm-cohort observes, if QOS name those that they preempt' '
	conf none observe >file && mkdir draft && mv file draft/cohort.yaml &&
	scohort check draft/cohort.yaml 2>err && grep "$ends" err &&
	conf qos observe >draft/cohort.yaml && scohort check draft/cohort.yaml 2>err && ! grep "does not work" err &&
	scohort check 2>err && ! grep "does not work" err
'

test_expect_success 'none: neither QOS nor partition makes room' '
	full out -q low -p low && high=$(submit -A out -q high -p high -n1) &&
	nobody_goes $full $high
'

test_expect_success 'qos: the victim is requeued' '
	use_cohort conf qos && said "outside all cluster queues preempt each other by preempt/qos" &&
	full out -q low && high=$(submit -A out -q high -n1) && all_run $high &&
	wait_for 10 "job_waits $full" && [ "$(job_restarts $full)" -eq 1 ] &&
	! log_has "slurm-cohort: evict:" && scancel $high
'

test_expect_success 'qos: or cancelled, if its QOS has it so' '
	cluster_clear && full out -q lowc && high=$(submit -A out -q high -n1) && all_run $high &&
	wait_for 10 "[ \"\$(job_state $full)\" = PREEMPTED ]"
'

test_expect_success 'qos: a partition of higher tier is no reason' '
	cluster_clear && full out -p low && high=$(submit -A out -p high -n1) &&
	nobody_goes $full $high
'

test_expect_success 'qos: who may preempt stands before whom, as with preempt/qos' '
	cluster_clear && full out && low=$(submit -A out -q low -N4 -n16) &&
	high=$(submit -A out -q high -N4 -n16) && wait_for 10 "job_waits $low $high" &&
	scancel $full && all_run $high && job_waits $low && [ "$(job_restarts $low)" -eq 0 ]
'

test_expect_success 'a managed job is no victim of one outside, whatever its QOS' '
	cluster_clear && full a -q low && high=$(submit -A out -q high -n1) &&
	nobody_goes $full $high
'

test_expect_success 'nor does it take one' '
	cluster_clear && full out -q low && high=$(submit -A a -q high -n1) &&
	wait_for 10 "[ \"\$(reason_wait $high)\" = nodes ]" && nobody_goes $full $high
'

test_expect_success 'but of its queue it does' '
	cluster_clear && log_mark && full a -p low && high=$(submit -A a -p high -n1) &&
	all_run $high && evicted_are $full
'

test_expect_success 'partition_prio: the victim is requeued' '
	use_cohort conf partition_prio && said "preempt each other by preempt/partition_prio" &&
	full out -p low -q high && high=$(submit -A out -p high -n1 -q low) && all_run $high &&
	wait_for 10 "job_waits $full" && [ "$(job_restarts $full)" -eq 1 ]
'

test_expect_success 'partition_prio: or cancelled, if its partition has it so' '
	cluster_clear && full out -p lowc && high=$(submit -A out -p high -n1) && all_run $high &&
	wait_for 10 "[ \"\$(job_state $full)\" = PREEMPTED ]"
'

test_expect_success 'partition_prio: managed jobs keep out of it' '
	cluster_clear && full a -p low && high=$(submit -A out -p high -n1) &&
	nobody_goes $full $high && cluster_clear &&
	full out -p low && high=$(submit -A a -p high -n1) && nobody_goes $full $high
'

test_expect_success 'observe: nothing is managed, so all preempt as Slurm has it' '
	use_cohort conf partition_prio observe &&
	full a -p low && high=$(submit -A out -p high -n1) && all_run $high &&
	wait_for 10 "job_waits $full"
'

# A folder with all of Slurm's plugins but that one, and a false one
test_expect_success 'a plugin that is not there, or is another one: said so, and nobody preempts' '
	cluster_clear &&
	ours=$(sed -n "s/^PluginDir=\([^:]*\):.*/\1/p" "$CLUSTER/etc/slurm.conf") &&
	slurms=$(sed -n "s/^PluginDir=[^:]*://p" "$CLUSTER/etc/slurm.conf") &&
	mkdir "$WORK/some" && ln -s "$slurms"/*.so "$WORK/some/" &&
	rm "$WORK/some/preempt_qos.so" "$WORK/some/preempt_partition_prio.so" &&
	cp "$slurms/preempt_qos.so" "$WORK/some/preempt_partition_prio.so" &&
	sed -i "s|^PluginDir=.*|PluginDir=$ours:$WORK/some|" "$CLUSTER/etc/slurm.conf" &&
	cluster_restart_ctld &&
	said "error: slurm-cohort: cohort.yaml: unmanaged.preemption: partition_prio needs .*preempt_partition_prio.so .*it is another plugin" &&
	use_cohort conf qos &&
	said "error: slurm-cohort: cohort.yaml: unmanaged.preemption: qos needs Slurm.s preempt_qos.so .*PluginDir has no such file" &&
	full out -q low && high=$(submit -A out -q high -n1) && nobody_goes $full $high
'

test_done
