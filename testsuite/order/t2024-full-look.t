#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what Slurm changes without a word is seen within a minute'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/safe_qos.sh"

safe_qos_world 8
cluster_up --accounting --sacctmgr commands --cohort cohort.yaml

test_expect_success 'a job borrows: its quota can be taken back' '
	borrower=$(submit -A a -q safe -n8) && all_run $borrower && status_soon b free,reclaim,later "4 4 0"
'

# slurmctld stamps nothing when a QOS gets another PreemptExemptTime, and nothing
# else happens here
test_expect_success 'its QOS protects it for an hour: that is seen within a minute' '
	exempt_for 01:00:00 && wait_for 60 "status_is b free,reclaim,later \"4 0 4\""
'

test_expect_success 'and that it protects it no more' '
	exempt_for 00:00:00 && wait_for 60 "status_is b free,reclaim,later \"4 4 0\"" &&
	owner=$(submit -A b -n8) && all_run $owner
'

test_done
