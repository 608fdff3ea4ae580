#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='pages with charts (simulate --html) in a browser, by their pixels'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/browser.sh"

{
	echo 'flavors: [{name: any}]'
	echo 'cohorts: [{name: lab}]'
	echo 'clusterQueues:'
	for q in $(seq 12); do
		echo "- {name: q$q, cohort: lab, match: [{account: q$q}], preemption: {reclaimWithinCohort: Any}," \
			"resourceGroups: [{coveredResources: [cpu], flavors: [{name: any, nominalQuota: cpu=4}]}]}"
	done
} >c.yaml
{
	echo submit,duration,queue,request
	for q in $(seq 12); do echo "$((q * 10)),$((3000 + q)),q$q,cpu=3"; done
	echo 200,4000,q1,cpu=8
} >trace.csv

# painted X Y CANVAS: how many different colours a chart has, and how much of it is painted
painted() {
	browser eval "const c = document.querySelectorAll(\"canvas\")[$1], d = c.getContext(\"2d\").getImageData(0, 0, c.width, c.height).data;
		const seen = {}; for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 250) { const k = d[i] + \",\" + d[i + 1] + \",\" + d[i + 2]; seen[k] = (seen[k] ?? 0) + 1; }
		return Object.values(seen).filter(n => n > 200).length"
}
fits() {
	browser size "$1" 900 && wait_for 60 "browser eval \"const widths = [...document.querySelectorAll('.uplot')].map(p => p.clientWidth);
		return document.documentElement.scrollWidth <= window.innerWidth && widths.every(w => w > 200 && w <= window.innerWidth)\" | grep -x true"
}

test_expect_success BROWSER 'use over time: each queue has its colour or stripes; narrow and wide; nothing fails' '
	"$BUILD/scohort" simulate -c c.yaml --native caps --html over.html trace.csv >out && browser_start &&
	browser open "file://$PWD/over.html" && [ "$(browser eval "return document.getElementById(\"charts\").dataset.drawn")" = 8 ] &&
	[ "$(painted 0)" -ge 11 ] && fits 1280 && fits 390 && browser log >console && ! grep . console
'

# seen CHART: what it looks like; place PART: X and Y of that part of the width of the first chart
seen() { browser eval "return document.querySelectorAll(\"canvas\")[$1].toDataURL()" | sha256sum; }
place() { browser eval "const b = document.querySelector(\".u-over\").getBoundingClientRect(); return (b.left + $1 * b.width) + \" \" + (b.top + 50)"; }

test_expect_success BROWSER 'a mark with the mouse zooms all charts, a double click shows all' '
	browser size 1280 900 && browser eval "scrollTo(0, 0); return 1" && fits 1280 &&
	first=$(seen 0) && last=$(seen 7) && to=$(place .4) && browser drag $(place .2) ${to% *} &&
	wait_for 60 "[ \"\$(seen 0)\" != \"$first\" ] && [ \"\$(seen 7)\" != \"$last\" ]" &&
	browser double $(place .5) &&
	wait_for 60 "[ \"\$(seen 0)\" = \"$first\" ] && [ \"\$(seen 7)\" = \"$last\" ]"
'

test_expect_success BROWSER 'the trade of a sweep: points and a table; narrow and wide' '
	"$BUILD/scohort" simulate -c c.yaml --sweep minRuntime.reclaim=0,3m,1h --html trade.html trace.csv >out &&
	browser open "file://$PWD/trade.html" && browser rows >rows &&
	[ "$(grep -c "|.*|.*|" rows)" -eq 4 ] && grep "^1h|" rows &&
	[ "$(painted 0)" -ge 1 ] && fits 1280 && fits 390 && browser log >console && ! grep . console
'

! test_have_prereq BROWSER || browser_stop
test_done
