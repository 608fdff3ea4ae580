#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='memory that slurmctld has in use for a waiting job, as a part of what stock Slurm takes

Counted from call to call by a preloaded library, so that noise does not move it. On 2026-11-28
it was 1.19 of what preempt/partition_prio takes, and 1.35 where no two jobs ask for the same.
The bounds leave room for other builds of Slurm.'
. "$(dirname "$0")/../lib.sh"

case ${ASAN_OPTIONS-} in
?*)	skip_all='the sanitizers count memory themselves'
	test_done ;;
esac

# in_use BOUND [OPTION]: the ratio in brackets, of the last side
in_use() {
	python3 "$TESTSUITE/bench-slurmctld" --rounds 1 --nodes 50 --running 300 --pending 2000 \
		--sides prio,ten --figures heap ${2-} >table &&
	awk -v bound="$1" -F '|' '
		$2 ~ /^ memory in use of a waiting job / && match($5, /\([0-9.]+\)/) {
			ratio = substr($5, RSTART + 1, RLENGTH - 2) + 0
			ok = ratio > 0.9 && ratio <= bound
		}
		END { exit !ok }' table || { cat table; return 1; }
}

test_expect_success 'jobs that are alike but for their size' '
	in_use 1.25
'

test_expect_success 'each asks for memory that no other asks for' '
	in_use 1.42 --shapes
'

test_done
