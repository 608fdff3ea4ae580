#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs that slurmctld refuses before it asks for nodes keep no quota from others'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cycles.sh"

{
	quick_scheduler
	echo 'PartitionName=other Nodes=ALL State=UP MaxTime=INFINITE'
} >slurm.conf
borrower_owner_and_loner >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

limit() { scontrol update PartitionName=main "$@"; }

# passes_by JOB REASON QUEUE: it waits for that, and who comes later has its quota
passes_by() {
	is_refused "$1" "$2" && later=$(submit -A "$3" -n4 -N1 -t5) && all_run "$later" &&
		[ "$(job_reason "$1")" = "$2" ]
}

test_expect_success 'the partition has a shorter MaxTime by now' '
	first=$(submit -A c -n4 -t5) && all_run $first &&
	long=$(submit -A c -n4 -t10) && wait_for 10 "[ \"\$(positions $long)\" = 1/1 ]" &&
	limit MaxTime=5 && scancel $first && passes_by $long PartitionTimeLimit c &&
	behind=$(submit -A c -n4 -t5) && wait_for 10 "[ \"\$(positions $behind)\" = 1/1 ]"
'

test_expect_success 'it comes back in line with its place, and starts' '
	limit MaxTime=INFINITE && wait_for 10 "[ \"\$(positions $long)\" = 1/2 ]" && scancel $later &&
	all_run $long && job_waits $behind
'

test_expect_success 'what it owns is lent, and taken back when it may start' '
	cluster_clear && long=$(submit -A b -n4 -t10 -H) && limit MaxTime=5 && scontrol release $long &&
	is_refused $long PartitionTimeLimit &&
	a=$(submit_some 2 -A a -n4 -N1 -t5) && all_run $a && log_mark &&
	limit MaxTime=INFINITE && all_run $long && [ "$(evicted | wc -w)" -eq 1 ]
'

test_expect_success 'the partition gives fewer nodes by now' '
	cluster_clear && wide=$(submit -A c -N2 -n4 -H) && limit MaxNodes=1 && scontrol release $wide &&
	passes_by $wide PartitionNodeLimit c && limit MaxNodes=UNLIMITED && scancel $later && all_run $wide
'

test_expect_success 'a component of a heterogeneous job' '
	cluster_clear && het=$(submit -A c -n3 -t5 -H : -A c -n1 -t10) && limit MaxTime=5 &&
	scontrol release $het && is_refused $((het + 1)) PartitionTimeLimit &&
	later=$(submit -A c -n4 -t5) && all_run $later && limit MaxTime=INFINITE && scancel $later &&
	all_run $het $((het + 1))
'

test_expect_success 'one of two partitions still takes it' '
	cluster_clear && two=$(submit_some 2 -A c -n4 -t10 -p main,other -H) && limit MaxTime=5 &&
	scontrol release $two && all_run ${two% *} && scancel ${two% *} && all_run ${two#* }
'

# Only backfill may start it, and the main scheduler says that it is refused.
test_expect_success 'with --time-min the partition takes it: it keeps its place, and needs quota' '
	cluster_clear && first=$(submit -A c -n4 -t5) && all_run $first &&
	short=$(submit -A c -n4 -t10 --time-min=1) && is_refused $short PartitionTimeLimit &&
	behind=$(submit -A c -n4 -t5) && wait_for 10 "[ \"\$(positions $behind)\" = 2/2 ]" &&
	still "[ \"\$(positions $behind)\" = 2/2 ]" && job_waits $short &&
	scancel $first && all_run $short && job_waits $behind
'

# It stays in line: slurmctld may come to take it by either. Once the other one runs it waits for quota.
test_expect_success 'none of the two does' '
	cluster_clear && two=$(submit -A c -n4 -t10 -p main,other -H) &&
	scontrol update PartitionName=other MaxTime=5 && scontrol release $two &&
	is_refused $two PartitionTimeLimit && later=$(submit -A c -n4 -t5) && all_run $later &&
	limit MaxTime=INFINITE && scancel $later && all_run $two
'

test_expect_success 'a reservation that has not begun' '
	cluster_clear && scontrol create reservation ReservationName=r StartTime=now+1hour Duration=600 \
		Users=root Nodes=n[1-2] >/dev/null &&
	res=$(submit -A c -n4 -t5 --reservation=r) && passes_by $res Reservation c
'

test_expect_success 'it begins' '
	scancel $later && scontrol update ReservationName=r StartTime=now+2 && all_run $res &&
	scancel $res && wait_for 10 "scontrol delete reservation=r"
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
