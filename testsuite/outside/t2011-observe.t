#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='enforcement: observe decides and logs, and changes no job'"'"'s fate'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# config ENFORCEMENT [INTERVAL]: the file
config() {
	quota_head ${2-1s}
	echo "enforcement: $1"
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 4 cohort=org reclaim=Any
	queue full 2
}

config observe >cohort.yaml
cluster_up --cohort cohort.yaml

test_expect_success 'the log says at start that nothing is enforced' '
	log_has "observe: nothing is enforced"
'

test_expect_success 'jobs over quota start, also one that never could' '
	log_mark &&
	f=$(submit_some 3 -A full -N1 -n2) && never=$(submit -A full -n4) &&
	all_run $f $never
'

# No pass sees a job that starts at once; those that run are in the way of those
# behind them
test_expect_success 'but the log says who would have waited' '
	set -- $f &&
	wait_for 5 "log_has \"observe: JobId=$never would wait: .*,wait=never\(max=2\),need=4_cpu@any,cq=full\"" &&
	wait_for 5 "log_has \"observe: JobId=$2 would wait: .*wait=(order|quota)\"" &&
	wait_for 5 "log_has \"observe: JobId=$3 would wait: .*wait=(order|quota)\"" &&
	! log_has "observe: JobId=$1 "
'

test_expect_success 'nobody is evicted for quota' '
	scancel $f $never && wait_for 10 "[ -z \"\$(squeue -h)\" ]" && log_mark &&
	a=$(submit_some 2 -A a -N1 -n4) && all_run $a &&
	b=$(submit -A b -N1 -n4) && all_run $b &&
	holds_for 3 "job_runs $a $b" &&
	! log_has "slurm-cohort: evict"
'

test_expect_success 'the log says who would be, for whom, by which rule, and the numbers' '
	set -- $a &&
	log_lines "observe: would evict" >lines && cat lines &&
	[ "$(wc -l <lines)" -eq 1 ] &&
	grep -E "observe: would evict: JobId=($1|$2) \(a\) for JobId=$b \(b\), rule InCohortReclamation, a held 8 of 4 cpu@any, b held 0 of 4, needed 4, free 0, ran [0-9]+ s, preemption 1, counted 0 of 3\$" lines
'

slurms_reasons() { ! squeue -h -t PD -o %r | grep -vxE "Resources|Priority"; }

# 12 of 16 CPUs are in use: these wait for nodes, and for quota
test_expect_success 'jobs that wait for nodes have the reasons that Slurm gives them' '
	last=$(submit -N1 -n4) && all_run $last &&
	w1=$(submit -A b -N1 -n4) && w2=$(submit -A full -n2) && w3=$(submit -A full -n3) &&
	wait_for 5 "[ \"\$(job_reason $w1)\" = Resources ] && slurms_reasons" &&
	holds_for 5 slurms_reasons
'

test_expect_success 'the log says who would wait, and for what' '
	wait_for 5 "log_has \"slurm-cohort: observe: JobId=$w3 would wait: Cohort:.*never\\(max=2\\)\"" &&
	wait_for 5 "log_has \"slurm-cohort: observe: JobId=$w1 would wait\"" &&
	! log_has "observe: JobId=$w2 would"
'

test_expect_success 'but not again and again' '
	log_mark &&
	sleep 5 &&
	! log_has "slurm-cohort: observe"
'

test_expect_success 'all the usage is in the books: enforce, and over quota nobody starts' '
	config enforce >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 5 "in_line $w1 $w3" &&
	job_runs $a $b &&
	scancel $last &&
	all_run $w2 && holds_for 3 "job_waits $w3"
'

test_expect_success 'and observe again: texts go, and who fits on the nodes starts' '
	config observe >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	scancel $b $w1 &&
	wait_for 10 "job_runs $w3" &&
	wait_for 5 "squeue -h -o %r | grep Cohort >other; [ ! -s other ]"
'

# comes_first JOB OTHER: as the log says
comes_first() {
	scontrol update JobId=$2 Priority=1000 && scontrol update JobId=$1 Priority=9000 &&
		wait_for 5 "log_lines 'observe: would evict' | tail -n 1 | grep ' for JobId=$1 '" &&
		next_second && next_second	# by then the other one waits
}

test_expect_success 'two that take turns as preemptors: the file of events has each of them once' '
	config observe | sed "s/^priority: .*/priority: job/" >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure && cluster_clear &&
	rm -f "$CLUSTER/state/cohort_events.jsonl" && log_mark &&
	a=$(submit -A a -N4 -n16) && all_run $a && x=$(submit -A b -n4) && y=$(submit -A b -n4) &&
	comes_first $x $y && comes_first $y $x && comes_first $x $y && comes_first $y $x && next_second &&
	[ $(grep -c "\"observed\":\"evict\"" "$CLUSTER/state/cohort_events.jsonl") = 2 ]
'

# A pass starts jobs, and its plan does not know which: what it says of a job that waits may
# be another thing in the next pass, a moment later.
test_expect_success 'of jobs that wait a pass logs nothing: that comes each updateInterval; of those that start at once' '
	use_cohort config observe 3600s && full=$(submit -N4 -n16) && all_run $full &&
	next_second && next_second &&		# the last second of the old interval is over
	waits=$(submit -A full -N1 -n3) && wait_for 10 "[ \"\$(job_reason $waits)\" = Resources ]" &&
	holds_for 3 "! log_has \"observe: JobId=$waits\"" &&
	scancel $full && all_run $waits && wait_for 5 "log_has \"observe: JobId=$waits would wait: .*never\(max=2\)\""
'

test_done
