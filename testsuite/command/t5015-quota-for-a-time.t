#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='quota for a time: it begins and ends by itself, is shown, and survives a restart'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head
	echo 'clusterQueues: # one'
	queue vision 4
} >cohort.yaml
cluster_up --cohort cohort.yaml
yaml=$CLUSTER/etc/cohort.yaml

nominal() { scohort status --json vision | json 'queue("vision")["quota"][0]["nominal"]'; }
temporary() { scohort status --json vision | json "queue(\"vision\")[\"quota\"][0][\"temporary\"][\"$1\"]"; }
ready() { scohort status --json | json 'd["configuration"]["onDisk"]' | grep -q same; }
wall() { date -d "@$1" +%Y-%m-%dT%H:%M:%S; }
# started JOB: when slurmctld started it
started() { scontrol show job "$1" | grep -o ' StartTime=[^ ]*' | cut -d = -f 2; }
# expects JOB TIME: slurmctld tells that start, to the seconds it may need more
expects() {
	local at
	at=$(date -d "$(started "$1")" +%s 2>/dev/null) && [ "$at" -ge "$2" ] && [ "$at" -le $(($2 + 5)) ]
}

test_expect_success 'a job that is too large for the quota of now never starts' '
	wait_for 10 ready && big=$(submit -A vision -n8 -t 60) &&
	wait_for 10 "says $big \"wait=never\"" && [ "$(nominal)" = 4 ]
'

test_expect_success 'set --until: the job starts, status says until when, nothing else in the file changes' '
	end=$(($(date +%s) + 7200)) &&
	scohort set vision any cpu=8 --until "$(wall $end)" >out && cat out &&
	grep "temporaryQuota: none -> " out &&
	wait_for 30 "job_runs $big" && wait_for 10 "[ \$(nominal) = 8 ]" &&
	[ "$(temporary end)" = $end ] && [ "$(temporary otherwise)" = 4 ] &&
	scohort status >out && cat out && grep "^vision has 8 cpu of flavor any until .*, then 4\.$" out &&
	scohort status -o name,until vision >out && cat out && grep UNTIL out &&
	[ $(diff cohort.yaml "$yaml" | grep -c "^<") -le 1 ] && grep "clusterQueues: # one" "$yaml"
'

test_expect_success 'a restart of slurmctld keeps it: it is in cohort.yaml alone' '
	cluster_restart_ctld && wait_for 30 "[ \"\$(temporary end)\" = $end ]" &&
	[ "$(nominal)" = 8 ] && job_runs $big
'

test_expect_success 'set --until again moves the end; there it goes by itself, and evicts nobody' '
	scohort set vision any cpu=8 --until now+6s >out && cat out &&
	[ $(grep -c "nominalQuota: {cpu: 8}" "$yaml") = 1 ] &&
	wait_for 40 "[ \$(nominal) = 4 ]" && job_runs $big &&
	scohort status --json vision | json "queue(\"vision\")[\"quota\"][0][\"borrowed\"]" >out &&
	[ "$(cat out)" = 4 ] && scohort check --offline "$yaml" 2>err && grep "end: is past" err
'

test_expect_success 'quota that comes: the waiting job is told when, by slurmctld, why and status' '
	scancel $big && wait_for 30 "! job_runs $big" &&
	begin=$(($(date +%s) + 3600)) && sed "s/{begin: .*nominalQuota: {cpu: 8}}/{begin: $(wall $begin), nominalQuota: {cpu: 8}}/" \
		"$yaml" >new.yaml && ! cmp -s "$yaml" new.yaml &&
	scohort diff new.yaml >out && cat out && grep "temporaryQuota" out && cluster_settled && scohort apply new.yaml &&
	later=$(submit -A vision -n8 -t 60) &&
	wait_for 20 "says $later \"wait=quota\"" &&
	wait_for 40 "expects $later $begin" &&
	wait_for 20 "[ \"\$(temporary begin)\" = $begin ]" &&
	scohort why $later >out && cat out && grep "vision gets 8 cpu of flavor any from " out &&
	scohort whatif -A vision -n8 -t 60 >out && cat out && grep "vision gets 8 cpu of flavor any from " out
'

test_expect_success 'one that another one follows: status says that amount' '
	end=$(($(date +%s) + 3600)) &&
	first="{begin: $(wall $((end - 7200))), end: $(wall $end), nominalQuota: cpu=8}" &&
	second="{begin: $(wall $end), end: $(wall $((end + 3600))), nominalQuota: cpu=6}" &&
	sed "s|nominalQuota: \"cpu=4\"|&, temporaryQuota: [$first, $second]|" cohort.yaml >new.yaml &&
	cluster_settled && scohort apply new.yaml &&
	wait_for 20 "[ \"\$(temporary end)\" = $end ]" && [ "$(temporary otherwise)" = 6 ] &&
	scohort status >out && cat out && grep "^vision has 8 cpu of flavor any until .*, then 6\.$" out
'

test_expect_success 'nominalQuota that is changed meanwhile: diff says what holds' '
	sed "s|nominalQuota: \"cpu=4\"|nominalQuota: \"cpu=5\"|" new.yaml >five.yaml && scohort diff five.yaml >out && cat out &&
	grep "^  queue vision, flavor any: nominalQuota of cpu 4 -> 5 (a temporaryQuota of 8 holds until $(wall $end))$" out
'

test_done
