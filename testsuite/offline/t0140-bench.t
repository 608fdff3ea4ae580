#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='engine-lab worlds and bench-slurmctld: options and tables

What they measure is not judged here: times are those of the machine.'

. "$(dirname "$0")/../lib/offline.sh"

# The options that make no sense, one combination a line
cat >wrong.txt <<'END'
more
--list --world flat
--list --sizes 1
--world
--sizes
--sizes 1,
--sizes ,1
--sizes 0
--sizes -1
--sizes 10,x
--sizes 99999999999999999999999
--sizes 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
--worlds array
END

test_expect_success 'engine-lab worlds: what makes no sense is a matter of usage' '
	while read -r -a options; do
		test_expect_code 2 engine-lab worlds "${options[@]}" >out 2>err &&
		grep -q "^Usage: " err && test_must_be_empty out || {
			echo "${options[*]}"
			return 1
		}
	done <wrong.txt
'

test_expect_success 'a world that there is not' '
	test_expect_code 2 engine-lab worlds --world nowhere >out 2>err &&
	test_must_be_empty out && grep "no world \"nowhere\"" err
'

test_expect_success 'one world in the sizes asked for: a line each, the last with the exponent' '
	engine-lab worlds --world flat --sizes 4,8 >out && [ "$(wc -l <out)" -eq 3 ] &&
	sed -n 2p out | grep -E "^flat +queues +4( +[0-9.]+){3}$" &&
	sed -n 3p out | grep -E "^flat +queues +8( +[0-9.]+){3} +-?[0-9.]+$"
'

test_expect_success 'the list: each world with what grows and what is in it' '
	engine-lab worlds --list >list && [ "$(wc -l <list)" -ge 20 ] &&
	! grep -vE "^[a-z-]+ +[a-z]+ +.{20}" list
'

test_expect_success 'engine-lab by itself: its commands' '
	engine-lab --help >out && grep "^  worlds " out &&
	test_expect_code 2 engine-lab 2>err && test_cmp out err &&
	test_expect_code 2 engine-lab nothing 2>err && test_cmp out err
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
