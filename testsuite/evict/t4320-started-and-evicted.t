#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='no job is evicted by the pass that started it, and no ending job is tried'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"

{
	quick_scheduler
	three_tiers
} >slurm.conf
shared_by_two 4 >cohort.yaml
cluster_up --nodes 2 --cohort cohort.yaml --slurm-conf slurm.conf

completing() { [ -n "$(squeue -h -t CG -o %A)" ]; }

# Both want n1. The pass that comes next tries v by hi, which starts; then p, which
# may evict it; then v by lo.
for try in 1 2 3; do
	test_expect_success "try $try: v starts, p evicts it, and v ends like any job" '
		cluster_clear && wait_for 10 "! completing" && log_mark &&
		out=$(submit -A out -n4 -w n1 -p hi) && all_run $out &&
		v=$(submit -A c -N1 -n4 -w n1 -p hi,lo) && p=$(submit -A a -N1 -n4 -w n1 -p lo) &&
		wait_for 10 "[ \"\$(reason_wait $v)\" = nodes ]" && job_waits $p &&
		scancel $out && all_run $p && evicted_are $v &&
		wait_for 10 "! completing" && job_waits $v &&
		! log_has "duplicate epilog" &&
		scancel $p $v && wait_for 10 "[ -z \"\$(squeue -h)\" ]" &&
		wait_for 10 "[ \"\$(sinfo -h -N -n n1 -p hi -o %t)\" = idle ]"
	'
done

test_done
