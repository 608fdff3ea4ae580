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
	echo "PartitionName=safe Nodes=ALL State=UP PreemptMode=OFF"
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
	grep "Job 99999 not found. It may have ended, or PrivateData=jobs hides it from you; try sacct -j 99999" err
'

test_expect_success 'one that runs within its quota, and one that borrows' '
	own=$(submit -A vision -n4 -t 30) && all_run $own &&
	why_soon $own "Job $own runs in cluster queue vision since " &&
	why_soon $own "It is charged 4 cpu of flavor any." &&
	why_soon $own "vision is within its own quota for everything this job uses, so no other queue can evict it." &&
	why_soon $own "It reaches its time limit at " &&
	more=$(submit -A vision -n6) && all_run $more &&
	why_soon $more "vision borrows 6 cpu of flavor any." && why_says $more "Jobs of these other queues can evict it: audio." &&
	why_says $more "That is what the rules allow by the quota in use at "
'

test_expect_success 'one that lacks quota: how much, who has it, who is first' '
	first=$(submit -A vision -n3) && wait=$(submit -A vision -n4) &&
	why_soon $wait "Job $wait waits in cluster queue vision: position 2 of 2, 2nd of 2 of account vision." &&
	why_soon $wait "It requests cpu=4," &&
	why_soon $wait "It waits for quota: it needs 4 cpu of flavor any, and vision can get 2 now." &&
	why_soon $wait "vision owns 4 cpu of flavor any and uses 10 (6 borrowed). It can never use more than 12." &&
	why_soon $wait "1 waiting job or task stands before it." &&
	scohort why --json $wait >json &&
	json "[d[\"jobs\"][0][k] for k in (\"verdict\", \"need\", \"free\", \"place\", \"total\", \"resource\")]" <json >got &&
	echo "quota(cpu@any) 4 2 2 2 cpu" >expect && test_cmp expect got &&
	COLUMNS=80 scohort why $wait >out && fits 80 <out &&
	wait_for 10 "same_in_text_and_json $wait"
'

test_expect_success 'one that asks for more than can be had' '
	never=$(submit -A vision -n14) &&
	why_soon $never "It can never start as submitted: it needs 14 cpu of flavor any, and can never get more than 12 in vision." &&
	! why_says $never "That is more than it asks for" &&
	whole=$(submit -A vision --exclusive -N4 -n4) &&
	why_soon $whole "it needs 16 cpu of flavor any, and can never get more than 12 in vision." &&
	why_says $whole "That is more than it asks for, because whole nodes," && scancel $whole
'

test_expect_success 'one that is held, one that is not due, one that depends' '
	held=$(submit -H -A vision -n1) && later=$(submit -b now+3600 -A vision -n1) &&
	after=$(submit -d afterok:$wait -A vision -n1) &&
	why_soon $held "Job $held of cluster queue vision has no position: its user holds it." &&
	why_soon $later "Job $later of cluster queue vision has no position yet: it can start from " &&
	why_soon $after "it depends on other jobs" &&
	scancel $held $later $after $never
'

test_expect_success 'a victim: by whom, by which rule, with which numbers; and who waits for it' '
	audio=$(submit -A audio -n8) && all_run $audio &&
	why_soon $more "by job $audio of cluster queue audio, rule InCohortReclamation, that is, audio reclaimed its own quota: vision held 10 of 4 cpu@any, audio held 0 of 8, needed 8, free 2." &&
	why_soon $more "This was its 1st preemption. Others than owners have evicted it 0 of at most 3 times." &&
	wait_for 10 "why_says $more \"It can start again from \" || why_says $more \"It is back in the queue.\"" &&
	scohort why --json $more >json &&
	json "[d[\"jobs\"][0][\"preempted\"][k] for k in (\"byJob\", \"byClusterQueue\", \"rule\", \"count\")]" <json >got &&
	echo "$audio audio InCohortReclamation 1" >expect && test_cmp expect got &&
	at=$(json "d[\"jobs\"][0][\"preempted\"][\"at\"]" <json) &&
	why_soon $more "It was preempted at $(date -d @$at +%Y-%m-%dT%H:%M:%S) by job" &&
	why_soon $wait "Also in use in lab: audio 8."
