#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs outside all queues: what they cost'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/reason.sh"

{
	quota_head
	echo 'clusterQueues:'
	queue a 4
	queue b 4
	queue of_gpu 4 | sed 's/{account: .*}/{partition: gpu}/'
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Published by a pass that began after now: many begin in a second in which much
# is submitted, and what was published last may be older than they
next_pass() {
	local before now=$EPOCHSECONDS
	before=$(metric pass_duration_seconds_count)
	wait_for 20 "[ \"\$(metric pass_duration_seconds_count)\" -gt $((before + 1)) ]" &&
		wait_for 20 "[ \"\$(metric published_timestamp_seconds)\" -gt $((now + 1)) ]"
}

fill() {
	local i
	for ((i = 0; i < 30; i++)); do
		submit -A out -n1 || return 1
	done
}

test_expect_success 'thirty that are alike are compared with the rules once' '
	next_pass && before=$(metric rule_matches_total) && fill &&
	wait_for 10 "[ \"\$(squeue -h -t R -A out | wc -l)\" -eq 16 ]" && next_pass &&
	[ "$(metric rule_matches_total)" -eq $((before + 1)) ]
'

test_expect_success 'nothing is kept of them, and nothing is booked' '
	[ "$(published "d[\"memory\"][\"records\"]")" -eq 0 ] &&
	[ "$(metric job_bookings_total)" -eq 0 ]
'

# Where the books are empty nobody can be a victim. From 25.05 on Slurm does not
# ask whether it is to look for some.
candidates_stay() {
	local before
	before=$(metric preemption_candidates_total) && next_pass && next_pass &&
	[ "$(metric preemption_candidates_total)" -eq "$before" ]
}
slurm_since 25.05 || test_set_prereq asks_first
test_expect_success asks_first 'Slurm looks for no victims' '
	[ "$(squeue -h -t PD -A out | wc -l)" -eq 14 ] && next_pass && candidates_stay
'

test_expect_success asks_first 'the same after a reconfigure' '
	cluster_reconfigure && next_pass && next_pass && candidates_stay
'

# Slurm tries each of them in each pass
test_expect_success 'a try of one looks at no other: only passes do' '
	scancel -A out -t R && next_pass && scohort metrics >out &&
	awk -v records=30 "
		/^slurm_cohort_job_record_looks_total/ { looks = \$2 }
		/^slurm_cohort_pass_duration_seconds_count/ { passes = \$2 }
		END { exit !(looks > 0 && looks <= (passes + 1) * records) }" out ||
		{ cat out; return 1; }
'

test_expect_success 'another account is another comparison, another partition too' '
	before=$(metric rule_matches_total) &&
	submit -A other -n1 && submit -A other -p cpu -n1 && submit -A other -p cpu -n1 &&
	next_pass && [ "$(metric rule_matches_total)" -eq $((before + 2)) ]
'

# They are told apart by a number that some share
test_expect_success '150 accounts: each is compared once, and not in each pass' '
	before=$(metric rule_matches_total) &&
	for ((i = 0; i < 150; i++)); do submit -A account$i -n16 || return 1; done &&
	next_pass && echo "$before, $(metric rule_matches_total)" && [ "$(metric rule_matches_total)" -eq $((before + 150)) ] &&
	next_pass && next_pass && [ "$(metric rule_matches_total)" -eq $((before + 150)) ] &&
	scancel -t PD -u root
'

test_expect_success 'one that moves to a queue is booked there, and one that leaves it is not' '
	scancel -A out && scancel -A other &&
	id=$(submit -A out -n1 -H) && scontrol release $id && all_run $id &&
	id=$(submit -A out -n1 -H) && job_update $id Partition=gpu && next_pass &&
	[ "$(metric job_bookings_total)" -eq 0 ] && scontrol release $id &&
	all_run $id && next_pass && [ "$(metric job_bookings_total)" -ge 1 ] &&
	[ "$(published "d[\"memory\"][\"records\"]")" -eq 1 ]
'

# Slurm asked once, after the reconfigure, whether its sort is to ask us
test_expect_success asks_first 'where there are jobs of ours Slurm looks for victims, and sorts by us' '
	before=$(metric preemption_candidates_total) && scancel -A out && scancel -A a &&
	big=$(submit -A b -n4) && all_run $big &&
	first=$(submit -A b -n2) && second=$(submit -A b -n2) &&
	wait_for 10 "[ \"\$(positions $first $second)\" = \"1/2 2/2\" ]" &&
	scancel $big && all_run $first $second && submit -A out -n1 && next_pass &&
	[ "$(metric preemption_candidates_total)" -gt "$before" ]
'

test_done
