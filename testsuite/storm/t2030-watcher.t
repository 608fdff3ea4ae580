#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='storms of random commands, kill -9 and other quotas: the watcher finds nothing'
. "$(dirname "$0")/../lib.sh"

# COHORT_WATCH="OPTIONS": others for testsuite/soak. make soak runs it for longer.
options=${COHORT_WATCH-"--seed ${SEED-1} --seconds 70 --kills 2 --takeovers 0 --reconfigures 4"}

test_expect_success 'the watcher sees each thing that may go wrong' '
	python3 "$TESTSUITE/watch/selftest.py"
'

# it is taken down there, too
CLUSTERS=$WORK/soak/cluster

# shellcheck disable=SC2086
test_expect_success 'it finds nothing' '
	python3 "$TESTSUITE/soak" $options --stop --dir "$WORK/soak"
'

test_done
