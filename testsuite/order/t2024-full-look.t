#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what Slurm changes without a word is seen within a minute'
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

# A minute passes at once.
minute_later() { clock_is $((minutes += 60)); }
minutes=0

test_expect_success 'a job borrows: its quota can be taken back' '
	borrower=$(submit -A a -q safe -n8) && all_run $borrower && status_soon b free,reclaim,later "4 4 0"
'

# slurmctld stamps nothing when a QOS gets another PreemptExemptTime, and nothing
# else happens here
test_expect_success 'its QOS protects it for an hour: that is seen within a minute' '
	exempt_for 01:00:00 && minute_later && status_soon b free,reclaim,later "4 0 4"
'

test_expect_success 'and that it protects it no more' '
	exempt_for 00:00:00 && minute_later && status_soon b free,reclaim,later "4 4 0" &&
	owner=$(submit -A b -n8) && all_run $owner
'

test_done
