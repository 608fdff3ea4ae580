#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what positions wait for: with many cluster queues a line of jobs that differ is published in part; pages of the line'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

{
	quota_head
	echo 'clusterQueues:'
	queue vision 1
	queue audio 1
	for ((i = 0; i < 998; i++)); do
		printf '  - name: q%d\n' $i
	done
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# line_of QUEUE: the number of its entries, its last position that is told, and the others
line_of() {
	scohort status --json | python3 -c '
import json, sys
queue, = [q for q in json.load(sys.stdin)["clusterQueues"] if q["name"] == sys.argv[1]]
line = queue["line"]
assert [r["first"] for r in line] == [1] + [r["last"] + 1 for r in line[:-1]], line
print(len(line), line[-1]["last"], queue["lineRest"])' "$1"
}

test_expect_success 'ten entries of each; positions that wait for the same are one of them' '
	running="$(submit -A vision -n1) $(submit -A audio -n1)" && all_run $running &&
	for i in 1 2 3 4 5 6; do
		submit -A vision -n2 && submit -A vision -n3 || return 1
	done && submit -A audio -n1 --array=1-150 &&
	wait_for 60 "[ \"\$(line_of vision)\" = \"10 10 2\" ]" && line_of audio && wait_for 60 "line_of audio | grep -x \"[1-9] 100 50\""
'

# asked REQUEST: how often slurmctld was asked that, since sdiag -r
asked() { sdiag | sed -n "s/^\t$1 .*count:\([0-9]*\).*/\1/p" | grep . || echo 0; }
test_expect_success 'a page of a line is cheap: only its jobs are asked for' '
	page() { scohort queue -n -P -o jobid,queue,place "$@"; } &&
	wait_for 60 "page >all && [ \$(wc -l <all) = 13 ] && page --limit 4 --offset 10 >got && sed -n 11,13p all | test_cmp - got" &&
	sdiag -r && page --limit 4 --offset 5 >got && sed -n 6,9p all | test_cmp - got &&
	[ "$(asked REQUEST_JOB_INFO_SINGLE) $(asked REQUEST_JOB_INFO)" = "4 0" ] &&
	page --limit 2 audio >got && grep -x ".*|audio|1-*.*" got && [ "$(wc -l <got)" = 1 ] &&
	page --offset 12 >got && tail -n 1 all | test_cmp - got && page --local --limit 3 >got && [ "$(wc -l <got)" = 3 ] &&
	scohort queue --limit 2 --json | python3 -c "import json, sys; assert len(json.load(sys.stdin)[\"jobs\"]) == 2" &&
	! scohort status --json | grep "\"jobs\"" && cluster_clear
'

test_expect_success 'each component of a heterogeneous job has a row of a page, too' '
	running=$(submit -A vision -n1) && all_run $running && submit -A vision -n2 : -n3 && submit -A vision -n2 &&
	pages_agree() {
		page >all && [ $(wc -l <all) = 3 ] && page --limit 9 >got && test_cmp all got &&
		page --limit 2 >got && head -n 2 all | test_cmp - got &&
		page --limit 2 --offset 2 >got && sed -n 3p all | test_cmp - got
	} && wait_for 60 pages_agree
'

test_done
