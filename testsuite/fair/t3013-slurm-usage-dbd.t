#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the order inside a queue by the usage that Slurm keeps (usageFrom: slurm)'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

cat >commands <<-EOT
	add account used,fresh,heavy
	add user root account=used,fresh,heavy defaultaccount=used
EOT

# Slurm counts each minute, by a clock that the test moves
{
	three_tiers
	quick_scheduler
	printf 'PriorityType=priority/multifactor\nPriorityDecayHalfLife=1:00:00\nPriorityCalcPeriod=1\n'
	printf 'PriorityFlags=NO_NORMAL_ALL\nPriorityWeightFairshare=0\n'
} >slurm.conf

# site FROM: jobs of the partition lo are in q, those of hi in another queue
site() {
	quota_head
	echo "admissionFairSharing: {usageHalfLifeTime: 2h, usageSamplingInterval: 1s, usageFrom: $1}"
	echo 'clusterQueues:'
	printf '  - name: q\n    match: [{partition: lo}]\n'
	printf '    admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n'
	echo '    localQueues: [{name: used, fairSharing: {weight: 1}}]'
	quota_group cpu any nominal=4
	queue other 12 | sed 's/account: "other"/partition: hi/'
}

ctld_clock
site slurm >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --accounting --sacctmgr commands

# usage ACCOUNT: of its CPUs, as published
usage() {
	scohort status --json | python3 -c '
import json, sys
for q in json.load(sys.stdin)["clusterQueues"]:
    for l in q.get("localUsage", []):
        if l["name"] == sys.argv[1]:
            print(l["history"].get("cpu", 0.0))' "$1"
}

# by_slurm ACCOUNT: what Slurm has counted, in the same way
by_slurm() {
	sshare -n -P -a -A "$1" -o Account,User,TRESRunMins,RawUsage | awk -F'|' -v a="$1" '
		$1 ~ "^ *" a "$" && $2 == "" { printf "%.6f\n", $4 * log(2) / 3600; exit }'
}

agrees() {
	python3 -c '
import sys
a, b = float(sys.argv[1] or 0), float(sys.argv[2] or 0)
sys.exit(not (b > 0.001 and abs(a - b) <= 0.1 * b + 0.004))' "$(usage "$1")" "$(by_slurm "$1")"
}

test_expect_success 'what an account uses in another queue counts, as Slurm counts it' '
	heavy=$(submit -A used -p hi -n12) && all_run $heavy &&
	runs=$(submit -A fresh -p lo -n4) && all_run $runs &&
	used=$(submit -A used -p lo -n4) && next=$(submit -A heavy -p lo -n4) &&
	wait_for 20 "job_waits $used $next" &&
	later 60 && wait_for 150 "agrees used"
'

test_expect_success 'all users can read it: no name of an account that cohort.yaml does not name' '
	file=$CLUSTER/state/cohort_status.json && tr -d " \n" <"$file" >flat && grep -c "\"name\":\"used\"" flat &&
	! grep -E "fresh|heavy" flat && [ "$(published "len(queue(\"q\")[\"localUsage\"])")" -ge 3 ] &&
	wait_for 10 "scohort status --all >out; grep \"accounts of q by usage, less goes first:.* - [0-9.]\" out"
'

test_expect_success 'so another account goes first' '
	wait_for 10 "[ \"\$(positions $next $used)\" = \"1/2 2/2\" ]" &&
	scancel $runs && all_run $next && job_waits $used
'

test_expect_success 'a restart and a reconfigure take it over at once' '
	cluster_restart_ctld && wait_for 20 "agrees used" &&
	cluster_reconfigure && wait_for 20 "agrees used" && job_waits $used
'

test_expect_success 'it needs priority/multifactor: slurmctld and check say where' '
	cluster_clear && sed -i "s|^PriorityType=.*|PriorityType=priority/basic|" "$CLUSTER/etc/slurm.conf" &&
	site slurm >"$CLUSTER/etc/cohort.yaml" &&
	log_mark && cluster_restart_ctld &&
	wait_for 10 "log_has \"cohort.yaml:[0-9]*: admissionFairSharing.usageFrom: slurm needs PriorityType=priority/multifactor\"" &&
	! scohort check >out 2>&1 && cat out && grep "admissionFairSharing.usageFrom: slurm needs PriorityType" out
'

test_done
