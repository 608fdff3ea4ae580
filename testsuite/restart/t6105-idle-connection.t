#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='24.11.5: a connection that sends nothing holds a reconfigure up'
# doc/limits.md tells what to do then
. "$(dirname "$0")/../lib.sh"

{ slurm_since 24.11 && ! slurm_since 24.11.6; } || {
	skip_all='Slurm 24.11.0 to 24.11.5 only'
	test_done
}
cluster_up --stock

starts() { grep -c 'Running as primary controller' "$CLUSTER/log/slurmctld.log"; }
idle() { connections_show | grep "^connection established, not sent 0, not read 0: t6105"; }

test_expect_success 'slurmctld waits for it, and its log ends with the signal' '
	before=$(starts) &&
	exec 7<>"/dev/tcp/127.0.0.1/$(ctld_port)" && wait_for 10 idle &&
	test_expect_code 124 timeout 5 scontrol reconfigure &&
	grep -v debug "$CLUSTER/log/slurmctld.log" | tail -n 1 | grep "Reconfigure signal (SIGHUP) received" &&
	[ $(starts) = $before ]
'

test_expect_success 'when it is closed, the reconfigure goes on' '
	exec 7>&- && wait_for 20 "[ \$(starts) -gt $before ]" && wait_for 20 "timeout 5 sinfo"
'

test_done
