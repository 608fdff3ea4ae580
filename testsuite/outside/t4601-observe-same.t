#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='enforcement: observe: any workload runs as without the plugins'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/two.sh"

STEPS=7
PER_STEP=16

# One of the two schedulers works at a time: jobs that one of them would start the
# other may not, and which comes first is chance. The main one has the steps up to
# this one, backfill the others.
MAIN_STEPS=4

# Backfill sees the ends of all jobs that run (6,730 minutes at most) and none of those
# that it plans (6,800 at least): see limit. It counts whole seconds: without bf_max_time
# a cycle ends with the second, and then nothing starts until something changes. It takes
# together what ends near each other: without bf_window_linear that is half of the time
# from the first end on, counted from a half minute of the clock.
scheduler_parameters() {
	local intervals='sched_interval=1,bf_interval=-1'
	[ "$1" = main ] || intervals='sched_interval=-1,bf_interval=1,bf_max_time=30,bf_window_linear=60'
	echo "SchedulerParameters=$intervals,sched_min_interval=0,batch_sched_delay=0," \
		"bf_continue,bf_window=6760,default_queue_depth=1000" | tr -d ' '
}

cat >slurm.conf <<-EOF
	$(scheduler_parameters main)
	PartitionName=low Nodes=ALL PriorityTier=1 MaxTime=INFINITE
	PartitionName=high Nodes=ALL PriorityTier=20 MaxTime=INFINITE
	PartitionName=half Nodes=n[3-6] PriorityTier=5 MaxTime=INFINITE
	Licenses=tool:3
	PriorityType=priority/basic
EOF

# Nearly nobody has the quota for what he gets, and everybody may evict
{
	quota_head 3600s
	echo 'enforcement: observe'
	echo 'fairSharing: {enable: true}'
	cohorts org
	echo 'clusterQueues:'
	queue a 6 cohort=org reclaim=Any within=LowerPriority
	queue b 4 cohort=org reclaim=Any
	queue strict 2 strategy=StrictFIFO within=LowerOrNewerEqualPriority turn=60s
	queue tiny 1 cohort=org borrow=1
} >cohort.yaml

two_up --cohort cohort.yaml -- --slurm-conf slurm.conf --nodes 6
SCHEDULERS=main

use_backfill() {
	sed -i "s/^SchedulerParameters=.*/$(scheduler_parameters backfill)/" \
		"$CLUSTER/etc/slurm.conf" && cluster_restart_ctld &&
	wait_for 30 nodes_are_back
}

# ---- the workload ----
# A line a job: step, name, options. The same each time; another seed is another
# workload. A shell in a $(...) would draw anew: what is drawn comes in REPLY.

draw() { REPLY=$((RANDOM % $1)); }

one_of() { shift "$((RANDOM % $#))" && REPLY=$1; }

kind() {
	draw 20
	case $REPLY in
	0 | 1 | 2 | 3 | 4) draw 5 && REPLY="-n$((REPLY + 1))" ;;
	5 | 6) draw 2 && REPLY="-N$((REPLY + 1)) --exclusive" ;;
	7) REPLY="-N1-3 -n2" ;;
	8) draw 2 && REPLY="-n1 --gres=gpu:$((REPLY + 1))" ;;
	9) REPLY="-n2 --gpus-per-task=1" ;;
	10) one_of -n1 -n2 -n3 && set -- "$REPLY" && one_of a100 cpu 'a100|cpu' '[a100|cpu]' && REPLY="$1 -C $REPLY" ;;
	11) REPLY="-N2 -n4 -C [a100*1&cpu*1]" ;;
	12) REPLY="-n2 --prefer=cpu" ;;
	13) draw 4 && REPLY="-n1 -a 1-$((REPLY + 2))%2" ;;
	14) REPLY="-n1 -a 1-3" ;;
	15) draw 2 && REPLY="-n1 -L tool:$((REPLY + 1))" ;;
	16) draw 3 && REPLY="-n1 --mem=$((REPLY + 1))000" ;;
	17) draw 6 && REPLY="-n2 -w n$((REPLY + 1))" ;;
	18) draw 6 && REPLY="-n3 -x n$((REPLY + 1))" ;;
	19) REPLY="-N2 --contiguous --ntasks-per-node=2" ;;
	esac
}

# limit NUMBER OPTIONS: in minutes, another one for each job, and all of them 30 minutes apart,
# which is more than the test takes. Backfill goes by the order in which jobs end.
# Where two ends are near each other, or two sums of limits are the same, the second
# in which a job started tells which comes first, and the two clusters plan differently.
# Tasks of an array have one limit: it is longer than backfill looks ahead.
limit() {
	local minutes=$((3400 + $1 * 37 % (STEPS * PER_STEP) * 30))
	[[ $2 != *' -a '* ]] || minutes=$((minutes + 10000))
	echo $minutes
}

workload() {
	local step i part
	RANDOM=$1
	for ((step = 1; step <= STEPS; step++)); do
		for ((i = 0; i < PER_STEP; i++)); do
			one_of main low high low,high high,low main half
			part=$REPLY
			one_of a b strict tiny out
			set -- "$REPLY"
			kind
			echo "$step j$step.$i -A $1 -p $part" \
				"-t $(limit $(((step - 1) * PER_STEP + i)) "$REPLY") $REPLY"
		done
	done
}

