#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='checkpoints: what a victim loses counts from its last one, and words that are wrong have no effect'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/events.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

# b owns all four nodes of 4 CPUs, which a borrows; jobs of c stay
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org within=LowerPriority
	queue b 16 cohort=org reclaim=Any
	queue c 16
} >cohort.yaml
{
	three_tiers
	quick_scheduler
} >slurm.conf
ctld_clock
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
EVENTS=$CLUSTER/state/cohort_events.jsonl

# on_node ACCOUNT NODES CPUS [OPTION]...: a job with so many CPUs on each; prints its id
on_node() {
	local id count
	count=$(scontrol show hostnames "$2" | wc -l)
	id=$(submit -A "$1" -N "$count" --ntasks-per-node="$3" -w "$2" "${@:4}") && all_run "$id" && echo "$id"
}

why_says() { scohort why "$1" --json >why.json && grep -F "$2" why.json || { cat why.json; return 1; }; }

comment_of() { scontrol show job "$1" | sed -n "s/ *$//; s/^ *Comment=//p"; }

# noted JOB: the time in its comment is that of the last minute
noted() {
	local at
	at=$(comment_of "$1" | sed "s/.*cohort:checkpointed=\([0-9]*\).*/\1/") &&
		[ "$at" -ge $((EPOCHSECONDS - 60)) ] && [ "$at" -le "$EPOCHSECONDS" ]
}

test_expect_success 'scohort checkpointed: the job notes it itself, and all else in its comment stays' '
	a=$(sbatch --parsable -o "$WORK/out" -A b -n1 --comment="mine,cohort:checkpoint=1h" --wrap \
		"scohort checkpointed && touch $WORK/done; sleep 900") &&
	wait_for 10 "[ -e $WORK/done ]" && noted $a && test_must_be_empty "$WORK/out" &&
	why_says $a "no other queue can evict it" && why_says $a "By the checkpoints that its comment tells of, an eviction now would lose 0:" &&
	comment_of $a | grep -xE "mine,cohort:checkpoint=1h cohort:checkpointed=[0-9]+"
'

test_expect_success 'and again: there is one such word' '
	scontrol update JobId=$a Comment="mine;cohort:checkpointed=5;and more" && scohort checkpointed $a && noted $a &&
	comment_of $a | grep -xE "mine;cohort:checkpointed=[0-9]+;and more"
'

test_expect_success 'a task of an array alone' '
	arr=$(submit -A b --array=1-3 -n1) && wait_for 10 "tasks_run $arr 3" &&
	scohort checkpointed ${arr}_2 && noted ${arr}_2 && scohort checkpointed $arr &&
	[ $(scontrol show job $arr | grep -c "Comment=cohort:checkpointed=") = 2 ]
'

test_expect_success 'who asks for something else gets a sentence' '
	w=$(submit -A b -H) &&
	fails() { test_expect_code $1 scohort checkpointed ${3-} 2>err && echo "scohort checkpointed: $2" >expect && test_cmp expect err; } &&
	fails 2 "which job? Name one: this runs in none (SLURM_JOB_ID is not set)" &&
	fails 2 "\"x\" is not a job id (8123 or 8123_4)" x && fails 2 "\"5+1\" is not a job id (8123 or 8123_4)" 5+1 &&
	fails 1 "Job $w does not run: only a running job has a checkpoint to note" $w &&
	fails 1 "Job 999999 does not run: only a running job has a checkpoint to note" 999999 &&
	test_expect_code 1 as_nobody "$(command -v scohort)" checkpointed $a 2>err && cat err &&
	grep -x "scohort checkpointed: Job $a: its comment can.t be changed (its owner and operators may): Invalid user id" err
'

# large_and_small COMMENT: a has a job of 3 CPUs with that comment, and one of 2 on
# another node; no node has room
large_and_small() {
	cluster_clear && log_mark && rm -f "$EVENTS" && on_node c n1 1 && on_node c n2 2 && on_node c "n[3-4]" 4 &&
		large=$(on_node a n1 3 --comment="$1") && small=$(on_node a n2 2)
}

# hour_and TIME: they have run for so much more than an hour
hour_and() { later $((3600 + $1)); }

one_wanted() { b=$(submit -A b -N1 -n1 -p hi) && all_run "$b"; }

test_expect_success 'without checkpoints the small one loses less' '
	large_and_small "no words" && hour_and 60 && one_wanted && evicted_are $small &&
	! log_lines "slurm-cohort: evict: " | grep saved
'

test_expect_success 'with one each hour the large one loses a minute, the small one an hour' '
	large_and_small "by night cohort:checkpoint=1h" && hour_and 60 &&
	one_wanted && evicted_are $large
'

test_expect_success 'the log, the record, the event and scohort why say what was saved' '
	log_lines "slurm-cohort: evict: JobId=$large " | grep -E ", ran 36[0-9]+ s, saved 3600 s, preemption 1, counted 0" &&
	system_comment $large | grep ", saved 3600 s, preemption 1" &&
	why_says $large ", 1:00:00 of that before its last checkpoint. This was its 1st preemption." &&
	why_says $large "\"savedSeconds\":3600" && events_number 1 &&
	event 0 <<-END
		3660 <= e["ran"] < 3900
		e["lost"] == {"cpu@any": 3 * (e["ran"] - 3600)}
	END
'

test_expect_success 'the rank comes first: a lower priority is evicted, whatever it saved' '
	cluster_clear && log_mark && on_node c n1 1 && on_node c n2 2 && on_node c "n[3-4]" 4 &&
	large=$(on_node a n1 3 -p mid --comment=cohort:checkpoint=1h) && small=$(on_node a n2 2 -p lo) &&
	hour_and 60 && one_wanted && evicted_are $small
'

test_expect_success 'a checkpoint that was written counts, not the one that was planned' '
	large_and_small cohort:checkpoint=1h &&
	scontrol update JobId=$large Comment="cohort:checkpoint=1h cohort:checkpointed=$(($(started $large) + 5))" &&
	hour_and 60 && one_wanted && evicted_are $small
'

test_expect_success 'a time is enough, of this run: not one of the run before' '
	large_and_small x && hour_and 60 &&
	scontrol update JobId=$large Comment="cohort:checkpointed=$(($(ctld_now) - 30))" &&
	one_wanted && evicted_are $large && log_lines "slurm-cohort: evict: " | grep "saved 36[0-9]* s" &&
	large_and_small "cohort:checkpointed=$(($(ctld_now) - 3600))" && hour_and 60 && one_wanted && evicted_are $small
'

test_expect_success 'what is no time has no effect, which scohort why says' '
	large_and_small cohort:checkpoint=hourly && hour_and 60 &&
	why_says $large "Its comment says cohort:checkpoint=hourly. That has no effect: \\\"hourly\\\" is not a time (minutes, 4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, 2d)." &&
	one_wanted && evicted_are $small &&
	w=$(submit -A b -N1 -n1 --comment="cohort:checkpoint=0,cohort:checkpointed=now") && all_run $w &&
	why_says $w "cohort:checkpoint=0. That has no effect: \\\"0\\\" is no time between checkpoints." &&
	why_says $w "cohort:checkpointed=now. That has no effect: \\\"now\\\" is not a number of seconds since 1970 (date +%s)."
'

test_done
