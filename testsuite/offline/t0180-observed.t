#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='scohort observed: each would-be wait and eviction once, and no reader takes it for a real one'

. "$(dirname "$0")/../lib/offline.sh"

unset "${!SLURM_@}" "${!SCOHORT_@}"
export TZ=UTC SCOHORT_PUBLISH=$PWD/published.json SLURM_CONF=$PWD/conf/slurm.conf
mkdir conf state
printf 'StateSaveLocation="%s/state"\n' "$PWD" >conf/slurm.conf
now=$EPOCHSECONDS
EVENTS=state/cohort_events.jsonl

# wait_of AGO JOB USER TASKS; evict AGO JOB STARTED USER BY_JOB BY_USER [RULE]; real AGO JOB: lines
wait_of() {
	printf '{"version":1,"observed":"wait","decided":%d,"job":%d,"uid":1,"user":"%s","queue":"a","tasks":%d,"text":"Cohort:pos=1/1,wait=order,cq=a"}\n' \
		$((now - $1)) "$2" "$3" "$4"
}
evict() {
	printf '{"version":1,"observed":"evict","decided":%d,"job":%d,"uid":1,"user":"%s","queue":"a","started":%d,"rule":"%s","by":{"job":%d,"uid":2,"user":"%s","queue":"b"},"numbers":null,"text":""}\n' \
		$((now - $1)) "$2" "$4" "$3" "${7-InCohortReclamation}" "$5" "$6"
}
real() {
	printf '{"version":1,"time":%d,"decided":%d,"job":%d,"uid":1,"user":"ann","account":"a","name":"n","started":5,"ran":60,"queue":"a","rule":"InCohortReclamation","lost":{"cpu@any":240},"by":{"job":2,"uid":1,"queue":"b"},"numbers":null,"text":""}\n' \
		$((now - $1)) $((now - $1)) "$2"
}
# sums [ARGUMENT...]: the numbers of the document, and people as USER:EVICTED/WAITED/ROOM
sums() {
	scohort observed --json "$@" | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(*[d[k] for k in ("waited", "evicted", "room")],
      *["%s:%d/%d/%d" % (u["user"], *[u[k] for k in ("evicted", "waited", "room")]) for u in d["users"]])'
}

test_expect_success 'what is wrong is said' '
	test_expect_code 2 scohort observed --last=soon 2>err && grep -- "--last=soon is not a time" err &&
	test_expect_code 2 scohort observed more 2>err &&
	echo "events: {enable: false}" >conf/cohort.yaml && echo "clusterQueues: []" >>conf/cohort.yaml &&
	test_expect_code 1 scohort observed 2>err && grep "events.enable of cohort.yaml is false" err && rm conf/cohort.yaml
'

test_expect_success 'no file, and a file with no such event: nothing' '
	[ "$(sums 2>err)" = "0 0 0" ] && grep "cohort_events.jsonl: there is no such file" err && { real 60 7; echo "no event"; echo "[1]"; } >"$EVENTS" &&
	[ "$(sums)" = "0 0 0" ] && scohort observed >out && grep -x -- "- kept 0 jobs waiting" out
'

test_expect_success 'the same again counts once: a wait for a job, a victim for a run, a preemptor' '
	{
		wait_of 900 1 ann 1; wait_of 890 1 ann 1; wait_of 880 2 bob 3
		evict 800 11 5 ann 21 cid; evict 790 11 5 ann 22 cid; evict 780 11 5 ann 21 cid
		evict 770 11 6 ann 21 cid; evict 760 12 5 bob 21 cid InClusterQueue; real 700 11
	} >"$EVENTS" &&
	[ "$(sums)" = "4 3 2 bob:1/3/0 ann:2/1/0 cid:0/0/2" ] &&
	scohort observed >out && cat out && grep "^Since [-0-9T:]* enforcement would have$" out &&
	grep -x -- "- kept 4 jobs waiting" out && grep -x -- "- evicted 3 running jobs, to make room for 2 jobs" out &&
	grep -x "a     b   InCohortReclamation       2" out && grep -x "a     b   InClusterQueue            1" out &&
	grep "^bob  *1  *3  *0$" out
'

test_expect_success 'older files count, too; what is before the time is left out' '
	mv "$EVENTS" "$EVENTS.2" && evict 600 13 5 ann 23 cid >"$EVENTS.1" && evict 500 13 5 ann 23 cid >"$EVENTS" &&
	[ "$(sums)" = "4 4 3 ann:3/1/0 bob:1/3/0 cid:0/0/3" ] && [ "$(sums --last 11m)" = "0 1 1 ann:1/0/0 cid:0/0/1" ] &&
	[ "$(sums --last 5m)" = "0 0 0" ]
'

test_expect_success 'where older files were removed, the time is that of the oldest event' '
	from() { scohort observed --json "$@" | python3 -c "import json, sys; print($now - json.load(sys.stdin)[\"from\"])"; } &&
	printf "events: {keep: 3}\nclusterQueues: []\n" >conf/cohort.yaml && [ $(from) -gt 86000 ] &&
	printf "events: {keep: 2}\nclusterQueues: []\n" >conf/cohort.yaml && [ $(from) = 900 ] &&
	[ $(from --last 11m) -le 660 ] && rm conf/cohort.yaml
'

test_expect_success 'events.file of cohort.yaml; ten people, and how many more; one without a name' '
	printf "events: {file: \"%s/other\"}\nclusterQueues: []\n" "$PWD" >conf/cohort.yaml &&
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do wait_of 60 $i user$i $i; done >other && wait_of 60 13 "" 40 >>other &&
	scohort observed >out && grep "^user12  *0  *12" out && grep "^user4 " out && ! grep "^user3 " out &&
	grep "^1  *0  *40" out && grep -x "and 3 more (--json has all)" out && scohort observed --json | grep "\"user1\"" &&
	rm conf/cohort.yaml
'

test_expect_success 'a file that can not be read is told' '
	ln -s loop state/loop && ln -sf loop "$EVENTS" &&
	test_expect_code 1 scohort observed 2>err && cat err && grep "cohort_events.jsonl: Too many levels" err &&
	rm "$EVENTS" state/loop
'

test_expect_success 'scohort record takes real evictions only, and says nothing of the others' '
	if scohort record --db probe.db 2>&1 | grep -q "not built in"; then return 0; fi
	echo "{\"version\": 1, \"time\": $now, \"flavors\": [], \"cohorts\": [], \"clusterQueues\": [], \"account\": {\"since\": $((now - 60)), \"at\": $now, \"gaps\": {\"number\": 0}}}" >published.json &&
	rm -f "$EVENTS".* && { evict 60 11 5 ann 21 cid; wait_of 60 3 ann 1; real 20 9; } >"$EVENTS" &&
	scohort record --db h.db 2>err && cat err && [ ! -s err ] &&
	[ "$(python3 -c "import sqlite3; print(*sqlite3.connect(\"h.db\").execute(\"SELECT job FROM event\").fetchone())")" = 9 ]
'

test_done
