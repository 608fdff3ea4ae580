#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort web --db: history and evictions over time, the same as scohort report; hostile names, databases that cannot be read'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/web.sh"
web_lib=$TESTSUITE/web

printf 'ClusterName=none\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=9\nAuthType=auth/none\n' >slurm.conf
cp slurm.conf public.conf
export SLURM_CONF=$PWD/slurm.conf SCOHORT_PUBLISH=$PWD/published SCOHORT_TIMEOUT=5 TZ=UTC
cat >published <<'END'
{"version": 1, "time": 1767225600, "flavors": [{"name": "any"}], "cohorts": [],
 "clusterQueues": [{"name": "x", "quota": [], "borrowedFrom": {}, "counters": {"admitted": 0, "lost": {}, "evicted": {}, "caused": {}}}],
 "account": {"since": 1767222000, "at": 1767225600, "gaps": {"number": 0}}}
END
db=$PWD/h.db
! test_have_prereq PAST || scohort record --db "$db" --no-events || exit 1

# at TIME: as scohort report takes it
at() { date -u -d "@$1" +%Y-%m-%dT%H:%M; }
# sql SQL: changes the database
sql() { python3 -c "import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute(sys.argv[2]); b.commit()" "$db" "$1"; }
# report ARGUMENT...: of the last three hours
report() { scohort report --db "$db" --start "$(at $((now - 10800)))" --end "$(at "$now")" "$@"; }
three() { echo "range=span&from=$(at $((now - 10800)))&to=$(at "$now")"; }

test_expect_success WEB,PAST 'without a database there are no such pages; with one all lead there' '
	now=$(python3 "$web_lib/past.py" "$db") && web_start && [ "$(code history)" = 404 ] && [ "$(code history.json)" = 404 ] &&
	! page "" | grep -i history && web_stop && web_start --db "$db" && [ "$(code history)" = 200 ] &&
	page "" | grep "<a href=\"history\">History</a>" && page evictions | grep "href=\"history-evictions\"" &&
	page queue/x | grep "href=\"../history?queue=x\"" && [ "$(code uplot.js)" = 200 ] && [ "$(code uplot.css)" = 200 ]
'

# The page has the total first, and seconds with one decimal as the report has them
test_expect_success WEB,PAST 'sums are those of scohort report: by resource, of all flavors and of one' '
	columns="queue,owned[h],own[h],borrowed[h],lent[h],idle[h],lost[h],evicted,caused,delay50[s],delay95[s]" &&
	for resource in cpu gres/gpu; do
		report -n -P -r $resource -o "$columns" >told && { sed -n "\$s/^TOTAL/All/p" told && sed "\$d" told; } >expected &&
		rows "history?$(three)&of=$resource" | sed "1d;/^From/,\$d" >shown && test_cmp expected shown || return 1
	done &&
	page "history.json?$(three)&of=gres/gpu" >both && page "history.json?$(three)&of=gres/gpu%40a100" >one &&
	page "history.json?$(three)&of=gres/gpu%40h100" >other && python3 - <<-\EOF
	import json
	both, one, other = (json.load(open(f)) for f in ("both", "one", "other"))
	assert one["flavor"] == "a100" and other["flavor"] == "h100" and both["flavor"] is None
	for key in ("ownHours", "borrowedHours", "lentHours", "idleHours", "lostHours"):
	    for b, x, y in zip(both["rows"] + both["totals"], one["rows"] + one["totals"], other["rows"] + other["totals"]):
	        assert b["clusterQueue"] == x["clusterQueue"] == y["clusterQueue"]
	        assert abs(b[key] - x[key] - y[key]) < 0.001, (key, b, x, y)
	EOF
'

