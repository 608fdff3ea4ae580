#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='protection goes on over restart and reconfigure, and ends when it should'
. "$(dirname "$0")/lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"

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

lend 10s >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# b waits for a's job, which holds all there is
borrowed() {
	a=$(submit -A a -N2 -n8) && all_run $a && b=$(submit -A b -n4) && start=$(started $a)
}

# in_time FREE: nobody goes before, a goes and b starts at most 3 s after
in_time() {
	until_then $1 "job_runs $a && job_waits $b" && all_run $b && evicted_are $a &&
		echo "free at $1, started at $(started $b)" &&
		[ $(started $b) -le $(($1 + SLACK)) ]
}

test_expect_success 'restart' '
	borrowed && protected $b $((start + 10)) &&
	cluster_restart_ctld && [ $EPOCHSECONDS -lt $((start + 8)) ] &&
	protected $b $((start + 10)) &&
	in_time $((start + 10))
'

test_expect_success 'killed and started again' '
	cluster_clear && log_mark && borrowed && touch stamp && protected $b $((start + 10)) &&
	wait_for 8 "[ $CLUSTER/state/job_state -nt stamp ]" &&
	cluster_kill_ctld && [ $EPOCHSECONDS -lt $((start + 10)) ] &&
	in_time $((start + 10))
'

test_expect_success 'the protection ends while slurmctld is away' '
	use_cohort lend 4s && borrowed && protected $b $((start + 4)) &&
	kill $(cut -d" " -f1 "$CLUSTER/run/slurmctld.pid") && until_then $((start + 5)) true &&
	[ -z "$(evicted)" ] && cluster_restart_ctld && all_run $b && evicted_are $a
'

# reconfigured COMMAND...: the configuration is in force, jobs go on
reconfigured() {
	local before
	before=$(cohort_reads)
	"$@" >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
		wait_for 5 "[ \$(cohort_reads) -gt $before ]"
}

test_expect_success 'reconfigure' '
	use_cohort lend 6s && borrowed && protected $b $((start + 6)) &&
	reconfigured lend 6s &&
	in_time $((start + 6))
'

test_expect_success 'a longer one holds from then on' '
	use_cohort lend 4s && borrowed && protected $b $((start + 4)) &&
	reconfigured lend 8s &&
	in_time $((start + 8))
'

test_expect_success 'so does a shorter one' '
	use_cohort lend 1h && borrowed && protected $b $((start + 3600)) &&
	reconfigured lend 5s &&
	in_time $((start + 5))
'

test_expect_success 'or none: at once' '
	use_cohort lend 1h && borrowed && protected $b $((start + 3600)) &&
	reconfigured lend 0 &&
	all_run $b && evicted_are $a
'

test_expect_success 'a configuration with errors changes nothing' '
	use_cohort lend 6s && borrowed && protected $b $((start + 6)) &&
	lend -1s >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 5 "log_has \"minRuntime.reclaim: .*-1s.* is negative\"" &&
	in_time $((start + 6))
'

test_done
