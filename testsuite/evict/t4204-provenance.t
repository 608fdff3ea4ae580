#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description="provenance: a victim's record and its line in the log name the preemptor"
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

quick_scheduler >slurm.conf
cat >commands <<-EOF
	add account vision
	add account audio
	add user root account=vision defaultaccount=vision
	add user root account=audio
EOF
conf() {
	echo "visibility: {updateInterval: 1s, comments: ${1-true}}"
	cat <<-EOF
		priority: partition
		flavors: [{name: a100, features: a100}, {name: rest, features: cpu}]
		cohorts: [{name: ml}]
		clusterQueues:
	EOF
	for q in vision audio; do
		cat <<-EOF
			  - name: $q
			    cohort: ml
			    match: [{account: $q}]
			    preemption: {withinClusterQueue: Never, reclaimWithinCohort: Any}
			    resourceGroups:
			      - coveredResources: [cpu, gres/gpu]
			        flavors:
			          - {name: a100, nominalQuota: "cpu=8,gres/gpu=2"}
			          - {name: rest, nominalQuota: "cpu=4,gres/gpu=0"}
		EOF
	done
}
conf >cohort.yaml
cluster_up --accounting --sacctmgr commands --slurm-conf slurm.conf --cohort cohort.yaml

when='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}'

# says ID JOB NUMBERS N: all of the record, but for the clock
says() {
	system_comment "$1" >comment && cat comment
	grep -qxE "preempted at $when by job $2 \(cluster queue audio\), rule InCohortReclamation, $3, ran [0-9]+ s, preemption $4, counted 0 of 3" comment
}

# Four jobs of vision on the two GPU nodes, 2 CPUs and 1 GPU each
borrow() {
	small=$(submit -A vision -n2 --gres=gpu:1 -w n1) && next_second &&
		more=$(submit_some 2 -A vision -n2 --gres=gpu:1) && all_run $small $more &&
		next_second && last=$(submit -A vision -n2 --gres=gpu:1 "$@") && all_run $last
}

gpus='vision held 4 of 2 gres/gpu@a100, audio held 0 of 2, needed 1, free 0'

test_expect_success 'the victim says who, when, by which rule, with which numbers, how often' '
	borrow && audio=$(submit -A audio -n1 --gres=gpu:1) && all_run $audio &&
	evicted_are $last && says $last $audio "$gpus" 1
'

test_expect_success 'so does the log, in one line' '
	log_lines "slurm-cohort: evict:" >line && cat line && [ $(wc -l <line) -eq 1 ] &&
	grep -E "evict: JobId=$last \(vision\) for JobId=$audio \(audio\), rule InCohortReclamation, $gpus, ran [0-9]+ s, preemption 1, counted 0 of 3\$" line
'

test_expect_success 'squeue --json has it; sacct knows that a run was preempted' '
	squeue --json | tr -d "\\\\" | grep -F "\"system_comment\": \"$(cat comment)\"" &&
	wait_for 15 "sacct -n -P -X -D -j $last -o state | grep -x PREEMPTED"
'

test_expect_success 'past a restart of slurmctld, and a requeue by hand' '
	cluster_restart_ctld && says $last $audio "$gpus" 1 &&
	scancel $audio && wait_for 30 "job_runs $last" && says $last $audio "$gpus" 1 &&
	before=$(job_restarts $last) && scontrol requeue $last &&
	wait_for 10 "[ \"\$(job_restarts $last)\" -gt $before ]" && says $last $audio "$gpus" 1
'

test_expect_success 'the second one takes the place of the first' '
	wait_for 30 "job_runs $last" && log_mark &&
	audio=$(submit -A audio -n1 --gres=gpu:1) && all_run $audio && evicted_are $last &&
	says $last $audio "$gpus" 2 &&
	[ $(log_lines "slurm-cohort: evict:" | wc -l) -eq 1 ]
'

test_expect_success 'and stays when the job has ended, as long as slurmctld knows the job' '
	scancel $last && wait_for 10 "[ \"\$(job_state $last)\" = CANCELLED ]" && says $last $audio "$gpus" 2
'

test_expect_success 'one that is cancelled has it, too' '
	cluster_clear && log_mark && borrow --no-requeue &&
	audio=$(submit -A audio -n4 -w n1 --gres=gpu:2) && all_run $audio &&
	set -- $(evicted) && echo "$@" &&
	for id; do
		says $id $audio "vision held 4 of 2 gres/gpu@a100, audio held 0 of 2, needed 2, free 0" 1 ||
			return 1
	done &&
	[ $(log_lines "slurm-cohort: evict:" | wc -l) -eq $# ]
'

test_expect_success 'a task of an array has its own, the others none' '
	cluster_clear && log_mark && array=$(submit -A vision -C cpu -n4 -a 1-2) &&
	wait_for 10 "[ \$(squeue -h -t R -A vision -o %A | wc -l) -eq 2 ]" &&
	audio=$(submit -A audio -C cpu -n3) && all_run $audio &&
	victim=$(evicted) && [ $(echo $victim | wc -w) -eq 1 ] &&
	says $victim $audio "vision held 8 of 4 cpu@rest, audio held 0 of 4, needed 3, free 0" 1 &&
	other=$(squeue -h -t R -A vision -o %A) && [ "$(system_comment $other)" = "" ]
'

test_expect_success 'comments: false: the log has it, the record has not' '
	use_cohort conf false && stays=$(submit -A vision -C cpu -n4) && all_run $stays && next_second &&
	victim=$(submit -A vision -C cpu -n4) && all_run $victim &&
	audio=$(submit -A audio -C cpu -n3) && all_run $audio && evicted_are $victim &&
	[ "$(system_comment $victim)" = "" ]
'

test_done
