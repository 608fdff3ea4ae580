#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the private cluster with slurmdbd: accounts, QOS, TRES'
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
	# "lab" twice: what is there already is no error
	add account lab
	add account lab

	add user root account=lab defaultaccount=lab
	add qos urgent priority=100
	modify user root set qos+=urgent
EOF

test_expect_success 'a command that sacctmgr refuses ends it' '
	printf "%s\n" "add account lab" "add account lab" "add nonsense" >wrong &&
	test_must_fail "$TESTSUITE/cluster" up --dir "$WORK/wrong" --cohort cohort.yaml \
		--accounting --sacctmgr wrong 2>err &&
	grep "sacctmgr add nonsense:" err &&
	test_must_fail grep -l "$WORK/wrong" /proc/[0-9]*/cmdline
'

start=$(now_ms)
cluster_up --cohort cohort.yaml --accounting --sacctmgr commands
took=$(($(now_ms) - start))

test_expect_success 'up within a minute' '
	echo "$took ms" && [ $took -lt $((60000 + PATIENCE * 1000)) ]
'

test_expect_success 'accounts, users and QOS are as in the file' '
	sacctmgr -n -P show assoc user=root account=lab format=account,qos >assoc &&
	grep "^lab|.*urgent" assoc &&
	test_must_fail submit -A stranger -n1 &&
	test_must_fail submit -A lab -q stranger -n1
'

test_expect_success 'GPUs are in TRES, and what ran is in the database' '
	id=$(submit_for 0 -A lab -p gpu --gres=gpu:1) &&
	[ -n "$id" ] &&
	wait_for 15 "sacct -n -X -P -j $id -o state,account,alloctres | grep -q COMPLETED" &&
	sacct -n -X -P -j $id -o account,alloctres >record &&
	grep "^lab|.*gres/gpu=1" record
'

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
	job_runs $first && job_waits $second
'

test_done
