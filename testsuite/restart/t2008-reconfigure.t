#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='cohort.yaml changed, broken and repaired, with jobs on the cluster'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

lone_queue 4 >cohort.yaml
cluster_up --cohort cohort.yaml
log=$CLUSTER/log/slurmctld.log

# configure: what is on stdin, with the jobs there are
configure() {
	cat >"$CLUSTER/etc/cohort.yaml" && log_mark && cluster_reconfigure
}

test_expect_success 'more quota: who waited starts' '
	running=$(submit_some 4 -A c -n1) && all_run $running &&
	waiting=$(submit_some 4 -A c -n1) &&
	wait_for 5 "in_line $waiting" &&
	configure < <(lone_queue 6) &&
	set -- $waiting &&
	all_run $1 $2 && holds_for 3 "job_waits $3 $4" &&
	log_has "cohort.yaml: 0 cohorts, 1 cluster queues, 1 flavors"
'

test_expect_success 'less quota: nobody is killed, and nobody starts' '
	configure < <(lone_queue 2) &&
	set -- $waiting &&
	holds_for 4 "job_runs $running $1 $2 && job_waits $3 $4" &&
	set -- $running &&
	scancel $1 $2 $3 &&
	wait_for 5 "[ \$(usage c) -eq 3 ]" &&
	holds_for 3 "[ \$(usage c) -eq 3 ]"
'

# Line 8 is the one with the quota
test_expect_success 'a broken file: what is in force stays, and the log says file and line' '
	lone_queue 2 | sed "s/cpu=2/cpu=lots/; s/withinClusterQueue: Never/withinClusterQueue: Sometimes/" >broken.yaml &&
	line=$(grep -n cpu=lots broken.yaml | cut -d : -f 1) &&
	line2=$(grep -n Sometimes broken.yaml | cut -d : -f 1) &&
	configure <broken.yaml &&
	log_has "error: slurm-cohort: $CLUSTER/etc/cohort.yaml:$line: clusterQueues\\[0\\].resourceGroups\\[0\\].flavors\\[0\\].nominalQuota: .*lots" &&
	log_has "error: slurm-cohort: $CLUSTER/etc/cohort.yaml:$line2: clusterQueues\\[0\\].preemption.withinClusterQueue: .*Sometimes" &&
	log_has "cohort.yaml has errors: the configuration in force does not change" &&
	set -- $waiting &&
	holds_for 3 "[ \$(usage c) -eq 3 ] && job_waits $3 $4" &&
	wait_for 5 "in_line $3 $4"
'

test_expect_success 'also for jobs that come, and when partitions and nodes are changed meanwhile' '
	log_mark &&
	scontrol update PartitionName=gpu MaxTime=60 &&
	scontrol update NodeName=n4 Weight=3 &&
	late=$(submit -A c -n1) &&
	wait_for 5 "in_line $late" &&
	holds_for 2 "job_waits $late" &&
	! log_has "cohort.yaml"
'

test_expect_success 'names that Slurm does not know are errors, too' '
	lone_queue 2 | sed "s/{name: any}/{name: any, partitions: nowhere}/" >unknown.yaml &&
	line=$(grep -n nowhere unknown.yaml | cut -d : -f 1) &&
	configure <unknown.yaml &&
	log_has "error: slurm-cohort: $CLUSTER/etc/cohort.yaml:$line: flavors\\[0\\].partitions: .*nowhere" &&
	log_has "in force does not change"
'

test_expect_success 'an unreadable file is a broken one' '
	rm "$CLUSTER/etc/cohort.yaml" && log_mark && cluster_reconfigure &&
	log_has "error: slurm-cohort: $CLUSTER/etc/cohort.yaml: " &&
	log_has "in force does not change" &&
	holds_for 2 "job_waits $late"
'

test_expect_success 'restart with a broken file: the last good one is taken, loudly' '
	cp broken.yaml "$CLUSTER/etc/cohort.yaml" && log_mark &&
	cluster_restart_ctld &&
	log_has "error: slurm-cohort: .*cohort.yaml:$line2: .*Sometimes" &&
	log_has "error: slurm-cohort: .*has errors: starting with the last valid one, $CLUSTER/state/cohort.yaml.good" &&
	wait_for 10 "in_line $late" && wait_for 30 nodes_have_registered &&
	holds_for 3 "job_waits $late && [ \$(usage c) -eq 3 ]"
'

test_expect_success 'repaired: it holds' '
	configure < <(lone_queue 6) &&
	! log_has "error: slurm-cohort" &&
	set -- $waiting &&
	all_run $3 $4 $late
'

test_expect_success 'a queue that is gone: its jobs are like any other' '
	cluster_clear &&
	running=$(submit -A c -N1 -n4) && over=$(submit -A c -N1 -n4) &&
	wait_for 10 "in_line $over" && all_run $running &&
	configure < <(lone_queue 6 | sed "s/account: \"c\"/account: \"d\"/") &&
	all_run $over &&
	held=$(submit -A c -n4 -H) &&
	[ "$(job_reason $held)" = JobHeldUser ]
'

test_expect_success 'and one that comes: running jobs charge it, waiting ones are in line' '
	configure < <(lone_queue 9) &&
	more=$(submit -A c -n1) && most=$(submit -A c -n1) &&
	all_run $more && wait_for 5 "in_line $most" && holds_for 2 "job_waits $most"
'

test_done
