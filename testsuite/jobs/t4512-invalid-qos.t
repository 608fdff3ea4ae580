#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='with slurmdbd: a job whose QOS is taken from its user keeps no quota for good'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

impatient_scheduler >slurm.conf
borrower_owner_and_loner >cohort.yaml
cat >commands <<-EOF
	add account a,b,c
	add user root account=a,b,c defaultaccount=a
	add qos better priority=10
	modify user root set qos+=better
EOF

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --accounting --sacctmgr commands

test_expect_success 'its QOS is not for its user any more (InvalidQOS): others have its quota' '
	first=$(submit -A c -n4 -N1 -t10) && all_run $first &&
	job=$(submit -A c -n4 -t10 -q better) && wait_for 10 "in_line $job" &&
	sacctmgr -i modify user root set qos-=better && scancel $first &&
	is_refused $job InvalidQOS &&
	wait_for 60 "log_has \"slurm-cohort: JobId=$job could start, but Slurm does not try it\"" &&
	later=$(submit -A c -n4 -N1 -t10) && all_run $later && [ "$(job_reason $job)" = InvalidQOS ]
'

test_expect_success 'with another QOS it is in line again' '
	scontrol update JobId=$job QOS=normal && wait_for 15 "in_line $job" && job_waits $job &&
	scancel $later && all_run $job
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
