#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='before 24.11.6: slurmctld may miss an answer as it ends, and hangs; our tests wake it up'
# doc/limits.md tells what to do then. clock/lost.c makes it certain, clock/wake.c mends it.
. "$(dirname "$0")/../lib.sh"

slurm_since 24.11.6 && {
	skip_all='Slurm before 24.11.6 only'
	test_done
}
preload_ctld lost || {
	skip_all='no C compiler'
	test_done
}
slurm_since 24.11 && test_set_prereq RECONFIGURE
[ -e "$BUILD/test/wake.so" ] && test_set_prereq WAKE
lost=$WORK/lost
export COHORT_LOST=$lost COHORT_CTLD_WAKE=no
cluster_up --stock

starts() { grep -c 'Running as primary controller' "$CLUSTER/log/slurmctld.log"; }
ended() { ! procs proc_alive slurmctld; }

# From here on it misses each answer
lose() { rm -f "$lost.now" && : >"$lost" && log_mark; }

# It has missed one, its state is saved, and nothing follows
hangs() {
	wait_for 20 "[ -e $lost.now ]" && holds_for 20 "! ended" && log_has "Saving all slurm state" &&
	log_lines . | grep -v debug | tail -n 1 |
		grep -E "Saving all slurm state|Backfill scheduler plugin shutting down" && ! timeout 5 sinfo
}

# What doc/limits.md says: each job is there, also one from just before
killed_and_started() {
	rm -f "$lost" && cluster_kill_ctld && wait_for 20 "job_runs $job" && job_waits "$@"
}

test_expect_success 'a shutdown hangs when its state is saved' '
	job=$(submit -n1) && wait_for 20 "job_runs $job" &&
	lose && first=$(submit -H -n1) && procs proc_signal TERM slurmctld && hangs
'

test_expect_success 'killed and started, it knows all jobs' '
	killed_and_started $first
'

test_expect_success RECONFIGURE 'a reconfigure hangs the same way' '
	before=$(starts) && lose && second=$(submit -H -n1) &&
	test_expect_code 124 timeout 5 scontrol reconfigure && hangs && [ $(starts) = $before ] &&
	killed_and_started $first $second
'

# Ten seconds for each answer: it was woken up, and not just lucky
test_expect_success WAKE 'with what our tests preload, a shutdown comes to its end' '
	unset COHORT_CTLD_WAKE && cluster_restart_ctld && lose && begun=$(now_ms) &&
	procs proc_signal TERM slurmctld && wait_for 40 ended && [ -e "$lost.now" ] &&
	[ $(($(now_ms) - begun)) -ge 10000 ] && rm -f "$lost" && cluster_restart_ctld && job_runs $job
'

test_expect_success WAKE,RECONFIGURE 'and so does a reconfigure' '
	before=$(starts) && lose && begun=$(now_ms) && cluster_reconfigure && [ -e "$lost.now" ] &&
	[ $(($(now_ms) - begun)) -ge 10000 ] && [ $(starts) -gt $before ] && rm -f "$lost" &&
	job_runs $job
'

rm -f "$lost"
test_done
