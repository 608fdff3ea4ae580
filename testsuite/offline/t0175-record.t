#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='scohort record and report: sums that were counted by hand

What slurmctld publishes is written here: hours of CPUs from midnight on. Killed
readings, counters that begin anew, gaps, clocks; other databases; what is kept.'

. "$(dirname "$0")/../lib/offline.sh"

unset "${!SLURM_@}" "${!SCOHORT_@}"
export TZ=UTC SCOHORT_PUBLISH=$PWD/published.json
scohort record --help >help 2>&1 || true
if scohort record --db probe.db 2>&1 | grep -q "not built in"; then
	skip_all='scohort is built without SQLite'
	test_done
fi

# publish HOUR [KEY=VALUE...] QUEUE=OWNED,OWN,BORROWED,LENT,IDLE,LOST...: the document of
# that hour since 2026-01-01, with sums in CPU hours since the begin. since= and gap= are
# hours, too (gap=NUMBER,FROM,UNTIL); use=0: nothing is in use.
# evicted.QUEUE=N, caused.QUEUE=N, delays.QUEUE=N,N,N (up to 10 s, 100 s, longer),
# loan.LENDER.QUEUE=HOURS, cohort.LENDER.QUEUE=HOURS
cat >publish.py <<'EOF'
import json, os, sys

DAY = 1767225600
hour = lambda text: round(float(text) * 3600)
at, since, use, gaps, queues = DAY + hour(sys.argv[1]), DAY - 3600, 1, {"number": 0}, {}

def queue(name):
    counters = {"admitted": 0, "lost": {}, "evicted": {}, "caused": {}}
    return queues.setdefault(name, {
        "name": name, "quota": [], "borrowedFrom": {}, "counters": counters})

for word in sys.argv[2:]:
    key, value = word.split("=")
    kind, *names = key.split(".")
    numbers = [float(v) for v in value.split(",")]
    if key == "since":
        since = DAY + hour(value)
    elif key == "use":
        use = int(value)
    elif key == "gap":
        begin, end = DAY + hour(numbers[1]), DAY + hour(numbers[2])
        gaps = {"number": int(numbers[0]), "seconds": end - begin, "from": begin, "until": end}
    elif kind in ("loan", "cohort"):
        kind = "clusterQueues" if kind == "loan" else "cohorts"
        lenders = queue(names[1])["borrowedFrom"].setdefault(kind, {})
        lenders[names[0]] = {"cpu@any": hour(value) + 0.001}
    elif kind == "delays":
        queue(names[0])["counters"]["reclaimDelaySeconds"] = {
            "bounds": [10.0, 100.0], "buckets": [int(n) for n in numbers]}
    elif kind in ("evicted", "caused"):
        queue(names[0])["counters"][kind] = {"InCohortReclamation": int(value)}
    else:
        owned, own, borrowed, lent, idle, lost = ([hour(n) for n in numbers] + [0] * 6)[:6]
        queue(key)["counters"]["lost"] = {"cpu@any": lost} if lost else {}
        queue(key)["quota"] = [{"flavor": "any", "resource": "cpu", "used": use,
                                "account": [owned, own, borrowed, lent + 0.001, 0.0, idle + 0.0]}]
document = {"version": 1, "time": at, "flavors": [{"name": "any"}], "cohorts": [],
            "clusterQueues": list(queues.values()),
            "account": {"since": since, "at": at, "gaps": gaps}}
with open("published.new", "w") as f:
    json.dump(document, f)
os.rename("published.new", "published.json")
EOF
publish() { python3 publish.py "$@"; }

# take HOUR ...: published and recorded
take() { publish "$@" && scohort record --db "$db"; }

# fresh NAME: another database
fresh() {
	db=$1.db
	rm -f "$db"*
}

# told FIELDS [ARGUMENT...]: of the first two days, or as the arguments say
told() {
	local fields=$1
	shift
	scohort report --db "$db" --start 2026-01-01 --end 2026-01-03 -n -P -o "$fields" "$@"
}

