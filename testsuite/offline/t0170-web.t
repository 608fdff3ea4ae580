#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort web: pages of a document, hostile names, hostile clients'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/web.sh"
web_lib=$TESTSUITE/web

# No slurmctld here: the pages say so, and are the same else
printf 'ClusterName=none\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=9\nAuthType=auth/none\n' >slurm.conf
export SLURM_CONF=$PWD/slurm.conf SCOHORT_PUBLISH=$PWD/published SCOHORT_TIMEOUT=5 TZ=UTC

# publish QUEUES: another document, as slurmctld puts it there; its rows, sorted
publish() { python3 "$web_lib/document.py" "$1" published | sort >rows.expected && mv published.new published; }
# The rows of queues on the first page, sorted
queue_rows() { rows '' | grep -v -e '^Name' -e '^org' -e '^site'; }

test_expect_success WEB 'a thousand queues: each row has the numbers of its queue' '
	publish 1000 && web_start && queue_rows | sort >rows.shown && test_cmp rows.expected rows.shown &&
	[ "$(rows "" | grep -c "^org")" = 50 ] &&
	[ "$(rows all | wc -l)" = "$(rows "" | wc -l)" ]
'

test_expect_success WEB 'the first page: what is free of each flavor, who lends to whom, quotas for a time, bars of one scale' '
	cp published kept && python3 - <<-\EOF &&
	import json
	d = json.load(open("published"))
	def queue(name, cohort, *quotas):
	    keys = ("flavor", "resource", "nominal", "used", "borrowed", "lent")
	    return {"name": name, "cohort": cohort, "quota": [dict(zip(keys, q), free=0, potential=40) for q in quotas]}
	d["cohorts"] = [{"name": "lab", "parent": None, "quota": []}]
	d["clusterQueues"] = [queue("<b>", "lab", ("h100", "gres/gpu", 0, 2, 2, 0), ("any", "cpu", 64, 64, 0, 0), ("a100", "gres/gpu", 16, 4, 0, 6)),
	                      queue("b", "lab", ("a100", "gres/gpu", 8, 14, 6, 0), ("h100", "gres/gpu", 4, 0, 0, 2))]
	d["clusterQueues"][1]["quota"][1]["temporary"] = {"inForce": True, "nominal": 4, "otherwise": 2, "begin": 1, "end": 1795350000}
	json.dump(d, open("next", "w"))
	EOF
	mv next published && wait_for 30 "page \"\" | grep h100" && page "" >html && rows "" | grep -v ^Name >shown && cat >expected <<-\EOF && test_cmp expected shown &&
	<b>||a100|gres/gpu|16|4|0|6|0|-|0|0
	<b>||h100|gres/gpu|0|2|2|0|0|-||
	b||a100|gres/gpu|8|14|6|0|0|-|0|0
	b||h100|gres/gpu|4|0|0|2|0|-||
	EOF
	[ "$(rows all | wc -l)" = 6 ] && grep -F "<span class=\"free\">6</span> of 24 <b>a100</b>" html && grep -F "<span class=\"free\">2</span> of 4 <b>h100</b>" html &&
	[ "$(sed "s/<[^>]*>//g" html | grep -c -x -e "a100 &lt;b&gt; lends 6 .* b borrows 6" -e "h100 b lends 2 .* &lt;b&gt; borrows 2" \
		-e "b has 4 gres/gpu of flavor h100 until 2026-11-22T12:20:00, then 2.")" = 3 ] &&
	grep -c -e "own\" x=\"0.0\" width=\"250.0\"" -e "borrowed\" x=\"0.0\" width=\"125.0\"" html | grep -x 2 && mv kept published &&
	wait_for 30 "page \"\" | grep team-0012"
'

test_expect_success WEB 'names are text: no script but ours, no attribute that a browser runs' '
	for path in "" all evictions queue/%3Cscript%3Ealert%281%29%3C%2Fscript%3E \
			queue/%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E queue/a%22b%27c%26d; do
		[ "$(code "$path")" = 200 ] && page "$path" >html &&
		[ "$(python3 "$web_lib/page.py" --scripts <html | sed "s,^\.\./,,")" = live.js ] || { echo "$path"; return 1; }
		grep -P "[\x00-\x08\x0e-\x1f]" html && return 1
	done
	:
'

test_expect_success WEB 'each queue has a page, whatever its name; the address in the tree leads there' '
	page "" | grep -o "href=\"queue/[^\"]*" | cut -d "\"" -f 2 | head -n 60 >addresses &&
	[ "$(wc -l <addresses)" = 60 ] && ! grep -v "^queue/[A-Za-z0-9._~%-]*$" addresses &&
	while read -r address; do
		[ "$(code "$address")" = 200 ] || { echo "$address"; return 1; }
	done <addresses &&
	page queue/team-0012 | grep "<h1>Cluster queue team-0012</h1>" &&
	page queue/team-0012 | grep -A1 "Delay before its jobs reclaim" | grep 10:00 &&
	rows queue/team-0012 >facts && grep "^|a100|gres/gpu|8|" facts && grep "^1|1-3,7$" facts && grep "^2|4-6$" facts
