#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='protection survives restart and reconfigure, and ends when it should'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

# No periodic pass comes to help
{ three_tiers; no_passes; } >slurm.conf

# lend RECLAIM: a and b own 4 each, b takes back
lend() {
	quota_head 1h
	echo "minRuntime: {reclaim: $1}"
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 4 cohort=org reclaim=Any
}

# How long a is protected, by a clock that the test moves
TIME=300

ctld_clock
lend 1h >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# b waits for a's job, which holds all there is
borrowed() {
	a=$(submit -A a -N2 -n8) && all_run $a && b=$(submit -A b -n4) && start=$(started $a)
}

# in_time FREE: nobody goes before, then a goes and b starts
in_time() { due_at "$1" "job_runs $a && job_waits $b" $a && all_run $b && evicted_are $a; }

test_expect_success 'restart' '
	use_cohort lend ${TIME}s && borrowed && protected $b $((start + TIME)) &&
	cluster_restart_ctld &&
	protected $b $((start + TIME)) &&
	in_time $((start + TIME))
'

test_expect_success 'killed and started again' '
	use_cohort lend ${TIME}s && borrowed && protected $b $((start + TIME)) &&
	saved $b && cluster_kill_ctld &&
	in_time $((start + TIME))
'

test_expect_success 'the protection ends while slurmctld is away' '
	use_cohort lend ${TIME}s && borrowed && protected $b $((start + TIME)) &&
	cluster_stop_ctld && [ -z "$(evicted)" ] && clock_to $((start + TIME + 1)) && cluster_restart_ctld &&
	all_run $b && evicted_are $a
'

# reconfigured COMMAND...: the configuration is in force, jobs go on
reconfigured() {
	local before
	before=$(cohort_reads)
	"$@" >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
		wait_for 5 "[ \$(cohort_reads) -gt $before ]"
}

test_expect_success 'reconfigure' '
	use_cohort lend ${TIME}s && borrowed && protected $b $((start + TIME)) &&
	reconfigured lend ${TIME}s &&
	in_time $((start + TIME))
'

test_expect_success 'a longer one holds from then on' '
	use_cohort lend ${TIME}s && borrowed && protected $b $((start + TIME)) &&
	reconfigured lend $((2 * TIME))s &&
	in_time $((start + 2 * TIME))
'

test_expect_success 'so does a shorter one' '
	use_cohort lend 1h && borrowed && protected $b $((start + 3600)) &&
	reconfigured lend ${TIME}s &&
	in_time $((start + TIME))
'

test_expect_success 'or none: at once' '
	use_cohort lend 1h && borrowed && protected $b $((start + 3600)) &&
	reconfigured lend 0 &&
	all_run $b && evicted_are $a
'

test_expect_success 'a configuration with errors changes nothing' '
	use_cohort lend ${TIME}s && borrowed && protected $b $((start + TIME)) &&
	lend -1s >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 5 "log_has \"minRuntime.reclaim: .*-1s.* is negative\"" &&
	in_time $((start + TIME))
'

test_done