test_expect_success WEB,PAST 'steps add up to the sums: by minute, hour and day, of all queues and of one' '
	check() {
		page "history.json?$1&of=cpu" >answer && python3 - "$2" "$3" <<-\EOF
		import json, sys
		a, s = json.load(open("answer")), None
		s, rows = a["steps"], a["totals"] if a["clusterQueue"] is None else [r for r in a["rows"] if r["clusterQueue"] == a["clusterQueue"]]
		assert a["by"] == sys.argv[1] and len(rows) == 1 and len(s["begin"]) == int(sys.argv[2]), (a["by"], len(rows), len(s["begin"]))
		assert all(len(list_) == len(s["begin"]) for list_ in s.values())
		ends = s["begin"][1:] + [a["end"]]
		begins = [a["recordedFrom"] if b < a["recordedFrom"] < e else b for b, e in zip(s["begin"], ends)]
		for key in ("owned", "own", "borrowed", "lent", "idle"):
		    sum_ = sum((v or 0) * (e - b) for v, b, e in zip(s[key], begins, ends)) / 3600
		    assert abs(sum_ - rows[0][key + "Hours"]) < 0.1, (key, sum_, rows[0])
		assert sum(s["owned"][i] or 0 for i in range(len(ends))) > 0
		assert sum(v or 0 for v in s["evicted"]) == rows[0]["evicted"]
		EOF
	} &&
	check "$(three)" minute 180 && check "$(three)&queue=plain" minute 180 &&
	check "range=span&from=$(at $((now - 86400)))&to=$(at $now)" hour 24 && check "range=week&queue=a%22b%27c%26d" hour 168 &&
	check range=month day 30 && page "history?range=month" | grep "<h2>gres/gpu: all cluster queues</h2>" &&
	begun=$(python3 -c "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(\"SELECT begun FROM reading\").fetchone())" "$db") &&
	sql "UPDATE reading SET begun = $((now - 9000))" && check "range=span&from=$(at $((now - 86400)))&to=$(at $now)" hour 24 &&
	python3 -c "import json; o = json.load(open(\"answer\"))[\"steps\"][\"owned\"]; assert o[21] == 2 * o[22] > 0, o" &&
	sql "INSERT INTO gap(kind, begin, end, seconds) VALUES (0, $((now - 7000)), $((now - 6000)), 1000)" &&
	page "history?$(three)" | grep "class=\"note\">A step with such a time in it" && sql "DELETE FROM gap" &&
	sql "UPDATE reading SET begun = $begun" && ! page "history?$(three)" | grep "A step with such a time"
'

test_expect_success WEB,PAST 'evictions by queue and rule are those of scohort report, and no page has a job number' '
	report -n -P --evictions -o queue,for,rule,evicted,resource,lost[h] >told && { sed -n "s/^TOTAL/All/p" told && sed "/^TOTAL/d" told; } >expected &&
	rows "history-evictions?$(three)" >all && sed "1d;/^Ended/,\$d" all >shown && test_cmp expected shown &&
	report -n -P --costliest 9 -r cpu -o ended,queue,rule,for,ran,resource,lost[h] >expected &&
	rows "history-evictions?$(three)&of=cpu" | sed "1,/^Ended/d" >shown && test_cmp expected shown && [ "$(wc -l <shown)" -ge 1 ] &&
	for path in history history.json history-evictions history-evictions.json; do
		page "$path?$(three)" >got && ! grep -w 9876 got || { echo "$path"; return 1; }
	done
'

test_expect_success WEB,PAST 'the costliest of a flavor lost that one; a cluster queue is not asked for there' '
	sql "INSERT INTO event_lost SELECT min(event), (SELECT min(id) FROM pair WHERE flavor = \"h100\"), 7200 FROM event_lost" &&
	for of in "0 gres/gpu%40a100" "1 gres/gpu%40h100" "1 gres/gpu" "3 cpu" "3 cpu%40any"; do
		page "history-evictions.json?$(three)&of=${of#* }&queue=plain" >answer &&
		python3 -c "import json; a = json.load(open(\"answer\")); assert len(a[\"costliest\"]) == ${of%% *} and \"clusterQueue\" not in a, a" || return 1
	done &&
	sql "DELETE FROM event_lost WHERE pair = (SELECT min(id) FROM pair WHERE flavor = \"h100\")"
'

