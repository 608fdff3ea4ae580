#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='usage history: what was borrowed lately counts, and outlives slurmctld'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

{ three_tiers; quick_scheduler; } >slurm.conf

# lately HALF_LIFE [WORD...]: x and y borrow what the cohort owns
lately() {
	quota_head
	echo "fairSharing: {enable: true, usageHalfLifeTime: $1}"
	cohorts org:-:nominal=4
	echo 'clusterQueues:'
	queue x 0 cohort=org reclaim=Any
	queue y 0 cohort=org reclaim=Any
}

# by_usage [LOCAL-QUEUE...]: the account goes first that has used less
by_usage() {
	quota_head
	echo 'admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 5m}'
	echo 'clusterQueues:'
	printf '  - name: q\n    match: [{account: "*"}]\n'
	printf '    admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n'
	printf '    localQueues: [%s]\n' "$*"
	quota_group cpu any nominal=4
}

lately 1h >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# guide WORD: the sentence of the user guide that begins so, with the names that the
# queues have here
guide() {
	awk -v word="    $1 " 'index($0, word) == 1 { on = 1 } on { print } on && /\.$/ { exit }' \
		"$TOP/doc/user-guide.md" | xargs | sed 's/vision/x/; s/speech/y/; s/In ml/In q/'
}

# why_like ID PATTERN: soon a sentence is like that
why_like() { wait_for 10 "COLUMNS=10000 scohort why $1 | grep '$2'" || { scohort why "$1"; return 1; }; }

# whatif_like PATTERN ARGS...: soon the answer for this job is like that
whatif_like() {
	wait_for 20 "COLUMNS=10000 scohort whatif -t 5 ${*:2} | grep '$1'" || { scohort whatif -t 5 "${@:2}"; return 1; }
}

# status_says PATTERN: with --all
status_says() { COLUMNS=10000 scohort status --all | grep "$1"; }

# past QUEUE: the history of its CPUs, as published
past() {
	scohort status --json | python3 -c '
import json, sys
for q in json.load(sys.stdin)["clusterQueues"]:
    if q["name"] == sys.argv[1]:
        print(q.get("history", {}).get("cpu", "none"))' "$1"
}

# above A B: as decimal numbers
above() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) > float(sys.argv[2]))' "$1" "$2"; }

grows() { above "$(past x)" "$1"; }

test_expect_success 'without fairSharing.usageHalfLifeTime nothing of it is shown' '
	use_cohort lately 0 &&
	wait_for 10 "[ \"\$(past x)\" = none ]" &&
	scohort status >out && ! grep HISTORY out &&
	scohort metrics >out && grep slurm_cohort_share out && ! grep history out
'

test_expect_success 'what is borrowed is remembered, and shown' '
	use_cohort lately 1m &&
	x=$(submit -A x -n4) && all_run $x &&
	wait_for 20 "grows 0.2" &&
	scohort status -P >out && cat out && grep "SHARE.*NOW.*HISTORY" out && grep "x|.*cpu=" out
'

test_expect_success 'it outlives the job' '
	scancel $x && wait_for 10 "! job_runs $x" &&
	wait_for 10 "[ \"\$(usage x)\" = 0 ]" && grows 0.01 &&
	[ "$(past y)" = 0.0 ]
'

test_expect_success 'a restart, a kill and a reconfigure' '
	use_cohort lately 1h && wait_for 10 "grows 0.01" &&
	before=$(past x) && cluster_restart_ctld &&
	wait_for 10 "above $before \$(past x)" && grows 0.01 &&
	cluster_kill_ctld && wait_for 10 "grows 0.01" &&
	lately 2h >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 10 "[ \"\$(past y)\" = 0.0 ]" && grows 0.01
'

test_expect_success 'who has borrowed lately comes after who has not' '
	use_cohort lately 1h &&
	had=$(past x) && x=$(submit -A x -n4 --exclusive=user) && all_run $x &&
	wait_for 20 "grows $had" &&
	x2=$(submit -A x -n4) && y2=$(submit -A y -n4) &&
	wait_for 10 "job_waits $x2 $y2" && scancel $x && all_run $y2 && job_waits $x2
'

test_expect_success 'why tells which queues come first by it, and metrics how much it is' '
	cluster_clear && x=$(submit -A x -n2) && y=$(submit -A y -n2) && all_run $x $y &&
	x2=$(submit -A x -n2) && y2=$(submit -A y -n2) && wait_for 10 "job_waits $x2 $y2" &&
	guide vision | grep "^x borrowed more lately, so by usage history .* come first: y\.$" &&
	why_soon $x2 "$(guide vision)" &&
	! why_says $y2 "usage history" &&
	scohort metrics | grep "^slurm_cohort_borrowed_history{.*cluster_queue=\"x\",resource=\"cpu\"} 0\.[0-9]*[1-9]"
