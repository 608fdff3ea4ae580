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

# wait_of AGO JOB USER TASKS WORD; evict AGO JOB STARTED USER BY_JOB BY_USER [RULE]; start AGO JOB USER: lines
wait_of() {
	printf '{"version":1,"observed":"wait","decided":%d,"job":%d,"uid":1,"user":"%s","queue":"a","tasks":%d,"text":"Cohort:pos=1/1,wait=%s,cq=a"}\n' \
		$((now - $1)) "$2" "$3" "$4" "$5"
}
evict() {
	printf '{"version":1,"observed":"evict","decided":%d,"job":%d,"uid":1,"user":"%s","queue":"a","started":%d,"rule":"%s","by":{"job":%d,"uid":2,"user":"%s","queue":"b"},"numbers":null,"text":""}\n' \
		$((now - $1)) "$2" "$4" "$3" "${7-InCohortReclamation}" "$5" "$6"
}
start() {
	printf '{"version":1,"observed":"start","decided":%d,"job":%d,"uid":2,"user":"%s","queue":"b","tasks":1}\n' \
		$((now - $1)) "$2" "$3"
}
real() {
	printf '{"version":1,"time":%d,"decided":%d,"job":%d,"uid":1,"user":"ann","account":"a","name":"n","started":5,"ran":60,"queue":"a","rule":"InCohortReclamation","lost":{"cpu@any":240},"by":{"job":2,"uid":1,"queue":"b"},"numbers":null,"text":""}\n' \
		$((now - $1)) $((now - $1)) "$2"
}
# sums [ARGUMENT...]: the numbers of the document, and people as USER:EVICTED/WAITED/EARLIER
sums() {
	scohort observed --json "$@" | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(*[d[k] for k in ("waited", "evicted", "pairs", "preemptors", "earlier", "earlierSeconds")],
      *["%s:%d/%d/%d" % (u["user"], u["evicted"], u["waited"], u["earlier"]) for u in d["users"]])'
}

test_expect_success 'what is wrong is said' '
	test_expect_code 2 scohort observed --last=soon 2>err && grep -- "--last=soon is not a time" err &&
	test_expect_code 2 scohort observed more 2>err &&
	test_expect_code 1 scohort observed --events=nowhere 2>err && grep "nowhere: No such file" err &&
	mkdir folder && test_expect_code 1 scohort observed --events=folder 2>err && grep "folder: is not a regular file" err &&
	echo "events: {enable: false}" >conf/cohort.yaml && echo "clusterQueues: []" >>conf/cohort.yaml &&
	test_expect_code 1 scohort observed 2>err && grep "events.enable of cohort.yaml is false" err && rm conf/cohort.yaml
'

test_expect_success 'no file, and a file with no such event: nothing' '
	[ "$(sums)" = "0 0 0 0 0 0" ] && { real 60 7; echo "no event"; echo "[1]"; } >"$EVENTS" &&
	[ "$(sums)" = "0 0 0 0 0 0" ]
'

test_expect_success 'the same again counts once: a wait for a job, a victim for a run, a pair' '
	{
		wait_of 900 1 ann 1 "quota(cpu@any),need=1,free=0"; wait_of 890 1 ann 1 order
		wait_of 880 2 bob 3 "never(max=2),need=4_cpu@any"
		evict 800 11 5 ann 21 cid; evict 790 11 5 ann 22 cid; evict 780 11 5 ann 21 cid
		evict 770 11 6 ann 21 cid; evict 760 12 5 bob 21 cid InClusterQueue; real 700 11
	} >"$EVENTS" &&
	[ "$(sums)" = "4 3 4 2 0 0 bob:1/3/0 ann:2/1/0" ] &&
	scohort observed >out && cat out &&
	grep -x "4 jobs would have waited: quota 1, never 3" out &&
	grep -x "3 running jobs would have been evicted, for 2 jobs" out &&
	grep -x "a     b   InCohortReclamation       2" out && grep -x "a     b   InClusterQueue            1" out &&
	grep "^bob  *1  *3  *0$" out
'

test_expect_success 'a preemptor that started later, and was no preemptor at once or never: that is how much earlier' '
	{ start 750 21 cid; start 740 21 cid; start 790 22 cid; start 1 77 cid; } >>"$EVENTS" &&
	[ "$(sums)" = "4 3 4 2 1 50 bob:1/3/0 ann:2/1/0 cid:0/0/1" ] &&
	scohort observed >out && grep -x "1 job would have started earlier by that, by 0:50" out
'

test_expect_success 'older files come first; what is before the time is left out, and where records begin is told' '
	mv "$EVENTS" "$EVENTS.2" && evict 600 13 5 ann 23 cid >"$EVENTS.1" && start 500 23 cid >"$EVENTS" &&
	[ "$(sums)" = "4 4 5 3 2 150 ann:3/1/0 bob:1/3/0 cid:0/0/2" ] &&
	[ "$(sums --last 11m)" = "0 1 1 1 1 100 ann:1/0/0 cid:0/0/1" ] &&
	scohort observed >out && grep "^The oldest record is of " out && scohort observed --last 10s >out &&
	! grep "The oldest record" out && cp "$EVENTS.1" copy && [ "$(sums --events copy)" = "0 1 1 1 0 0 ann:1/0/0" ]
'

test_expect_success 'ten people, and how many more' '
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do wait_of 60 $i user$i $i order; done >many &&
	scohort observed --events many >out && grep "^user12  *0  *12" out && grep "^user3 " out && ! grep "^user2 " out &&
	grep -x "and 2 more (--json has all)" out && scohort observed --events many --json | grep "\"user1\""
'

test_expect_success 'whether quota is enforced now, and whether events were lost' '
	echo "{\"version\": 1, \"enforcement\": \"enforce\", \"events\": {\"lost\": 3}}" >published.json &&
	scohort observed >out && grep "^Quota is enforced now: " out && grep "^Some events were lost" out
'

test_expect_success 'scohort record takes real evictions only, and says nothing of the others' '
	if scohort record --db probe.db 2>&1 | grep -q "not built in"; then return 0; fi
	echo "{\"version\": 1, \"time\": $now, \"flavors\": [], \"cohorts\": [], \"clusterQueues\": [], \"account\": {\"since\": $((now - 60)), \"at\": $now, \"gaps\": {\"number\": 0}}}" >published.json &&
	rm -f "$EVENTS".* && { evict 60 11 5 ann 21 cid; wait_of 60 3 ann 1 order; start 30 21 cid; real 20 9; } >"$EVENTS" &&
	scohort record --db h.db 2>err && cat err && [ ! -s err ] &&
	[ "$(python3 -c "import sqlite3; print(*sqlite3.connect(\"h.db\").execute(\"SELECT job FROM event\").fetchone())")" = 9 ]
'

test_done
