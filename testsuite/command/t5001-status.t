#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort status: the ledger, in text and JSON, for all who may see it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

tree() {
	quota_head
	cohorts org lab:org
	echo 'clusterQueues:'
	queue vision 4 cohort=lab reclaim=Any
	queue audio 8 cohort=lab reclaim=Any "$@"
	queue alone 2
}

tree >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
all=$(scohort_for_all)

test_expect_success 'an idle tree: cohorts with their queues below them' '
	wait_for 10 "scohort status >out 2>&1" &&
	cat >expect <<-\EOT &&
	NAME         FLAVOR RESOURCE NOMINAL USED BORROWED LENT FREE RECLAIM RUN WAIT
	alone        any    cpu            2    0        0    0    2       0   0    0
	org          any    cpu           12    0        0    0   12       -   -    -
	`- lab       any    cpu           12    0        0    0   12       -   -    -
	   |- vision any    cpu            4    0        0    0   12       0   0    0
	   `- audio  any    cpu            8    0        0    0   12       0   0    0
	EOT
	test_cmp expect out
'

test_expect_success 'borrowed, lent, free, and what can be taken back, are those of the jobs' '
	ids=$(submit_some 5 -A vision -n2) && all_run $ids &&
	wait=$(submit -A vision -n4) &&
	status_soon vision nominal,used,borrowed,lent,free,reclaim,run,wait "4 10 6 0 2 0 5 1" &&
	[ "$(usage vision)" -eq 10 ] &&
	status_soon audio nominal,used,borrowed,lent,free,reclaim,later,run,wait "8 0 0 6 2 6 0 0 0" &&
	status_is lab nominal,used,free "12 10 2"
'

test_expect_success '--json says what the text says, and --yaml the same' '
	for q in vision audio alone; do
		scohort status --json $q >json &&
		json "[queue(\"$q\")[\"quota\"][0][k] for k in (\"nominal\", \"used\", \"borrowed\", \"lent\",
			\"free\", \"reclaimable\")] + [queue(\"$q\")[\"running\"], queue(\"$q\")[\"waiting\"]]" <json >got &&
		scohort status -n -P -o nominal,used,borrowed,lent,free,reclaim,run,wait $q | tail -n 1 |
			tr "|" " " >text &&
		test_cmp text got || return 1
	done &&
	scohort status --json >json && json "d[\"enforcement\"]" <json >got && grep -x enforce got &&
	scohort status --yaml >yaml && grep -x "enforcement: enforce" yaml &&
	[ "$(grep -c "^- name: " yaml)" -eq 5 ]
'

test_expect_success 'named queues come with the cohorts above them, named cohorts with all below' '
	scohort status -n -P -o name,parent audio >out &&
	printf "org|-\nlab|org\naudio|lab\n" >expect && test_cmp expect out &&
	scohort status -n -P -o name lab >out &&
	printf "org\nlab\nvision\naudio\n" >expect && test_cmp expect out &&
	test_expect_code 1 scohort status nix audio 2>err &&
	grep -x "scohort status: there is no cluster queue or cohort \"nix\"" err
'

test_expect_success 'no line is longer than the screen, and wide screens show more' '
	for columns in 64 72 80; do
		COLUMNS=$columns scohort status >out && fits $columns <out || return 1
	done &&
	grep -w WAIT out &&
	COLUMNS=64 scohort status >out && ! grep "^NAME.* RUN" out &&
	tr "\n" " " <out | grep "(no room for: .*RUN.*; use a wider screen, -o or -P)" &&
	COLUMNS=200 scohort status >out && ! grep "no room" out
'

test_expect_success 'several flavors and resources: one line each, all with --all, the one asked for' '
	cp "$CLUSTER/etc/cohort.yaml" one.yaml &&
	sed "s/coveredResources: \[cpu\]/coveredResources: [cpu, mem]/; s/cpu=\([0-9]*\)\"/cpu=\1,mem=64G\"/" one.yaml \
		>"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 10 "scohort status --all | grep -w mem" &&
	scohort status alone >out && grep "^alone  *any  *cpu  *2 " out && ! grep -w mem out &&
	grep "^(the scarcest resource of each; --all shows all)$" out &&
	scohort status --all alone >out && ! grep scarcest out &&
	grep "^alone  *any  *cpu  *2 .* 0  *0$" out && grep "^alone  *any  *mem  *64G .* -  *-$" out &&
	scohort status -r mem alone >out && grep "^alone  *any  *mem " out && ! grep -w cpu out &&
	! grep scarcest out &&
	test_expect_code 1 scohort status --resource=gres/gpu 2>err && grep "no queue has quota of \"gres/gpu\"" err &&
	scohort status -n -P -o resource,run alone | sort >out && printf "cpu|0\nmem|0\n" >expect &&
	test_cmp expect out &&
	cp one.yaml "$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 10 "scohort status --all >out && ! grep -w mem out"