'

test_expect_success 'a state file of an older version, and a damaged history' '
	cluster_clear && cluster_stop_ctld &&
	python3 - "$CLUSTER/state/cohort_state" <<-EOF &&
	import json, sys
	state = json.load(open(sys.argv[1]))
	state["history"] = {"clusterQueues": {"x": {"cpu": [-1, "a", 7], "mem": 3}, "nobody": {}},
	    "cohorts": [], "localQueues": {"x": {"a": {"cpu": [1, 1, 1]}}, "y": 4}}
	json.dump(state, open(sys.argv[1], "w"))
	EOF
	cluster_restart_ctld && wait_for 10 "[ \"\$(past x)\" = 0.0 ]" &&
	cluster_stop_ctld &&
	python3 - "$CLUSTER/state/cohort_state" <<-EOF &&
	import json, sys
	state = json.load(open(sys.argv[1]))
	state.pop("history", None)
	json.dump(state, open(sys.argv[1], "w"))
	EOF
	cluster_restart_ctld && wait_for 10 "[ \"\$(past x)\" = 0.0 ]"
'

test_expect_success 'inside a queue the account goes first that has used less, whatever the priority' '
	use_cohort by_usage &&
	a=$(submit -A a -n4) && all_run $a &&
	a2=$(submit -A a -p hi -n4) && b=$(submit -A b -p lo -n4) &&
	wait_for 10 "job_waits $a2 $b" &&
	guide In | grep "^In q the account that used less lately comes first, .*: 1 job or task of other accounts" &&
	why_soon $a2 "$(guide In)" &&
	! why_says $b "used less lately" &&
	whatif_like "at position 3 of 3" -A a -p hi -n4 && whatif_like "at position 2 of 3" -A c -p lo -n4 &&
	scancel $a && all_run $b && job_waits $a2
'

test_expect_success 'components of two accounts have one place, that of the first one' '
	cluster_clear && a=$(submit -A a -n4) && all_run $a &&
	h=$(sbatch --parsable -o /dev/null -A a -n1 : -A b -n2 --wrap "exec sleep 1000" | tail -n 1) &&
	b=$(submit_some 2 -A b -n2) &&
	wait_for 10 "[ \"\$(positions $h $((h + 1)) $b)\" = \"3/3 3/3 1/3 2/3\" ]"
'

test_expect_success 'that outlives slurmctld, too' '
	cluster_clear && c=$(submit -A c -n4) && all_run $c &&
	cluster_restart_ctld && all_run $c && cluster_kill_ctld && all_run $c &&
	a=$(submit -A a -p hi -n4) && d=$(submit -A d -p lo -n4) &&
	wait_for 10 "job_waits $a $d" && scancel $c &&
	wait_for 40 "job_runs $d" && job_waits $a
'

test_expect_success 'weights of accounts: with weight 2 twice as much may be used, with weight 0 nothing' '
	cluster_clear &&
	use_cohort by_usage "{name: w, fairSharing: {weight: 4}}, {name: z, fairSharing: {weight: 0}}" &&
	v=$(submit -A v -n2) && w=$(submit -A w -n2) && all_run $v $w &&
	v2=$(submit -A v -p hi -n4) && w2=$(submit -A w -p lo -n4) && z=$(submit -A z -p hi -n4) &&
	wait_for 10 "job_waits $v2 $w2 $z" &&
	why_like $v2 "The usage score of its account is [0-9.]* .weight 1., that of the first in line [0-9.]* .weight 4.\." &&
	why_like $z "The usage score of its account is beyond all others .weight 0.," &&
	wait_for 10 "status_says \"accounts of q by usage, less goes first:.* w [0-9.]* .weight 4., - [0-9.]*,.* z last .weight 0.\"" &&
	scancel $v $w && all_run $w2 && job_waits $v2 $z &&
	scancel $w2 && all_run $v2 && job_waits $z
'

test_expect_success 'weights outlive a restart' '
	cluster_clear && cluster_restart_ctld &&
	y=$(submit -A y -n4) && all_run $y &&
	y2=$(submit -A y -n4) && z=$(submit -A z -p hi -n4) && wait_for 10 "job_waits $y2 $z" &&
	scancel $y && wait_for 40 "job_runs $y2" && job_waits $z
'

test_expect_success 'a half-life of less than a minute is refused, the old one stays' '
	log_mark && lately 30s >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 5 "log_has \"fairSharing.usageHalfLifeTime: 30s is under the minimum of 60s\"" &&
	! scohort check >out 2>&1 && grep "cohort.yaml:[0-9]*: fairSharing.usageHalfLifeTime: 30s is under" out
'

test_done
