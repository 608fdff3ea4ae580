#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a setup that cannot work is refused at start, with a message that says why; before the first valid cohort.yaml there is no quota'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{
	quota_head
	echo 'clusterQueues:'
	queue c 2
} >cohort.yaml

CLUSTERS=$CLUSTER

# refused LINES: the cluster does not come up with these in slurm.conf
refused() {
	printf '%b\n' "$1" >slurm.conf
	test_must_fail "$TESTSUITE/cluster" up --dir "$CLUSTER" --slurm-conf slurm.conf \
		--cohort "${2:-cohort.yaml}"
}

# In slurmctld's log or, when it did not come that far, in its output
said() { grep -hE -- "$1" "$CLUSTER"/log/slurmctld.*; }

plugindir=$BUILD/plugins
slurm_plugindir=$(sed -n 's/^SLURM_PLUGINDIR = //p' "$TOP/config.mk")

test_expect_success 'our select plugin without PreemptType=preempt/cohort' '
	refused "PreemptType=preempt/none\nPreemptMode=OFF" &&
	said "fatal: slurm-cohort: .*PreemptType is preempt/none: set PreemptType=preempt/cohort"
'

test_expect_success 'preempt/cohort without our select plugin' '
	mkdir "$WORK/half" &&
	cp "$plugindir/preempt_cohort.so" "$plugindir/libcohort_ctld.so" "$WORK/half" &&
	refused "PluginDir=$WORK/half:$slurm_plugindir" &&
	said "slurm-cohort: preempt/cohort needs its own select_cons_tres.so: PluginDir" &&
	said fatal
'

test_expect_success 'another SelectType' '
	refused "SelectType=select/linear\nSelectTypeParameters=CR_Memory" &&
	said "slurm-cohort: preempt/cohort needs its own .*SelectType must be select/cons_tres"
'

for mode in SUSPEND,GANG SUSPEND OFF GANG; do
	test_expect_success "PreemptMode=$mode" '
		refused "PreemptMode=$mode" &&
		said "(error|fatal): .*PreemptMode" && said "fatal: "
	'
done

# Slurm itself refuses some of these modes, but not this one
test_expect_success 'the message for SUSPEND,GANG is ours' '
	refused "PreemptMode=SUSPEND,GANG" &&
	said "error: slurm-cohort: PreemptMode=GANG,SUSPEND can.t work with quota \(a suspended job resumes without asking for quota\)"
'

# no_quota LINE: slurmctld is up, no quota is in force, and the log and scohort status
# say so, with this error
no_quota() {
	said "error: slurm-cohort: $CLUSTER/etc/cohort.yaml$1" &&
		said "error: slurm-cohort: $CLUSTER/etc/cohort.yaml has errors, and there is no earlier valid one in $CLUSTER/state: all jobs are scheduled without quota" &&
		wait_for 10 "COLUMNS=1000 scohort status | grep -E 'cohort.yaml is not in force. slurmctld rejected it at .*$1.* all jobs are scheduled without quota'"
}

test_expect_success 'first start with a broken cohort.yaml: jobs run without quota' '
	sed "s/cpu=2/cpu=two/" cohort.yaml >broken.yaml &&
	line=$(grep -n cpu=two broken.yaml | cut -d : -f 1) &&
	"$TESTSUITE/cluster" up --dir "$CLUSTER" --cohort broken.yaml && . "$CLUSTER/env" &&
	one=$(submit -A c -n2) && two=$(submit -A c -n1) && all_run $one $two &&
	no_quota ":$line: clusterQueues\[0\].*two"
'

test_expect_success 'a reconfigure with another broken one changes nothing' '
	: >"$CLUSTER/etc/cohort.yaml" && log_mark && cluster_reconfigure &&
	wait_for 5 "log_has \"error: slurm-cohort: .*cohort.yaml has errors\"" && no_quota && job_runs $one $two
'

test_expect_success 'a valid one is in force at once, with all jobs: diff and apply know' '
	scohort diff cohort.yaml >shown && cat shown && grep "queue c, flavor any: nominalQuota of cpu none -> 2" shown &&
	scohort apply cohort.yaml && three=$(submit -A c -n1) &&
	wait_for 10 "in_line $three" && job_runs $one $two &&
	scohort status >shown && ! grep "not in force" shown && scancel $two
'

test_expect_success 'without cohort.yaml, and the last good one lost: no quota again' '
	cluster_stop_ctld && rm "$CLUSTER/etc/cohort.yaml" "$CLUSTER/state/cohort.yaml.good" &&
	log_mark && cluster_restart_ctld && no_quota ": cannot be read" && all_run $three
'

test_expect_success 'put back, quota is in force, with all jobs' '
	cp cohort.yaml "$CLUSTER/etc/cohort.yaml" && cluster_restart_ctld &&
	four=$(submit -A c -n1) && wait_for 10 "job_runs $one $three && in_line $four"
'

# Slurm reads PreemptMode again without asking its plugins
test_expect_success 'a PreemptMode that cannot work and comes by reconfigure is complained of' '
	sed -i "s/^PreemptMode=.*/PreemptMode=SUSPEND,GANG/" "$CLUSTER/etc/slurm.conf" && log_mark &&
	{ cluster_reconfigure || true; } &&
	wait_for 5 "log_has \"error: slurm-cohort: PreemptMode=GANG,SUSPEND can.t work\""
'

test_done
