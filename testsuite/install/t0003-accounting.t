#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='with slurmdbd: a queue that is matched by QOS; slurmctld without its database'
. "$(dirname "$0")/../lib.sh"

cat >cohort.yaml <<-EOF
	flavors:
	  - {name: any}
	clusterQueues:
	  - name: urgent
	    match: [{qos: urgent}]
	    resourceGroups:
	      - coveredResources: [cpu]
	        flavors: [{name: any, nominalQuota: "cpu=2"}]
EOF

cat >commands <<-EOF
	add account lab
	add user root account=lab defaultaccount=lab
	add qos urgent priority=100
	modify user root set qos+=urgent
EOF
cluster_up --cohort cohort.yaml --accounting --sacctmgr commands

test_expect_success 'a queue matched by QOS has its quota' '
	first=$(submit -A lab -q urgent -n2) &&
	wait_for 10 "job_runs $first" &&
	second=$(submit -A lab -q urgent -n1) &&
	other=$(submit -A lab -n1) &&
	wait_for 10 "job_runs $other" &&
	wait_for 10 "[[ \$(job_reason $second) == Cohort:* ]]" &&
	job_waits $second
'

test_expect_success 'slurmctld comes back without the database' '
	procs proc_signal TERM slurmdbd && wait_for 60 "procs procs_gone slurmdbd" &&
	cluster_restart_ctld &&
	job_runs $first && wait_for 10 "[[ \$(job_reason $second) == Cohort:* ]]" && job_waits $second
'

test_done
