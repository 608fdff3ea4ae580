#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='scohort record and report: evictions, each once

Events are written here as slurmctld writes them: appended, and the file renamed to
FILE.1. Killed readings, repeated and broken lines, files that go and come.'

. "$(dirname "$0")/../lib/offline.sh"

unset "${!SLURM_@}" "${!SCOHORT_@}"
export TZ=UTC SCOHORT_PUBLISH=$PWD/published.json SLURM_CONF=$PWD/slurm.conf
scohort record --help >help 2>&1 || true
if scohort record --db probe.db 2>&1 | grep -q "not built in"; then
	skip_all='scohort is built without SQLite'
	test_done
fi
: >slurm.conf

DAY=1767225600		# 2026-01-01
events=$PWD/events
db=$PWD/history.db

# Functions that make lines and files; the document of two queues, with use in the first
cat >tools.py <<'END'
import json, os

DAY = 1767225600

def line(job, ended=60, ran=60, queue="x", by="y", rule="InCohortReclamation", lost=None, **more):
    lost = {"cpu@any": 4 * ran, "gres/gpu@fast": ran, "gres/gpu@slow": ran} if lost is None else lost
    event = {"version": 1, "time": DAY + ended, "job": job, "uid": 4711, "user": "somebody", "account": "secret",
             "name": "mine", "started": DAY + ended - ran, "ran": ran, "queue": queue, "rule": rule, "lost": lost,
             "by": {"job": 9000 + job, "uid": 1, "user": "other", "account": "hidden", "queue": by},
             "numbers": None, "text": "told to somebody"}
    event.update(more)
    return json.dumps(event, separators=(",", ":")) + "\n"

def append(path, text):
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(fd, text if isinstance(text, bytes) else text.encode())
    os.close(fd)

def rotate(path, keep=4):
    for n in range(keep, 0, -1):
        try:
            os.rename(path + (f".{n - 1}" if n > 1 else ""), f"{path}.{n}")
        except FileNotFoundError:
            pass

def publish(hours):
    at = DAY + int(hours * 3600)
    queues = [{"name": n, "quota": [{"flavor": "any", "resource": "cpu", "used": 1,
                                     "account": [int(hours * 3600), int(hours * 1800), 0, 0, 0, 0]}],
               "borrowedFrom": {}, "counters": {"admitted": 0, "lost": {}, "evicted": {}, "caused": {}}}
              for n in ("x", "y")]
    document = {"version": 1, "time": at, "flavors": [{"name": "any"}], "cohorts": [], "clusterQueues": queues,
                "account": {"since": DAY - 3600, "at": at, "gaps": {"number": 0}}}
    with open("published.new", "w") as f:
        json.dump(document, f)
    os.rename("published.new", "published.json")
END

# run: Python on stdin, with the tools
run() { { cat tools.py && cat; } | python3 - "$events" "$db"; }

publish() { echo "publish($1)" | run; }

# write ARGUMENTS...: one event each: "7, ran=5"
write() {
	local arguments
	for arguments; do
		echo "import sys; append(sys.argv[1], line($arguments))" | run || return 1
	done
}

record() { scohort record --db "$db" --events "$events" "$@"; }

fresh() { rm -f "$db"* "$events"* && publish 0; }

# report ARGUMENTS...: of the first two days
report() { scohort report --db "$db" --start 2026-01-01 --end 2026-01-03 "$@"; }

# is FIELDS LINE... -- ARGUMENT...: so the report says
is() {
	local fields=$1 lines=()
	shift
	while [ "$1" != -- ]; do
		lines+=("$1")
		shift
	done
	shift
	printf '%s\n' "${lines[@]}" >expect && report -n -P -o "$fields" "$@" >got && test_cmp expect got
}

# sql QUERY: of the database
sql() { python3 -c "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())" "$db" "$1"; }

# once NUMBER: jobs 1 to NUMBER were evicted, each once, with what each has lost
once() {
	[ "$(sql "SELECT count(*), count(DISTINCT job), min(job), max(job) FROM event")" = "$1 $1 1 $1" ] &&
		[ "$(sql "SELECT count(*), sum(amount) FROM event_lost")" = "$((3 * $1)) $((360 * $1))" ]
}

