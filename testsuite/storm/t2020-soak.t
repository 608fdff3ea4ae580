#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='many short jobs: no two evict each other in turns, never over quota'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{
	three_tiers
	quick_scheduler
} >slurm.conf

# 16 CPUs of nodes, 14 of quota: both teams may evict within their queue and
# across. a may have 4 + 6, b 8 + 3, and both together 14.
{
	quota_head
	cohorts org:-:nominal=2
	echo 'clusterQueues:'
	queue a 4 cohort=org borrow=6 reclaim=Any within=LowerOrNewerEqualPriority
	queue b 8 cohort=org borrow=3 reclaim=Any within=LowerOrNewerEqualPriority
} >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# young is newer than old, and so goes for it; and that is that, although young
# then waits with all that old has in sight
test_expect_success 'two that could both evict the other: one of them does, once' '
	log_mark &&
	fill=$(submit -A a -N2 -n6 -p mid) && all_run $fill && next_second &&
	old=$(submit -A a -N1 -n4 -p lo -H) && next_second &&
	young=$(submit -A a -N1 -n4 -p lo) && all_run $young &&
	scontrol release $old &&
	all_run $old && evicted_are $young &&
	wait_for 10 "in_line $young" &&
	holds_for 4 "job_runs $fill $old && job_waits $young" &&
	[ "$(evicted)" = "$young" ]
'

# a may have 10 and owns 4, b owns 8 and takes them; neither can take them back
test_expect_success 'two teams the same: who is owed quota gets it, and that is that' '
	b=$(submit -A b -N2 -n8 -p lo) && all_run $b && evicted_are $young $old &&
	wait_for 10 "in_line $young $old" &&
	holds_for 4 "job_runs $fill $b && job_waits $old $young" &&
	[ "$(evicted)" = "$(echo $young $old | tr " " "\n" | sort -n | xargs)" ]
'

# Usage by squeue, if it is too much. Who is on his way out still counts.
over_quota() {
	squeue -h -t R,CG,S -o '%a %C %i:%t' | awk '
		{ n[$1] += $2; all = all " " $1 ":" $2 ":" $3 }
		END { if (n["a"] > 10 || n["b"] > 11 || n["a"] + n["b"] > 14)
			print "a=" n["a"], "b=" n["b"], all }'
}

# wave TEAM N CPUS SECONDS PARTITION...: N held jobs of a team, with 1 to CPUS CPUs,
# for SECONDS and up to two more, in one of the partitions, the same every time
wave() {
	local i team=$1 n=$2 cpus=$3 least=$4
	shift 4
	for ((i = 0; i < n; i++)); do
		submit_for "$((least + RANDOM % 2)).$((RANDOM % 10))" -A "$team" -N1 \
			-n $((1 + RANDOM % cpus)) -p "${@:1 + RANDOM % $#:1}" -H >>ids || return 1
	done
}

# Two teams that want all there is, all the time; first a gets it. Released at
# once: else b runs dry where sbatch is slow, a borrows, and b reclaims once more.
two_waves() {
	local i waiting
	RANDOM=42
	wave b 70 1 1 lo && wave a 90 1 1 lo && wave b 30 1 1 lo || return 1
	waiting=$(paste -sd, ids)
	for i in 1 2 3 4 5 6 7 8 9 10; do
		submit_for 40 -A a -n1 -p lo -H >>ids || return 1
	done
	scontrol release "$(tail -n 10 ids | paste -sd,)" && wait_for 15 "[ \$(usage a) -eq 10 ]" && scontrol release "$waiting"
}

# Teams that take turns, with jobs of all classes and sizes. A wave comes all at
# once, when the one before it has filled what its team may have.
many_waves() {
	local i before=0
	RANDOM=42
	for i in a b a b; do
		wave $i 20 2 4 lo lo lo mid hi &&
			scontrol release "$(tail -n +$((before + 1)) ids | paste -sd,)" &&
			wait_for 30 "[ \$(usage $i) -ge 8 ]" || return 1
		before=$(wc -l <ids)
	done
}

# soak LIMIT COMMAND: samples until all jobs that COMMAND has submitted are done.
# COMMAND leaves its result in a file: a pid may be somebody else's by then.
soak() {
	cluster_clear && log_mark && : >ids && : >over && rm -f result || return 1
	samples=0
	{ "$2"; echo $? >result.new; mv result.new result; } &
	wait_for "$1" 'over_quota >>over; samples=$((samples + 1)); [ -s over ] || all_done' ||
		return 1
	cat over
	[ ! -s over ] && [ "$(cat result)" -eq 0 ] && echo "$samples samples"
}

all_done() { [ -e result ] && [ -z "$(squeue -h)" ]; }

# ended_well N: all N of them
ended_well() {
	scontrol -o show job >jobs &&
	awk -v n="$1" '
		FNR == NR { want["JobId=" $1] = 1; next }
		$1 in want && / JobState=COMPLETED .* ExitCode=0:0 / { ended++; next }
		$1 in want { print }
		END { exit ended != n }' ids jobs
}

# "7 a 9 b" a line: job 7 of a was evicted for job 9 of b
evicted_for() {
	log_lines "slurm-cohort: evict: " |
		sed "s/.*evict: JobId=\([0-9]*\) (\(.\)) for JobId=\([0-9]*\) (\(.\)).*/\1 \2 \3 \4/"
}

# "7 for 9" a line
evictions() { evicted_for | awk '{ print $1 " for " $3 }'; }

# Pairs of jobs that have evicted each other
in_turns() {
	evictions | awk '{ pair[$1, $3] = 1; if (($3, $1) in pair) print }'
}

test_expect_success '200 short jobs in two teams: at every sample nobody is over quota' '
	soak 400 two_waves && [ $samples -gt 50 ]
'

# Evictions in vain: a job that has evicted does so again, although it was not
# evicted itself; or a job goes for a newer one of its team. Somebody may go twice:
# while a victim is still ending, one behind it may start, and later goes for it.
needless() {
	evicted_for | awk '
		$2 == $4 && $3 > $1 { print $1 " went for " $3 ", which is newer" }
		$3 in victim { print $1 " went for " $3 ", as " victim[$3] " did" }
		{ victim[$3] = $1; delete victim[$1] }'
}

test_expect_success 'all of them have ended well; some were evicted, each by a rule' '
	ended_well 200 &&
	log_lines "slurm-cohort: evict: " &&
	evictions >victims &&
	[ "$(wc -l <victims)" -ge 2 ] &&
	[ -z "$(in_turns)" ] &&
	needless >wrong && cat wrong && [ ! -s wrong ]
'

test_expect_success 'the same with jobs of all classes and sizes, in waves' '
	soak 300 many_waves && ended_well 80
'

test_expect_success 'no two of them have evicted each other' '
	evictions && [ "$(evictions | wc -l)" -ge 5 ] &&
	[ -z "$(in_turns)" ]
'

test_done
