#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what Slurm changes without a stamp is seen within seconds'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/safe_qos.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

ctld_clock || {
	skip_all='no C compiler: slurmctld has no clock of its own'
	test_done
}
safe_qos_world 8
cluster_up --accounting --sacctmgr commands --cohort cohort.yaml

# Seven seconds pass at once: all records are compared every six.
seconds_later() { clock_is $((seconds += 7)); }
seconds=0

test_expect_success 'a job borrows: its quota can be taken back' '
	borrower=$(submit -A a -q safe -n8) && all_run $borrower && status_soon b free,reclaim,later "4 4 0"
'

# slurmctld stamps nothing when a QOS gets another PreemptExemptTime, and nothing
# else happens here
test_expect_success 'its QOS protects it for an hour: that is seen within seconds' '
	exempt_for 01:00:00 && seconds_later && status_soon b free,reclaim,later "4 0 4"
'

test_expect_success 'and that it protects it no more' '
	exempt_for 00:00:00 && seconds_later && status_soon b free,reclaim,later "4 4 0" &&
	owner=$(submit -A b -n8) && all_run $owner
'

test_done