test_expect_success 'by queue and rule, the costliest, and totals, as counted by hand' '
	fresh && write "1, ended=3600, ran=3600" "2, ended=7200, ran=1800" "3, ended=90000, ran=7200, rule=\"InClusterQueue\", by=\"x\"" \
		"4, ended=90060, ran=60, queue=\"y\", by=None, lost={}" && record &&
	is "queue,for,rule,evicted,resource,lost[h]" "x|x|InClusterQueue|1|cpu|8.0" "x|x|InClusterQueue|1|gres/gpu|4.0" \
		"x|y|InCohortReclamation|2|cpu|6.0" "x|y|InCohortReclamation|2|gres/gpu|3.0" "y|-|InCohortReclamation|1|-|0.0" \
		"TOTAL|-|-|3|cpu|14.0" "TOTAL|-|-|3|gres/gpu|7.0" "TOTAL|-|-|1|-|0.0" -- --evictions &&
	is "time,queue,for,evicted,lost[h]" "2026-01-01|x|y|2|6.0" "2026-01-02|x|x|1|8.0" "-|TOTAL|-|3|14.0" \
		-- --evictions --by day -r cpu &&
	is "queue,for,evicted" "x|y|2" "TOTAL|-|2" -- --evictions -r cpu --end 2026-01-02 y &&
	is "ended,jobid,queue,rule,byjob,for,ran,resource,lost[h]" \
		"2026-01-02T01:00:00|3|x|InClusterQueue|9003|x|2:00:00|gres/gpu|4.0" \
		"2026-01-01T01:00:00|1|x|InCohortReclamation|9001|y|1:00:00|gres/gpu|2.0" -- --costliest 2 &&
	is "jobid,lost[h]" "3|8.0" "1|4.0" "2|2.0" -- --costliest=9 --resource cpu && is "jobid" 1 2 -- --costliest 9 y
'

test_expect_success 'for people, JSON and CSV' '
	report --evictions >out && grep "^Evictions 2026-01-01T00:00:00 - 2026-01-02T23:59:59 .*, in hours of the resource$" out &&
	grep "^QUEUE FOR RULE  *EVICTED RESOURCE LOST\[h\]$" out && ! grep "no account" out &&
	grep -x "The oldest eviction that is kept ended at 2026-01-01T01:00:00." out &&
	COLUMNS=120 report --costliest 1 >out && cat out && grep "^Costliest evictions " out && grep "^ENDED  *JOBID QUEUE RULE  *BYJOB FOR  *RAN RESOURCE LOST" out &&
	report --evictions --json >json && report --costliest 3 -r cpu --json >json2 && python3 -c "
