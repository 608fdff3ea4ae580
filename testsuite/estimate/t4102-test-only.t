#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='sbatch --test-only: when a job would start, and which it would evict'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"

# says TIME SECONDS OPTIONS...: such a job would start then, give or take. TIME may
# be now, or now+SECONDS.
says() {
	local want=$1 slack=$2 now=$EPOCHSECONDS got
	shift 2
	got=$(test_only "$@") || {
		scohort whatif "$@" --wrap true	# says why, of the next moment at least
		return 1
	}
	if [[ $want == now* ]]; then
		slack=$((slack + EPOCHSECONDS - now)) want=$((now${want#now}))
	fi
	near "$got" "$want" "$slack" && return
	echo "expected $want, got ${got-nothing}: $(cat "$WORK/test_only")"
	return 1
}

# refused OPTIONS...: no time for such a job
refused() { ! test_only "$@" && grep -q 'not available' "$WORK/test_only"; }

estimate_conf >extra.conf
halves >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf extra.conf

test_expect_success 'what fits starts now' '
	says now 3 -A a -n4 -t 5 &&
	[ -z "$(test_only_victims)" ] &&
	[ -z "$(squeue -h)" ]
'

test_expect_success 'and a job outside all queues' '
	says now 3 -n4 -t 5
'

test_expect_success 'what waits for quota: at the end of whoever has it' '
	a1=$(submit -A a -n4 -t 3) && a2=$(submit -A a -n4 -t 7) && all_run $a1 $a2 &&
	says $(ends $a1) 3 -A b -n4 -t 5 &&
	says $(ends $a2) 3 -A b -n8 -t 5
'

test_expect_success 'behind those that wait already' '
	b=$(submit -A b -n4 -t 9) &&
	estimated $b $(ends $a1) &&
	says $(ends $a2) 3 -A b -n4 -t 5 &&
	says $(($(ends $a1) + 9 * 60)) 5 -A b -n8 -t 5
'

test_expect_success 'the question leaves nothing behind' '
	wait_for 5 "[ \"\$(positions $b)\" = 1/1 ]" &&
	[ "$(squeue -h | wc -l)" -eq 3 ] &&
	estimated $b $(ends $a1)
'

# Nobody has seen the job yet: the pass that does must not count the question
test_expect_success 'nor is it seen while it is asked' '
	cluster_clear &&
	for i in 1 2 3 4 5 6; do
		held=$(submit -A b -n9) && says now 3 -A b -n4 -t 5 &&
		wait_for 5 "place=\$(reason_pos $held); [ -n \"\$place\" ]" &&
		{ [ "$place" = 1/1 ] || { echo "$place"; return 1; }; } &&
		scancel $held || return 1
	done &&
	a1=$(submit -A a -n4 -t 3) && a2=$(submit -A a -n4 -t 7) && all_run $a1 $a2
'

test_expect_success 'no time for one that never fits' '
	refused -A b -n9 -t 5 &&
	refused -A a -n9 -t 5
'

# A third node comes free with it
test_expect_success 'nodes may take longer than quota' '
	other=$(submit -n8 -t 20) && all_run $other &&
	says $(ends $other) 35 -A a -N3 -n6 -t 5
'

test_expect_success 'who may preempt: now, and the victims are those of the submission' '
	use_cohort halves reclaim=Any &&
	a1=$(submit -A a -n2 -t 60) && all_run $a1 && next_second &&
	a2=$(submit -A a -n4 -t 60) && all_run $a2 && next_second &&
	a3=$(submit -A a -n2 -t 60) && all_run $a3 &&
	says now 5 -A b -n4 -t 5 &&
	victims=$(test_only_victims) && [ -n "$victims" ] && holds_for 1 "job_runs $a1 $a2 $a3" &&
	[ -z "$(evicted)" ] &&
	b=$(submit -A b -n4 -t 5) && all_run $b &&
	[ "$(evicted)" = "$victims" ]
'

# cons_tres tells no allocation where it counts on nodes being cleared
test_expect_success 'also where the nodes have to be cleared for it' '
	use_cohort halves reclaim=Any &&
	a1=$(submit -A a -w n1 -n4 -t 60) && a2=$(submit -A a -n4 -t 60) && all_run $a1 $a2 &&
	says now 5 -A b -w n1 -n4 -t 5 &&
	[ "$(test_only_victims)" = $a1 ] && grep "using 4 processors on nodes n1" "$WORK/test_only" &&
	holds_for 1 "job_runs $a1 $a2" && [ -z "$(evicted)" ]
'

test_expect_success 'grace time is part of it' '
	use_cohort halves reclaim=Any &&
	a1=$(submit -A a -p grace -n8 -t 60) && all_run $a1 &&
	says now+101 5 -A b -n4 -t 5 &&
	[ "$(test_only_victims)" = $a1 ]
'

# slurmctld 24.11 has the list of the partitions locked meanwhile
test_expect_success 'several partitions: the same answers, and slurmctld lives' '
	use_cohort halves reclaim=Any &&
	says now 3 -A a -p lo,hi -n4 -t 5 &&
	a1=$(submit -A a -n8 -t 60) && all_run $a1 &&
	says now 5 -A b -p mid,lo -n4 -t 5 && [ "$(test_only_victims)" = $a1 ] &&
	refused -A b -p lo,mid,hi -n9 -t 5 &&
	use_cohort halves &&
	a1=$(submit -A a -n4 -t 3) && a2=$(submit -A a -n4 -t 7) && all_run $a1 $a2 &&
	says $(ends $a1) 3 -A b -p hi,lo -n4 -t 5 &&
	says $(ends $a2) 3 -A b -p lo,mid -n8 -t 5 &&
	b=$(submit -A b -p mid,lo -n4 -t 9) && estimated $b $(ends $a1) &&
	says $(ends $a2) 3 -A b -p lo,main -n4 -t 5 &&
	wait_for 10 "scontrol ping | grep \"is UP\""
'

test_expect_success 'protected: when it ends' '
	use_cohort halves reclaim=Any &&
	sed -i "s/^  - name: a$/&\n    reclaimMinRuntime: 2h/" "$CLUSTER/etc/cohort.yaml" &&
	before=$(cohort_reads) && cluster_reconfigure &&
	wait_for 5 "[ \$(cohort_reads) -gt $before ]" &&
	a1=$(submit -A a -n8 -t 600) && all_run $a1 &&
	says $(($(started $a1) + 7200)) 5 -A b -n4 -t 5 &&
	[ "$(test_only_victims)" = $a1 ]
'

test_expect_success 'srun --test-only as well' '
	srun --test-only -A b -n4 -t 5 true >"$WORK/test_only" 2>&1 &&
	when=$(date -d "$(sed -n "s/.* to start at \([^ ]*\) .*/\1/p" "$WORK/test_only")" +%s) &&
	near $when $(($(started $a1) + 7200))
'

test_expect_success 'protected on the very nodes: when it ends, not when the nodes are free' '
	cluster_clear &&
	a1=$(submit -A a -n8 -N2 -w n[1-2] -t 600) && a2=$(submit -n8 -N2 -w n[3-4] -t 600) &&
	all_run $a1 $a2 &&
	says $(($(started $a1) + 7200)) 5 -A b -n4 -t 5 &&
	[ "$(test_only_victims)" = $a1 ] &&
	grep "on nodes n[12]" "$WORK/test_only"
'

# b has quota for it: only the nodes are missing
test_expect_success 'so where quota is free and only the nodes are protected, by size too' '
	cluster_clear &&
	a1=$(submit -A a -n6 -N2 -w n[1-2] --ntasks-per-node=3 -t 600) &&
	o1=$(submit -n6 -N2 -w n[3-4] --ntasks-per-node=3 -t 600) && all_run $a1 $o1 &&
	says $(($(started $a1) + 7200)) 5 -A b -N1 -n2 -t 5 &&
	[ "$(test_only_victims)" = $a1 ]
'

test_expect_success 'nobody is evicted for what is free before' '
	cluster_clear &&
	a1=$(submit -A a -n8 -N2 -w n[1-2] -t 60) && a2=$(submit -n8 -N2 -w n[3-4] -t 600) &&
	all_run $a1 $a2 &&
	says $(ends $a1) 35 -A b -n4 -t 5 && [ -z "$(test_only_victims)" ]
'

# Slurm throws the record away without a word, and nobody looks through the jobs
# before the state is written. Freed memory is overwritten here: who still reads it
# dies of that. What is written after our state is there if nobody did.
test_expect_success 'a question outside all queues: its record is not touched later' '
	cluster_clear && MALLOC_PERTURB_=165 cluster_restart_ctld &&
	wait_for 20 "[ \$(sinfo -h -N -t idle -o %N | sort -u | wc -l) -eq 4 ]" &&
	test_only -n4 -t 5 && test_only -n2 -t 5 &&
	rm -f "$CLUSTER/state/assoc_mgr_state" && cluster_stop_ctld &&
	[ -e "$CLUSTER/state/assoc_mgr_state" ]
'

test_done
