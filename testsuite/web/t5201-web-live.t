#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort web on a cluster: the same as status, live in a browser, warnings'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/web.sh"
. "$TESTSUITE/lib/browser.sh"
export TOP
web_lib=$TESTSUITE/web
past=
! test_have_prereq PAST || past="--db history.db"

{
	quota_head
	cohorts lab
	echo 'clusterQueues:'
	queue vision 4 cohort=lab borrow=6
	queue audio 8 cohort=lab reclaim=Any
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# The rows that the pages have to show, by scohort status --json
expected_rows() {
	scohort status --json | python3 -c '
import json, sys
for q in json.load(sys.stdin)["clusterQueues"]:
    for p in q["quota"]:
        print("|".join(map(str, [q["name"], "", p["flavor"], p["resource"], p["nominal"], p["used"], p["borrowed"],
                                 p["lent"], p["free"], p["reclaimable"], q["running"], q["waiting"]])))'
}
# The page and status say the same now
agrees() { expected_rows >expected && rows '' | grep -e '^vision|' -e '^audio|' >shown && cmp -s expected shown; }
# The page in the browser, which nobody loads again
shows() { browser rows | grep -F -x -- "$1"; }

test_expect_success WEB 'what the page shows is what status says: idle, borrowing, after reclaim' '
	web_start $past && wait_for 30 agrees && [ -z "$(warnings "")" ] &&
	borrower=$(submit -A vision -n5) && all_run $borrower && more=$(submit -A vision -n4) && all_run $more &&
	wait_for 30 "agrees && grep \"^vision||any|cpu|4|9|5|0|\" shown" &&
	grep "^audio||any|cpu|8|0|0|5|3|5|" shown &&
	owner=$(submit -A audio -n8) && all_run $owner &&
	wait_for 30 "agrees && grep \"^audio||any|cpu|8|8|0|0|\" shown" &&
	wait_for 30 "rows evictions | grep \"^vision|.*|1\$\"" &&
	page status.json | json "queue(\"audio\")[\"quota\"][0][\"used\"]" | grep "^8$" &&
	cluster_clear
'

test_expect_success WEB,BROWSER 'a borrow and a reclaim arrive in the browser, without a reload' '
	cluster_clear && browser_start && browser open "$web" && browser eval "window.kept = 1; return 1" &&
	wait_for 60 "shows \"audio||any|cpu|8|0|0|0|12|0|0|0\"" &&
	borrower=$(submit -A vision -n5) && more=$(submit -A vision -n4) && all_run $borrower $more &&
	wait_for 60 "browser rows | grep \"^vision||any|cpu|4|9|5|0|\"" &&
	owner=$(submit -A audio -n8) && all_run $owner &&
	wait_for 60 "browser rows | grep \"^audio||any|cpu|8|8|0|0|\"" &&
	[ "$(browser eval "return window.kept")" = 1 ] && wait_for 60 "browser eval \"return document.getElementById(\\\"live\\\").textContent\" | grep -x live"
'

# The line of a queue, as its page has to show it, by scohort status --json
expected_line() {
	scohort status --json | python3 -c '
import json, sys
queue, = [q for q in json.load(sys.stdin)["clusterQueues"] if q["name"] == sys.argv[1]]
for run in queue["line"]:
    place = "-".join(map(str, sorted({run["first"], run["last"]})))
    quota = "It waits for quota: it needs {need} {resource} of flavor any, and vision can get {free} now."
    order = "Other jobs come first: jobs before it in its queue, or a job in another cluster queue of the cohort that waits for the same quota."
    words = {"quota": quota, "order": order, "nodes": "Quota is available, but no suitable nodes are free."}
    print(place + "|" + words[run["wait"]].format(**run))' "$1"
}
line_of() { sed '1,/^Position|/d; /^Account|/,$d'; }
# The page with and without a script, and status say the same now
line_agrees() {
	expected_line vision >expected && browser rows | line_of >seen && rows queue/vision | line_of >shown &&
		test_cmp expected seen && test_cmp expected shown
}

test_expect_success WEB,BROWSER 'the page of a queue: what each place in line waits for, without names' '
	wide=$(submit -A vision -n9 --job-name=wide-job) && next_second && narrow=$(submit -A vision -n3 --job-name=narrow-job) &&
	again=$(submit -A vision -n3 --job-name=narrow-job) && browser size 1600 900 && browser open "${web}queue/vision" &&
	wait_for 60 "line_agrees && grep -x \"[1-9]|It waits for quota: it needs 9 cpu of flavor any, and vision can get [0-9]* now.\" shown && grep -x \"[1-9-]*|It waits for quota: it needs 3 cpu of flavor any, and vision can get [0-9]* now.\" shown" &&
	more=$(submit -A vision -n1 --array=1-200) && wait_for 60 "line_agrees && page queue/vision | grep \"Behind them 10[1-9] more wait\"" &&
	! scohort status --json | grep -e narrow-job -e wide-job -e "\"$wide\"" && ! page queue/vision | grep -e narrow-job -e wide-job &&
	scancel $wide $narrow $again $more && wait_for 60 line_agrees && browser open "$web"
'

# Of another one's job that is private nobody learns what it needs.
test_expect_success WEB,BROWSER 'jobs that are private: what a place needs is not told' '
	echo PrivateData=jobs >>"$CLUSTER/etc/slurm.conf" && cluster_reconfigure &&
	wide=$(submit -A vision -n9) && wait_for 60 "rows queue/vision | grep -x \"[1-9-]*|It waits for quota: it needs cpu of flavor any, and vision can get [0-9]* now.\"" &&
	scohort status --json | python3 -c "import json, sys; assert not any(\"need\" in r for q in json.load(sys.stdin)[\"clusterQueues\"] for r in q[\"line\"])" &&
	sed -i /^PrivateData/d "$CLUSTER/etc/slurm.conf" && cluster_reconfigure && scancel $wide &&
	wait_for 60 "! rows queue/vision | grep \"it needs cpu\""
'

test_expect_success WEB,BROWSER 'bars are as wide as the numbers say' '
	width() { browser eval "return [...[...document.querySelectorAll(\"[data-queue=audio] rect\")].map(r => r.getAttribute(\"class\") + r.getAttribute(\"width\"))].join()"; } &&
	[ "$(width)" = own1000.0 ] && scancel $owner &&
	wait_for 60 "width | grep -x unused1000.0 || width | grep -x \"lent[0-9.]*,unused[0-9.]*\""
'

test_expect_success WEB,BROWSER 'what the reader folded, searched and reached by keyboard stays' '
	browser open "$web" && browser eval "document.querySelector(\".skip\").focus(); return 1" &&
	browser eval "document.querySelector(\"details summary\").focus(); return 1" && browser key Enter &&
	[ "$(browser eval "return document.querySelector(\"details\").open")" = false ] &&
	job=$(submit -A audio -n1) && all_run $job &&
	wait_for 60 "browser eval \"return [...document.querySelectorAll(\\\"[data-queue=audio] td\\\")].map(c => c.textContent).join()\" | grep \",8,1,\"" &&
	[ "$(browser eval "return document.querySelector(\"details\").open")" = false ] &&
	[ "$(browser eval "return document.activeElement.tagName")" = SUMMARY ] &&
	browser key Enter && browser eval "document.querySelector(\"input[type=search]\").focus(); return 1" && browser key AUD &&
	shown=$(browser rows) && grep "^audio|" <<<"$shown" && ! grep "^vision|" <<<"$shown" &&
	scancel $job && wait_for 60 "shows \"audio||any|cpu|8|0|0|0|12|0|0|0\" || browser rows | grep \"^audio||any|cpu|8|0|\"" &&
	! browser rows | grep "^vision|"
'

test_expect_success WEB,BROWSER 'narrow and wide: nothing sticks out; nothing was blocked' '
	for width in 400 1600; do
		browser size $width 900 &&
		[ "$(browser eval "return document.documentElement.scrollWidth <= window.innerWidth")" = true ] || { echo $width; return 1; }
	done &&
	browser log >console && ! grep . console
'

# A reading of now, and the sums of this page that has not been loaded again
recorded() { scohort record --db history.db --no-events && browser rows | grep "^vision|.*|"; }
# sum QUEUE COLUMN: hours, of the table of cluster queues
sum() { browser rows | sed -n "s/^$1|//p" | cut -d "|" -f "$2"; }
is_more() { python3 -c "import sys; sys.exit(not float(sys.argv[1]) > float(sys.argv[2]))" "$1" "$2"; }
# drawn PATTERN: three plots, drawn so often since the page was loaded
drawn() { browser eval "return document.querySelectorAll(\".plot canvas\").length + \" \" + document.getElementById(\"plots\")?.dataset.drawn" | grep -x "3 $1"; }
# went ADDRESS: another page of the past is whole and has plots
went() { browser eval "return document.readyState + location.search" | grep "^complete.*$1" && drawn "[1-9][0-9]*"; }
# fits WIDTH: the window has that width, or the least that it can have; plots follow, nothing sticks out
fits() { browser eval "const main = document.getElementById(\"plots\").clientWidth, plots = [...document.querySelectorAll(\".uplot\")].map(p => p.clientWidth);
	return window.innerWidth + \" \" + (document.documentElement.scrollWidth <= window.innerWidth && plots.length === 3 && plots.every(p => p === main))" |
	awk -v want="$1" '($1 == want || (want < 600 && $1 < 600)) && $2 == "true" { ok = 1 } END { exit !ok }'; }
chosen() { browser eval "return [...document.querySelectorAll(\"select[name=$1] option\")].map(o => (o.selected ? \"*\" : \"\") + o.value).join()"; }

# another_hour: of one CPU, which a reading would see after five CPUs have run for twelve minutes
another_hour() {
	python3 -c "import sqlite3; b = sqlite3.connect(\"history.db\", 60); b.execute(\"UPDATE usage SET own = own + 3600\"); b.commit()"
}

test_expect_success WEB,BROWSER,PAST 'history: no database yet is said; plots and sums arrive, and go on without a reload' '
	cluster_clear && browser open "${web}history" && browser rows >none && ! grep "^vision" none && warnings history | grep "unable to open" &&
	browser eval "window.kept = 1; return 1" && job=$(submit -A vision -n5) && all_run $job &&
	wait_for 60 recorded && wait_for 60 "drawn \"[1-9][0-9]*\"" && first=$(sum vision 2) && [ "$first" ] &&
	another_hour && wait_for 60 "recorded && is_more \"\$(sum vision 2)\" \"$first\"" && [ "$(browser eval "return window.kept")" = 1 ] &&
	wait_for 60 "drawn \"[2-9]\" || drawn \"[1-9][0-9][0-9]*\"" && scancel $job
'

test_expect_success WEB,BROWSER,PAST 'history: a form that was there before the first reading has queues to choose; the reader'\''s choice stays' '
	wait_for 60 "chosen queue | grep -x \"\\*,audio,vision\"" && chosen of | grep "^\\*cpu," && chosen range | grep -F "*day" &&
	browser eval "document.querySelector(\"select[name=range]\").value = \"hour\"; window.old = document.getElementById(\"main\"); return 1" &&
	wait_for 60 "scohort record --db history.db --no-events; browser eval \"return window.old === document.getElementById(\\\"main\\\")\" | grep false" &&
	chosen range | grep -F "*hour"
'

test_expect_success WEB,BROWSER,PAST 'history by keyboard, while numbers arrive; narrow and wide; nothing was blocked' '
	browser eval "document.querySelector(\"select[name=queue]\").focus(); return 1" && browser key vision &&
	browser eval "document.querySelector(\"form button\").focus(); return 1" && browser key Enter &&
	wait_for 60 "went \"range=hour.*queue=vision\"" && browser eval "return document.querySelector(\"h2\").textContent" | grep "cpu: vision" &&
	browser eval "document.querySelector(\"nav.choices a:last-child\").focus(); window.old = document.getElementById(\"main\"); return 1" &&
	wait_for 60 "scohort record --db history.db --no-events; browser eval \"return window.old === document.getElementById(\\\"main\\\")\" | grep false" &&
	browser eval "return document.activeElement.textContent" | grep -x Month && browser key Enter &&
	wait_for 60 "went \"range=month.*queue=vision\"" &&
	browser eval "document.querySelector(\"details summary\").focus(); return 1" && browser key Enter &&
	wait_for 60 "browser eval \"return document.querySelector(\\\"details\\\").open\" | grep -x true" &&
	for width in 400 1600; do
		browser size $width 900 && wait_for 60 "fits $width" || { browser eval "return window.innerWidth"; return 1; }
	done &&
	browser log | grep -v "history.* 503 " >console; ! grep . console && browser open "$web"
'

test_expect_success WEB 'warnings: observe, a rejected cohort.yaml, a slurmctld that is down and back' '
	yaml=$CLUSTER/etc/cohort.yaml && cp "$yaml" good &&
	sed "s/withinClusterQueue: Never/withinClusterQueue: Sometimes/" good >"$yaml" && cluster_reconfigure &&
	wait_for 60 "warnings \"\" | grep \"^$yaml is not in force. slurmctld rejected it at .*Sometimes\"" &&
	{ echo "enforcement: observe"; cat good; } >"$yaml" && cluster_reconfigure &&
	wait_for 60 "[ \"\$(warnings \"\")\" = \"slurm-cohort only observes: nothing is enforced.\" ]" &&
	cluster_stop_ctld && wait_for 120 "warnings \"\" | grep \"^slurmctld has not answered since .* The numbers are those of\"" &&
	cluster_restart_ctld && wait_for 120 "! warnings \"\" | grep answered" && web_stop
'

test_expect_success WEB,BROWSER 'a server that went away is told in the page' '
	wait_for 60 "browser eval \"return document.getElementById(\\\"live\\\").textContent\" | grep \"does not answer\"" &&
	browser_stop
'

# A proxy in front answers for a server that is gone
test_expect_success WEB,BROWSER 'so is the error page of a proxy' '
	setpriv --pdeathsig KILL python3 - >proxy.port <<-\EOF &
	import http.server, os, sys
	class Proxy(http.server.BaseHTTPRequestHandler):
	    def do_GET(self):
	        gone = os.path.exists("gone") and self.path == "/"
	        text = b"<h1>502 Bad Gateway</h1>" if gone else b"<main id=main></main><p id=live></p><script src=live.js></script>"
	        if self.path == "/live.js":
	            text = open(os.environ["TOP"] + "/src/scohort/web/assets/live.js", "rb").read()
	        self.send_response(502 if gone else 200)
	        self.send_header("Content-Type", "text/javascript" if self.path == "/live.js" else "text/html")
	        self.end_headers()
	        self.wfile.write(text.replace(b"<main", b"<header></header><main"))
	    def log_message(self, *a): pass
	server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
	print(server.server_port, flush=True)
	server.serve_forever()
	EOF
	proxy=$! && wait_for 30 "[ -s proxy.port ]" && browser_start && browser open "http://127.0.0.1:$(cat proxy.port)/" &&
	says() { browser eval "return document.getElementById(\"live\").textContent" | grep -x "$1"; } &&
	wait_for 60 "says live" && touch gone && wait_for 60 "says \"The server does not answer: these numbers are old.\"" &&
	rm gone && wait_for 60 "says live" && browser_stop && kill $proxy
'

# Its driver is killed, as by a test that ends in the middle. What is sought is not on the command line of grep.
test_expect_success BROWSER 'what is left of a browser goes with the cluster' '
	left() { grep -lzFs -f - /proc/[0-9]*/cmdline <<<"--user-data-dir=$PWD/browser.session.profile" | grep .; } &&
	browser_start && left && kill -KILL $browser_pid && { wait $browser_pid; left; } && cluster_down && ! left
'

test_done
