#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the model of how long owners wait for nodes: packing is better, and two runs say the same'
. "$(dirname "$0")/../lib/offline.sh"

# value LINE: how long all waited on average
value() { sed -n "$1s/.*wait of all: \([0-9.]*\) min.*/\1/p" first; }

test_expect_success 'one world, twice' '
	"$top/testsuite/worlds/waits" 1 1 48 >first && "$top/testsuite/worlds/waits" 1 1 48 >second &&
	cat first && cmp first second
'

test_expect_success 'with packing owners wait less than half as long' '
	grep "^plain .* jobs of whole nodes with quota" first && grep "^packing " first &&
	awk -v plain="$(value 1)" -v packing="$(value 2)" "BEGIN { exit !(packing < plain / 2) }"
'

test_done
