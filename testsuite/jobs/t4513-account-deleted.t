#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='with slurmdbd: jobs whose account or QOS is deleted keep no quota for good, and come back'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

impatient_scheduler >slurm.conf
borrower_owner_and_loner | sed 's/{account: "c"}/&, {account: "guest"}/' >cohort.yaml
cat >commands <<-END
	add account a,b,c
	add account guest parent=c
	add user root account=a,b,c,guest defaultaccount=a
	add qos better priority=10
	modify user root set qos+=better
END

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --accounting --sacctmgr commands

# out_of_line JOB REASON: Slurm's own; others have the quota that it waited for
out_of_line() {
	is_refused "$1" "$2" &&
		wait_for 60 "log_has \"slurm-cohort: JobId=$1 could start, but Slurm does not try it\"" &&
		later=$(submit -A c -n4 -N1 -t10) && all_run "$later" && [ "$(job_reason "$1")" = "$2" ]
}

# back_in_line JOB: and it starts when others leave
back_in_line() {
	wait_for 30 "in_line $1" && job_waits "$1" && scancel "$later" && all_run "$1"
}

# delete_entity account|qos NAME JOB: slurmdbd deletes no account, and from 26.05 on no QOS, with
# jobs that it knows to be there
delete_entity() {
	wait_for 30 "[ -n \"\$(sacct -n -X -P -j $3 -o JobID)\" ]" &&
		mariadb --no-defaults --socket="$CLUSTER/run/db.sock" -u root slurm_acct_db \
			-e "update test_job_table set time_end=1, state=4 where id_job=$3" &&
		sacctmgr -i delete "$1" "$2"
}

add_account() { sacctmgr -i add account "$1" parent=c && sacctmgr -i add user root account="$1"; }

# fill_and_wait OPTIONS...: one job has all quota of the queue, another one waits for it
fill_and_wait() {
	first=$(submit -A c -n4 -N1 -t10) && all_run "$first" &&
		job=$(submit -n4 -t10 "$@") && wait_for 10 "in_line $job"
}

test_expect_success 'the account is deleted while the job waits for quota' '
	fill_and_wait -A guest && delete_entity account guest $job && scancel $first &&
	out_of_line $job InvalidAccount
'

test_expect_success 'it is there again, and so is the job' '
	add_account guest && scontrol update JobId=$job Account=guest && back_in_line $job
'

test_expect_success 'the QOS is deleted' '
	cluster_clear && fill_and_wait -A c -q better && delete_entity qos better $job && scancel $first &&
	out_of_line $job InvalidQOS
'

test_expect_success 'it is there again, and so is the job' '
	sacctmgr -i add qos better && sacctmgr -i modify user root set qos+=better &&
	scontrol update JobId=$job QOS=better && back_in_line $job
'

test_expect_success 'slurmctld starts anew while an account is gone' '
	cluster_clear && fill_and_wait -A guest && delete_entity account guest $job && cluster_restart_ctld &&
	log_mark && scancel $first && out_of_line $job InvalidAccount &&
	add_account guest && scontrol update JobId=$job Account=guest && back_in_line $job
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