test_expect_success WEB,PAST 'jobs that are private: single evictions are not told; nor if it is not known' '
	too_long=$(printf "%2000s" "" | tr " " x) &&
	for line in "ClusterName=x PrivateData=jobs" "PrivateData=all" "Include none.conf" "Include $PWD" "PrivateData=usage,$too_long" none folder; do
		rm -rf slurm.conf && case $line in
		none) [ ! -e slurm.conf ] ;;
		folder) mkdir slurm.conf ;;
		*) { cat public.conf && echo "$line"; } >slurm.conf ;;
		esac &&
		page "history-evictions?$(three)&of=cpu" >got && grep "They are not shown" got && ! grep Ended got &&
		page "history-evictions.json?$(three)" | grep "\"costliest\":null\|\"costliest\": null" &&
		[ "$(rows "history-evictions?$(three)" | grep -c "^plain\|^All\|^a\"b")" -ge 2 ] || { echo "$line"; return 1; }
	done &&
	rm -rf slurm.conf && cp public.conf slurm.conf && page "history-evictions?$(three)&of=cpu" | grep Ended
'

# One eviction ended half an hour before the begin of this hour.
test_expect_success WEB,PAST 'jobs that are private: evictions are those of whole days, which the page says' '
	minute="from=$(at $((now - 1800)))&to=$(at $((now - 1740)))" &&
	check() {
		page "history-evictions.json?$minute" >answer && python3 - "$1" <<-\EOF
		import json, sys
		a, is_private = json.load(open("answer")), sys.argv[1] == "private"
		length = a["end"] - a["start"]
		assert a["wholeDays"] is is_private and length == (86400 if is_private else 60), a
		assert any("whole days" in note for note in a["notes"]) is is_private, a["notes"]
		assert is_private or sum(row["evicted"] for row in a["rows"]) == 1, a["rows"]
		assert not is_private or a["evictionsFrom"] is None
		EOF
	} &&
	check public && { cat public.conf && echo "PrivateData=jobs"; } >slurm.conf && check private &&
	page "history-evictions?$minute" | grep "class=\"note\">Jobs are private" &&
	for range in hour day week month; do
		page "history-evictions.json?range=$range" | python3 -c "import json, sys; a = json.load(sys.stdin); assert a[\"start\"] % 86400 == a[\"end\"] % 86400 == 0" || return 1
	done &&
	cp public.conf slurm.conf && check public
'

test_expect_success WEB,PAST 'jobs that are private: use by minute and hour has no evictions and no delays; by day it has' '
	check() {
		page "history.json?$1" >answer && python3 - "$2" <<-\EOF
		import json, sys
		a, told = json.load(open("answer")), sys.argv[1] == "told"
		rows, steps = a["rows"] + a["totals"], a["steps"]
		assert rows and any(r["ownHours"] for r in rows) and any(steps["own"]), a
		for key in ("evicted", "caused", "lostHours"):
		    assert all((key in row) is told for row in rows), (key, rows)
		assert sum(row.get("evicted", 0) for row in rows) > 0 or not told, rows
		assert any("delayMedianSeconds" in row for row in rows) is told, rows
		for key in ("evicted", "delayMedianSeconds", "delay95Seconds"):
		    assert any(v is not None for v in steps[key]) is told and len(steps[key]) == len(steps["own"]), (key, steps)
		EOF
	} &&
	check "$(three)&of=cpu" told && { cat public.conf && echo "PrivateData=jobs"; } >slurm.conf && check "$(three)&of=cpu" hidden &&
	check "range=week&of=cpu" hidden && check "range=month&of=cpu" told && page "history?$(three)&of=cpu" >html &&
	grep "class=\"note\">Jobs are private.*by whole days" html && grep "data-label=\"Evicted\">-<" html && ! grep "data-label=\"Evicted\">[0-9]" html &&
	long="range=span&from=$(at $((now - 40 * 86400 + 7000)))&to=$(at $((now - 100)))&of=cpu" && check "$long" told &&
	python3 -c "import json; a = json.load(open(\"answer\")); assert a[\"start\"] % 86400 == a[\"end\"] % 86400 == 0, a" &&
	cp public.conf slurm.conf && check "$(three)&of=cpu" told
'

# slow: pages of the past that nobody can wait for; until sql "$quick"
endless="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i % 3 AS level, i AS slot, 0 AS pair, 0 AS nominal, 0 AS own, 0 AS borrowed, 0 AS lent, 0 AS shared, 0 AS idle, 0 AS lost FROM n"
slow() { sql "ALTER TABLE usage RENAME TO kept" && sql "CREATE VIEW usage AS $endless"; }
quick() { sql "DROP VIEW usage" && sql "ALTER TABLE kept RENAME TO usage"; }

