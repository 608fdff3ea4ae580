#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort me: my jobs, their places and starts, and from when each may be evicted'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

quick_scheduler >slurm.conf
{
	quota_head
	cohorts lab
	echo 'clusterQueues:'
	queue vision 4 cohort=lab rmin=1h
	queue audio 8 cohort=lab reclaim=Any
	queue alone 4 within=LowerPriority
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# mine FIELDS ID: these of the job, with blanks between
mine() { scohort me -n -P -o "jobid,$1" | sed -n "s/^$2|//p" | tr '|' ' '; }

# mine_soon FIELDS ID VALUES: within 10 s
mine_soon() {
	wait_for 10 "[ \"\$(mine $1 $2)\" = \"$3\" ]" || {
		scohort me
		return 1
	}
}

start_of() { date -d "$(first_line squeue -h -j "$1" -o %S)" +%s; }

test_expect_success 'nothing of mine: no line, and no error' '
	scohort me -n >out 2>err && [ ! -s out ] && [ ! -s err ] &&
	[ "$(scohort me --json | json "len(d[\"jobs\"])")" = 0 ]
'

test_expect_success 'a job within quota, one that may be evicted now, one that borrows and is protected' '
	alone=$(submit -A alone -n2) && own=$(submit -A audio -n3) && borrows=$(submit -A vision -n6) &&
	all_run $alone $own $borrows && from=$(($(start_of $borrows) + 3600)) &&
	mine_soon state,queue,evict,verdict $own "RUNNING audio no -" &&
	mine_soon state,queue,evict $alone "RUNNING alone now" &&
	mine_soon queue,evict,place $borrows "vision $(told_time $from) -" &&
	scohort me --json >json && [ "$(json "job($borrows)[\"evictableFrom\"]" <json)" = $from ] &&
	[ "$(json "[job($own)[\"evictable\"], job($alone)[\"evictable\"], job($borrows)[\"borrowing\"]]" <json)" = "false true true" ]
'

# exempt_as ID: from a day after its start, by PreemptExemptTime of slurm.conf
exempt_as() { [ "$(scohort me --json | json "job($1)[\"evictableFrom\"]")" = $(($(start_of $1) + 86400)) ]; }

test_expect_success 'PreemptExemptTime protects it from its own queue, too, and is the time told' '
	echo PreemptExemptTime=1-00:00:00 >>"$CLUSTER/etc/slurm.conf" && cluster_reconfigure &&
	all_run $alone && wait_for 10 "exempt_as $alone" && [ "$(mine evict $alone)" = "$(told_time $(($(start_of $alone) + 86400)))" ] &&
	sed -i "/^PreemptExemptTime=/d" "$CLUSTER/etc/slurm.conf" && cluster_reconfigure &&
	mine_soon evict $alone now
'

test_expect_success 'waiting ones: place, what they wait for, when they start, as scohort queue has it' '
	first=$(submit -A alone -n4) && second=$(submit -A alone -n4) &&
	mine_soon state,place,evict $first "PENDING 1/2 -" &&
	mine_soon place $second "2/2" &&
	for id in $first $second; do
		wait_for 10 "[ \"\$(mine place,start,verdict $id)\" = \"\$(scohort queue -n -P -o jobid,place,start,verdict | sed -n \"s/^$id|//p\" | tr \"|\" \" \")\" ]" ||
			return 1
	done
'

test_expect_success 'those that run stand first, those without place last' '
	held=$(submit -A alone -n1 -H) && wait_for 10 "[ -n \"\$(mine state $held)\" ]" &&
	scohort me -n -P -o jobid >order && head -n 3 order | sort -n | xargs >head &&
	[ "$(cat head)" = "$alone $own $borrows" ] && [ "$(sed -n "4,\$p" order | xargs)" = "$first $second $held" ]
'

# Of one of audio alone nobody could evict anything; it goes along with the other one.
test_expect_success 'components of a job go together: one time for both' '
	cluster_clear && het=$(sbatch --parsable -o /dev/null -A audio -n1 : -A vision -n6 --wrap "exec sleep 1000") &&
	wait_for 20 "[ \"\$(mine state $het+0)\" = RUNNING ] && [ \"\$(mine state $het+1)\" = RUNNING ]" &&
	from=$(told_time $(($(start_of $het+1) + 3600))) &&
	mine_soon queue,evict $het+1 "vision $from" && mine_soon queue,evict $het+0 "audio $from" &&
	scancel $het
'

test_expect_success 'only mine: another user has none' '
	all=$(scohort_for_all) && as_nobody env SCOHORT_PUBLISH="$CLUSTER/state/cohort_status.json" "$all" me -n >out &&
	[ ! -s out ]
'

test_expect_success 'every width of a terminal: no line is longer, and job and state are always there' '
	for width in 40 60 80 120 200; do
		COLUMNS=$width scohort me >out && fits $width <out && grep "^ *JOBID  *STATE" out || return 1
	done
'

test_done
