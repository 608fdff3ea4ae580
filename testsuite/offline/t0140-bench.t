#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='engine-lab bench --worst: options, table, JSON, and the worlds that the page names

What it measures is not judged here: times are those of the machine.'

. "$(dirname "$0")/../lib/offline.sh"

page=$top/doc/performance-scale.md

# The options that make no sense, one combination a line
cat >wrong.txt <<'END'
--worst --scale
--worst file.json
--worst --against file.json
--worst --waiting 10
--worst --sizes 1,2 --large
--worst --sizes
--worst --sizes 1,
--worst --sizes 0
--worst --sizes 10,x
--world array
--sizes 10
--large
--json
--scale --json
--worst --worlds array
END

test_expect_success 'what makes no sense is a matter of usage' '
	while read -r -a options; do
		test_expect_code 2 engine-lab bench "${options[@]}" >out 2>err &&
		grep -q "^Usage: " err && test_must_be_empty out || {
			echo "${options[*]}"
			return 1
		}
	done <wrong.txt
'

test_expect_success 'a world that there is not' '
	test_expect_code 2 engine-lab bench --worst --world nowhere >out 2>err &&
	test_must_be_empty out &&
	grep "unknown world \"nowhere\"" err
'

test_expect_success 'one world in the sizes asked for: a line, and JSON' '
	engine-lab bench --worst --world flat --sizes 4,8 >out &&
	test "$(wc -l <out)" -eq 3 &&
	sed -n 2p out | grep -E "^flat +queues +4/8 +[0-9.]+ / [0-9.]+ ms +-?[0-9.]+$" &&
	sed -n 3p out | python3 -c "
import json, sys
[world] = json.load(sys.stdin)[\"worst\"]
assert world[\"world\"] == \"flat\" and world[\"unit\"] == \"ms\", world
assert [row[\"size\"] for row in world[\"sizes\"]] == [4, 8], world
assert all(row[\"cost\"] > 0 for row in world[\"sizes\"]), world
assert \"exponent\" in world and world[\"goal\"] > 0, world
"
'

test_expect_success '--json: nothing else; one size has no exponent' '
	engine-lab bench --worst --world flat --sizes 4 --json >out &&
	test "$(wc -l <out)" -eq 1 &&
	python3 -c "
import json
[world] = json.load(open(\"out\"))[\"worst\"]
assert \"exponent\" not in world, world
"
'

test_expect_success 'memory is told in MB' '
	engine-lab bench --worst --world memory --sizes 10,40 >out &&
	grep -E "^memory +queues +10/40 .* MB " out
'

test_expect_success 'the list: each world with what grows and what is in it' '
	engine-lab bench --worst --world list >list &&
	test "$(wc -l <list)" -ge 15 &&
	! grep -vE "^[a-z-]+ +[a-z]+ +.{20}" list
'

test_expect_success 'each table of the page about growth has each of them, and no other' '
	cut -d " " -f 1 list >worlds &&
	tables=$(grep -c "^world  *grows" "$page") &&
	test "$tables" -ge 1 &&
	grep -oE "^[a-z-]+ +[a-z]+ +[0-9]+/" "$page" | cut -d " " -f 1 |
		sort | uniq -c | sed "s/^ *//" >told &&
	sort worlds | sed "s/^/$tables /" >wanted &&
	test_cmp wanted told
'

test_expect_success 'a plot of what bench-slurmctld measured in several sizes' '
	printf "%s\n" "1000 none 2" "10000 none 30" "1000 ten 2.5" "1000 ten 3.5" |
	python3 "$top/testsuite/bench/plot.py" "A pass" >plot.svg &&
	[ "$(grep -c "<circle" plot.svg)" = 3 ] && [ "$(grep -c "<polyline" plot.svg)" = 2 ] &&
	grep -q ">ten</text>" plot.svg && grep -q ">A pass</text>" plot.svg &&
	python3 -c "import xml.etree.ElementTree as t; t.parse(\"plot.svg\")"
'

test_expect_success 'bench-slurmctld: options that do not go together are told before anything starts' '
	test_must_fail "$top/testsuite/bench-slurmctld" --instructions --figures rest 2>said &&
	grep "rest: not with --instructions, which has restart reconfigure quiet event submit churn" said &&
	test_must_fail "$top/testsuite/bench-slurmctld" --profiles . 2>said && grep "only with --instructions" said &&
	for count in "--counted 3" "--instructions --counted 0"; do
		test_must_fail "$top/testsuite/bench-slurmctld" $count 2>said &&
		grep "counted: only with --instructions, and at least 1" said || return 1
	done
'

# Without one of them the two plugins would not load in the side "forward".
test_expect_success 'the side "forward" has each function that the plugins call' '
	names() { grep -oE "^extern .*ctld_[a-z_]+\(" "$1" | grep -oE "ctld_[a-z_]+" | sort; } &&
	names "$top/src/plugins/common/hooks/ctld.h" >called &&
	names "$top/testsuite/bench/forward.c" >defined &&
	grep -x ctld_job_test called && test_cmp called defined
'

test_done