import json
d = json.load(open(\"json\"))
assert d[\"rows\"][0] == {\"clusterQueue\": \"x\", \"byClusterQueue\": \"x\", \"rule\": \"InClusterQueue\", \"evicted\": 1,
                        \"resource\": \"cpu\", \"lostHours\": 8}, d
assert d[\"totals\"][0] == {\"clusterQueue\": \"TOTAL\", \"resource\": \"cpu\", \"evicted\": 3, \"lostHours\": 14}, d
assert (d[\"evictionsFrom\"], d[\"recordedUntil\"]) == ($DAY + 3600, $DAY) and \"gaps\" not in d, d
d = json.load(open(\"json2\"))
assert d[\"rows\"][1] == {\"ended\": $DAY + 3600, \"jobId\": 1, \"clusterQueue\": \"x\", \"rule\": \"InCohortReclamation\",
    \"byJobId\": 9001, \"byClusterQueue\": \"y\", \"started\": $DAY, \"ran\": 3600, \"resource\": \"cpu\", \"lostHours\": 4}, d
" &&
	report --costliest 1 --csv >csv 2>err && printf "%s\n" ended,jobId,clusterQueue,rule,byJobId,byClusterQueue,ran,resource,lostHours,started \
		"$((DAY + 90000)),3,x,InClusterQueue,9003,x,7200,gres/gpu,4.0000,$((DAY + 82800))" | test_cmp - csv
'

test_expect_success 'the database has no people' '
	for word in somebody secret mine 4711 other hidden; do
		! grep -a -q "$word" "$db"* || { echo "$word"; return 1; }
	done
'

test_expect_success 'lines that come again, files that are replaced, moved, emptied: each event once' '
	fresh && write 1 2 2 1 && record && once 2 && record && write 2 3 && record && once 3 &&
	cp "$events" copy && rm "$events" && cp copy "$events" && write 4 && record && once 4 &&
	cat copy copy >"$events" && record && once 4 && : >"$events" && record && write 5 && record && once 5 &&
	echo "import sys; rotate(sys.argv[1])" | run && record && once 5 && mv "$events.1" "$events.3" && write 6 && record &&
	once 6 && : >"$events" && write 7 && record && once 7 &&
	rm "$events"* && record && once 7 && write 8 && record && once 8
'

test_expect_success 'renamed files: what was not read of the older one is, and all that are kept at first' '
	fresh && write 1 2 && record && write 3 && echo "import sys; rotate(sys.argv[1])" | run && record && once 3 &&
	write 4 && record && once 4 && write 5 && echo "import sys; rotate(sys.argv[1])" | run && write 6 &&
	echo "import sys; rotate(sys.argv[1])" | run && write 7 && mv "$events.2" "$events.4" && record && once 7 &&
	rm "$db"* && record && once 7
'

test_expect_success 'a part of a line is left until it is complete; what is no event is left out, and told' '
	fresh && write 1 && echo "import sys; append(sys.argv[1], line(2)[:-30])" | run && record && once 1 && record && once 1 &&
	echo "import sys; append(sys.argv[1], line(2)[-30:])" | run && record && once 2 &&
	head -c 700000 /dev/zero >>"$events" && record 2>err && once 2 && echo >>"$events" && write 3 && record 2>>err && once 3 &&
	for bad in "{}" "" "[1]" "{\"version\": 2, \"job\": 9}" "{\"version\": 1, \"job\": \"a\", \"time\": {}}" "$(printf "\\377")"; do
		printf "%s\n" "$bad" >>"$events" || return 1
	done &&
	write "4, lost=7" "5, lost={\"cpu\": 1, \"mem@any\": -4, \"a@b\": 1e300, \"c@d\": \"x\"}" && record 2>err &&
	[ "$(sql "SELECT count(*) FROM event")" = 5 ] && grep "events: 6 line(s) were left out: .* begins at byte [0-9]" err
'

! can_kill || test_set_prereq KILL

# Each reading is killed before another change of a file than the one before it, until one ends
test_expect_success KILL 'kill -9 between any two changes of a file, between events and renamed files: each event once' '
	fresh && run >out <<-"END" && cat out && record && once "$(tail -n 1 out)"
		import os, subprocess, sys
		command = ["scohort", "record", "--db", sys.argv[2], "--events", sys.argv[1]]
		subprocess.run(command, check=True)		# makes the database
		before = os.environ.get("LD_PRELOAD")
		preload = (before + ":" if before else "") + "./kill.so"
		rc, i = -9, 0
		while rc == -9 and i < 200:
		    i += 1
		    append(sys.argv[1], line(i))
		    if i % 5 == 0:
		        rotate(sys.argv[1], 1000)
		    rc = subprocess.run(command, env=dict(os.environ, LD_PRELOAD=preload, COHORT_KILL_AT=str(i))).returncode
		assert rc == 0 and i > 10, (rc, i)
		print(i)
	END
'

test_expect_success 'files are renamed while they are read: each event once' '
	fresh && run <<-"END" && record && once 3000
		import subprocess, sys
		command = ["scohort", "record", "--db", sys.argv[2], "--events", sys.argv[1]]
		readings = []
		for i in range(1, 3001):
		    append(sys.argv[1], line(i))
		    if i % 100 == 0:
		        rotate(sys.argv[1], 1000)
		    if not readings or readings[-1].poll() is not None:
		        readings.append(subprocess.Popen(command))
		assert not readings[-1].wait() and not any(r.returncode for r in readings)
		print(len(readings), "readings")
	END
'

test_expect_success 'a reading takes a part of what is new if that is much, and the next one goes on' '
	fresh && echo "import sys; append(sys.argv[1], \"\".join(line(i, text=1500 * \"-\") for i in range(1, 20001)))" | run &&
	record && n=$(sql "SELECT count(*) FROM event") && [ "$n" -gt 5000 ] && [ "$n" -lt 12000 ] &&
	record && once "$(sql "SELECT count(*) FROM event")" && record && once 20000
'

test_expect_success 'kept for so many days, and what was removed does not come again' '
	fresh && write 1 "2, ended=5*86400" "3, ended=9*86400" && record && publish 24 && record && publish 48 && record &&
	for day in 3 4 5 6 7 8 9 10; do publish $((24 * day)) && record --keep-events 6 || return 1; done &&
	[ "$(sql "SELECT count(*), min(job) FROM event")" = "2 2" ] && [ "$(sql "SELECT count(*) FROM event_lost")" = 6 ] &&
	cp "$events" copy && rm "$events" && mv copy "$events" && record --keep-events 6 &&
	[ "$(sql "SELECT count(*), min(job) FROM event")" = "2 2" ] && record --keep-events 0 &&
	[ "$(sql "SELECT count(*) FROM event")" = 2 ]
'

test_expect_success 'where slurmctld writes them: StateSaveLocation, or events.file; enable: false' '
	fresh && write 1 && mkdir -p state && mv "$events" state/cohort_events.jsonl && echo "StateSaveLocation=\"$PWD/state\"" >slurm.conf &&
	scohort record --db "$db" && once 1 &&
	printf "%s\n" "flavors: [{name: any}]" "clusterQueues:" "  - {name: x, resourceGroups: [{coveredResources: [cpu], flavors: [{name: any, nominalQuota: cpu=1}]}]}" >rest.yaml &&
	write 1 2 && { cat rest.yaml && echo "events: {file: $events}"; } >cohort.yaml &&
	scohort record --db "$db" && once 2 && write 3 &&
	{ cat rest.yaml && echo "events: {file: $events, enable: false}"; } >cohort.yaml && scohort record --db "$db" && once 2 &&
	{ cat rest.yaml && echo "events: {file: $events}"; } >cohort.yaml && scohort record --db "$db" --no-events && once 2 &&
	scohort record --db "$db" && once 3
'

test_expect_success 'jobs are private: not into a database that all users can read' '
	echo "PrivateData=accounts,jobs" >>slurm.conf && write 4 && chmod 644 "$db" && scohort record --db "$db" 2>err && once 3 &&
	grep "evictions are left out: slurm.conf has PrivateData=jobs, and all users can read" err && chmod 640 "$db" &&
	scohort record --db "$db" && once 4 && rm cohort.yaml && : >slurm.conf
'

test_expect_success 'what is no file, or may not be read: told, and the sums are recorded all the same' '
	fresh && record && mkfifo "$events" && publish 2 && test_expect_code 1 record 2>err && grep "events: is not a regular file" err &&
	rm "$events" && write 1 && ln -s "$events" link && publish 4 && test_expect_code 1 record --events "$PWD/link" 2>err &&
	grep "link: is not a regular file" err && printf "%s\n" "x|2.0" "y|2.0" "TOTAL|4.0" >expect && report -n -P -o "queue,own[h]" >got &&
	test_cmp expect got && once 0 2>/dev/null; [ "$(sql "SELECT count(*) FROM event")" = 0 ]
'

test_expect_success 'wrong options: exit status 2' '
	for bad in "--evictions --matrix" "--costliest 2 --evictions" "--costliest 0" "--costliest x" "--costliest 3 --by day" \
		"--evictions --html x.html" "--evictions -o own[h]"; do
		test_expect_code 2 scohort report --db "$db" $bad >out 2>err && [ -s err ] || { echo "$bad"; return 1; }
	done &&
	test_expect_code 2 scohort record --db "$db" --keep-events 2000000 && test_expect_code 2 record --no-events &&
	report --evictions -e | grep "^FOR" && report -e --costliest=1 | grep "^BYJOB"
'

test_done
