#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='adminComments: sacct names the preemptor of each run, and what administrators wrote stays'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/events.sh"

quick_scheduler >slurm.conf
cat >commands <<-EOF
	add account a
	add account b
	add user root account=a,b defaultaccount=a
EOF

# with_comments VALUE: of adminComments
with_comments() { lenders "enable: true" | sed "s/^visibility: {/&adminComments: $1, /"; }

with_comments true >cohort.yaml
cluster_up --accounting --sacctmgr commands --slurm-conf slurm.conf --cohort cohort.yaml

# runs ID: state and AdminComment of each run that slurmdbd knows
runs() { sacct -n -P -X -D -j "$1" -o state,admincomment; }

# preempted ID BEFORE JOB: slurmdbd has one run of it that was preempted for this job
preempted() {
	local want="PREEMPTED\|$2\[slurm-cohort: preempted at [0-9T:-]* by job $3 \(cluster queue b\), rule InCohortReclamation, a held 8 of 4 cpu@any, b held 0 of 4, needed 3, free 0, ran [0-9]+ s, preemption [0-9]+, counted 0 of 3\]"
	wait_for 20 "[ \$(runs $1 | grep -c -xE '$want') -eq 1 ]" || {
		runs "$1"
		return 1
	}
}

admin_comment() { scontrol show job "$1" | sed -n 's/^ *AdminComment=\(.*[^ ]\) *$/\1/p'; }

test_expect_success 'a requeued job: its run says who took its place; the next run says nothing of it' '
	evicted_once && preempted $victim "" $owner && scancel $owner $stays && wait_for 60 "job_runs $victim" &&
	wait_for 5 "[ -z \"\$(admin_comment $victim)\" ]" && scancel $victim &&
	wait_for 20 "runs $victim | grep -x \"CANCELLED by [0-9]*|\"" && preempted $victim "" $owner
'

test_expect_success 'a job that is cancelled has it, too' '
	evicted_once --no-requeue && preempted $victim "" $owner
'

test_expect_success 'what an administrator wrote before or after stays, in the run and in the job' '
	cluster_clear && log_mark && stays=$(submit -A a -N1 -n4) && all_run $stays && next_second &&
	victim=$(submit -A a -N1 -n4) && all_run $victim && scontrol update JobId=$victim AdminComment="ticket 7" &&
	next_second && owner=$(submit -A b -n3) && all_run $owner && preempted $victim "ticket 7 " $owner &&
	scancel $owner $stays && wait_for 60 "job_runs $victim" && wait_for 5 "[ \"\$(admin_comment $victim)\" = \"ticket 7\" ]"
'

test_expect_success 'false: nothing is written' '
	use_cohort with_comments false && evicted_once --no-requeue &&
	wait_for 20 "runs $victim | grep -x \"PREEMPTED|\""
'

test_done
