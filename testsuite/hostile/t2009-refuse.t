#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a setup that cannot work is refused at start, with a message that says why'
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

test_expect_success 'first start with a broken cohort.yaml' '
	sed "s/cpu=2/cpu=two/" cohort.yaml >broken.yaml &&
	line=$(grep -n cpu=two broken.yaml | cut -d : -f 1) &&
	refused "" broken.yaml &&
	said "error: slurm-cohort: $CLUSTER/etc/cohort.yaml:$line: clusterQueues\[0\].*two" &&
	said "fatal: slurm-cohort: $CLUSTER/etc/cohort.yaml has errors .*no earlier valid one in $CLUSTER/state"
'

test_expect_success 'first start with an empty one' '
	: >empty.yaml &&
	refused "" empty.yaml &&
	said "fatal: slurm-cohort: $CLUSTER/etc/cohort.yaml has errors"
'

test_expect_success 'repaired, it starts, in the same folder, and works' '
	"$TESTSUITE/cluster" up --dir "$CLUSTER" --cohort cohort.yaml &&
	. "$CLUSTER/env" &&
	one=$(submit -A c -n2) && two=$(submit -A c -n1) &&
	wait_for 10 "job_runs $one && in_line $two"
'

test_expect_success 'without cohort.yaml, and the last good one lost, it does not start again' '
	rm "$CLUSTER/etc/cohort.yaml" "$CLUSTER/state/cohort.yaml.good" && log_mark &&
	test_must_fail cluster_restart_ctld &&
	log_has "error: slurm-cohort: $CLUSTER/etc/cohort.yaml: " &&
	log_has "fatal: slurm-cohort: .*no earlier valid one"
'

test_expect_success 'put back, it does, with all jobs' '
	cp cohort.yaml "$CLUSTER/etc/cohort.yaml" &&
	cluster_restart_ctld &&
	wait_for 10 "job_runs $one && in_line $two"
'

# Slurm reads PreemptMode again without asking its plugins
test_expect_success 'a PreemptMode that cannot work and comes by reconfigure is complained of' '
	sed -i "s/^PreemptMode=.*/PreemptMode=SUSPEND,GANG/" "$CLUSTER/etc/slurm.conf" && log_mark &&
	{ cluster_reconfigure || true; } &&
	wait_for 5 "log_has \"error: slurm-cohort: PreemptMode=GANG,SUSPEND can.t work\""
'

test_done
