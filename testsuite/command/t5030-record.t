#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort record and report: a queue borrows, its owner reclaims, and the report tells it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/version.sh"

scohort record --help >/dev/null 2>&1
if scohort record --db "$WORK/probe.db" 2>&1 | grep -q "not built in"; then
	skip_all='scohort is built without SQLite'
	test_done
fi

{ three_tiers; quick_scheduler; } >slurm.conf
{
	quota_head
	cohorts org:-:
	echo 'clusterQueues:'
	queue x 0 cohort=org reclaim=Any
	queue y 4 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

db=$WORK/history.db

# used: by x and by y, as published with the sums
used() { published '[q["quota"][0]["used"] for q in d["clusterQueues"]]'; }

# counted QUEUE WHAT: of the rule InCohortReclamation
counted() { published "queue('$1')['counters']['$2']['InCohortReclamation']"; }

record() { scohort record --db "$db"; }

# record_as FILE: a reading of what is published now, which FILE has afterwards. The next
# document may come at any time: a second of it is more than the figures may differ by.
record_as() { cp "$CLUSTER/state/cohort_status.json" "$1" && SCOHORT_PUBLISH=$PWD/$1 record; }

# report_agrees: growth of the published sums between first.json and last.json is what the
# report has, in hours
report_agrees() {
	record_as last.json &&
	scohort report --db "$db" --start now-2days --end now+1day --resource cpu --json >report.json &&
	scohort report --db "$db" --start now-2days --end now+1day --resource cpu --matrix --json >matrix.json &&
	python3 - <<-'EOF'
	import json

	def account(file):
	    d = json.load(open(file))
	    return {q["name"]: next(p["account"] for p in q["quota"] if p["resource"] == "cpu")
	            for q in d["clusterQueues"]}, {q["name"]: q for q in d["clusterQueues"]}

	names = ["owned", "own", "borrowed", "lent", None, "idle"]
	(first, _), (last, queues) = account("first.json"), account("last.json")
	report = json.load(open("report.json"))
	rows = {r["clusterQueue"]: r for r in report["rows"]}
	print(first, last, rows, sep="\n")
	for queue in "x", "y":
	    for i, name in enumerate(names):
	        grown = (last[queue][i] - first[queue][i]) / 3600
	        assert not name or abs(rows[queue][name + "Hours"] - grown) < 0.001, (queue, name, grown)
	lost = sum(v for k, v in queues["x"]["counters"]["lost"].items() if k.startswith("cpu@")) / 3600
	assert lost > 0 and abs(rows["x"]["lostHours"] - lost) < 0.001, lost
	assert (rows["x"]["evicted"], rows["x"]["caused"]) == (1, 0), rows
	assert (rows["y"]["evicted"], rows["y"]["caused"]) == (0, 1), rows
	assert rows["y"]["delayMedianSeconds"] > 0 and "delayMedianSeconds" not in rows["x"], rows
	total = report["totals"][0]
	assert abs(total["borrowedHours"] - rows["x"]["borrowedHours"]) < 0.001, total
	loan, = json.load(open("matrix.json"))["rows"]
	assert (loan["lender"], loan["borrower"]) == ("y", "x"), loan
	assert abs(loan["lentHours"] - rows["y"]["lentHours"]) < 0.001, loan
	EOF
}

test_expect_success 'the first reading; then one borrows, and its owner takes it back' '
	wait_for 10 "[ -s \"$CLUSTER/state/cohort_status.json\" ]" && record_as first.json &&
	x=$(submit -A x -n4) && all_run $x && wait_for 10 "[ \"\$(used)\" = \"4 0\" ]" &&
	next_second && next_second && record &&
	y=$(submit -A y -n4) && all_run $y &&
	wait_for 10 "[ \"\$(counted x evicted) \$(counted y caused)\" = \"1 1\" ]" &&
	next_second && next_second
'

test_expect_success 'the report has what slurmctld has counted, and a second reading changes nothing' '
	cluster_clear && wait_for 10 "[ \"\$(used)\" = \"0 0\" ]" && next_second && next_second &&
	report_agrees && report_agrees
'

# costliest_is NUMBER: evictions are in the report, of them that of $x for $y, with the loss
# that slurmctld has counted
costliest_is() {
	record && scohort report --db "$db" --start now-2days --end now+1day -r cpu --costliest 9 --json >costliest.json &&
	scohort report --db "$db" --start now-2days --end now+1day -r cpu --evictions --json >evictions.json &&
	python3 - "$1" $victim $y <<-'EOF'
	import json, sys
	n, x, y = map(int, sys.argv[1:])
	rows = json.load(open("costliest.json"))["rows"]
	groups = json.load(open("evictions.json"))["rows"]
	queue = next(q for q in json.load(open("last.json"))["clusterQueues"] if q["name"] == "x")
	lost = sum(v for k, v in queue["counters"]["lost"].items() if k.startswith("cpu@")) / 3600
	print(rows, groups, lost, sep="\n")
	assert len(rows) == n and sum(g["evicted"] for g in groups) == n
	row, = [r for r in rows if (r["jobId"], r["byJobId"]) == (x, y)]
	assert (row["clusterQueue"], row["byClusterQueue"], row["rule"]) == ("x", "y", "InCohortReclamation"), row
	assert row["lostHours"] > 0 and abs(sum(r["lostHours"] for r in rows) - lost) < 0.001, lost
	assert all((g["clusterQueue"], g["byClusterQueue"]) == ("x", "y") for g in groups), groups
	EOF
}

test_expect_success 'the eviction is in the database, once' '
	victim=$x && wait_for 10 "[ \"\$(wc -l <\"$CLUSTER/state/cohort_events.jsonl\")\" = 1 ]" &&
	costliest_is 1 && costliest_is 1
'

# saved: the sums of last.json are in the state file. From 25.05 on nothing is saved at the end of
# slurmctld, but once a minute.
saved() {
	python3 - "$CLUSTER/state/cohort_state" <<-'EOF'
	import json, sys

	kept = json.load(open(sys.argv[1])).get("account", {}).get("clusterQueues", {})
	for q in json.load(open("last.json"))["clusterQueues"]:
	    sums = [next(p["account"] for p in q["quota"] if p["resource"] == "cpu")]
	    sums += [v for k, v in kept.get(q["name"], {}).items() if k.startswith("cpu@")]
	    assert len(sums) == 2 and all(abs(sums[0][i] - sums[1][i]) < 1 for i in (1, 2, 3)), sums
	EOF
}

test_expect_success 'after a restart of slurmctld it goes on; what is not known is told' '
	{ ! slurm_since 25.05 || wait_for 70 saved; } && cluster_stop_ctld && next_second && next_second && cluster_restart_ctld &&
	wait_for 20 "[ \"\$(published d[\\\"account\\\"][\\\"gaps\\\"][\\\"number\\\"])\" -gt 0 ]" &&
	x=$(submit -A x -n2) && all_run $x && next_second && next_second && scancel $x &&
	wait_for 10 "[ \"\$(used)\" = \"0 0\" ]" && report_agrees &&
	costliest_is 1 && scohort report --db "$db" --start now-2days --end now+1day >out && grep "there is no account: slurmctld was down" out
'

test_expect_success 'slurmctld does not have to run' '
	cluster_stop_ctld && record && scohort report --db "$db" --end now+1day >out && grep "^TOTAL" out
'

test_done
