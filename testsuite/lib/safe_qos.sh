# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# safe_qos.sh - accounts a and b, and a QOS whose PreemptExemptTime changes under running jobs
#
# Used: what quota.sh has.

# safe_qos_world CPUS: the files commands and cohort.yaml; queue a owns 4 CPUs, b CPUS, which it
# reclaims. QOS safe exempts nobody yet.
safe_qos_world() {
	cat >commands <<-EOF
		add account a
		add account b
		add qos safe preemptexempttime=00:00:00
		add user root account=a,b defaultqos=normal qos=normal,safe
	EOF
	{
		quota_head
		cohorts org
		echo 'clusterQueues:'
		queue a 4 cohort=org
		queue b "$1" cohort=org reclaim=Any
	} >cohort.yaml
}

exempt_for() { sacctmgr -Q -i modify qos safe set preemptexempttime="$1"; }
