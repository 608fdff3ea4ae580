#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='cohort.yaml from an enemy

Files made to be slow: no long work, and little memory. Limits are of CPU time,
whatever else the machine does. Mutations of the example are in the unit test
config_hostile, which make check runs with sanitizers.'

. "$(dirname "$0")/../lib/offline.sh"

# repeat N TEXT: TEXT, N times
repeat() {
	perl -e 'print $ARGV[1] x $ARGV[0]' "$1" "$2"
}

# number N TEXT: TEXT, N times, with each # as a number
number() {
	perl -e 'for $i (1 .. $ARGV[0]) { ($t = $ARGV[1]) =~ s/#/$i/g; print $t }' "$1" "$2"
}

# quick FILE PATTERN: refused, with that message, in little time and memory
quick() {
	(ulimit -v 1000000 -t 20 && test_expect_code 1 scohort check "$1" 2>err) &&
	grep -q "$2" err
}

test_expect_success 'deep nesting' '
	repeat 15000000 "[" >deep.yaml &&
	quick deep.yaml "^deep.yaml:1: nested deeper than 32 levels"
'

test_expect_success 'aliases of aliases' '
	{
		echo "a0: &a0 [x, x, x, x, x, x, x, x, x, x]" &&
		for i in 1 2 3 4 5 6 7 8 9; do
			a="*a$((i - 1))" &&
			echo "a$i: &a$i [$a, $a, $a, $a, $a, $a, $a, $a, $a, $a]" || return 1
		done
	} >laughs.yaml &&
	quick laughs.yaml ":6: too much: more than 1000000 values"
'

test_expect_success 'a long text many times' '
	{
		printf "x: &x " && repeat 1000000 x && echo && echo "y:" &&
		repeat 300000 "- *x
"
	} >long.yaml &&
	quick long.yaml ": too much: "
'

test_expect_success 'more keys than any map has' '
	{ printf "x: 1\n" && number 400000 "k#: 1
"; } >keys.yaml &&
	quick keys.yaml ":1: has more than 128 keys"
'

test_expect_success 'a cycle of 60,000 cohorts' '
	{
		echo "clusterQueues: []" && echo "cohorts:" &&
		number 60000 "- {name: c#, parent: d#}
- {name: d#, parent: c#}
" | head -n 60000
	} >cycle.yaml &&
	quick cycle.yaml "cohorts\[0\].parent: is a cycle: c1 -> d1 -> c1"
'

test_expect_success 'more errors than anybody reads' '
	{
		echo "clusterQueues:" &&
		number 60000 "- {name: q#, cohort: nowhere#}
"
	} >errors.yaml &&
	quick errors.yaml "errors.yaml:2: clusterQueues\[0\].cohort:" &&
	test "$(wc -l <err)" -eq 1001 &&
	tail -n 1 err >last &&
	echo "errors.yaml: and 59000 more messages" >expect &&
	test_cmp expect last
'

test_expect_success 'a file without end' '
	quick /dev/zero "^/dev/zero: is larger than 16 MiB"
'

test_done