'

test_expect_success WEB 'the line of a queue: what each place waits for, in words' '
	rows queue/team-0012 | sed "1,/^Position|/d; /^Account|/,\$d" >shown && cat >expected <<-\EOF && test_cmp expected shown &&
	1|It waits for quota: it needs 8 gres/gpu of flavor a100, and team-0012 can get 2 now.
	3-4|It waits for quota: it needs mem of flavor a100, and team-0012 can get 2G now.
	5|1 job in the quota that it waits for is being evicted. It starts, at the latest, when their nodes are free.
	7-8|Jobs that it could evict for quota are protected by a minimum run time or a turn. The first protection ends at 2026-11-22T12:20:00. Whether their quota is enough shows then.
	9|Jobs that it could evict for quota have reached maxPreemptions. They hold it until they end.
	11-12|Jobs that it could evict for quota can'\''t be preempted. They hold it until they end.
	13|Other jobs come first: jobs before it in its queue, or a job in another cluster queue of the cohort that waits for the same quota.
	15-16|The cluster queue is stopped: no job starts in it until an administrator resumes it.
	17|Quota is available, but no suitable nodes are free.
	19-20|It can never start as submitted: it needs 90 cpu of flavor a100, and can never get more than 8 in team-0012. Request less, or use another cluster queue.
	21|It can never start as submitted (never(nodes)): no flavor of team-0012 has nodes that fit its request.
	23-24|Once it runs it can'\''t be preempted. Such jobs of team-0012 are limited by nominal quota: of flavor a100 it needs 3 cpu, the limit for all of them together is 8, and they use 7. It can'\''t start in that flavor before enough of them have ended.
	25|It was evicted before, so it waits for free quota: it evicts other jobs only for the nominal quota of team-0012, and needs more than that.
	27-28|The scheduler has not decided about it yet.
	29|It waits for <b>\x1b[31m.
	0|
	33|It could evict jobs of other cluster queues for quota, but the reclaimDelay of team-0012 gives them time to end. No job is evicted for it before 2026-11-22T12:20:00.
	EOF
	page queue/team-0012 | grep "Behind them 41 more wait" && ! page queue/team-0013 | grep -e Position\< -e Behind
'

test_expect_success WEB 'evictions by rule' '
	rows evictions >table && grep "^team-0010|1|1|1|1|1|5$" table && grep "^team-0011|2|2|2|2|2|10$" table &&
	[ "$(grep -c "^team-0010|" table)" = 2 ] && page evictions | grep "Counted since"
'

test_expect_success WEB 'only GET and HEAD; a policy that lets nothing else in' '
	for method in POST PUT DELETE OPTIONS TRACE; do
		[ "$(code "" -X $method)" = 405 ] || { echo $method; return 1; }
	done &&
	head -c 300000 /dev/zero >body &&
	[ "$(code "" --data-binary @body)" = 405 ] && [ "$(code "" -X PUT --data-binary @body -H "Expect:")" = 405 ] &&
	[ "$(code "" -X GET -d word)" = 200 ] &&
	curl -sS -m 60 -I "$web" >head && grep -i "^HTTP/1.1 200" head &&
	grep -i "^Content-Security-Policy: default-src .none.;" head && ! grep -i unsafe head &&
	grep -i "^X-Content-Type-Options: nosniff" head && ! grep "<" head
'

test_expect_success WEB 'nothing of a request comes back' '
	for path in nothing-like-this queue/nothing-like-this "?nothing-like-this" queue/../nothing-like-this; do
		curl -sS -m 60 --path-as-is -i -H "X-Word: nothing-like-this" -A nothing-like-this "$web$path" >got
		! grep nothing-like-this got || { echo "$path"; return 1; }
	done &&
	[ "$(code nothing-like-this)" = 404 ] && [ "$(code queue/nothing-like-this)" = 404 ] &&
	[ "$(code etc/passwd)" = 404 ] && [ "$(code ../../../etc/passwd)" = 404 ]
'

test_expect_success WEB 'a name of another site that leads here is refused, one that was allowed is not' '
	[ "$(code "" -H "Host: other.example")" = 421 ] && [ "$(code "" -H "Host: localhost:8090")" = 200 ] &&
	[ "$(code "" -H "Host: [::1]:8090")" = 200 ] && [ "$(code "" -H "Host: 127.0.0.1.other.example")" = 421 ] &&
	web_stop && web_start --name quota.example --name other.example &&
	[ "$(code "" -H "Host: other.example")" = 200 ] && [ "$(code "" -H "Host: Quota.Example:443")" = 200 ] &&
	[ "$(code "" -H "Host: third.example")" = 421 ]
'

test_expect_success WEB 'a page that has not changed is not sent again; a new document is' '
	tag() { curl -sS -m 60 -I "$web" | tr -d "\r" | sed -n "s/^ETag: //ip"; } &&
	wait_for 60 "warnings \"\" | grep \"slurmctld has not answered since\"" && tag >old &&
	[ "$(code "" -H "If-None-Match: $(cat old)")" = 304 ] &&
	publish 30 && wait_for 30 "[ \"\$(code \"\" -H \"If-None-Match: \$(cat old)\")\" = 200 ]" &&
	queue_rows | sort >rows.shown && test_cmp rows.expected rows.shown
'

test_expect_success WEB 'no document, or one that is none: said, until there is one again' '
	mv published kept && wait_for 30 "[ \"\$(code \"\")\" = 503 ]" &&
	warnings "" | grep "published: No such file or directory" && [ "$(code status.json)" = 503 ] &&
	printf "{\"version\":1,\"cohorts\":[{\"na" >published && wait_for 30 "warnings queue/team-0012 | grep \"is not of version 1\"" &&
	mv kept published && wait_for 30 "[ \"\$(code \"\")\" = 200 ]" &&
	queue_rows | sort >rows.shown && test_cmp rows.expected rows.shown
'

test_expect_success WEB 'clients that say nothing, or too much, hinder nobody' '
	python3 - "$web" <<-\EOF &&
	import socket, sys, urllib.parse
	url = urllib.parse.urlparse(sys.argv[1])
	silent = [socket.create_connection((url.hostname, url.port), 60, ("127.0.0.2", 0)) for _ in range(30)]
	for s in silent[:15]:
	    s.sendall(b"GET / HT")
	big = socket.create_connection((url.hostname, url.port), 60)
	try:
	    big.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100000 + b"\r\n\r\n")
	    got = big.recv(100)
	except OSError:
	    got = b""
	assert not got or got.split()[1][:1] == b"4", got
	odd = socket.create_connection((url.hostname, url.port), 60)
	odd.sendall(b"GET /queue/%00%ff%2e HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	assert b" 404 " in odd.makefile("rb").readline()
	import urllib.request
	assert urllib.request.urlopen(sys.argv[1], timeout=60).status == 200
	EOF
	[ "$(code "")" = 200 ] && web_stop && ! grep -i -e error -e assert web.err | grep -v "^scohort: error:"
'

test_expect_success WEB 'as many silent clients as there may be: others get in when those have been silent for too long' '
	web_start && python3 - "$web" <<-\EOF &&
	import socket, sys, time, urllib.parse, urllib.request
	url = urllib.parse.urlparse(sys.argv[1])
	silent = [socket.create_connection((url.hostname, url.port)) for _ in range(64)]
	for limit in range(600):
	    try:
	        assert urllib.request.urlopen(sys.argv[1], timeout=60).status == 200
	        break
	    except OSError:
	        time.sleep(0.1)
	else:
	    sys.exit("nobody else got in")
	EOF
	web_stop
'

# trickle FROM: as many clients as there may be, each of which sends a byte twice a second;
# who else asks, from 127.0.0.1, gets an answer within a minute: how many tries that took
trickle() {
	python3 - "$web" "$1" <<-\EOF
	import socket, sys, time, urllib.parse, urllib.request
	url = urllib.parse.urlparse(sys.argv[1])
	slow = [socket.create_connection((url.hostname, url.port), 60, (sys.argv[2], 0)) for _ in range(64)]
	begin = b"GET / HTTP/1.1\r\nX: "
	for tries in range(1, 120):
	    for s in slow:
	        try:
	            s.sendall(begin)
	        except OSError:
	            pass
	    begin = b"x"
	    try:
	        assert urllib.request.urlopen(sys.argv[1], timeout=60).status == 200
	        print(tries)
	        break
	    except OSError:
	        time.sleep(0.5)
	else:
	    sys.exit("nobody else got in")
	EOF
}

test_expect_success WEB 'clients that send a byte now and then have a deadline' '
	web_start && trickle 127.0.0.1 && web_stop
'

test_expect_success WEB 'one address has only a share of the connections' '
	web_start && [ "$(trickle 127.0.0.2)" = 1 ] && web_stop
'

test_expect_success WEB 'wrong addresses, and one that is taken' '
	web_start && taken=${web#http://} && taken=${taken%/} &&
	test_expect_code 1 scohort web --listen "$taken" 2>err && grep "$taken: Address already in use" err &&
	web_stop &&
	for wrong in 8090 localhost:80 127.0.0.1 127.0.0.1: 127.0.0.1:65536 "[::1:80" 1.2.3:80 :80 ""; do
		test_expect_code 2 scohort web --listen "$wrong" 2>err &&
		grep -F -- "--listen: \"$wrong\" is not ADDRESS:PORT, such as 127.0.0.1:8090 or [::1]:8090" err ||
			{ echo "$wrong"; return 1; }
	done
'

test_done