test_expect_success WEB,PAST 'a slow request holds up no other page and ends; no more run at once than may' '
	slow && pids= && rm -f slow.* &&
	for i in 1 2 3 4 5; do
		{ page history >slow.$i & pids="$pids $!"; }
	done &&
	wait_for 60 "pgrep -P $web_pid" && [ "$(code "")" = 200 ] && [ "$(code queue/x)" = 200 ] && wait $pids && quick &&
	[ "$(grep -l "This takes too long: a shorter time would do" slow.? | wc -l)" = 4 ] && [ "$(grep -l "Too many ask" slow.? | wc -l)" = 1 ] &&
	[ "$(code history)" = 200 ]
'

test_expect_success WEB,PAST 'a child that is killed costs one page; a server that is killed takes its children with it' '
	slow && { code history >killed & asks=$!; } && wait_for 60 "pgrep -f -P $web_pid @past" && kill -KILL $(pgrep -f -P $web_pid @past) &&
	wait $asks && grep -x 503 killed && { code history >killed & asks=$!; } && wait_for 60 "pgrep -f -P $web_pid @past" &&
	child=$(pgrep -f -P $web_pid @past) && kill -KILL $web_pid && wait_for 30 "! kill -0 $child" && { wait $asks; quick; } &&
	web_start --db "$db" && [ "$(code history)" = 200 ]
'

test_expect_success WEB,PAST 'a server whose starter ignores the ends of children makes pages of the past all the same' '
	perl -e "\$SIG{CHLD} = q(IGNORE); exec @ARGV" setpriv --pdeathsig KILL scohort web --listen 127.0.0.1:0 --db "$db" >other.address 2>other.err &
	other=$! && wait_for 30 "[ -s other.address ]" && curl -sS -m 60 -o /dev/null -w "%{http_code}" "$(cat other.address)history" >got &&
	kill -TERM $other && wait $other && grep -x 200 got
'

test_expect_success WEB,PAST 'names are text: no script but ours, no attribute that a browser runs' '
	for path in history "history?queue=%3Cscript%3Ealert%281%29%3C%2Fscript%3E" "history?queue=a%22b%27c%26d&of=cpu" history-evictions; do
		[ "$(code "$path")" = 200 ] && page "$path" >html &&
		python3 "$web_lib/page.py" --scripts <html >scripts && printf "live.js\nuplot.js\ncharts.js\n" | test_cmp - scripts || return 1
	done &&
	rows "history" | grep "^x\{63\}|" && page "history?queue=%3Cscript%3Ealert%281%29%3C%2Fscript%3E" >html &&
	grep "<h2>gres/gpu: &lt;script&gt;alert(1)&lt;/script&gt;</h2>" html && ! grep "<script>alert" html &&
	curl -sS -m 60 -I "${web}history" >head && grep -i "^Content-Security-Policy: default-src .none.;" head && ! grep -i unsafe head
'

