#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='srun and salloc wait for quota and then start'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# Without a database no job has a QOS: all are of one class, whatever their
# partition. Slurm tries interactive jobs of the highest partition at once.
three_tiers >slurm.conf
{
	quota_head | sed 's/^priority: .*/priority: qos/'
	echo 'clusterQueues:'
	queue best 4
	queue strict 4 strategy=StrictFIFO
} >cohort.yaml

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# The one job of account $1 that waits, with its name in $2
waiting() { squeue -h -t PD -A "$1" -n "$2" -o %A; }

fill() {
	running=$(submit -A "$1" -N1 -n4) &&
	wait_for 10 "job_runs $running"
}

test_expect_success 'srun with quota starts at once' '
	srun -A best -n2 hostname >out &&
	[ "$(wc -l <out)" -eq 2 ]
'

test_expect_success 'srun that must wait says so, has a place, waits, and starts when it may' '
	fill best &&
	{ exec srun -A best -J inter -n2 hostname >out 2>err & } && pid=$! &&
	wait_for 10 "id=\$(waiting best inter); [ -n \"\$id\" ] && in_line \$id" &&
	wait_for 5 "[ \"\$(reason_wait $id)\" = \"quota(cpu@any)\" ]" &&
	holds_for 4 "job_waits $id" &&
	[ ! -s out ] && wait_for 10 "grep \"queued and waiting for resources\" err" && ! grep -i licenses err &&
	scancel $running &&
	wait_for 10 "! kill -0 $pid 2>/dev/null" &&
	wait $pid &&
	[ "$(wc -l <out)" -eq 2 ] && grep "has been allocated resources" err
'

test_expect_success 'salloc the same; steps run in its allocation' '
	cluster_clear && fill best &&
	{ exec salloc -A best -J inter -n3 srun hostname >out 2>err & } && pid=$! &&
	wait_for 10 "id=\$(waiting best inter); [ -n \"\$id\" ] && in_line \$id" &&
	holds_for 3 "job_waits $id" &&
	scancel $running &&
	wait_for 10 "! kill -0 $pid 2>/dev/null" &&
	wait $pid &&
	[ "$(wc -l <out)" -eq 3 ]
'

test_expect_success 'salloc that runs charges until it ends' '
	cluster_clear &&
	{ exec salloc -K -A best -J inter -n3 sleep 1000 >out 2>err & } && pid=$! &&
	wait_for 10 "[ \$(usage best) -eq 3 ]" &&
	behind=$(submit -A best -n2) &&
	wait_for 5 "in_line $behind" &&
	holds_for 2 "job_waits $behind" &&
	scancel -n inter &&
	wait_for 10 "job_runs $behind" &&
	{ wait $pid || true; }
'

test_expect_success 'cancelled while it waits: it is gone, and those behind move up' '
	cluster_clear && fill best &&
	{ exec srun -A best -J inter -n1 hostname >out 2>err & } && pid=$! &&
	wait_for 10 "id=\$(waiting best inter); [ -n \"\$id\" ] && in_line \$id" &&
	behind=$(submit -A best -n1) &&
	wait_for 8 "[ \"\$(positions $id $behind)\" = \"1/2 2/2\" ]" &&
	scancel $id &&
	wait_for 5 "! kill -0 $pid 2>/dev/null" &&
	test_must_fail wait $pid &&
	wait_for 8 "[ \"\$(positions $behind)\" = 1/1 ]"
'

test_expect_success 'interrupted while it waits: the same' '
	{ exec salloc -A best -J inter -n1 hostname >out 2>err & } && pid=$! &&
	wait_for 10 "id=\$(waiting best inter); [ -n \"\$id\" ] && in_line \$id" &&
	kill -TERM $pid &&
	wait_for 10 "! kill -0 $pid 2>/dev/null" &&
	wait_for 10 "[ -z \"\$(waiting best inter)\" ]" &&
	scancel $running &&
	wait_for 10 "job_runs $behind"
'

test_expect_success 'with --immediate it fails at once and leaves nothing' '
	cluster_clear && fill best &&
	test_must_fail srun --immediate=2 -A best -J inter -n1 hostname 2>err &&
	cat err &&
	wait_for 5 "[ -z \"\$(squeue -h -n inter)\" ]" &&
	[ "$(usage best)" -eq 4 ]
'

# An interactive job is tried when it is submitted, outside any pass
test_expect_success 'srun does not overtake those that wait in a StrictFIFO queue' '
	cluster_clear &&
	running=$(submit -A strict -n2) &&
	wait_for 10 "job_runs $running" &&
	head=$(submit -A strict -N1 -n4) &&
	{ exec srun -A strict -J inter -n1 -p hi hostname >out 2>err & } && pid=$! &&
	wait_for 10 "id=\$(waiting strict inter); [ -n \"\$id\" ] && in_line $head \$id" &&
	wait_for 5 "[ \"\$(positions $head $id)\" = \"1/2 2/2\" ]" &&
	holds_for 4 "job_waits $head $id" &&
	scancel $running &&
	wait_for 10 "job_runs $head" && job_waits $id &&
	scancel $head &&
	wait_for 10 "! kill -0 $pid 2>/dev/null" && wait $pid && [ -s out ]
'

test_expect_success 'nor does it in a BestEffortFIFO queue take what the first one in line could use' '
	cluster_clear && fill best &&
	head=$(submit -A best -N1 -n4) &&
	wait_for 10 "in_line $head" &&
	{ exec srun -A best -J inter -n1 -p hi sleep 1000 >out 2>err & } && pid=$! &&
	wait_for 10 "id=\$(waiting best inter); [ -n \"\$id\" ] && in_line \$id" &&
	scancel $running &&
	wait_for 10 "job_runs $head" &&
	holds_for 2 "job_waits $id" &&
	scancel $id && { wait $pid || true; }
'

test_expect_success 'ten at once: never more than quota allows, and all are served' '
	cluster_clear &&
	for i in $(seq 10); do exec srun -A best -n1 sleep 1 2>/dev/null & done &&
	wait_for 40 "over=\$(usage_by_queue | awk \"\\\$2 > 4\"); [ -n \"\$over\" ] || [ -z \"\$(jobs -pr)\" ]" &&
	[ -z "$over" ] &&
	wait_for 10 "[ \$(scontrol -o show job | grep -c \"JobName=sleep .*JobState=COMPLETED\") -eq 10 ]"
'

test_done
