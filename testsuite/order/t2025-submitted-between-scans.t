#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job that is submitted right after others have ended has their quota'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

lone_queue 8 >cohort.yaml
# No pass but because of what happens
echo SchedulerParameters=sched_interval=10000,bf_interval=10000,batch_sched_delay=10000 >slurm.conf

ctld_clock || {
	skip_all='no C compiler: slurmctld has no clock of its own'
	test_done
}
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# starts_at_once OPTIONS...: when it is submitted, or never
starts_at_once() { salloc -I --no-shell -A c "$@" 2>out || { cat out; return 1; }; }

# The last look at all records was in this second, whatever the time
test_expect_success 'by the clock of slurmctld all of it happens in one second' '
	clock_is "@$EPOCHSECONDS"
'

test_expect_success 'a job on one node' '
	for i in 1 2 3 4 5; do
		starts_at_once -N1 -n4 && starts_at_once -N1 -n4 && cluster_clear || return 1
	done
'

test_expect_success 'a job on several nodes' '
	for i in 1 2 3 4 5; do
		starts_at_once -N2 -n8 && cluster_clear || return 1
	done
'

test_expect_success 'and no more than that' '
	starts_at_once -N1 -n4 && starts_at_once -N1 -n4 && test_must_fail starts_at_once -N1 -n1
'

test_done
