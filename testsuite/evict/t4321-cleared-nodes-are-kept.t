#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='nodes cleared for a job are kept for it, whatever the tier of others; few evictions in vain'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/epilog.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

# The main scheduler alone: where a job of a higher tier fails it gives none of
# its partition's nodes to those behind it.
{
	echo 'SchedulerParameters=bf_interval=600,sched_interval=1,sched_min_interval=0,batch_sched_delay=0'
	epilog_line
	three_tiers
} >slurm.conf
shared_by_two 12 >cohort.yaml
ctld_clock
cluster_up --nodes 3 --cohort cohort.yaml --slurm-conf slurm.conf

empty() { epilog_ends && cluster_clear && log_mark; }

test_expect_success 'borrowers of a higher tier do not get the nodes that were cleared for a job of a lower one' '
	log_mark && out=$(submit -A out -p hi -w n1 -n2) && all_run $out &&
	x1=$(submit -A c -p hi -N1 -n4 -w n2) && x2=$(submit -A c -p hi -N1 -n4 -w n3) && all_run $x1 $x2 &&
	epilog_lasts && p=$(submit -A a -p lo -N3 -n3) && wait_for 10 "completing $x1 && completing $x2" &&
	x3=$(submit -A c -p hi -N1 -n4) && x4=$(submit -A c -p hi -N1 -n4) &&
	wait_for 10 "in_line $x3 $x4" && epilog_ends && all_run $p &&
	evicted_are $x1 $x2 && job_waits $x3 $x4
'

test_expect_success 'not even while its victims are still on their way' '
	empty && out=$(submit -A out -p hi -w n1 -n2) &&
	x1=$(submit -A c -p hi -N1 -n4 -w n2) && all_run $out $x1 &&
	epilog_lasts && p=$(submit -A a -p lo -N2 -n2 -w n1,n2) && wait_for 10 "completing $x1" &&
	x2=$(submit -A c -p hi -N1 -n2 -w n1) && x3=$(submit -A c -p hi -N1 -n2 -w n3) && all_run $x3 &&
	holds_for 3 "job_waits $x2 $p" &&
	epilog_ends && all_run $p && evicted_are $x1
'

test_expect_success 'it leaves: others get the nodes' '
	empty && x1=$(submit -A c -p hi -N1 -n4 -w n1) && all_run $x1 &&
	epilog_lasts && p=$(submit -A a -p lo -N1 -n4 -w n1) && wait_for 10 "completing $x1" &&
	x2=$(submit -A c -p hi -N1 -n4 -w n1) && wait_for 10 "in_line $x2" &&
	scancel $p && epilog_ends && all_run $x2
'

# drained VICTIM: the node that is cleared goes down before it is free. The victim
# leaves: where it fails, by hi, nobody is tried by lo. The epilog of the next one lasts.
drained() {
	local node
	node=$(squeue -h -t CG -j "$1" -o %N) && [ -n "$node" ] &&
		scontrol update nodename="$node" state=drain reason=test && scancel "$1" &&
		epilog_ends "$node" && wait_for 10 "! completing $1"
}

# none_too_soon: there were two evictions, or a third one a minute after the second. Times
# are those of slurmctld.log, in whole seconds, as who looks may be late. Slurm itself
# has the next one wait for KillWait and MessageTimeout, 32 seconds.
none_too_soon() {
	local all third
	all=$(evicted) && third=$(xargs -n1 <<<"$all" | grep -vx -e "$v1" -e "$v2")
	case $(wc -w <<<"$all") in
	2) ;;
	3) [ "$(evicted_at "$third")" -ge $(($(evicted_at "$v2") + 59)) ] ;;
	*) false ;;
	esac
}

test_expect_success 'evictions came to nothing: others follow at growing intervals only' '
	empty && x1=$(submit -A c -p hi -N1 -n4) && all_run $x1 && x2=$(submit -A c -p hi -N1 -n4) &&
	all_run $x2 && x3=$(submit -A c -p hi -N1 -n4) && all_run $x3 && for node in n1 n2 n3; do epilog_lasts $node; done &&
	p=$(submit -A a -p lo -N1 -n4) &&
	wait_for 10 "[ \$(evicted | wc -w) -eq 1 ]" && v1=$(evicted) &&
	wait_for 10 "completing $v1" && drained $v1 &&
	wait_for 30 "[ \$(evicted | wc -w) -eq 2 ]" &&
	log_has "JobId=$p: 1 evictions for it came to nothing: no other one for 60 s" &&
	v2=$(evicted | xargs -n1 | grep -vx $v1) &&
	wait_for 10 "completing $v2" && drained $v2 &&
	wait_for 10 "job_reason $p | grep -q wait=nodes,evicts=" &&
	why_soon $p "No further job is evicted for it before" &&
	clock_to $(($(evicted_at $v2) + 50)) && holds_for 3 none_too_soon
'

test_expect_success 'it starts as soon as there is room' '
	epilog_ends && drained=$(sinfo -h -N -p lo -t drain -o %N | xargs | tr " " ,) &&
	scontrol update nodename=$drained state=resume && all_run $p &&
	none_too_soon
'

test_done
