#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a cohort.yaml that is not in force is seen: status, JSON, metrics'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

lone_queue 4 >cohort.yaml
cluster_up --cohort cohort.yaml
yaml=$CLUSTER/etc/cohort.yaml

# The sentences before the table, on one line
said() { COLUMNS=80 scohort status | sed '/^NAME/,$d' | tr -s ' \n' ' '; }
in_force() { scohort status | head -n 1 | grep -q '^NAME'; }
told() { scohort status --json | json "d[\"configuration\"][\"$1\"]"; }
metric() { scohort metrics | sed -n "s/^slurm_cohort_config_$1 //p"; }

test_expect_success 'what is in force: no line, and the metrics say so' '
	wait_for 10 in_force && [ "$(told valid)" = true ] && [ "$(told onDisk)" = same ] &&
	[ "$(told file)" = "$yaml" ] && [ $(metric valid) = 1 ] && [ $(metric current) = 1 ]
'

test_expect_success 'changed and not read: a line, until it is read' '
	since=$(told since) && lone_queue 6 >"$yaml" &&
	wait_for 15 "said | grep -F \"$yaml has changed since\"" &&
	said >line && grep -F "$yaml has changed since slurmctld read it. The configuration of $(told_time $since) is in force: run scohort check, then scontrol reconfigure." line &&
	[ $(metric current) = 0 ] && [ $(metric valid) = 1 ] &&
	cluster_reconfigure && wait_for 10 in_force && [ $(metric current) = 1 ] &&
	[ $(told since) -ge $since ]
'

test_expect_success 'written again with the same text: nothing to say' '
	lone_queue 6 >"$yaml" && holds_for 4 in_force
'

test_expect_success 'rejected: when, the first error, how many more, what is in force' '
	since=$(told since) && lone_queue 6 | sed "s/cpu=6/cpu=lots/; s/withinClusterQueue: Never/withinClusterQueue: Sometimes/" >"$yaml" &&
	line=$(grep -n cpu=lots "$yaml" | cut -d : -f 1) && cluster_reconfigure &&
	wait_for 10 "said | grep rejected" &&
	at=$(told rejectedAt) && said >line &&
	grep -F "$yaml is not in force. slurmctld rejected it at $(told_time $at): $yaml:$line: clusterQueues[0].resourceGroups[0].flavors[0].nominalQuota: " line &&
	grep -F " (and 1 more error). The configuration of $(told_time $(told since)) is in force." line &&
	[ "$(told valid)" = false ] && [ $(told errors) = 2 ] && [ $(metric valid) = 0 ] &&
	scohort status -n | head -n 1 | grep "^c "
'

test_expect_success 'names that Slurm does not have, and a start with the last good file' '
	lone_queue 6 | sed "s/{name: any}/{name: any, features: nowhere}/" >"$yaml" && cluster_restart_ctld &&
	wait_for 10 "said | grep \"nowhere. is no feature of any node\"" &&
	[ $(metric valid) = 0 ] && [ $(told errors) = 1 ]
'

test_expect_success 'repaired and not read yet: both are said; then nothing' '
	lone_queue 6 >"$yaml" && wait_for 15 "said | grep \"The file has changed since\"" &&
	said | grep "is not in force" && cluster_reconfigure && wait_for 10 in_force &&
	[ $(metric valid) = 1 ]
'

test_expect_success 'gone, and refused: no name of a user is published' '
	rm "$yaml" && wait_for 15 "said | grep \"is missing\"" &&
	lone_queue 6 | sed "s/account: \"c\"/user: {secret: 1}/" >"$yaml" && cluster_reconfigure &&
	wait_for 10 "said | grep rejected" && [[ "$(told error)" == *"match[0].user" ]] &&
	! grep secret "$CLUSTER/state/cohort_status.json"
'

test_done