'

test_expect_success 'one that has ended, and one outside of all queues' '
	scancel $audio && outside=$(submit -A nobody -n1) &&
	why_soon $audio "Job $audio ended at " && why_soon $audio ": CANCELLED, after " &&
	all_run $outside &&
	why_soon $outside "is RUNNING and outside all cluster queues: no rule matches"
'

test_expect_success 'protected, and until when; what is borrowed cannot be taken back before' '
	use_cohort eval "two | sed \"1a minRuntime: {reclaim: 1h}\"" &&
	more=$(submit -A vision -n12) && all_run $more &&
	over=$(date -d "$(job_field $more StartTime) 1 hour" +%s) && at=$(told_time $over) &&
	audio=$(submit -A audio -n8) &&
	why_soon $audio "Jobs that it could evict for quota are protected by a minimum run time or a turn. The first protection ends at $(date -d @$over +%H:%M:%S)." &&
	why_soon $audio "Other queues borrow 8 of its quota. It can reclaim 0 of that now by eviction. Another 8 is still protected; the first protection ends at $at" &&
	why_soon $more "Jobs of these other queues can evict it: audio from $at."
'

test_expect_success 'jobs of a queue without quota: for the own queue they go, for one whose quota is all lent, and for no other' '
	use_cohort eval "quota_head; cohorts lab; echo clusterQueues:
		queue idle 8 cohort=lab reclaim=Any
		queue gaps 0 cohort=lab within=LowerOrNewerEqualPriority reclaim=Any turn=1h" &&
	first=$(submit -A gaps -n8) && all_run $first &&
	why_soon $first "gaps borrows 8 cpu of flavor any." && why_says $first "Jobs of these other queues can evict it: idle." &&
	why_says $first "A job of its own queue can evict it (withinClusterQueue is LowerOrNewerEqualPriority)." &&
	why_says $first "Its turn ends at " && scancel $first &&
	use_cohort eval "quota_head; cohorts lab; echo clusterQueues:
		queue idle 8 cohort=lab
		queue gaps 0 cohort=lab" &&
	first=$(submit -A gaps -n8) && all_run $first &&
	why_soon $first "But no other queue can evict it: none that reclaims has quota of that left for its jobs." &&
	scancel $first
'

test_expect_success 'what is reclaimed is of a cohort: it is named' '
	use_cohort eval "quota_head; echo \"cohorts:
  - name: org
  - {name: physics, parent: org}
clusterQueues:\"; queue astro 4 cohort=physics reclaim=Any; queue optics 8 cohort=physics; queue arts 4 cohort=org" &&
	arts=$(submit -A arts -n8) && astro=$(submit -A astro -n4) && all_run $arts $astro &&
	more=$(submit -A astro -n8) && all_run $more &&
	why_soon $arts "rule InCohortReclamation, that is, quota of cohort physics, which astro is in, was reclaimed: arts held 8 of 4 cpu@any, astro held 4 of 4, needed 8, free 4." &&
	scancel $arts $astro $more
'

# A turn is over when it has lasted for longer than that, and eviction takes a second
test_expect_success 'the end of a turn, and the start: one time, and what an eviction takes' '
	use_cohort eval "quota_head; echo clusterQueues:; queue vision 8 within=LowerOrNewerEqualPriority turn=1h" &&
	first=$(submit -A vision -n8 -t 600) && all_run $first && second=$(submit -A vision -n8) &&
	over=$(date -d "$(job_field $first StartTime) 3601 seconds" +%s) &&
	says $second "wait=protected(until=$(date -d @$over +%H:%M:%S))" &&
	why_soon $second "a minimum run time or a turn. The first protection ends at $(date -d @$over +%H:%M:%S)." &&
	why_soon $second "Expected start: $(told_time $((over + 1))), after these evictions, or earlier if jobs end"
