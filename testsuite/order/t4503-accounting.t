#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='with slurmdbd: account, QOS or partition of a waiting job change; job_submit'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# A victim that ignores SIGTERM stays until its preemptor has changed
{ three_tiers; quick_scheduler; echo KillWait=120; } >slurm.conf
# Slurm may have been built without Lua
if [ -e "$(sed -n 's/^SLURM_PLUGINDIR = //p' "$TOP/config.mk")/job_submit_lua.so" ]; then
	test_set_prereq LUA
	echo JobSubmitPlugins=lua >>slurm.conf
fi

# a and b own 4 each and may borrow from each other; urgent jobs of a have a
# queue of their own, and so has the partition hi
{
	quota_head | sed 's/^priority: .*/priority: qos/'
	cohorts org
	echo 'clusterQueues:'
	queue urgent 2 | sed 's/account: "urgent"/qos: urgent/'
	queue hi 4 | sed 's/account: "hi"/partition: hi/'
	queue a 4 cohort=org borrow=0
	queue b 4 cohort=org borrow=0 reclaim=Any
	queue c 4 cohort=org
} >cohort.yaml

cat >commands <<-EOF
	add account a,b,c,out
	add user root account=a defaultaccount=a
	add user root account=b
	add user root account=c
	add user root account=out
	add qos urgent priority=100
	add qos better priority=10
	modify user root set qos+=urgent,better
EOF

# What job_submit makes of a job is what counts
mkdir -p "$CLUSTER/etc"
cat >"$CLUSTER/etc/job_submit.lua" <<'EOF'
function slurm_job_submit(job, parts, uid)
	if job.name == "refused" then
		slurm.log_user("not today")
		return slurm.ERROR
	elseif job.name == "moved" then
		job.account = "b"
	elseif job.name == "urged" then
		job.qos = "urgent"
	elseif job.name == "grown" then
		job.min_cpus = 4
		job.num_tasks = 4
	end
	return slurm.SUCCESS
end
function slurm_job_modify(job, rec, parts, uid)
	if job.comment == "to b" then
		job.account = "b"
	end
	return slurm.SUCCESS
end
EOF

cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --accounting --sacctmgr commands

queue_of() { job_reason "$1" | sed -n 's/^Cohort:.*,cq=//p'; }

# in_queue ID QUEUE POS
in_queue() {
	wait_for 8 "[ \"\$(queue_of $1) \$(reason_pos $1)\" = \"$2 $3\" ]" || {
		job_reason "$1"
		return 1
	}
}

update() { scontrol update job "$@"; }

test_expect_success 'all queues are full, and jobs wait in each' '
	run_a=$(submit -A a -N1 -n4) && run_b=$(submit -A b -N1 -n4) &&
	run_urgent=$(submit -A a -q urgent -n2) && run_hi=$(submit -A a -p hi -N1 -n4) &&
	all_run $run_a $run_b $run_urgent $run_hi &&
	job=$(submit -A a -n2) && second=$(submit -A a -n2) &&
	in_b=$(submit -A b -n2) && in_queue $job a 1/2 && in_queue $second a 2/2 && in_queue $in_b b 1/1
'

test_expect_success 'another account: its line, with the age it has' '
	update $job Account=b && in_queue $job b 1/2 && in_queue $second a 1/1 && in_queue $in_b b 2/2
'

test_expect_success 'another QOS: the queue that it matches, and back' '
	update $job QOS=urgent && in_queue $job urgent 1/1 && in_queue $in_b b 1/1 &&
	update $job QOS=normal && in_queue $job b 1/2
'

test_expect_success 'a QOS that matches no rule: the same queue, another class' '
	update $in_b QOS=better && in_queue $in_b b 1/2 && in_queue $job b 2/2
'

test_expect_success 'another partition: the queue that it matches, and back' '
	update $job Partition=hi && in_queue $job hi 1/1 && in_queue $in_b b 1/1 &&
	update $job Partition=main && in_queue $job b 2/2
'

test_expect_success 'an account or QOS that is not to be had is an error, and the place stays' '
	test_must_fail update $job Account=stranger && in_queue $job b 2/2 &&
	test_must_fail update $job QOS=stranger && in_queue $job b 2/2
'

test_expect_success 'out of all queues: it starts' '
	update $job Account=out && all_run $job
'

test_expect_success 'where there is quota it starts, and is charged there' '
	scancel $run_b && all_run $in_b && wait_for 5 "[ \$(usage b) -eq 2 ]" &&
	update $second Account=b && all_run $second && wait_for 5 "[ \$(usage b) -eq 4 ]" &&
	behind=$(submit -A b -n1) && in_queue $behind b 1/1 && says $behind need=1,free=0
'

# What it owns is owned in the queue that it leaves
test_expect_success 'a preemptor that moves: who takes its place is served' '
	cluster_clear && log_mark &&
	holder=$(submit -A c -N2 -n8 --qos=better) && all_run $holder &&
	victim=$(stubborn_until "[ -e $WORK/enough ]" -A c -N1 -n4) &&
	all_run $victim &&
	p=$(submit -A b -N1 -n4) && wait_for 10 "[ \"\$(evicted)\" = $victim ]" &&
	update $p Account=out && other=$(submit -A b -N1 -n4) && touch "$WORK/enough" && all_run $other &&
	wait_for 15 "job_runs $p" && [ "$(usage b)" -eq 4 ]
'

test_expect_success LUA 'job_submit: the queue is that of what it makes of the job' '
	cluster_clear && b=$(submit -A b -n3) && all_run $b &&
	moved=$(submit -A a -J moved -n2) && in_queue $moved b 1/1 &&
	urged=$(submit -A a -J urged -n3) &&
	wait_for 8 "job_reason $urged | grep \"never(max=2),need=3.*cq=urgent\"" &&
	grown=$(submit -A b -J grown -n1) && wait_for 8 "job_reason $grown | grep \"need=4,free=1\""
'

test_expect_success LUA 'job_submit says no: the user is told, and no place is taken' '
	test_must_fail submit -A b -J refused -n1 2>err && grep "not today" err &&
	in_queue $moved b 1/2
'

test_expect_success LUA 'job_submit changes a change' '
	cluster_clear && a=$(submit -A a -N1 -n4) && b=$(submit -A b -N1 -n4) && all_run $a $b &&
	job=$(submit -A a -n1) && in_queue $job a 1/1 &&
	update $job Comment="to b" && in_queue $job b 1/1 &&
	scancel $b && all_run $job && wait_for 5 "[ \$(usage b) -eq 1 ]"
'

test_expect_success 'nothing is left over' '
	cluster_clear && books_settled a:4 b:4 c:4
'

test_done
