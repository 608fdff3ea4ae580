#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='account: what was lent and borrowed adds up, and outlives slurmctld'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/version.sh"

{ three_tiers; quick_scheduler; } >slurm.conf

lenders() {
	quota_head
	cohorts org:-:
	echo 'clusterQueues:'
	queue x 0 cohort=org reclaim=Any
	queue y 4 cohort=org reclaim=Any
}

lenders >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# account QUEUE WHAT: the sum of its CPUs, as published, in full seconds
account() {
	python3 - "$CLUSTER/state/cohort_status.json" "$@" <<-'EOF'
	import json, sys
	file, queue, what = sys.argv[1:]
	names = ["nominal", "own", "borrowed", "lent", "shared", "idle"]
	for q in json.load(open(file))["clusterQueues"]:
	    for pair in q["quota"]:
	        if q["name"] == queue and pair["resource"] == "cpu":
	            print(int(pair["account"][names.index(what)]))
	EOF
}

# balanced [partly]: what y has lent, it has lent to x, and that is what x has borrowed:
# all of it; or partly, as victims that still leave use what an owner has already
balanced() {
	python3 - "$CLUSTER/state/cohort_status.json" "$@" <<-'EOF'
	import json, sys
	queues = {q["name"]: q for q in json.load(open(sys.argv[1]))["clusterQueues"]}
	sums = {n: next(p["account"] for p in q["quota"] if p["resource"] == "cpu")
	        for n, q in queues.items()}
	lender = queues["x"]["borrowedFrom"]["clusterQueues"]["y"]
	print(sums, lender)
	lent = [v for k, v in lender.items() if k.startswith("cpu@")][0]
	without = sums["x"][2] - sums["y"][3]
	sys.exit(not (sums["x"][2] > 0 and without > -0.01
	              and (without < 0.01 or sys.argv[2:] == ["partly"])
	              and abs(sums["y"][3] - lent) < 0.01 and "borrowedFrom" not in queues["y"]))
	EOF
}

# kept QUEUE WHAT: the same in the state file. From 25.05 on nothing is saved at the
# end of slurmctld, but once a minute.
kept() {
	python3 - "$CLUSTER/state/cohort_state" "$@" <<-'EOF'
	import json, sys
	file, queue, what = sys.argv[1:]
	names = ["nominal", "own", "borrowed", "lent", "shared", "idle"]
	queues = json.load(open(file)).get("account", {}).get("clusterQueues", {})
	print(int(queues.get(queue, {}).get("cpu@any", [0] * 6)[names.index(what)]))
	EOF
}

# gaps, gap_seconds: how often nothing was known, and for how long
gaps() { published 'd["account"]["gaps"]["number"]'; }
gap_seconds() { published 'd["account"]["gaps"]["seconds"]'; }

# kept_gaps: as gaps(), of the state file
kept_gaps() {
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["account"]["gaps"]["number"])' \
		"$CLUSTER/state/cohort_state"
}

# used: by x and by y, as published with the sums
used() { published '[q["quota"][0]["used"] for q in d["clusterQueues"]]'; }

# counted QUEUE WHAT: of the rule InCohortReclamation
counted() { published "queue('$1')['counters']['$2']['InCohortReclamation']"; }

# lost QUEUE: CPU seconds
lost() { published "queue('$1')['counters']['lost'].get('cpu@any', 0)"; }

# delays QUEUE: how many jobs within nominal quota have started
delays() { published "sum(queue('$1')['counters']['reclaimDelaySeconds']['buckets'])"; }

test_expect_success 'what one borrows the other one lends, and both sums are told' '
	x=$(submit -A x -n3) && all_run $x && wait_for 10 "[ \"\$(used)\" = \"3 0\" ]" &&
	next_second && next_second && scancel $x &&
	wait_for 10 "[ \"\$(used)\" = \"0 0\" ]" && [ "$(account x borrowed)" -gt 0 ] && balanced &&
	[ "$(account x own)" = 0 ] && [ "$(gaps)" = 0 ]
'

test_expect_success 'an eviction: caused, suffered, lost, and how long the owner waited' '
	x=$(submit -A x -n4) && all_run $x && next_second && next_second &&
	y=$(submit -A y -n2) && all_run $y &&
	wait_for 10 "[ \"\$(counted y caused) \$(delays y)\" = \"1 1\" ]" &&
	[ "$(counted x evicted) $(counted x caused) $(counted y evicted)" = "1 0 0" ] &&
	[ "$(lost x)" -ge 4 ] && [ "$(lost y)" = 0 ] &&
	[ "$(delays x)" = 0 ]
'

test_expect_success 'a reconfigure, a restart and a kill take nothing away; what is not known is a gap' '
	cluster_clear && wait_for 10 "[ \"\$(used)\" = \"0 0\" ]" && [ "$(account y own)" -gt 0 ] &&
	balanced partly && before=$(account x borrowed) &&
	{ ! slurm_since 25.05 || wait_for 70 "[ \"\$(kept x borrowed)\" = $before ]"; } &&
	cluster_reconfigure && wait_for 10 "[ \"\$(account x borrowed)\" = $before ]" &&
	cluster_stop_ctld && none=$(gaps) && next_second && next_second && cluster_restart_ctld &&
	wait_for 10 "[ \"\$(gaps)\" -gt $none ]" && first=$(gaps) &&
	wait_for 10 "[ \"\$(account x borrowed)\" = $before ]" && balanced partly &&
	[ "$(gap_seconds)" -ge 1 ] &&
	wait_for 10 "[ \"\$(kept_gaps)\" = $first ]" && next_second && next_second &&
	cluster_kill_ctld && wait_for 10 "[ \"\$(gaps)\" -gt $first ]" &&
	[ "$(account x borrowed)" = "$before" ] && balanced partly
'

test_expect_success 'sums that make no sense are not taken' '
	cluster_stop_ctld &&
	python3 - "$CLUSTER/state/cohort_state" <<-EOF &&
	import json, sys
	state = json.load(open(sys.argv[1]))
	state["account"] = {"at": "x", "gaps": 3, "cohorts": [],
	    "clusterQueues": {"x": {"cpu@any": [1, -2, 3, 4, 5, 6], "cpu": 3}, "z": 1, "y": []},
	    "borrowedFrom": {"x": {"clusterQueues": {"y": {"cpu@any": -1}}, "cohorts": 1}}}
	json.dump(state, open(sys.argv[1], "w"))
	EOF
	cluster_restart_ctld && wait_for 10 "[ \"\$(account x borrowed)\" = 0 ]"
'

test_done