test_expect_success WEB,PAST 'wrong requests: said, and nothing of them comes back' '
	for path in "400 range=nothing-like-this" "400 from=nothing-like-this" "400 from=today&to=nothing-like-this" \
			"400 range=span&from=1900-01-01" "400 from=now-99999999999999999999" \
			"400 from=now-10000000weeks" "400 from=today&to=now%2B10000000weeks" "400 range=span&from=now&to=yesterday" "404 queue=nothing-like-this" \
			"404 of=nothing-like-this" "404 of=gres/gpu%40nothing-like-this" "404 of=%40" "200 nothing-like-this=1" "200 range=&from=&to=&queue=&of="; do
		for page in history history.json history-evictions; do
			if [ "${path%% *} ${page#history}" = "404 -evictions" ] && [ "${path#*queue}" != "$path" ]; then continue; fi
			[ "$(code "$page?${path#* }")" = "${path%% *}" ] && page "$page?${path#* }" >got && ! grep nothing-like-this got ||
				{ echo "$page $path"; code "$page?${path#* }"; return 1; }
		done
	done &&
	warnings "history?range=decade" | grep "^The time is none of" && warnings "history?queue=nobody" | grep "no such cluster queue"
'

test_expect_success WEB,PAST 'a page that has not changed is not sent again; a new reading is' '
	tag() { curl -sS -m 60 -I "${web}history" | tr -d "\r" | sed -n "s/^ETag: //ip"; } &&
	wait_for 60 "t=\$(tag) && [ \"\$(code history -H \"If-None-Match: \$t\")\" = 304 ]" && t=$(tag) &&
	python3 -c "import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute(\"UPDATE reading SET seen = seen + 1\"); b.commit()" "$db" &&
	[ "$(code history -H "If-None-Match: $t")" = 200 ]
'

test_expect_success WEB,PAST 'a database that is written, locked, missing, of another version, or none: the page says so, and recovers' '
	cat >hold.py <<-\EOF &&
	import sqlite3, sys
	base = sqlite3.connect(sys.argv[1], isolation_level=None)
	if sys.argv[2] == "lock":
	    base.execute("PRAGMA locking_mode = EXCLUSIVE")
	base.execute("BEGIN IMMEDIATE")
	base.execute("UPDATE reading SET seen = seen + 1")
	print("held", flush=True)
	sys.stdin.read()
	EOF
	hold() { rm -f held fifo && mkfifo fifo && { python3 hold.py "$db" "$1" <fifo >held & holder=$!; } && exec 9>fifo && wait_for 60 "grep held held"; } &&
	release() { exec 9>&- && wait $holder; } &&
	hold write && [ "$(code history)" = 200 ] && release && cp "$db" copy.db &&
	hold lock && [ "$(code history)" = 503 ] && warnings history | grep "locked" && [ "$(code "")" = 200 ] && release &&
	[ "$(code history)" = 200 ] && sql "ALTER TABLE event_lost RENAME TO hidden" && [ "$(code history-evictions.json)" = 503 ] &&
	page history-evictions.json >answer && sql "ALTER TABLE hidden RENAME TO event_lost" && ! grep -F "$PWD" answer &&
	python3 -c "import json; a = json.load(open(\"answer\")); assert \"no such table\" in a[\"error\"] and not {\"rows\", \"totals\", \"start\"} & set(a), a" &&
	rm -f "$db"-* && mv "$db" away.db && [ "$(code history)" = 503 ] && warnings history | grep "unable to open" && ! page history | grep -F "$PWD" &&
	[ "$(code history-evictions.json)" = 503 ] && echo "no database at all, but longer than a header of one is" >"$db" && [ "$(code history)" = 503 ] &&
	warnings history | grep "not a database" && cp copy.db "$db" &&
	python3 -c "import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute(\"PRAGMA user_version = 99\"); b.commit()" "$db" &&
	[ "$(code history)" = 503 ] && warnings history | grep "is of version 99" && ! page history | grep -F "$PWD" && rm -f "$db"* && mv away.db "$db" &&
	[ "$(code history)" = 200 ] && [ "$(code "")" = 200 ] && ! grep -F h.db web.err && web_stop
'

test_expect_success WEB,PAST 'times are of the zone of the database; other pages keep theirs' '
	sql "UPDATE reading SET zone = \"ABC-5:30\"" && sql "DELETE FROM usage WHERE level = 2" && sql "DELETE FROM tally WHERE level = 2" &&
	from=$(TZ=ABC-5:30 date -d "@$((now - 3600))" +%Y-%m-%dT%H:%M) && to=$(TZ=ABC-5:30 date -d "@$now" +%Y-%m-%dT%H:%M) &&
	web_start --db "$db" && [ "$(code "history?from=$from&to=$to")" = 200 ] && page "history?from=$from&to=$to" >html &&
	grep "From <time>$from:00</time> to <time>$to:00</time>, time zone ABC-5:30" html &&
	page "history.json?from=$from&to=$to" | python3 -c "import json, sys; a = json.load(sys.stdin); assert (a[\"start\"], a[\"end\"]) == ($now - 3600, $now), a" &&
	page "" | grep "<time>2026-01-01T00:00:00</time>" &&
	page "history?range=hour" >got && page "" | grep "<time>2026-01-01T00:00:00</time>" && web_stop
'

test_done
