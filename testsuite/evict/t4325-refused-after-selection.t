#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a job that is refused after nodes were selected keeps none from others'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

{
	quick_scheduler
	three_tiers
	echo 'AccountingStorageEnforce=associations,limits'
	echo 'KillWait=2'
	echo 'MessageTimeout=15'
} >slurm.conf
shared_by_two 8 >cohort.yaml
cat >commands <<-EOF
	add account a,c
	add user root account=a defaultaccount=a
	add user root account=c
	modify account a set MaxTRESPerJob=cpu=2
EOF
cluster_up --nodes 2 --cohort cohort.yaml --slurm-conf slurm.conf --accounting --sacctmgr commands

# p asks for one CPU, and would get all of the node: more than a job of a may have
test_expect_success 'its victim goes on, and others get what is free on its node' '
	log_mark && x1=$(submit -A c -p hi -N1 -n2 -w n1) && all_run $x1 &&
	p=$(submit -A a -p lo -N1 -n1 --exclusive -w n1) &&
	wait_for 20 "[[ \$(job_reason $p) == AssocMax* ]]" && [ -z "$(evicted)" ] &&
	x2=$(submit -A c -p hi -N1 -n2 -w n1) && all_run $x2 && job_waits $p && job_runs $x1
'

test_done
