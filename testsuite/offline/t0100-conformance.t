#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The engine answers the scenarios of testsuite/conformance as the reference
# schedulers do, and all of ../shared/conformance if that is there.
test_description='engine-lab eval: answers, errors, and the reference schedulers'
. "$(dirname "$0")/../lib.sh"

shared=${COHORT_SHARED:-$TOP/../shared}

# scenario ID PRIORITY: two queues in a cohort; b has borrowed a's quota, and a
# workload of that priority in a wants it back
scenario() {
	cat <<-EOF | tr -d '\n'
	{"id":"$1","kind":"preempt","now":1000,"flavors":[{"name":"f"}],
	"cohorts":[{"name":"c"}],"clusterQueues":[
	{"name":"a","cohort":"c","resourceGroups":[{"coveredResources":["cpu"],"flavors":["f"]}],
	"quotas":[{"flavor":"f","resource":"cpu","nominal":2}],
	"preemption":{"withinClusterQueue":"LowerPriority","reclaimWithinCohort":"LowerPriority"}},
	{"name":"b","cohort":"c","resourceGroups":[{"coveredResources":["cpu"],"flavors":["f"]}],
	"quotas":[{"flavor":"f","resource":"cpu","nominal":0}]}],
	"admitted":[{"name":"v","uid":"1","clusterQueue":"b","priority":5,
	"podSets":[{"name":"p","count":1,"requests":{"cpu":2},"flavors":{"cpu":"f"}}],
	"usage":[{"flavor":"f","resource":"cpu","amount":2}]}],
	"pending":[{"name":"w","uid":"2","clusterQueue":"a","priority":$2,
	"podSets":[{"name":"p","count":1,"requests":{"cpu":2}}]}],
	"request":{"workload":"w","quantities":[{"flavor":"f","resource":"cpu","amount":2}],
	"needPreemption":[{"flavor":"f","resource":"cpu","amount":2}]},
	"expected":{"targets":[{"workload":"v","clusterQueue":"b","reason":"InCohortReclamation"}]}}
	EOF
	echo
}

test_expect_success 'an unknown option is a wrong call' '
	test_expect_code 2 engine-lab eval --no-such-option 2>err &&
	grep "Usage: engine-lab eval" err
'

test_expect_success 'a file that is not there: error, the others are read' '
	scenario one 9 >one &&
	test_expect_code 1 engine-lab eval absent one >out 2>err &&
	grep "absent: No such file or directory" err &&
	grep -c . out >count && echo 1 >expect && test_cmp expect count
'

test_expect_success 'malformed lines: file and line, the others are answered' '
	{
		scenario good1 9 &&
		echo "{\"id\":\"cut" &&
		echo "[]" &&
		scenario odd 9 | sed "s/\"kind\":\"preempt\"/\"kind\":\"odd\"/" &&
		scenario queue 9 | sed "s/\"clusterQueue\":\"a\"/\"clusterQueue\":\"x\"/" &&
		scenario amount 9 | sed "s/\"nominal\":2/\"nominal\":\"2\"/" &&
		printf "\\377\\n" &&
		echo &&
		scenario good2 9
	} >mixed &&
	test_expect_code 1 engine-lab eval mixed >out 2>err &&
	cat >expect <<-\EOF &&
	mixed:2: the line ends inside the JSON
	mixed:3: not a JSON object
	mixed:4: kind: "odd" is not known
	mixed:5: pending[0].clusterQueue: there is no "x"
	mixed:6: clusterQueues[0].quotas[0].nominal: must be an int, not string
	EOF
	head -n 5 err >first &&
	test_cmp expect first &&
	grep "^mixed:7: not JSON" err &&
	cut -d, -f1 out >ids &&
	printf "{\"id\":\"good1\"\n{\"id\":\"good2\"\n" >expect &&
	test_cmp expect ids
'

test_expect_success 'a broken gzip file is an error' '
	scenario one 9 | gzip -c >whole.gz &&
	head -c 60 whole.gz >cut.gz &&
	test_expect_code 1 engine-lab eval cut.gz 2>err &&
	grep "^cut.gz:1: unexpected end of file" err
'

test_expect_success 'standard input, plain file and .gz give the same answer' '
	cat >expect <<-\EOF &&
	{"id":"one","targets":[{"workload":"v","clusterQueue":"b","reason":"InCohortReclamation"}]}
	EOF
	scenario one 9 >plain &&
	gzip -c plain >plain.gz &&
	engine-lab eval <plain >out && test_cmp expect out &&
	engine-lab eval - <plain.gz >out && test_cmp expect out &&
	engine-lab eval plain >out && test_cmp expect out &&
	engine-lab eval plain.gz >out && test_cmp expect out
'

test_expect_success 'nothing in, nothing out' '
	engine-lab eval </dev/null >out &&
	test_must_be_empty out
'

test_expect_success '--check: agreement is exit 0 and a total' '
	{ scenario one 9 && scenario two 8; } >good &&
	engine-lab eval --check good >out &&
	echo "good: 2 scenarios: 2 agree" >expect &&
	test_cmp expect out
'

