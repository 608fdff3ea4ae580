#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the memory of estimates goes back when they rest'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"

estimate_conf >extra.conf
halves >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf extra.conf

# How often
went_back() { grep -c 'estimates: their memory has gone back' "$CLUSTER/log/slurmctld.log"; }

test_expect_success 'an estimate is made, and its memory goes back some time after it' '
	a1=$(submit -A a -n4 -t 3) && all_run $a1 &&
	b=$(submit -A b -n8 -t 5) && estimated $b $(ends $a1) &&
	wait_for 60 "[ \"\$(went_back)\" -gt 0 ]"
'

test_done
