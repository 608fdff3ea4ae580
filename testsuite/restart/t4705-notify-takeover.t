#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='notify and a backup controller: the program runs once for each eviction, whichever slurmctld is in control when it ends'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/controllers.sh"

controllers_work || {
	skip_all='no process may have a host name of its own here'
	test_done
}

out=$WORK/notices
# A notice is a line, with the controller that has told it
cat >notify.sh <<-END
	#!/bin/sh
	echo "\$COHORT_JOB \$COHORT_PREEMPTION \$(hostname)" >>"$out"
END
chmod 755 notify.sh
[ "$PWD" = "$WORK" ] || cp -p notify.sh "$WORK/notify.sh"
: >"$out"

cat >slurm.conf <<-EOF
	$(quick_scheduler)
	PartitionName=gentle Nodes=ALL PriorityTier=1 GraceTime=600
EOF
{
	quota_head
	echo "notify: {program: $WORK/notify.sh}"
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 12 cohort=org reclaim=Any
} >cohort.yaml

controllers_up --nodes 4 --cohort cohort.yaml --slurm-conf slurm.conf

# told JOB: how often
told() { grep -c "^$1 " "$out"; }
# told_by JOB NAME: once, by that controller
told_by() { grep "^$1 " "$out" | grep -x "$1 1 $(controller_host "$2")" && [ "$(told "$1")" = 1 ]; }

# The state file knows of an eviction of the job that is not over
eviction_is_kept() {
	python3 - "$CLUSTER/state/cohort_state" "$1" <<-'END'
		import json, sys
		jobs = json.load(open(sys.argv[1]))["jobs"]
		sys.exit(not any("evicted" in job for job in jobs if job["id"] == int(sys.argv[2])))
	END
}

test_expect_success 'an eviction that is over is told by the primary, and not again by the backup' '
	controller_start primary && controller_leads primary 1 && controller_start backup && controller_stands_by backup 1 &&
	own=$(submit -A a -N1 -n4) && all_run $own && next_second &&
	second=$(submit -A a -N1 -n4) && all_run $second && next_second &&
	third=$(submit_stubborn -A a -N1 -n4 -p gentle) && all_run $third && next_second &&
	last=$(submit -A a -N1 -n4) && all_run $last && next_second &&
	b1=$(submit -A b -N1 -n4) && wait_for 60 "told_by $last primary" && all_run $b1
'

# It has its grace time to go, and is cancelled when the backup is in control: that ends its run at
# once. A slurmd may take minutes to find the backup and tell of an end.
test_expect_success 'one that is under way when the primary dies is told once, by the backup' '
	b2=$(submit -A b -N1 -n4) && wait_for 60 "eviction_is_kept $third" && saved $b2 && wait_for 30 "eviction_is_kept $third" &&
	controller_kill primary && backup_takes_over && controller_leads backup 1 &&
	[ "$(told $third)" = 0 ] && scancel $third && wait_for 60 "told_by $third backup" &&
	holds_for 3 "told_by $third backup && told_by $last primary"
'

test_done