test_expect_success '--check: a difference is shown with its path, exit 1' '
	{ scenario one 9 && scenario low 5; } >bad &&
	test_expect_code 1 engine-lab eval --check good bad >out &&
	cat >expect <<-\EOF &&
	good: 2 scenarios: 2 agree
	bad:2: low
	    targets[v]: expected {"workload":"v","clusterQueue":"b","reason":"InCohortReclamation"}, got nothing
	bad: 2 scenarios: 1 agree, 1 differs
	total: 4 scenarios: 3 agree, 1 differs
	EOF
	test_cmp expect out
'

test_expect_success '--check: a scenario that expects nothing cannot be checked' '
	scenario one 9 | sed "s/\"expected\"/\"other\"/" >open &&
	test_expect_code 1 engine-lab eval --check open >out 2>err &&
	echo "open:1: expected: is missing: there is nothing to compare with" >expect &&
	test_cmp expect err
'

test_expect_success 'time: only cycles, only what can be read, only with a file' '
	test_expect_code 2 engine-lab time && test_expect_code 2 engine-lab time --scale good &&
	test_expect_code 1 engine-lab time good 2>err &&
	grep "^good:1: kind: only cycles can be timed" err &&
	test_expect_code 1 engine-lab time --against absent good 2>err &&
	grep "absent: cannot be read" err
'

test_expect_success 'time: ratios, and whether the answers agree' '
	sed "s/\"preempt\",\"now\"/\"cycle\",\"now\"/;s/\"expected\".*/\"expected\":{\"heads\":[{\"workload\":\"w\",\"clusterQueue\":\"a\",\"outcome\":\"preempting\",\"victims\":[{\"workload\":\"v\",\"reason\":\"InCohortReclamation\"}]}]}}/" \
		good | head -n 1 >cycle &&
	echo "{\"rows\":[{\"clusterQueues\":2,\"admitted\":1,\"fairSharing\":false,\"cycle_totalNs\":1000000000}]}" >times &&
	engine-lab time cycle >out &&
	grep -E "^one +[0-9.]+ +- +[0-9.]+ +[0-9.]+ +- +1  agrees$" out &&
	engine-lab time --against times cycle >out &&
	grep -E "^one +[0-9.]+ +[0-9]+x " out &&
	sed s/InCohortReclamation/InClusterQueue/ cycle >wrong &&
	test_expect_code 1 engine-lab time wrong >out &&
	grep "^one .* DIFFERS$" out
'

for file in "$TESTSUITE"/conformance/*.jsonl.gz; do
	test_expect_success "${file##*/}" '
		engine-lab eval --check "$file"
	'
done

[ -d "$shared/conformance" ] && test_set_prereq SHARED
for file in "$shared"/conformance/*.jsonl.gz; do
	test_expect_success SHARED "shared: ${file##*/}" '
		engine-lab eval --check "$file"
	'
done

# An answer that is printed must be the one that was checked.
test_expect_success SHARED 'shared: every line has its answer' '
	for file in "$shared"/conformance/*.jsonl.gz; do
		engine-lab eval "$file" >answers || return 1
		zcat "$file" | wc -l >expect
		wc -l <answers >count
		test_cmp expect count || return 1
	done
'

# with_keys MODE: scenarios with the keys of usage history and of jobs that can't
# be preempted: "none" of them, all "off" by a half-life or a kValue of 0, or "on"
with_keys() {
	python3 -c '
import json, sys
mode = sys.argv[1]
life, k, margin = {"off": (0, 1, 0.25), "k": (3600, 0, 0), "on": (3600, 1, 0.25), "none": (0, 0, 0)}[mode]
for line in sys.stdin:
    s = json.loads(line)
    s.pop("expected", None)
    queues = s.get("clusterQueues", [])
    if mode != "none":
        s["fairSharingHistory"] = {"usageHalfLifeTime": life, "kValue": k, "historyMargin": margin}
        s["admissionFairSharing"] = {"usageHalfLifeTime": 0, "usageSamplingInterval": 300}
        s["histories"] = [{"clusterQueue": q["name"], "resource": q["quotas"][0]["resource"], "past": 7919 * (i + 1)}
            for i, q in enumerate(queues) if q.get("quotas")]
        for q in queues:
            q["admissionMode"] = "UsageBasedAdmissionFairSharing"
            q["nonPreemptible"] = {"scope": "ClusterQueue"}
        for w in s.get("admitted", []) + s.get("pending", []):
            w["preemptibility"] = "preemptible"
    print(json.dumps(s))' "$1"
}

test_expect_success 'keys that are off change no byte of an answer, and on they do' '
	for name in random-cycle random-preempt time-rules; do
		gzip -dc "$TESTSUITE/conformance/$name.jsonl.gz" | awk "NR % 3 == 0" >all &&
		for mode in none off k on; do
			with_keys $mode <all >with && engine-lab eval with >answers.$mode || return 1
		done &&
		[ "$(wc -l <answers.none)" -ge 500 ] &&
		cmp answers.none answers.off && cmp answers.none answers.k &&
		! cmp -s answers.none answers.on || return 1
	done
'

test_done