'

test_expect_success 'wrong options, fields and formats are named' '
	test_expect_code 2 scohort status --nope 2>err && grep -e "--nope" err &&
	test_expect_code 2 scohort status -o name,nope 2>err && grep "\"nope\" is not a field" err &&
	test_expect_code 2 env SCOHORT_FORMAT=nope scohort status 2>err &&
	grep "SCOHORT_FORMAT: \"nope\"" err &&
	for seconds in soon 0 3601 5s; do
		SCOHORT_TIMEOUT=$seconds test_expect_code 2 scohort status 2>err &&
		grep "SCOHORT_TIMEOUT: \"$seconds\" is not a number of seconds" err || return 1
	done &&
	SCOHORT_FORMAT="queue=jobid;status=name%-9,used%4" scohort status alone >out &&
	printf "NAME      USED\nalone        0\n" >expect && test_cmp expect out &&
	scohort status -e >out && grep "^RECLAIM .*could reclaim" out
'

test_expect_success 'colours are for terminals, and not for those who want none' '
	scohort status >out && ! grep "$(printf "\033")" out &&
	TERM=xterm script -qec "timeout $CLIENT_LIMIT scohort status" tty >/dev/null &&
	grep "$(printf "\033")\[33m" tty &&
	NO_COLOR=1 TERM=xterm script -qec "timeout $CLIENT_LIMIT scohort status" tty >/dev/null &&
	! grep "$(printf "\033")" tty
'

test_expect_success '--watch in a pipe: each round has its time, and is apart' '
	{ timeout 100 scohort status --watch=1 alone >watch & } && watcher=$! &&
	wait_for 10 "[ \$(grep -c \"^scohort status: every 1 s, 20\" watch) -ge 2 ]" &&
	kill $watcher && grep -n "^$" watch && ! grep "\[H" watch &&
	{ timeout 100 scohort status --watch=1 -P alone >watch & } && watcher=$! &&
	wait_for 10 "[ \$(grep -c \"^# 20\" watch) -ge 2 ]" &&
	kill $watcher &&
	test_expect_code 2 scohort status --watch=0 2>err &&
	grep "^scohort status: --watch: 0 seconds is too few" err
'

test_expect_success '--watch shows what has changed' '
	{ timeout 100 scohort status --watch=1 -n -P -o used alone >watch & } && watcher=$! &&
	wait_for 10 "grep -x 0 watch" &&
	id=$(submit -A alone -n2) &&
	wait_for 10 "grep -x 2 watch" &&
	kill $watcher
'

test_expect_success 'the file: of jobs no more than the ids of those that wait, no person, for everybody to read' '
	file=$CLUSTER/state/cohort_status.json &&
	[ "$(stat -c %a "$file")" = 644 ] &&
	json "d[\"version\"]" <"$file" >got && grep -x 1 got &&
	sed "s/\"jobs\":\"[0-9,]*\"//g" "$file" >rest && ! grep -E "root|nobody|\"(user|job)[A-Za-z]*\":[^ftn]" rest &&
	as_nobody "$all" status -n -P -o used vision >out && tail -n 1 out | grep -x 10
'

test_expect_success 'who may not read it is told which file, and what an administrator can do' '
	chmod 700 "$CLUSTER/state" &&
	test_expect_code 4 as_nobody "$all" status 2>err &&
	chmod 755 "$CLUSTER/state" &&
	grep "cohort_status.json: Permission denied" err && grep "visibility.publish" err
'

# Root may write anywhere, but not into a folder that is not there
test_expect_success 'visibility.publish: elsewhere, with one warning where it cannot be written' '
	mkdir pub && tree >base.yaml &&
	sed "s|^visibility: .*|visibility: {updateInterval: 1s, publish: $PWD/pub/sub/c.json}|" base.yaml \
		>"$CLUSTER/etc/cohort.yaml" &&
	log_mark && cluster_reconfigure &&
	wait_for 10 "log_has \"can.t write $PWD/pub/sub/c.json .visibility.publish.\"" &&
	test_expect_code 1 scohort status 2>err && grep "pub/sub/c.json: No such file" err &&
	holds_for 2 "[ \$(log_lines \"can.t write\" | wc -l) -eq 1 ]" &&
	mkdir pub/sub && chmod 755 . pub pub/sub &&
	wait_for 10 "[ -s pub/sub/c.json ]" && wait_for 5 "log_has \"c.json is written again\"" &&
	SCOHORT_PUBLISH=$PWD/pub/sub/c.json as_nobody "$all" status -n -P -o used vision >out &&
	status_is vision used 10
'

