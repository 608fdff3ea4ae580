#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a look at a record is news only if something has changed'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
waiting=24

# The parts of one document: PASSES LOOKS PLANS MARKS
counts() { scohort metrics | awk '
	$1 == "slurm_cohort_pass_duration_seconds_count" { passes = $2 }
	$1 == "slurm_cohort_job_record_looks_total" { looks = $2 }
	$1 == "slurm_cohort_plans_total" { plans = $2 }
	$1 == "slurm_cohort_job_marks_total" { marks = $2 }
	END { print passes, looks, plans, marks }'; }

# since BEFORE: how much of each was added
since() {
	# shellcheck disable=SC2046
	set -- $1 $(counts)
	echo $(($5 - $1)) $(($6 - $2)) $(($7 - $3)) $(($8 - $4))
}

fill() {
	local i
	for ((i = 0; i < waiting; i++)); do
		jobs+=("$(submit -A a -n8)") || return 1
	done
}

# How many Slurm tried, and found no node that is up; of the first one it says that in other words
tried() { squeue -h -t PD -o %r | grep -c ReqNodeNotAvail; }

drain_all() { scontrol update NodeName=n[1-4] State=DRAIN Reason=test; }
resume_all() { scontrol update NodeName=n[1-4] State=RESUME; }

all_in_line() { in_line $(squeue -h -t PD -o %A); }

# stamp: slurmctld notes that some job has changed, which could be any
stamp() { scontrol update JobId="$runs" Comment="$1"; }

test_expect_success 'all nodes are drained: Slurm tries each job, and says so' '
	drain_all && fill && wait_for 60 "[ \"\$(tried)\" -ge $((waiting - 1)) ]"
'

test_expect_success 'one starts, and the others wait for quota' '
	resume_all && wait_for 30 "runs=\$(squeue -h -t R -o %A) && [ -n \"\$runs\" ]" &&
	wait_for 30 all_in_line && passes_on 3
'

# What Slurm noted of nodes stays in these records, as nobody tries them now. In six
# seconds each record has its turn, and once in a minute all are looked at.
test_expect_success 'something changes: these are not looked at in each pass' '
	begun=$(now_ms) && before=$(counts) &&
	for i in 1 2 3 4 5 6 7 8; do stamp $i && passes_on 0 || return 1; done &&
	set -- $(since "$before") && ms=$(($(now_ms) - begun)) &&
	echo "$1 passes, $2 looks, $3 plans, $4 marks, $ms ms" &&
	[ $1 -ge 8 ] && [ $2 -le $(((waiting + 1) * (ms / 6000 + ms / 60000 + 2) + 2 * $1)) ]
'

# An array is looked at in each scan, and a job with a dependency makes one of each pass
test_expect_success 'some are looked at in each pass: nobody is compared with the plan for that' '
	array=$(submit -A a -n8 -a 1-3) && after=$(submit -A a -n1 -d afterany:$runs) &&
	wait_for 10 "in_line $array" && passes_on 3 &&
	before=$(counts) && passes_on 6 && set -- $(since "$before") &&
	echo "$1 passes, $2 looks, $3 plans, $4 marks" &&
	[ $1 -ge 6 ] && [ $2 -ge $((2 * $1 - 2)) ] && [ $3 -eq 0 ] &&
	[ $4 -le $(($2 / (waiting + 2) * (waiting + 1))) ]
'

test_expect_success 'the array is updated: its text follows' '
	job_update $array NumTasks=4 NumCPUs=4 &&
	wait_for 10 "job_reason $array | grep -q ,need=4,"
'

test_done
