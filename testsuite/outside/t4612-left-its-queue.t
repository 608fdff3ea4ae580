#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a component that is in no queue any more shows no text of one'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

# some_queues [QUEUE]: a, and another one
some_queues() {
	quota_head
	echo 'clusterQueues:'
	queue a 4
	[ $# -eq 0 ] || queue "$1" 4
}

some_queues b >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

shows() { squeue -h -j "$1" -o "%i %r %R"; }

test_expect_success 'both components show for what they wait' '
	full=$(submit -A a -n4) && all_run $full &&
	het=$(submit -A a -n1 : -A b -n1) &&
	wait_for 10 "[ \$(shows $het | grep -c Cohort:) -eq 2 ]"
'

# Slurm saves the text with the record, and looks at no component alone
test_expect_success 'after a restart without the queue of one, only the other does' '
	some_queues >"$CLUSTER/etc/cohort.yaml" && cluster_restart_ctld &&
	wait_for 10 "shows $het >now && [ \$(grep -c Cohort: now) -eq 1 ] && grep \"^$het+0 .*Cohort:\" now"
'

test_done
