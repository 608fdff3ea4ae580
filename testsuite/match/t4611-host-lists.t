#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='host lists of flavors are read when nodes come and go, not in each pass'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quick_scheduler
	echo MaxNodeCount=8
} >slurm.conf
cat >cohort.yaml <<-EOF
	visibility: {updateInterval: 1s}
	flavors:
	  - {name: west, nodes: "n[1-2]"}
	  - {name: east, nodes: "n[3-5]"}
	clusterQueues:
	  - name: a
	    match: [{account: a}]
	    resourceGroups:
	      - coveredResources: [cpu]
	        flavors: [{name: west, nominalQuota: "cpu=4"}, {name: east, nominalQuota: "cpu=4"}]
EOF
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# published PATH: of the published document
published() { json "d$1" <"$CLUSTER/state/cohort_status.json"; }

# How many host lists were read so far
host_lists() { published '["work"]["hostLists"]'; }

# now_running N: so many jobs run, and that is published
now_running() { wait_for 10 "[ \"\$(published '[\"clusterQueues\"][0][\"running\"]')\" = $1 ]"; }

test_expect_success 'jobs that come and go, and nodes that are drained, change nothing' '
	first=$(submit -A a -n2) && all_run $first && now_running 1 &&
	before=$(host_lists) && [ "$before" -ge 2 ] &&
	second=$(submit -A a -n2) && all_run $second &&
	scontrol update nodename=n3 state=drain reason=test &&
	third=$(submit -A a -n4) && all_run $third && now_running 3 &&
	scontrol update nodename=n3 state=resume && scancel $first && now_running 2 &&
	[ "$(host_lists)" = "$before" ]
'

test_expect_success 'a node of the list is created: it is read again' '
	scontrol create nodename=n5 cpus=4 state=cloud &&
	fourth=$(submit -A a -n2) && all_run $fourth && now_running 3 && [ "$(host_lists)" -gt "$before" ]
'

test_done