test_expect_success 'protected: later, and when' '
	use_cohort eval "tree | sed \"1a minRuntime: {reclaim: 1h}\"" &&
	id=$(submit -A vision -n12) && all_run $id &&
	status_soon audio used,lent,reclaim,later "0 8 0 8" &&
	at=$(date -d "$(job_field $id StartTime) 1 hour" +%s) &&
	scohort status --json audio >json &&
	json "queue(\"audio\")[\"quota\"][0][\"reclaimableAt\"]" <json >got &&
	[ "$(cat got)" -eq "$at" ] &&
	COLUMNS=120 scohort status >out && grep "LATER AT" out &&
	grep -E "audio .* 8 .*$(told_time $at)" out
'

test_expect_success 'a stopped queue, weights and shares are shown where there are any' '
	use_cohort eval "tree weight=2 | sed -e \"1a fairSharing: {enable: true}\" \
		-e \"s/name: alone/&, stopPolicy: Hold/; s/- name: alone, stopPolicy: Hold/- name: alone\n    stopPolicy: Hold/\"" &&
	id=$(submit -A vision -n10) && all_run $id &&
	status_soon vision used,weight,share "10 1 0.500" &&
	status_is audio weight,share "2 0.000" && status_is alone stop Hold &&
	COLUMNS=130 scohort status >out && head -n 1 out | grep -w WEIGHT | grep -w SHARE &&
	scohort status >out && fits 80 <out && grep -E "^alone .* Hold\$" out
'

test_expect_success 'observe is said' '
	use_cohort eval "tree | sed \"1a enforcement: observe\"" &&
	wait_for 10 "scohort status 2>&1 | grep -q \"observe: nothing is enforced\"" &&
	scohort status --json | json "d[\"enforcement\"]" >got && grep -x observe got
'

test_expect_success 'slurmctld is down: said within seconds; what needs none goes on' '
	"$TESTSUITE/cluster" status --dir "$CLUSTER" | sed -n "s/^slurmctld runs (\([0-9]*\))/\1/p" >pid &&
	kill -STOP $(cat pid) &&
	SCOHORT_TIMEOUT=5 test_expect_code 3 scohort status 2>err && kill -CONT $(cat pid) &&
	grep "slurmctld does not answer" err &&
	kill $(cat pid) && wait_for 20 "! kill -0 $(cat pid) 2>/dev/null" &&
	for command in "status" "queue" "why 1" "metrics"; do
		test_expect_code 3 scohort $command 2>err >out && grep "slurmctld does not answer" err || return 1
	done &&
	scohort check "$CLUSTER/etc/cohort.yaml"
'

test_expect_success 'the counters are still there after a restart' '
	cluster_restart_ctld &&
	wait_for 10 "[ -n \"\$(scohort status 2>/dev/null)\" ]" &&
	json "queue(\"vision\")[\"counters\"][\"admitted\"]" <"$CLUSTER/state/cohort_status.json" >got &&
	[ "$(cat got)" -eq 7 ]
'

kinds() {
	cat <<-EOF
		visibility: {updateInterval: 1s}
		flavors: [{name: a100, nodes: "n[1-2]"}, {name: plain, nodes: "n[3-4]"}]
		clusterQueues:
		  - name: q
		    match: [{account: q}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors: [{name: a100, nominalQuota: cpu=8}, {name: plain, nominalQuota: cpu=8}]
	EOF
}

# A job that no queue matches, on nodes of both flavors and then on one
test_expect_success 'what jobs outside all queues use is said, by flavor' '
	use_cohort kinds && out=$(submit -A nobody -N2 -n8 -w "n[2-3]") && all_run $out &&
	wait_for 10 "COLUMNS=200 scohort status >out && grep \"^Jobs outside all queues use 4 cpu of a100, 4 cpu of plain. Quota does not count that\" out" &&
	more=$(submit -A nobody -n1 -w n4) && all_run $more &&
	wait_for 10 "COLUMNS=200 scohort status >out && grep \"^Jobs outside all queues use 4 cpu of a100, 5 cpu of plain.\" out" &&
	scohort status --json | json "[o[\"running\"] for o in d[\"outside\"]]" >got && [ "$(cat got)" = "1 2" ] &&
	scancel $out $more && wait_for 10 "COLUMNS=200 scohort status >out && ! grep \"outside all queues\" out"
'

test_expect_success 'without the plugins: said' '
	cluster_down &&
	"$TESTSUITE/cluster" up --dir "$WORK/stock" --stock &&
	CLUSTERS="$CLUSTERS $WORK/stock" && . "$WORK/stock/env" &&
	test_expect_code 1 scohort status 2>err &&
	grep "slurmctld runs without slurm-cohort (PreemptType=" err
'

test_done
