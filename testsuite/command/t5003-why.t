#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort why: every situation of a job, in sentences'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

two() {
	quota_head
	cohorts lab
	echo 'clusterQueues:'
	queue vision 4 cohort=lab reclaim=Any "$@"
	queue audio 8 cohort=lab reclaim=Any
}

two >cohort.yaml
{
	quick_scheduler
	three_tiers
	echo PrivateData=jobs
} >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
all=$(scohort_for_all)

# Line breaks apart; an estimate may come between the two
same_in_text_and_json() {
	COLUMNS=80 scohort why "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//' >flat &&
		scohort why --json "$1" | json 'd["jobs"][0]["sentences"]' | tr -s ' ' >got &&
		[ "$(cat flat)" = "$(cat got)" ]
}

test_expect_success 'what is no job: said' '
	wait_for 10 "[ -e \"$CLUSTER/state/cohort_status.json\" ]" &&
	test_expect_code 2 scohort why 2>err && grep "JOBID is missing" err &&
	for id in x 0 -- 12x 1_x 99999999999; do
		test_expect_code 2 scohort why $id 2>err || return 1
	done &&
	test_expect_code 1 scohort why 99999 2>err &&
	grep "slurmctld knows no job 99999, or PrivateData=jobs hides it from you" err
'

test_expect_success 'one that runs within its quota, and one that borrows' '
	own=$(submit -A vision -n4 -t 30) && all_run $own &&
	why_soon $own "Job $own runs in cluster queue vision since " &&
	why_soon $own "It is charged 4 cpu of flavor any." &&
	why_soon $own "vision is within its nominal quota of what the job holds: no other queue can evict it." &&
	why_soon $own "By its time limit it ends at " &&
	more=$(submit -A vision -n6) && all_run $more &&
	why_soon $more "vision borrows 6 cpu of flavor any from audio (6): its jobs may be reclaimed at any moment"
'

test_expect_success 'one that lacks quota: how much, who has it, who is first' '
	first=$(submit -A vision -n3) && wait=$(submit -A vision -n4) &&
	why_soon $wait "Job $wait waits in cluster queue vision: place 2 of 2, 2nd of 2 of account vision." &&
	why_soon $wait "It asks for cpu=4," &&
	why_soon $wait "It lacks quota: it needs 4 cpu of flavor any, and vision could have 2 now." &&
	why_soon $wait "vision owns 4 cpu of flavor any and uses 10: 6 borrowed; 12 is the most it could ever have." &&
	why_soon $wait "1 waiting job or task stands before it." &&
	scohort why --json $wait >json &&
	json "[d[\"jobs\"][0][k] for k in (\"verdict\", \"need\", \"free\", \"place\", \"total\", \"resource\")]" <json >got &&
	echo "quota(cpu@any) 4 2 2 2 cpu" >expect && test_cmp expect got &&
	COLUMNS=80 scohort why $wait >out && fits 80 <out &&
	wait_for 10 "same_in_text_and_json $wait"
'

test_expect_success 'one that asks for more than can be had' '
	never=$(submit -A vision -n14) &&
	why_soon $never "It will never start as it is: it needs 14 cpu of flavor any, and the most that vision could ever have is 12." &&
	! why_says $never "That is more than it asks for" &&
	whole=$(submit -A vision --exclusive -N4 -n4) &&
	why_soon $whole "it needs 16 cpu of flavor any, and the most that vision could ever have is 12." &&
	why_says $whole "That is more than it asks for: all that comes with whole nodes," && scancel $whole
'

test_expect_success 'one that is held, one that is not due, one that depends' '
	held=$(submit -H -A vision -n1) && later=$(submit -b now+3600 -A vision -n1) &&
	after=$(submit -d afterok:$wait -A vision -n1) &&
	why_soon $held "Job $held of cluster queue vision is not in line: its user holds it." &&
	why_soon $later "Job $later of cluster queue vision is not in line: it may start from " &&
	why_soon $after "it depends on other jobs" &&
	scancel $held $later $after $never
'

test_expect_success 'a victim: by whom, by which rule, with which numbers; and who waits for it' '
	audio=$(submit -A audio -n8) && all_run $audio &&
	why_soon $more "by job $audio of cluster queue audio, rule InCohortReclamation, that is, the other queue took back its own quota: vision held 10 of 4 cpu@any, audio held 0 of 8, needed 8, free 2." &&
	why_soon $more "that was its 1st preemption." &&
	why_soon $more "It may run again " &&
	scohort why --json $more >json &&
	json "[d[\"jobs\"][0][\"preempted\"][k] for k in (\"byJob\", \"byClusterQueue\", \"rule\", \"count\")]" <json >got &&
	echo "$audio audio InCohortReclamation 1" >expect && test_cmp expect got &&
	at=$(json "d[\"jobs\"][0][\"preempted\"][\"at\"]" <json) &&
	why_soon $more "It was preempted at $(date -d @$at +%Y-%m-%dT%H:%M:%S) by job" &&
	why_soon $wait "Others in lab use of it: audio 8."
'

test_expect_success 'one that has ended, and one outside of all queues' '
	scancel $audio && outside=$(submit -A nobody -n1) &&
	why_soon $audio "Job $audio has ended at " && why_soon $audio ": CANCELLED, after " &&
	all_run $outside &&
	why_soon $outside "is RUNNING and outside of all cluster queues: no rule matches"