# is FIELDS LINE... [-- ARGUMENT...]: so the report says
is() {
	local fields=$1 lines=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		lines+=("$1")
		shift
	done
	[ $# -eq 0 ] || shift
	printf '%s\n' "${lines[@]}" >expect && told "$fields" "$@" >got && test_cmp expect got
}

all="queue,resource,owned[h],own[h],borrowed[h],lent[h],idle[h],lost[h]"

test_expect_success 'hours, days and a total, as counted by hand' '
	fresh hand &&
	take 0 x=0 y=0 loan.y.x=0 &&
	take 1 x=4,4,2 y=8,1,0,2,3 loan.y.x=2 &&
	take 2 x=8,5,2,0,0,7 y=16,9,0,2,3 loan.y.x=2 evicted.x=2 caused.y=2 \
		delays.y=10,10,0 &&
	take 26 x=104,5,26,0,0,7 y=208,9,0,26,3 loan.y.x=14 cohort.org.x=12 evicted.x=2 caused.y=3 \
		delays.y=10,10,20 &&
	is "$all" "x|cpu|104.0|5.0|26.0|0.0|0.0|7.0" "y|cpu|208.0|9.0|0.0|26.0|3.0|0.0" \
		"TOTAL|cpu|312.0|14.0|26.0|26.0|3.0|7.0" &&
	is "queue,evicted,caused,delay50[s],delay95[s]" "x|2|0|-|-" "y|0|3|100.0|100.0" \
		"TOTAL|2|3|100.0|100.0" &&
	is "time,$all" "2026-01-01|x|cpu|96.0|5.0|24.0|0.0|0.0|7.0" \
		"2026-01-01|y|cpu|192.0|9.0|0.0|24.0|3.0|0.0" \
		"2026-01-02|x|cpu|8.0|0.0|2.0|0.0|0.0|0.0" "2026-01-02|y|cpu|16.0|0.0|0.0|2.0|0.0|0.0" \
		"-|TOTAL|cpu|312.0|14.0|26.0|26.0|3.0|7.0" -- --by day &&
	is "time,queue,own[h],borrowed[h],evicted" "2026-01-01T00:00|x|4.0|2.0|0" \
		"2026-01-01T01:00|x|1.0|0.0|2" "2026-01-01T02:00|x|0.0|1.0|0" "-|TOTAL|5.0|3.0|2" \
		-- --by hour --end 2026-01-01T03:00 x &&
	is "queue,delay50[s],delay95[s]" "x|-|-" "y|10.0|91.0" "TOTAL|10.0|91.0" -- --end 2026-01-01T03:00 &&
	is "time,own[h]" "2026-01|5.0" "-|5.0" -- --by month x &&
	is "time,own[h]" "2025-12-29|5.0" "-|5.0" -- --by week x
'

test_expect_success 'who lent to whom; of chosen queues, either; cohorts lend, too' '
	is "lender,borrower,resource,lent[h]" "org (cohort)|x|cpu|12.0" "y|x|cpu|14.0" \
		"TOTAL|-|cpu|26.0" -- --matrix &&
	is "lender,kind,lent[h]" "y|clusterQueue|14.0" "TOTAL|-|14.0" -- --matrix y &&
	is "time,lender,lent[h]" "2026-01-01|org (cohort)|11.0" "2026-01-01|y|13.0" \
		"2026-01-02|org (cohort)|1.0" "2026-01-02|y|1.0" "-|TOTAL|26.0" -- --matrix --by day
'

test_expect_success 'for people: a title with the time, hours in the heading, what is not known' '
	COLUMNS=130 scohort report --db $db --start 2026-01-01 --end 2026-01-03 >out &&
	grep -x "Cluster queues 2026-01-01T00:00:00 - 2026-01-02T23:59:59 (172800 secs), in hours of the resource" out &&
	grep "^QUEUE RESOURCE OWNED\[h\] OWN\[h\] BORROWED\[h\] LENT\[h\] IDLE\[h\] LOST\[h\] EVICTED CAUSED DELAY50\[s\] DELAY95\[s\]$" out &&
	grep -x "Recorded until 2026-01-02T02:00:00." out && ! grep "too narrow" out &&
	COLUMNS=80 scohort report --db $db --start 2026-01-01 --end 2026-01-03 >out &&
	grep "^Columns for which the line is too narrow: .*DELAY95" out &&
	scohort report --db $db --start 2025-12-31 --end 2026-01-01T01:00 >out &&
	grep -x "Recorded from 2026-01-01T00:00:00 on." out && ! grep "Recorded until" out
'

test_expect_success 'JSON and CSV have the same' '
	scohort report --db $db --start 2026-01-01 --end 2026-01-03 --json >json &&
	python3 -c "
import json
d = json.load(open(\"json\"))
x, y = d[\"rows\"]
assert (x[\"clusterQueue\"], x[\"ownedHours\"], x[\"borrowedHours\"], x[\"evicted\"]) == (\"x\", 104, 26, 2), x
assert (y[\"lentHours\"], y[\"delayMedianSeconds\"], y[\"caused\"]) == (26, 100, 3), y
assert [t[\"ownedHours\"] for t in d[\"totals\"]] == [312] and d[\"gaps\"] == [{
    \"kind\": \"spread\", \"from\": 1767225600 + 7200, \"until\": 1767225600 + 26 * 3600,
    \"seconds\": 24 * 3600}], d
assert d[\"recordedFrom\"] == 1767225600 and d[\"recordedUntil\"] == 1767225600 + 26 * 3600
" &&
	scohort report --db $db --start 2026-01-01 --end 2026-01-03 --csv >csv 2>err &&
	printf "%s\n" time,begin,clusterQueue,resource,ownedHours,ownHours,borrowedHours,lentHours,idleHours,lostHours,evicted,caused,delayMedianSeconds,delay95Seconds \
		",,x,cpu,104.0000,5.0000,26.0000,0.0000,0.0000,7.0000,2,0,," \
		",,y,cpu,208.0000,9.0000,0.0000,26.0000,3.0000,0.0000,0,3,100.0,100.0" \
		",,TOTAL,cpu,312.0000,14.0000,26.0000,26.0000,3.0000,7.0000,2,3,100.0,100.0" >expect &&
	test_cmp expect csv && grep "^From 2026-01-01T02:00:00 to 2026-01-02T02:00:00 nothing was recorded" err
'

test_expect_success 'charts: use with quota, and what is borrowed; by hour or by day' '
	scohort report --db $db --start 2026-01-01 --end 2026-01-03 --html hours.html >out &&
	page() { python3 -c "
import json, re, sys
page = json.loads(re.search(r\"id=.data.>(.*?)</script>\", open(sys.argv[1]).read(), re.S)[1])
print(eval(sys.argv[2]))" "$@"; } &&
	page hours.html "page[\"resource\"], [q[\"name\"] for q in page[\"queues\"]], page[\"zone\"]" | grep -x "(.cpu., \[.x., .y.\], .UTC.)" &&
	page hours.html "[len(q[\"steps\"][\"begin\"]) for q in page[\"queues\"]]" | grep -x "\[48, 48\]" &&
	page hours.html "round(sum(v or 0 for q in page[\"queues\"] for v in q[\"steps\"][\"borrowed\"]))" | grep -x 26 &&
	scohort report --db $db --start 2026-01-01 --end 2026-01-09 --html days.html >out &&
	page days.html "len(page[\"queues\"][0][\"steps\"][\"begin\"])" | grep -x 8 &&
	test_expect_code 1 scohort report --db $db --start 2026-01-01 --html no/x.html >out 2>err &&
	grep "no/x.html: cannot be written: No such file" err
'

test_expect_success 'what is published twice, or before the first reading, counts once and not at all' '
	fresh once && take 0 x=50,50 && take 1 x=51,52 && take 1 x=51,52 && take 1 x=51,52 &&
	is "queue,owned[h],own[h]" "x|1.0|2.0" "TOTAL|1.0|2.0" &&
	publish 2 x=52,55 &&
	for i in 1 2 3 4 5 6; do scohort record --db $db & done && wait &&
	is "queue,owned[h],own[h]" "x|2.0|5.0" "TOTAL|2.0|5.0"
'

! can_kill || test_set_prereq KILL

# Readings, each killed before another change of a file than the one before it, until one ends
test_expect_success KILL 'kill -9 between any two changes of a file: nothing is lost, nothing counts twice' '
	fresh killed && publish 0 x=0,0 y=0,0 loan.y.x=0 && scohort record --db $db && rc=137 &&
	for ((i = 1; i < 90; i++)); do
		publish $((i / 2)).$((i % 2 * 5)) x=$i,$((2 * i)) y=$i,$i,0,$i,0,$i loan.y.x=$i \
			evicted.y=$i || return 1
		killed_at $i scohort record --db $db; rc=$?
		[ $rc -eq 137 ] || break
	done
	echo "$i readings, $rc" && [ $rc -eq 0 ] && [ $i -gt 10 ] &&
	is "queue,owned[h],own[h],lent[h],lost[h],evicted" "x|$i.0|$((2 * i)).0|0.0|0.0|0" \
		"y|$i.0|$i.0|$i.0|$i.0|$i" "TOTAL|$((2 * i)).0|$((3 * i)).0|$i.0|$i.0|$i" &&
	is "lent[h]" $i.0 $i.0 -- --matrix &&
	python3 -c "
import sqlite3
db = sqlite3.connect(\"$db\")
assert db.execute(\"PRAGMA integrity_check\").fetchall() == [(\"ok\",)]
sums = db.execute(\"SELECT level, sum(own) FROM usage GROUP BY level\").fetchall()
assert [s for level, s in sums if level] == [$((3 * i)) * 3600] * 2, sums
"
'

test_expect_success 'slurmctld crashed, and its counters are those of a minute ago' '
	fresh crash && take 0 x=0,0 && take 1 x=10,10,0,0,0,4 evicted.x=3 &&
	take 2 gap=1,1.25,1.5 x=9,9,0,0,0,3 evicted.x=2 && take 3 gap=1,1.25,1.5 x=12,13,0,0,0,4 evicted.x=3 &&
	is "queue,owned[h],own[h],lost[h],evicted" "x|13.0|14.0|5.0|4" "TOTAL|13.0|14.0|5.0|4" &&
	scohort report --db $db --start 2026-01-01 --end 2026-01-02 >out &&
	grep -x "From 2026-01-01T01:15:00 to 2026-01-01T01:30:00 there is no account: slurmctld was down." out
'

test_expect_success 'the state file was lost: counters begin anew, and the time before is a gap' '
	fresh lost && take 0 x=5,5 evicted.x=5 && take 1 x=10,10,0,0,0,6 evicted.x=9 &&
	take 4 since=3 x=30,20 evicted.x=1 && take 5 since=3 x=31,21,0,0,0,2 evicted.x=1 &&
	is "queue,owned[h],own[h],lost[h],evicted" "x|36.0|26.0|8.0|5" "TOTAL|36.0|26.0|8.0|5" &&
	is "time,own[h]" "2026-01-01T00:00|5.0" "2026-01-01T03:00|20.0" "2026-01-01T04:00|1.0" "-|26.0" \
		-- --by hour &&
	scohort report --db $db --start 2026-01-01 --end 2026-01-02 >out &&
	grep "^From 2026-01-01T01:00:00 to 2026-01-01T03:00:00 there is no account" out
'

test_expect_success 'an older state file was put back: what it has was counted' '
	fresh older && take 0 since=-5 x=5,5 && take 1 since=-5 x=10,10 &&
	take 2 since=-9 x=100,100 && take 3 since=-9 x=101,102 &&
	is "queue,owned[h],own[h]" "x|6.0|7.0" "TOTAL|6.0|7.0"
'

test_expect_success 'an older state file, and then the right one again: what it had is not counted twice' '
	fresh again && take 0 since=-5 x=0,0 && take 1 since=-5 x=50,50,0,0,0,9 evicted.x=5 loan.y.x=50 y=0,0 &&
	take 2 since=-9 x=3,3,0,0,0,1 evicted.x=1 loan.y.x=1 y=0,0 &&
	take 3 since=-5 x=51,51,0,0,0,9 evicted.x=5 loan.y.x=51 y=0,0 &&
	is "queue,owned[h],own[h],lost[h],evicted" "x|50.0|50.0|9.0|5" "TOTAL|50.0|50.0|9.0|5" &&
	take 4 since=-5 x=53,52,0,0,0,9 evicted.x=6 loan.y.x=53 y=0,0 &&
	is "queue,owned[h],own[h],lost[h],evicted" "x|52.0|51.0|9.0|6" "TOTAL|52.0|51.0|9.0|6" &&
	is "lent[h]" 52.0 52.0 -- --matrix
'

test_expect_success 'two controllers without a common state: what each adds while it publishes, once' '
	fresh two && take 0 since=-5 x=0,0 && take 1 since=-5 x=4,4 && take 2 since=1 x=1,1 &&
	for round in 1 2 3; do take $((3 * round)) since=-5 x=$((4 + round)),5 && take $((3 * round + 1)) since=1 x=$((1 + round)),1 || return 1; done &&
	is "queue,owned[h],own[h]" "x|5.0|5.0" "TOTAL|5.0|5.0"
'

test_expect_success 'a queue goes and comes back, and one is renamed' '
	fresh names && take 0 x=0,0 y=0,0 && take 1 x=4,4 y=4,4 evicted.y=2 && take 2 x=8,8 &&
	take 3 x=12,12 y=1,1 evicted.y=2 && take 4 x=16,16 y=6,6 evicted.y=3 && take 5 z=3,3 y=7,7 evicted.y=3 &&
	is "queue,owned[h],evicted" "x|16.0|0" "y|11.0|3" "z|3.0|0" "TOTAL|30.0|3"
'

test_expect_success 'what is used after idle days was not used in them; quota is owned in them' '
	fresh idle && take 0 use=0 x=0,0 && take 24 use=0 x=24,0 &&
	python3 -c "
import sqlite3
db = sqlite3.connect(\"$db\")
db.execute(\"UPDATE reading SET seen = at + 23 * 3600\")
db.commit()" && take 48 x=48,3 &&
	is "time,owned[h],own[h]" "2026-01-01|24.0|0.0" "2026-01-02|24.0|3.0" "-|48.0|3.0" -- --by day &&
	told "time,own[h]" --by hour >out && [ "$(grep -v "|0.0$" out | head -n 1)" = "2026-01-02T23:00|3.0" ]
'

test_expect_success 'the clock is set back, and forward: sums stay right' '
	fresh clock && take 10 x=0,0 && take 11 x=4,4 && take 3 gap=1,3,3 x=8,9 && take 4 gap=1,3,3 x=12,12 &&
	take 40 gap=1,3,3 x=13,13 &&
	is "queue,owned[h],own[h]" "x|13.0|13.0" "TOTAL|13.0|13.0" &&
	scohort report --db $db --start 2026-01-01 --end 2026-01-02 >out &&
	grep "^At 2026-01-01T03:00:00 the clock was set back" out
'

test_expect_success 'several gaps between two readings: of the last one it is known when it was' '
	fresh gaps && take 0 x=0,0 && take 10 gap=3,7,8 x=2,2 &&
	python3 - <<-EOF &&
	import json
	d = json.load(open("published.json"))
	d["account"]["gaps"].update(number=5, seconds=3 * 3600)
	d["account"]["at"] += 3600
	json.dump(d, open("published.json", "w"))
	EOF
	scohort record --db $db && scohort report --db $db --start 2026-01-01 --end 2026-01-02 >out &&
	grep "^From 2026-01-01T07:00:00 to 2026-01-01T08:00:00 there is no account: " out &&
	python3 -c "
import sqlite3
db = sqlite3.connect(\"$db\")
for i in range(1, 31):
    db.execute(\"INSERT INTO gap VALUES (0, ?, ?, 1)\", (1767225600 + 60 * i, 1767225600 + 60 * i + 1))
db.commit()" &&
	scohort report --db $db --start 2026-01-01 --end 2026-01-02 >out &&
	[ "$(grep -c "^From " out)" = 10 ] && grep "more such times: --json lists them" out
'

test_expect_success 'minutes, hours and days are kept as long as they should, and days are told when hours are gone' '
	fresh kept && rows() {
		python3 -c "
import sqlite3
print(*sqlite3.connect(\"$db\").execute(\"SELECT count(*) FROM usage WHERE level = $1\").fetchone())"
	} && take 0 x=0,0 && take 1 x=1,1 && take 2 x=2,2 && [ "$(rows 0) $(rows 1) $(rows 2)" = "120 2 1" ] &&
	publish 72 x=72,72 && for i in 1 2 3; do scohort record --db $db --keep-minutes 1 --keep-hours 2 || return 1; done &&
	[ "$(rows 0) $(rows 1) $(rows 2)" = "0 48 3" ] &&
	is "owned[h]" 48.0 48.0 && is "owned[h]" 22.0 22.0 -- --end 2026-01-02T22:00 --start 2026-01-02 &&
	scohort report --db $db --start 2026-01-01T05:00 --end 2026-01-03 >out &&
	grep "^Hours before 2026-01-02T00:00:00 are no longer kept" out &&
	scohort record --db $db --keep-days 1 --keep-minutes 0 && [ "$(rows 2)" = 1 ]
'

# A century is 876000 hours: that is more than the clock of this host has, too
test_expect_success 'a clock that is wrong for a while does not make all that is kept old' '
	fresh wrong && take 0 x=0,0 && take 1 x=1,1 && take 2 x=2,2 && take 876000 x=2,2 && take 876000.1 x=2,2 &&
	take 3 x=4,4 && is "time,own[h]" "2026-01-01|4.0" "-|4.0" -- --by day &&
	is "own[h]" 1.0 1.0 -- --start 2026-01-01T01:00 --end 2026-01-01T02:00 && [ "$(rows 0)" -ge 120 ]
'

# Of the same instants: x used a CPU from 2026-01-01 0:00 UTC on, for 48 hours
test_expect_success 'days are those of the zone of the first reading, whoever records and reads' '
	fresh zones && publish 0 x=0,0 && TZ=America/New_York scohort record --db $db &&
	publish 24 x=24,24 && TZ=Asia/Tokyo scohort record --db $db && take 48 x=48,48 &&
	printf "%s\n" "2025-12-31|5.0" "2026-01-01|24.0" "2026-01-02|19.0" "-|48.0" >expect &&
	for zone in America/New_York UTC Asia/Kolkata Europe/Berlin; do
		TZ=$zone scohort report --db $db --start 2025-12-30 --end 2026-01-04 -n -P -o "time,own[h]" --by day >got 2>err &&
		test_cmp expect got &&
		TZ=$zone scohort report --db $db --start 2025-12-31T20:00 --end 2026-01-01T03:00 -n -P -o "own[h]" >got 2>>err &&
		[ "$(tail -n 1 got)" = 7.0 ] || return 1
	done &&
	[ "$(grep -c "All times are of the time zone America/New_York" err)" = 2 ] &&
	TZ=America/New_York scohort report --db $db --start 2025-12-30 --end 2026-01-04 >out && ! grep "time zone" out &&
	scohort report --db $db --start 2025-12-30 --end 2026-01-04 --json | grep "\"zone\": *\"America/New_York\"" &&
	python3 -c "
import sqlite3
db = sqlite3.connect(\"$db\")
db.execute(\"UPDATE reading SET zone = ?\", (\"No/Where\",))
db.commit()" &&
	test_expect_code 1 scohort report --db $db --start 2025-12-30 --end 2026-01-04 >out 2>err &&
	[ ! -s out ] && grep "days are not those of its time zone No/Where" err
'

test_expect_success 'an hour that comes twice in autumn has two begins' '
	fresh autumn && publish 7127 x=0,0 && TZ=Europe/Berlin scohort record --db $db &&
	publish 7130 x=3,3 && TZ=Europe/Berlin scohort record --db $db &&
	TZ=Europe/Berlin scohort report --db $db --start 2026-10-25 --end 2026-10-26 --by hour --csv -n >csv 2>err &&
	cut -d, -f1,2 csv >got &&
	printf "%s\n" 2026-10-25T01:00,1792882800 2026-10-25T02:00,1792886400 2026-10-25T02:00,1792890000 , >expect &&
	test_cmp expect got
'

test_expect_success 'sums beyond all bounds stay the largest number; more steps than a chart can have' '
	fresh huge && take 0 x=0,0 y=0,0 && take 1 x=1,1 y=1,1 && python3 -c "
import sqlite3
db = sqlite3.connect(\"$db\")
db.execute(\"UPDATE usage SET own = 8000000000000000000\")
assert db.execute(\"INSERT INTO usage(level, slot, pair, own) SELECT 1, slot + 3600, pair, own FROM usage WHERE level = 1\").rowcount
db.commit()" &&
	is "queue,own[h]" "x|2562047788015215.5" "y|2562047788015215.5" "TOTAL|2562047788015215.5" -- --end 2026-01-01T05:00 &&
	test_expect_code 1 scohort report --db $db --start 2000-01-01 --end 2026-01-02 --by hour --html huge.html >out 2>err &&
	grep "more than 100000 steps" err && [ ! -e huge.html ]
'

# refused COMMAND WORDS: with these in the message; the file is as it was
refused() {
	local sum
	sum=$(cksum <other.db)
	test_expect_code 1 scohort "$1" --db other.db >out 2>err && grep "$2" err && [ ! -s out ] &&
		[ "$(cksum <other.db)" = "$sum" ]
}

test_expect_success 'a database of another version, of another program, no database: refused as they are' '
	publish 1 x=1,1 &&
	for command in record report; do
		rm -f other.db* && cp hand.db other.db &&
		python3 -c "
import sqlite3
db = sqlite3.connect(\"other.db\")
db.execute(\"PRAGMA journal_mode = DELETE\")
db.execute(\"PRAGMA user_version = 99\")" &&
		refused $command "other.db is of version 99, and this scohort knows version 3 only" &&
		rm -f other.db* &&
		python3 -c "import sqlite3; sqlite3.connect(\"other.db\").execute(\"CREATE TABLE a(b)\")" &&
		refused $command "other.db is no database of scohort record" &&
		rm -f other.db* && seq 1000 >other.db && refused $command "file is not a database" || return 1
		rm -f other.db* && python3 -c "
import os, sqlite3
db = sqlite3.connect(\"other.db\")
db.execute(\"PRAGMA journal_mode = WAL\")
db.execute(\"CREATE TABLE a(b)\")
db.commit()
os._exit(0)" && cksum other.db-wal >before && refused $command "other.db is no database of scohort record" &&
		cksum other.db-wal >after && [ -s other.db-wal ] && test_cmp before after || return 1
	done &&
	mkfifo pipe.db && for pipe in pipe.db . /dev/null; do
		for command in record report; do
			test_expect_code 1 scohort $command --db $pipe 2>err &&
				grep "$pipe is not a regular file" err || return 1
		done
	done &&
	test_expect_code 1 scohort report --db none.db 2>err && grep "none.db: unable to open" err &&
	[ ! -e none.db ] && test_expect_code 1 scohort record --db no/such.db 2>err && grep "no/such.db" err
'

test_expect_success 'nothing published, or by plugins that keep no account: a message, and nothing changes' '
	cp hand.db same.db && cksum <same.db >before && rm published.json &&
	test_expect_code 1 scohort record --db same.db 2>err && grep "published.json: No such file" err &&
	echo "{\"version\": 1, \"clusterQueues\": []}" >published.json &&
	test_expect_code 1 scohort record --db same.db 2>err && grep "no account of quota over time" err &&
	echo "{\"version\": 1" >published.json && test_expect_code 1 scohort record --db same.db 2>err &&
	cksum <same.db >after && test_cmp before after
'

test_expect_success 'what makes no sense in the document is not taken' '
	fresh odd && take 0 x=0,0 && publish 1 x=-4,-4 y=1,1 && sed -i "s/\"account\": \[3600, 3600/\"account\": [1e300, \"a\"/" published.json &&
	grep "\"account\": \[1e300, \"a\"" published.json && scohort record --db $db && take 2 x=1,1 y=2,2 &&
	is "queue,owned[h],own[h]" "x|1.0|1.0" "y|2.0|2.0" "TOTAL|3.0|3.0"
'

test_expect_success 'wrong options: exit status 2, and what would be right' '
	db=hand.db &&
	for bad in "--start x" "--end 2026-02-30" "--by year" "--start 2026-01-03 --end 2026-01-01" "--csv --json" "--csv -o time" \
		"-o what"; do
		test_expect_code 2 scohort report --db $db $bad >out 2>err && [ -s err ] || { echo "$bad"; return 1; }
	done &&
	test_expect_code 2 scohort record --db $db --every 0 2>err && grep "at least 1 second" err &&
	test_expect_code 2 scohort record --db $db --every x 2>err &&
	test_expect_code 2 scohort record --db $db --keep-days 99999999999 2>err &&
	test_expect_code 1 scohort report --db $db nobody 2>err && grep "knows no cluster queue \"nobody\"" err &&
	test_expect_code 1 scohort report --db $db --resource gres/gpu 2>err && grep "no quota for resource \"gres/gpu\"" err
'

# eventually COMMAND...: within two minutes
eventually() {
	local end=$((SECONDS + 120))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		read -r -t 0.2 <> <(:) || :
	done
}
knows_x() { told queue x >/dev/null 2>&1; }
recorded() { [ "$(told own[h] x | tail -n 1)" = "$1" ]; }

fresh service
publish 0 x=0,0
scohort record --db $db --every 1 &
service=$!

test_expect_success 'a service takes readings until it is killed' '
	eventually knows_x && publish 1 x=1,5 && eventually recorded 5.0 &&
	publish 2 x=2,7 && eventually recorded 7.0
'
kill $service

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
test_expect_success 'a user who may only read can have a report' '
	dir=$(mktemp -d) && chmod 755 $dir && cp hand.db $dir/h.db && publish 27 x=105,5,26 &&
	scohort record --db $dir/h.db && chmod 644 $dir/* &&
	setpriv --reuid=65534 --regid=65534 --clear-groups "$(command -v scohort)" report --db $dir/h.db \
		--start 2026-01-01 --end 2026-01-03 >out; rc=$?; rm -rf $dir; [ $rc = 0 ] && grep "^TOTAL" out
'
fi

# The begin of the running hour is told as a date: another hour may begin meanwhile.
test_expect_success 'until now: with what is recorded of the running hour' '
	fresh running && now=$(date +%s) && hour=$((now - now % 3600)) && begin=$(date -d @$hour +%Y-%m-%dT%H:%M) &&
	past() { python3 -c "print(($1 - 1767225600) / 3600)"; } &&
	take $(past $((hour - 7200))) x=0 && take $(past $((hour - 3600))) x=4,4 && take $(past $hour) x=8,6 &&
	take $(past $((hour + 1))) x=8,7 &&
	is "queue,own[h]" "x|1.0" "TOTAL|1.0" -- --start $begin --end now &&
	is "queue,own[h]" "x|3.0" "TOTAL|3.0" -- --end now --start $(date -d @$((hour - 3600)) +%Y-%m-%dT%H:%M) &&
	is "queue,own[h]" "x|2.0" "TOTAL|2.0" -- --start $(date -d @$((hour - 3600)) +%Y-%m-%dT%H:%M) --end $begin
'

test_done
