#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='instructions of a pass and of a submission, as parts of what stock Slurm takes

Each in one run, on one machine, by valgrind: noise hardly moves them. On 2026-11-27, in one
to five runs, a quiet pass was 0.75 to 0.84, one with events 0.93 to 1.09 and a submission 1.03
of what preempt/partition_prio takes, and, where no job is ours, 1.11, 1.11 and 1.00
of Slurm without preemption (doc/performance.md). On 2026-11-28 a pass with events was 0.84
with arrays, and 1.42 before. On 2026-11-29, after the walk of all waiting records took the
place of stamps, a quiet pass was 0.99, one with events 1.30 and a submission 1.15. How many
texts for squeue a pass makes anew is a matter of time, and moves the second one by some
hundredths. A submission walks past all jobs that were tried after the start of slurmctld,
before nodes had registered, and are held back since. The bounds leave room for other compilers and other builds of Slurm.'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/version.sh"

command -v valgrind >/dev/null || {
	skip_all='no valgrind here'
	test_done
}

# counted SIDES FIGURES WORLD: the table in the file "table"
counted() {
	python3 "$TESTSUITE/bench-slurmctld" --instructions --counted 3 --rounds 1 \
		--nodes 50 --running 300 --sides "$1" --figures "$2" $3 >table || {
		cat table
		return 1
	}
}

# at_most BOUND FIGURE: the ratio in brackets, of the last side of the table. It is
# a ratio, so that a figure that was not measured fails.
at_most() {
	awk -v bound="$1" -v figure="$2" -F '|' '
		index($2, " " figure) == 1 && match($5, /\([0-9.]+\)/) {
			ratio = substr($5, RSTART + 1, RLENGTH - 2) + 0
			ok = ratio > 0.01 && ratio <= bound
		}
		END { exit !ok }' table || { cat table; return 1; }
}

test_expect_success 'ten queues, beside preempt/partition_prio' '
	counted prio,ten quiet,event,submit "--pending 500" &&
	at_most 1.15 "main pass, quiet" &&
	at_most 1.3 "main pass, an end and a submission" &&
	at_most 1.2 "1,000 submissions"
'

# From 25.05 on slurmctld goes through all records at each submission, whatever the preempt
# plugin: 1.18 in one run of 26.05.3.
submission=1.15
slurm_since 25.05 && submission=1.3

test_expect_success 'no job is ours, beside Slurm without preemption' '
	counted none,nobody quiet,event,submit "--pending 500" &&
	at_most 1.2 "main pass, quiet" &&
	at_most 1.2 "main pass, an end and a submission" &&
	at_most $submission "1,000 submissions"
'

# An event starts one task, and the next one of its array is tried in vain. Up to 24.05
# slurmctld then asks cons_tres whether that one could ever run.
test_expect_success 'arrays, beside preempt/partition_prio' '
	counted prio,ten quiet,event \
		"--nodes 100 --running 600 --pending 10 --arrays 1000" &&
	at_most 1.15 "main pass, quiet" &&
	at_most 1.6 "main pass, an end and a submission"
'

test_done
