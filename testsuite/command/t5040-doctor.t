#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort doctor: before switching on, in observe mode, in force; for users, and without slurmctld'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

cat >accounts <<-EOF
	add account a,b,x,team-a,team-b,guests
	add user root account=a,b,x,team-a,team-b,guests defaultaccount=a
EOF
# teams KEYS...: a and b own 8 of 16 CPUs each
teams() {
	printf '%s\n' "$@"
	cat <<-EOF
		flavors: [{name: all}]
		cohorts: [{name: lab}]
		clusterQueues:
		- name: a
		  cohort: lab
		  match: [{account: a}]
		  preemption: {reclaimWithinCohort: Any}
		  resourceGroups: [{coveredResources: [cpu], flavors: [{name: all, nominalQuota: cpu=8}]}]
		- name: b
		  cohort: lab
		  match: [{account: b}]
		  preemption: {reclaimWithinCohort: Any}
		  resourceGroups: [{coveredResources: [cpu], flavors: [{name: all, nominalQuota: cpu=8}]}]
	EOF
}

# doctor STATUS [ARGUMENT...]: what it prints is in out
doctor() {
	local status=$1
	shift
	test_expect_code "$status" scohort doctor --db "$WORK/history.db" "$@" >out 2>err && test_must_be_empty err ||
		{ cat out err; return 1; }
}

