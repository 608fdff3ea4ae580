#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort hold, drain, resume, set: one value is changed and in force, all else stays'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head
	cohorts lab
	echo 'clusterQueues: # first come, first matched'
	queue vision 8 cohort=lab reclaim=Any
	queue audio 8 cohort=lab reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml
yaml=$CLUSTER/etc/cohort.yaml

stop_of() { scohort status --json "$1" | json "queue(\"$1\")[\"stopPolicy\"]"; }
nominal() { scohort status --json "$1" | json "queue(\"$1\")[\"quota\"][0][\"nominal\"]"; }
ready() { scohort status --json | json 'd["configuration"]["onDisk"]' | grep -q same; }

test_expect_success 'hold: nothing starts, what runs goes on; one line is new' '
	wait_for 10 ready && v1=$(submit -A vision -n2) && all_run $v1 &&
	scohort hold vision >out && grep "clusterQueues\[vision\].stopPolicy: None (default) -> Hold" out &&
	grep "is in force; the old file is $yaml.old" out &&
	diff "$yaml.old" "$yaml" | grep "^[<>]" >changed && echo ">     stopPolicy: Hold" >expect &&
	test_cmp expect changed && [ "$(stop_of vision)" = Hold ] &&
	v2=$(submit -A vision -n1) && wait_for 10 "says $v2 \"wait=held(cq)\"" && job_runs $v1
'

test_expect_success 'again: nothing to do' '
	scohort hold vision >out && echo "Nothing would change." >expect && test_cmp expect out
'

test_expect_success 'drain: what runs is evicted' '
	scohort drain vision && [ "$(stop_of vision)" = HoldAndDrain ] &&
	wait_for 30 "! job_runs $v1" && [ $(diff cohort.yaml "$yaml" | grep -c "^[<>]") = 1 ]
'

test_expect_success 'resume: all goes on' '
	scohort resume vision && [ "$(stop_of vision)" = None ] && wait_for 30 "job_runs $v2" &&
	wait_for 180 "job_runs $v1"
'

test_expect_success 'set: the quota, as cohort.yaml has amounts' '
	scohort set vision any cpu=4 >out && grep "queue vision, flavor any: nominalQuota of cpu 8 -> 4" out &&
	[ $(nominal vision) = 4 ] && [ $(nominal audio) = 8 ] &&
	grep -c "first come, first matched" "$yaml"
'

test_expect_success 'what is wrong: said, exit 1, and nothing is changed' '
	cp "$yaml" before &&
	test_expect_code 1 scohort hold video 2>err && grep "there is no cluster queue .video." err &&
	test_expect_code 1 scohort set vision fast cpu=4 2>err && grep "has no quota of cpu in flavor .fast.: it has cpu in any" err &&
	test_expect_code 1 scohort set vision any cpu=many 2>err && grep "cpu=many is not an amount" err &&
	test_expect_code 1 scohort set vision any cpu 2>err && grep "is not RESOURCE=AMOUNT" err &&
	test_expect_code 2 scohort set vision 2>err && cmp before "$yaml"
'

cat >hold.py <<'END'
import fcntl, os, sys, time
lock = open(sys.argv[1], 'w')
fcntl.lockf(lock, fcntl.LOCK_EX)
open('held', 'w')
while not os.path.exists('release'):
    time.sleep(0.05)
END

test_expect_success 'while another scohort changes the file: said, waited, then changed is what is there then' '
	wait_for 15 ready && { timeout 120 python3 hold.py "$yaml.lock" & } && wait_for 15 "[ -e held ]" &&
	{ scohort set audio any cpu=7 >out 2>&1 & second=$!; } &&
	wait_for 15 "grep \"waits for another scohort\" out" && sed -i "s/first matched/first served/" "$yaml" &&
	cluster_reconfigure && wait_for 15 ready && touch release && wait $second &&
	[ $(nominal audio) = 7 ] && grep "first served" "$yaml"
'

test_expect_success 'a file that is not in force is left alone: its other changes would come too' '
	sed -i "s/cpu=7/cpu=6/" "$yaml" && wait_for 15 "! ready" && cp "$yaml" before &&
	test_expect_code 1 scohort hold audio 2>err && grep "has changed since slurmctld read it" err &&
	cmp before "$yaml"
'

test_done