'

test_expect_success 'protected, and until when; what is borrowed cannot be taken back before' '
	use_cohort eval "two | sed \"1a minRuntime: {reclaim: 1h}\"" &&
	more=$(submit -A vision -n12) && all_run $more &&
	over=$(date -d "$(job_field $more StartTime) 1 hour" +%s) && at=$(told_time $over) &&
	audio=$(submit -A audio -n8) &&
	why_soon $audio "those who would have to go are protected by a minimum run time or a turn, the first of them until $(date -d @$over +%H:%M:%S)." &&
	why_soon $audio "8 of its own are lent out; by eviction it can take back 0 now, and 8 more that are protected so far, the first of them at $at" &&
	why_soon $more "Other queues may reclaim this job from $at on, if they need it."
'

test_expect_success 'a turn that never ends: no job of a queue without quota takes its place' '
	scancel -u root && wait_for 20 "[ -z \"\$(squeue -h)\" ]" &&
	use_cohort eval "quota_head; cohorts lab; echo clusterQueues:
		queue idle 8 cohort=lab reclaim=Any
		queue gaps 0 cohort=lab within=LowerOrNewerEqualPriority turn=1h" &&
	first=$(submit -A gaps -n8) && all_run $first &&
	why_soon $first "No job of its own queue can take its place: gaps owns nothing of what this job holds, and its borrowWithinCohort is Never." &&
	! why_says $first "Its turn" && scancel $first &&
	use_cohort eval "quota_head; cohorts lab; echo clusterQueues:
		queue idle 6 cohort=lab reclaim=Any
		queue gaps 2 cohort=lab within=LowerOrNewerEqualPriority turn=1h" &&
	first=$(submit -A gaps -n8) && all_run $first &&
	why_soon $first "(withinClusterQueue is LowerOrNewerEqualPriority), if it asks for no more than its queue owns." &&
	why_says $first "Its turn ends at " && scancel $first
'

# A turn is over when it has lasted for longer than that, and eviction takes a second
test_expect_success 'the end of a turn, and the start: one time, and what an eviction takes' '
	use_cohort eval "quota_head; echo clusterQueues:; queue vision 8 within=LowerOrNewerEqualPriority turn=1h" &&
	first=$(submit -A vision -n8 -t 600) && all_run $first && second=$(submit -A vision -n8) &&
	over=$(date -d "$(job_field $first StartTime) 3601 seconds" +%s) &&
	says $second "wait=protected(until=$(date -d @$over +%H:%M:%S))" &&
	why_soon $second "a minimum run time or a turn, the first of them until $(date -d @$over +%H:%M:%S)." &&
	why_soon $second "Expected start: $(told_time $((over + 1))), when they have gone, or earlier if jobs end"
'

test_expect_success 'a stopped queue; an array, and one task of it' '
	use_cohort eval "two | sed \"s/^  - name: audio/&\n    stopPolicy: Hold/\"" &&
	audio=$(submit -A audio -n1) &&
	why_soon $audio "The cluster queue is stopped (stopPolicy Hold): nothing starts in it" &&
	array=$(submit -A vision -n4 -a 1-5) &&
	wait_for 10 "[ \"\$(squeue -h -r -t R -j $array | wc -l)\" -eq 3 ]" &&
	why_soon $array "Job ${array}_[4-5] waits in cluster queue vision: place 1 of 2" &&
	why_soon $array "Job ${array}_1 runs" && why_soon ${array}_5 "Job ${array}_[4-5] waits" &&
	scohort why ${array}_2 >out && grep "^Job ${array}_2 runs" out && ! grep "_1 \|waits" out
'

test_expect_success 'a user sees nothing of the jobs of others' '
	test_expect_code 1 as_nobody "$all" why $array 2>err &&
	grep "or PrivateData=jobs hides it from you" err
'

test_expect_success 'without the file: what the job itself tells, and what is missing' '
	mine=$(as_nobody sbatch --parsable -o /dev/null -A vision -n4 --wrap "sleep 1000") &&
	why_soon $mine "place 3 of 3" &&
	chmod 700 "$CLUSTER/state" &&
	as_nobody "$all" why $mine >out 2>err &&
	chmod 755 "$CLUSTER/state" &&
	grep "cohort_status.json: Permission denied" err &&
	grep "Job $mine waits in cluster queue vision: place 3 of 3" out && grep "It lacks quota" out
'

# Without a database slurmctld knows users by number only
test_expect_success 'a rule for users: told by the cohort.yaml that is here, else not' '
	use_cohort eval "two | sed \"s/account: .audio./user: \\\"0\\\"/\"" &&
	id=$(submit -n4) && all_run $id &&
	why_soon $id "Job $id runs in cluster queue audio since " &&
	mv "$CLUSTER/etc/cohort.yaml" elsewhere &&
	why_soon $id "Whether it belongs to a cluster queue depends on its user" &&
	mv elsewhere "$CLUSTER/etc/cohort.yaml" &&
	id=$(submit -A vision -n1) && all_run $id &&
	why_soon $id "Job $id runs in cluster queue vision since "
'

test_done
