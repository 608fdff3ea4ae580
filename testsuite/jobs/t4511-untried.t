#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that slurmctld does not try, for whatever reason, keep no quota for good'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{
	impatient_scheduler
	echo 'PartitionName=other Nodes=ALL State=UP MaxTime=INFINITE'
} >slurm.conf
borrower_owner_and_loner >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# closed|opened PARTITION: to jobs that were submitted here
closed() { scontrol update PartitionName="$1" AllocNodes=elsewhere; }
opened() { scontrol update PartitionName="$1" AllocNodes=ALL; }

# untried_so_far: how many jobs have lost their place by that
untried_so_far() { scohort metrics | sed -n 's/^slurm_cohort_untried_jobs_total //p'; }

in_line_soon() { wait_for 10 "in_line $1"; }

# fill QUEUE: it has all of its quota, by the partition other
fill() { first=$(submit -A "$1" -n4 -N1 -t10 -p other) && all_run "$first"; }

# refuse JOB: others leave, and slurmctld does not try it
refuse() { closed main && scancel $first && is_refused "$1" PartitionConfig; }

# passed_by QUEUE: who comes later has its quota
passed_by() { later=$(submit -A "$1" -n4 -N1 -t10 -p other) && all_run "$later"; }

test_expect_success 'its partition does not take it any more (PartitionConfig): others have its quota' '
	fill c && job=$(submit -A c -n4 -t10) && in_line_soon $job &&
	refuse $job && passed_by c && [ "$(job_reason $job)" = PartitionConfig ]
'

test_expect_success 'it is told: in the log, in scohort metrics and by scohort why' '
	log_has "slurm-cohort: JobId=$job could start, but Slurm does not try it" &&
	wait_for 10 "[ \"\$(untried_so_far)\" = 1 ]" &&
	scohort why $job | tee why && grep -q "has no position: its partition does not take it" why
'

test_expect_success 'it keeps out of the line, and is in it again when slurmctld tries it' '
	holds_for 3 "[ -z \"\$(reason_pos $job)\" ]" && opened main &&
	wait_for 15 "[ \"\$(positions $job)\" = 1/1 ]" && job_waits $job && scancel $later && all_run $job
'

test_expect_success 'what it owns is lent, and taken back when slurmctld tries it' '
	cluster_clear && first=$(submit_some 2 -A b -n4 -N1 -t10 -p other) && all_run $first &&
	owner=$(submit -A b -n4 -t10) && in_line_soon $owner && refuse $owner &&
	a=$(submit_some 2 -A a -n4 -N1 -t10 -p other) && all_run $a &&
	log_mark && opened main && all_run $owner && [ "$(evicted | wc -w)" -eq 1 ]
'

test_expect_success 'a component of a heterogeneous job' '
	cluster_clear && fill c && het=$(submit -A c -n3 -t10 -p other : -A c -n1 -t10 -p main) &&
	in_line_soon $het && closed main && scancel $first && is_refused $((het + 1)) PartitionConfig &&
	passed_by c && holds_for 3 "job_waits $het" && opened main && scancel $later &&
	all_run $het $((het + 1))
'

test_expect_success 'an array' '
	cluster_clear && fill c && array=$(submit -A c -n4 -t10 -a 0-1) && in_line_soon $array &&
	refuse $array && passed_by c && opened main && scancel $later && wait_for 20 "[ \$(usage c) -eq 4 ]"
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