'

test_expect_success 'a stopped queue; an array, and one task of it' '
	use_cohort eval "two | sed \"s/^  - name: audio/&\n    stopPolicy: Hold/\"" &&
	audio=$(submit -A audio -n1) &&
	why_soon $audio "The cluster queue is stopped (stopPolicy Hold): no job starts in it" &&
	array=$(submit -A vision -n4 -a 1-5) &&
	wait_for 10 "[ \"\$(squeue -h -r -t R -j $array | wc -l)\" -eq 3 ]" &&
	why_soon $array "Job ${array}_[4-5] waits in cluster queue vision: position 1 of 2" &&
	why_soon $array "Job ${array}_1 runs" && why_soon ${array}_5 "Job ${array}_[4-5] waits" &&
	scohort why ${array}_2 >out && grep "^Job ${array}_2 runs" out && ! grep "_1 \|waits" out
'

test_expect_success 'a user sees nothing of the jobs of others' '
	test_expect_code 1 as_nobody "$all" why $array 2>err &&
	grep "or PrivateData=jobs hides it from you" err
'

test_expect_success 'without the file: what the job itself tells, and what is missing' '
	mine=$(as_nobody sbatch --parsable -o /dev/null -A vision -n4 --wrap "sleep 1000") &&
	why_soon $mine "position 3 of 3" &&
	chmod 700 "$CLUSTER/state" &&
	as_nobody "$all" why $mine >out 2>err &&
	chmod 755 "$CLUSTER/state" &&
	grep "cohort_status.json: Permission denied" err &&
	grep "Job $mine waits in cluster queue vision: position 3 of 3" out && grep "It waits for quota" out
'

# Without a database slurmctld knows users by number only
test_expect_success 'a rule for users: told by the cohort.yaml that is here, else not' '
	use_cohort eval "two | sed \"s/account: .audio./user: \\\"0\\\"/\"" &&
	id=$(submit -n4) && all_run $id &&
	why_soon $id "Job $id runs in cluster queue audio since " &&
	mv "$CLUSTER/etc/cohort.yaml" elsewhere &&
	why_soon $id "Its cluster queue depends on its user" &&
	mv elsewhere "$CLUSTER/etc/cohort.yaml" &&
	id=$(submit -A vision -n1) && all_run $id &&
	why_soon $id "Job $id runs in cluster queue vision since "
'

test_expect_success 'one that borrows in a partition with PreemptMode=OFF: nobody can evict it, and nobody does' '
	use_cohort two && safe=$(submit -A vision -p safe -n8) && all_run $safe &&
	why_soon $safe "No job can evict it: the PreemptMode of its QOS or partition is neither REQUEUE nor CANCEL." &&
	! why_says $safe "other queues" && [ "$(scohort me -n -P -o jobid,evict | sed -n "s/^$safe|//p")" = no ] &&
	audio=$(submit -A audio -n8) && says $audio "wait=quota(cpu@any)" && [ "$(job_state $safe)" = RUNNING ] &&
	scancel $safe $audio
'

# The file is from before its start, and there is no other one for half an hour
test_expect_success 'one that has just started borrows what it holds itself' '
	use_cohort eval "two | sed \"s,updateInterval: 1s,updateInterval: 30m,\"" &&
	first=$(submit -A vision -n8) && all_run $first &&
	why_says $first "vision borrows 4 cpu of flavor any." && why_says $first "Jobs of these other queues can evict it: audio." &&
	audio=$(submit -A audio -n8) && wait_for 20 "[ \"\$(job_state $first)\" != RUNNING ]" &&
	scancel $first $audio
'

test_done