# All of a step become eligible at the same moment, when its gate goes: so no
# pass sees some of them only.
submit_all() {
	local step name options gate last=
	while read -r step name options; do
		[ "$step" = "$last" ] || gate=$(submit -J "gate$step" -A out -n1 -H) || return 1
		last=$step
		# shellcheck disable=SC2086
		submit -J "$name" -d "afterany:$gate" $options >id || echo "$name is refused"
	done <workload
}

# Jobs and nodes, the number that the scheduler goes by, and where backfill means to
# start them. Not the reasons: one that was written in a former pass stays with jobs
# that are not tried any more; t2004 compares them.
look() {
	squeue -h -r -o '%j|%K|%T|%N|%Q' | sort
	squeue -h -r -t PD -O 'Name:12,ArrayTaskID:12,SchedNodes:24' | sort
}

workload ${OBSERVE_SEED:-4601} >workload

test_expect_success 'all are accepted, or refused, by both' '
	on "$stock" submit_all >refused.stock && on "$ours" submit_all >refused.ours &&
	cmp refused.stock refused.ours &&
	[ "$(wc -l <workload)" -eq $((STEPS * PER_STEP)) ] &&
	[ "$(wc -l <refused.stock)" -lt 10 ]
'

# Of what runs, the one at place $1
running() { grep "|RUNNING|" actual | cut -d "|" -f 1 | uniq | sed -n "$1p"; }

# A job leaves its nodes one after the other, and a pass of the scheduler that
# sees only some of them free starts other jobs than one that sees them all: as it
# happens, on either cluster. So nothing starts while something changes: all nodes
# are reserved, and then at the same moment are not, when backfill has just been
# through.
at_once() {
	both scontrol create reservation=still nodes=ALL starttime=now duration=infinite \
		users=root flags=ignore_jobs &&
	"$@" && both wait_for 20 '[ -z "$(squeue -h -t CG)" ]' &&
	both give_back &&
	both wait_for 20 '[ -n "$(squeue -h -t R)" ]' || { both tell_who_waits; return 1; }
}

# Why nothing starts: the first of each partition tells
tell_who_waits() {
	echo "---- in $CLUSTER: cycles $(cycles)"
	scontrol show reservation
	squeue -h -S -Q -o "%i %P %Q %T %V %e %R" | head -n 12
	grep -E "error:|Allocate|non-runnable" "$CLUSTER/log/slurmctld.log" | tail -n 12
} >&2

give_back() {
	{ [ "$SCHEDULERS" = main ] || between_cycles; } && scontrol delete reservation=still
}

# Something else happens in some steps, too
happen() {
	case $1 in
	3) both scontrol update nodename=n2 state=drain reason=test ;;
	5) both scontrol update nodename=n2 state=resume && both wait_for 20 n2_is_back ;;
	6) both requeue "$(running 2)" ;;
	esac
	both cancel "gate$1"
}

n2_is_back() { ! sinfo -h -n n2 -o %T | grep -E 'drain|\*'; }

# It may start again when the credential of its last run has expired. When that is, slurmctld says
# only when all nodes have done with that run.
requeue() {
	local id
	id=$(squeue -h -t R -n "$1" -o "%K %A" | sort -n | sed -n "1s/.* //p")
	scontrol requeue "$id" && wait_for 20 "is_due $id"
}

is_due() { [ "$(job_field "$1" JobState)" = PENDING ] && [ "$(date -d "$(job_field "$1" EligibleTime)" +%s)" -lt "$EPOCHSECONDS" ]; }

step=0
while [ $((++step)) -le "$STEPS" ]; do
	if [ "$step" -eq $((MAIN_STEPS + 1)) ]; then
		SCHEDULERS=backfill
		test_expect_success 'from here on backfill alone starts jobs' '
			at_once both use_backfill && alike >shown
		'
	fi
	test_expect_success "step $step: the same jobs on the same nodes" '
		at_once happen $step && alike >shown &&
		grep -c "|RUNNING|" actual
	'
	test_expect_success "step $step: and the same when one of them ends" '
		at_once both cancel "$(running $(((step - 1) % 5 + 1)))" && alike >shown
	'
done

test_expect_success 'much of it waited, much ran, and more than quota allows' '
	[ "$(grep -c PENDING actual)" -gt 40 ] &&
	on "$ours" usage_by_queue | awk -v quota="a=6 b=4 strict=2 tiny=1 " "
		match(quota, \$1 \"=[0-9]+\") {
			split(substr(quota, RSTART, RLENGTH), q, \"=\")
			over += \$2 > q[2]
		}
		END { exit !over }"
'

observed() { grep -E "slurm-cohort: observe: $1" "$ours/log/slurmctld.log"; }

test_expect_success 'the log says who would have waited and who would have been evicted' '
	observed "would evict" && [ "$(observed "JobId=.* would wait:" | wc -l)" -gt 20 ] &&
	[ "$(observed "would evict: JobId=.* for JobId=.*, rule [A-Za-z]+, .* held .*, needed .*, ran" |
		wc -l)" -gt 2 ] &&
	! grep "slurm-cohort: evict" "$ours/log/slurmctld.log"
'

# Things change twice in each step
test_expect_success 'a few lines for a job, not one in each pass' '
	observed "JobId=[0-9]+.* would (wait|have)" | sed "s/.*observe: JobId=\([0-9_*]*\).*/\1/" |
		sort | uniq -c | sort -rn | head -n 3 &&
	observed "JobId=[0-9]+.* would (wait|have)" | sed "s/.*observe: JobId=\([0-9_*]*\).*/\1/" |
		sort | uniq -c | awk "\$1 > 20 { bad = 1 } END { exit bad }"
'

test_done