# finds LINE...: these are all findings, as extended regular expressions without the blanks before them
finds() {
	grep '^  ' out | sed 's/^  //' >found
	[ "$(wc -l <found)" = $# ] || { cat out; return 1; }
	while [ $# -gt 0 ]; do
		grep -E "^$1" found || { echo "not found: $1"; cat out; return 1; }
		shift
	done
}

off="note +PreemptType: slurmctld runs without slurm-cohort \(preempt/none\): to switch it on, set PluginDir"
no_db="note +.*history.db: there is no such database"
observed="note +enforcement: slurmctld only observes"

teams 'enforcement: observe' >cohort.yaml
echo 'AccountingStorageEnforce=associations' >extra.conf
cluster_up --stock --accounting --sacctmgr accounts --cohort cohort.yaml --slurm-conf extra.conf
yaml=$CLUSTER/etc/cohort.yaml conf=$CLUSTER/etc/slurm.conf

test_expect_success 'before switching on: a file that fits, and nothing to do' '
	doctor 0 && finds "$off" && tail -n 1 out | grep "^All is well: 1 note; [0-9]* things looked at$"
'

test_expect_success 'a draft that publishes where users can read, and one that publishes nowhere' '
	chmod o= "$CLUSTER/state" && doctor 1 && finds "$off" "warning  $CLUSTER/state/cohort_status.json: users can.t read" &&
	teams "visibility: {publish: $WORK/p.json}" >draft.yaml && doctor 0 draft.yaml && finds "$off" &&
	teams "visibility: {publish: $WORK/p/p.json}" >draft.yaml && doctor 1 draft.yaml &&
	finds "$off" "warning  $WORK/p/p.json: there is no folder $WORK/p here" && chmod o=rx "$CLUSTER/state"
'

test_expect_success 'jobs outside all queues: which, and what owners lack because of them' '
	one=$(submit -A x -n4) && wait_for 20 "job_runs $one" && doctor 1 &&
	finds "$off" "warning  $yaml: no cluster queue matches account x, QOS normal, partition main, which 1 job has: " \
		"warning  $yaml:2: flavors\[0\]: 1 job outside all cluster queues holds 4 cpu of \"all\": owners can.t have 4 of 16 cpu " &&
	sed "s/cpu=8/cpu=6/" "$yaml" >less.yaml && doctor 1 less.yaml &&
	finds "$off" "warning  less.yaml: no cluster queue matches account x" \
		"note     less.yaml:2: flavors\[0\]: 1 job outside all cluster queues holds 4 cpu of \"all\"; owners can have all " &&
	cluster_clear && wait_for 10 "doctor 0"
'

test_expect_success 'as the guide shows it' '
	cp "$yaml" mine.yaml && awk "/^## Step 1:/ { on = 1 } on && /^\`\`\`\$/ { exit } inside; on && /^\`\`\`yaml\$/ { inside = 1 }" \
		"$TOP/doc/admin-guide.md" >"$yaml" && grep team-b "$yaml" &&
	awk "/^\*\*Is all well/ { on = 1 } on && inside && !/^    / { exit } inside; on && /^    \\$ scohort doctor/ { inside = 1 }" \
		"$TOP/doc/admin-guide.md" | sed "s/^    //" >expect && [ -s expect ] &&
	one=$(submit -A guests -n4) && wait_for 20 "job_runs $one" && doctor 1 &&
	sed "s,$CLUSTER/etc,/etc/slurm," out >got && test_cmp expect got && cluster_clear && cp mine.yaml "$yaml"
'

test_expect_success 'a protection that is longer than any job, and quota beyond the nodes' '
	teams "minRuntime: {reclaim: 2h}" | sed "s/cpu=8/cpu=9/" >wrong.yaml &&
	doctor 1 wrong.yaml && finds "$off" "warning  wrong.yaml:2: flavors\[0\]: \"all\" has cpu=16 on its nodes, quotas on it sum to 18: " &&
	for part in main gpu cpu; do scontrol update partitionname=$part maxtime=60 || return 1; done &&
	doctor 1 wrong.yaml && finds "$off" "warning  wrong.yaml:2: " \
		"warning  wrong.yaml: minRuntime.reclaim: 2:00:00 never ends, as no job may run for more than 1:00:00: " &&
	for part in main gpu cpu; do scontrol update partitionname=$part maxtime=infinite || return 1; done
'

test_expect_success 'slurm.conf has slurm-cohort, and slurmctld was not restarted' '
	sed -i "s,^PluginDir=,&${COHORT_PLUGINDIR:-$BUILD/plugins}:," "$conf" &&
	printf "PreemptType=preempt/cohort\nPreemptMode=REQUEUE\n" >>"$conf" && doctor 1 &&
	finds "warning  PreemptType: slurmctld runs without slurm-cohort .*: restart slurmctld" \
		"warning  PluginDir: slurm.conf here has .*: restart slurmctld"
'

test_expect_success 'switched on, it observes' '
	cluster_restart_ctld && wait_for 20 "[ -e $CLUSTER/state/cohort_status.json ]" &&
	wait_for 20 "doctor 0 && finds \"$observed\" \"$no_db\""
'

test_expect_success 'changed and not read: at once; then in force, without observe' '
	teams "minRuntime: {reclaim: 10s}" | sed "s/cpu=8/cpu=7/" >"$yaml" && doctor 1 &&
	finds "$observed" "$no_db" "warning  $yaml: .*has changed since slurmctld read it" &&
	doctor 1 "$CLUSTER/etc/../etc/cohort.yaml" && finds "$observed" "$no_db" "warning  $yaml: .*has changed since slurmctld read it" &&
	wait_for 20 "doctor 1 && finds \"$observed\" \"$no_db\" \"warning .*in force: run scohort check, then scontrol reconfigure.\"" &&
	cluster_reconfigure && wait_for 20 "doctor 0 && finds \"$no_db\""
'

test_expect_success 'a draft: how to see what it would change' '
	sed "s/cpu=7/cpu=5/" "$yaml" >draft.yaml && doctor 0 draft.yaml && finds "$no_db" \
	"note     draft.yaml: is not in force. scohort diff draft.yaml shows what it would change, and scohort apply draft.yaml puts it in force"
'

test_expect_success 'a file with errors: each, and that slurmctld has rejected it' '
	cp "$yaml" good.yaml && sed -i "s/cpu=7/cpu=lots/" "$yaml" && cluster_reconfigure &&
	wait_for 20 "doctor 1 && grep \"not in force\" out" && finds "$no_db" "error    $yaml:[0-9]+: clusterQueues\[0\]" \
		"error    $yaml:[0-9]+: clusterQueues\[1\]" "error    $yaml: is not in force. slurmctld rejected it at " \
		"$yaml has errors: memory, " &&
	cp good.yaml "$yaml" && cluster_reconfigure && wait_for 20 "doctor 0"
'

test_expect_success 'settings that slurmctld uses: what they cost' '
	sed -i "s/^SchedulerParameters=/&defer,bf_one_resv_per_job,max_rpc_cnt=5,/; s/^JobRequeue=1/JobRequeue=0/" "$conf" &&
	doctor 1 && finds "$no_db" "warning  SchedulerParameters: slurm.conf here has .*: run scontrol reconfigure" &&
	cluster_reconfigure && wait_for 20 "doctor 1 && finds \"$no_db\" \"note     SchedulerParameters: defer: \" \
		\"warning  SchedulerParameters: max_rpc_cnt=5: \" \"warning  JobRequeue: is 0: \"" &&
	sed -i "s/defer,bf_one_resv_per_job,max_rpc_cnt=5,//; s/^JobRequeue=0/JobRequeue=1/" "$conf" &&
	cluster_reconfigure && wait_for 20 "doctor 0 && finds \"$no_db\""
'

test_expect_success 'folders that are closed to users' '
	chmod o= "$CLUSTER/state" && doctor 1 &&
	finds "$no_db" "warning  $CLUSTER/state/cohort_status.json: users can.t read what slurmctld publishes.*: $CLUSTER/state has mode 0750. Set visibility.publish" &&
	chmod o=rx "$CLUSTER/state" && doctor 0
'

test_expect_success 'an ordinary user: what only root can see is said' '
	all=$(scohort_for_all) && run() { as_nobody "$all" doctor --db "$WORK/history.db" >out 2>err; } &&
	run && finds "$no_db" "only root may ask slurmctld: do the accounts and QOS of rules exist\?" &&
	tail -n 1 out | grep "^Nothing wrong was seen: 1 note; " &&
	chmod o= "$yaml" && test_expect_code 2 run && grep "^  $yaml: Permission denied: cohort.yaml, " out && chmod o=r "$yaml"
'

test_expect_success '-v and --json: all that was looked at' '
	doctor 0 -v && grep "^  ok       scohort check$" out && grep "^  ok       PreemptMode: REQUEUE$" out &&
	grep "^  ok       PreemptType: preempt/cohort$" out && grep "^  ok       enforcement$" out &&
	doctor 0 --json && json "len([f for f in d[\"findings\"] if f[\"severity\"] == \"ok\"])" <out >n &&
	json "[d[k] for k in (\"errors\", \"warnings\", \"notes\", \"notLookedAt\")]" <out >rest && echo "0 0 1 []" >expect && test_cmp expect rest &&
	[ "$(json "d[\"lookedAt\"]" <out)" = $(($(cat n) + 1)) ]
'

test_expect_success 'scohort record runs' '
	if scohort record --db "$WORK/history.db" 2>&1 | grep -q "not built in"; then return; fi
	doctor 0 && finds && tail -n 1 out | grep "^All is well: [0-9]* things looked at$" &&
	python3 -c "import sqlite3; b = sqlite3.connect(\"$WORK/history.db\"); b.execute(\"UPDATE reading SET seen = seen - 700\"); b.commit()" &&
	doctor 1 && finds "warning  $WORK/history.db: the last reading is 1[1-9]:[0-9]+ old: scohort record does not run"
'

test_expect_success 'slurmctld down: what could not be looked at' '
	cluster_stop_ctld && SCOHORT_TIMEOUT=2 doctor 2 && finds "slurmctld does not answer: PreemptType, " &&
	SCOHORT_TIMEOUT=2 doctor 2 good.yaml && rm "$yaml" && SCOHORT_TIMEOUT=2 doctor 2 && finds "slurmctld does not answer" \
		"$yaml: No such file or directory: cohort.yaml, "
'

test_done
