#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='records of running jobs are compared every six seconds, and before an eviction'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/cycles.sh"
. "$TESTSUITE/lib/looks.sh"
. "$TESTSUITE/lib/safe_qos.sh"

safe_qos_world 12
quick_scheduler >slurm.conf
cluster_up --accounting --sacctmgr commands --cohort cohort.yaml --slurm-conf slurm.conf
away_from_midnight 300
running=16

# The first tasks of an array are plain jobs once they run
test_expect_success 'the world: all run' '
	jobs=$(submit -A a -q safe -n1 -a 1-8) && others=$(submit -A a -q safe -n1 -a 1-8) &&
	wait_for 30 "[ \"\$(squeue -h -t R -r | wc -l)\" -eq $running ]" && passed && passed
'

# stamped: some job has changed, and a pass has been made since
stamped() { scontrol update JobId="${others}_8" Comment="$EPOCHREALTIME" && passed; }

# All are looked at each six seconds.
test_expect_success 'what runs is not looked at in each pass, however often something else changes' '
	count && begun=$(now_ms) &&
	while stamped && [ $(($(now_ms) - begun)) -lt 9000 ]; do :; done && count && [ $passes -ge 5 ] &&
	[ $looks -le $((running * (ms / 6000 + 2))) ]
'

# No record and no stamp tells that
test_expect_success 'their QOS protects them since a moment ago: an owner does not evict them' '
	exempt_for 01:00:00 && owner=$(submit -A b -n2) && passed && job_waits $owner &&
	wait_for 20 "status_is b free,reclaim,later \"0 0 12\""
'

test_expect_success 'and no more: they are evicted, the others stay' '
	exempt_for 00:00:00 && scancel $owner &&
	owner=$(submit -A b -n2) && all_run $owner && [ "$(squeue -h -t R -r | wc -l)" -eq $((running - 1)) ]
'

# Slurm cancels those that it may not requeue, and they go last
test_expect_success 'some are not to be requeued since a moment ago: the others go' '
	runs=$(squeue -h -t R -r -A a -O jobid:12 | awk "{ print \$1 }" | sort -n) &&
	last=$(echo $runs | tr " " "\n" | tail -n4) &&
	for id in $last; do scontrol update JobId=$id Requeue=0 || return 1; done &&
	second=$(submit -A b -n4) && all_run $second && job_runs $last
'

test_done
