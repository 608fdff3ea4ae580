#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='salloc and srun that wait: --immediate, interrupted, killed; they start when quota comes'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

{
	three_tiers
	quick_scheduler
	echo 'InactiveLimit=10'
	# a victim that ignores SIGTERM stays until its preemptor has ended
	echo 'KillWait=120'
} >slurm.conf
borrower_owner_and_loner >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# waiting ACCOUNT: the one interactive job of it that waits
waiting() { squeue -h -t PD -A "$1" -n inter -o %A; }

# start COMMAND...: in the background; its pid is in $pid
start() { { exec timeout 300 "$@" >out 2>err & } && pid=$!; }

# queued ACCOUNT: soon it is in line; its id is in $id
queued() { wait_for 10 "id=\$(waiting $1); [ -n \"\$id\" ] && in_line \$id"; }

gone() { wait_for 10 "! kill -0 $pid 2>/dev/null" && { wait "$pid" || true; }; }

# client NAME: pid of the client below timeout
client() { pgrep -P "$pid" -x "$1"; }

# Who waits does so until $CLIENT_LIMIT is over
AT_ONCE=45000

took_ms() {
	local from
	from=$(now_ms)
	"$@"
	took=$(($(now_ms) - from))
}

fill() { full=$(submit -A "$1" -N1 -n4) && all_run "$full"; }

# ---- --immediate ----

test_expect_success '--immediate without quota: an answer at once, and nothing is left' '
	fill c &&
	took_ms test_must_fail srun -I -A c -J inter -n1 true 2>err && cat err && [ $took -lt $AT_ONCE ] &&
	grep -i "unable to allocate resources" err &&
	took_ms test_must_fail salloc -I -A c -J inter -n1 true 2>err && cat err && [ $took -lt $AT_ONCE ] &&
	wait_for 5 "[ -z \"\$(squeue -h -n inter)\" ]" && [ "$(usage c)" -eq 4 ]
'

test_expect_success '--immediate with quota starts at once' '
	scancel $full && wait_for 10 "[ \$(usage c) -eq 0 ]" &&
	took_ms srun -I -A c -n4 true && [ $took -lt $AT_ONCE ]
'

# Nobody may be evicted for a job that is not there any more
test_expect_success '--immediate that would have to evict: it fails, nobody goes for it' '
	cluster_clear && log_mark &&
	a=$(submit -A a -N2 -n8) && all_run $a &&
	test_must_fail srun -I -A b -J inter -n1 true 2>err && cat err &&
	holds_for 2 "job_runs $a" && [ -z "$(evicted)" ] && [ -z "$(squeue -h -n inter)" ]
'

test_expect_success 'and no quota is left with it' '
	cluster_clear && books_settled a:4 b:4 c:4
'

# ---- waiting ----

test_expect_success 'salloc says that it waits, and starts when quota comes' '
	cluster_clear && fill c && start salloc -A c -J inter -n2 hostname && queued c &&
	wait_for 10 "grep \"Pending job allocation $id\" err" && ! grep -i licenses err && says $id "quota(cpu@any),need=2,free=0" &&
	scancel $full && gone && [ -s out ] && grep "Granted job allocation $id" err
'

test_expect_success 'srun that evicts: it starts when its victims have gone' '
	cluster_clear && log_mark && a=$(submit -A a -N2 -n8) && all_run $a &&
	start srun -A b -J inter -n1 hostname && gone && cat err && [ -s out ] && evicted_are $a &&
	! grep -i licenses err
'

test_expect_success 'interrupted while it waits (ctrl-C): it is gone, and who is behind moves up' '
	cluster_clear && fill c && start salloc -A c -J inter -n1 hostname && queued c &&
	behind=$(submit -A c -n1) && wait_for 5 "[ \"\$(positions $id $behind)\" = \"1/2 2/2\" ]" &&
	kill -INT $(client salloc) && gone && wait_for 5 "[ -z \"\$(waiting c)\" ]" &&
	wait_for 5 "[ \"\$(positions $behind)\" = 1/1 ]" &&
	start srun -A c -J inter -n1 hostname && queued c && kill -INT $(client srun) && gone &&
	wait_for 5 "[ -z \"\$(waiting c)\" ]" && wait_for 5 "[ \"\$(positions $behind)\" = 1/1 ]"
'

test_expect_success 'cancelled while it waits: the client says so' '
	start salloc -A c -J inter -n1 hostname && queued c && scancel $id && gone &&
	grep -i "cancelled\|revoked" err && ! grep Granted err
'

# slurmctld finds out by InactiveLimit, or when it offers the nodes
test_expect_success 'the client is killed while it waits: no quota goes to nobody for long' '
	cluster_clear && fill c && start srun -A c -J inter -n4 sleep 1000 && queued c &&
	kill -KILL $(client srun) && gone && behind=$(submit -A c -N1 -n4) && scancel $full &&
	wait_for 45 "job_runs $behind" && [ -z "$(squeue -h -n inter)" ]
'

# It owns what its victim still holds
test_expect_success 'interrupted while its victim is told to go: what it owned is anybody'\''s' '
	cluster_clear && log_mark &&
	holder=$(submit -A a -N1 -n4) && all_run $holder && next_second &&
	a=$(stubborn_until "[ -e $WORK/enough ]" -A a -N1 -n4) &&
	all_run $a && start srun -A b -J inter -n4 -N1 hostname &&
	wait_for 10 "[ \"\$(evicted)\" = $a ]" && kill -INT $(client srun) && gone && touch "$WORK/enough" &&
	wait_for 15 "[ \"\$(job_restarts $a)\" = 1 ]" && other=$(submit -A a -N1 -n4) &&
	wait_for 15 "job_runs $other || job_runs $a"
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
