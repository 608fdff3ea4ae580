#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort why --fit: the command that it prints is run as it is, and the job starts'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

# A queue for each partition, on nodes of its own; others by QOS and account
{
	cat <<-EOF
		visibility: {updateInterval: 1s}
		priority: partition
		flavors:
		  - {name: a100, nodes: "n[1-2]"}
		  - {name: plain, nodes: "n[3-4]"}
		clusterQueues:
	EOF
	while read -r name match strategy flavor quota; do
		cat <<-EOF
			  - name: $name
			    match: [{$match}]
			    queueingStrategy: $strategy
			    resourceGroups:
			      - coveredResources: [cpu, gres/gpu]
			        flavors: [{name: $flavor, nominalQuota: "$quota"}]
		EOF
	done <<-EOF
		vip qos:vip BestEffortFIFO plain cpu=2,gres/gpu=0
		both account:both BestEffortFIFO a100 cpu=1,gres/gpu=0
		guest account:guest BestEffortFIFO a100 cpu=2,gres/gpu=0
		strict account:strict StrictFIFO plain cpu=4,gres/gpu=0
		gpuq partition:gpu BestEffortFIFO a100 cpu=6,gres/gpu=3
		cpuq partition:cpu BestEffortFIFO plain cpu=6,gres/gpu=0
	EOF
} | sed 's/{\([a-z]*\):\([a-z]*\)}/{\1: \2}/
	/name: both/,/flavors/ s/}]$/}, {name: plain, nominalQuota: "cpu=1,gres\/gpu=0"}]/
	/name: both/,/flavors/ s/both}, .*/both}]/' >cohort.yaml
cat >commands <<-END
	add account home,guest,strict,both
	add user root,nobody account=home,guest,strict,both defaultaccount=home
	add qos vip
	modify user root set qos+=vip
END
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf --accounting --sacctmgr commands
all=$(scohort_for_all)
q=\'

# fit ID: its answer, in one line each, in $WORK/fit; the commands are its last lines
fit() { COLUMNS=10000 scohort why "$1" --fit | sed 's/^ *//' >"$WORK/fit"; cat "$WORK/fit"; }
text() { grep -F -- "$1" "$WORK/fit"; }
# helps ID CHANGE: the change starts it now; its command is run as printed, and so it comes
helps() {
	fit "$1"
	text "With $2" | grep -F "it starts now on n" &&
		sh -c "$(grep -A1 -F "With $2" "$WORK/fit" | sed -n 2p)" && all_run "$1"
}
waits() { says "$1" "wait=$2" && published_anew && wait_for 10 "[ \"\$(scohort why $1 --json | json 'd[\"jobs\"][0][\"verdict\"]')\" = \"$2\" ]"; }
# clear: no job is left, and no node is in use
clear() { cluster_clear && wait_for 20 "[ \"\$(sinfo -h -N -o %T | sort -u)\" = idle ]"; }

test_expect_success 'fewer tasks: as many as there is quota for' '
	first=$(submit -A home -p cpu -n4 -t 30) && all_run $first &&
	id=$(submit -A home -p cpu -n4 -t 30) && waits $id "quota(cpu@plain)" &&
	helps $id "--ntasks=2 instead of 4" && [ "$(squeue -h -j $id -o %C)" = 2 ] &&
	text "What starts it sooner: (3 questions to slurmctld, as for one more job like it)"
'

test_expect_success 'fewer GPUs; the same in the document' '
	clear && first=$(submit -A home -p gpu -N1 -n1 --gpus=2 -t 30) && all_run $first &&
	id=$(submit -A home -p gpu -N1 -n1 --gpus=2 -t 30) && waits $id "quota(gres/gpu@a100)" &&
	scohort why --fit --json $id >json &&
	[ "$(json "[a[k] for a in d[\"jobs\"][0][\"fit\"][\"answers\"] for k in (\"change\", \"basis\", \"now\", \"victims\")]" <json)" = \
		"--gpus=1 instead of 2 slurmctld true 0" ] &&
	[ "$(json "[d[\"jobs\"][0][\"fit\"][k] for k in (\"questions\", \"complete\")]" <json)" = "1 true" ] &&
	task=$(submit -A home -p gpu -n2 --gpus-per-task=1 -t 30) && waits $task "quota(gres/gpu@a100)" && fit $task &&
	text "scancel $task  # then submit it again with --ntasks=1 instead of 2" && scancel $task &&
	helps $id "--gpus=1 instead of 2"
'

test_expect_success 'fewer CPUs of one task, and fewer nodes' '
	clear && first=$(submit -A home -p cpu -n4 -t 30) && all_run $first &&
	id=$(submit -A home -p cpu -n1 -c4 -t 30) && waits $id "quota(cpu@plain)" &&
	helps $id "--cpus-per-task=2 instead of 4" &&
	clear && first=$(submit -A home -p cpu -N1 -n3 -t 30) && all_run $first &&
	id=$(submit -A home -p cpu -N2 --ntasks-per-node=2 -t 30) && waits $id "quota(cpu@plain)" &&
	helps $id "--nodes=1 instead of 2, --ntasks=2 instead of 4"
'

test_expect_success 'an account of the same user, in another cluster queue; its limits are not part of it' '
	clear && first=$(submit -A home -p gpu -n6 -t 30) && all_run $first &&
	id=$(submit -A home -p gpu -n2 -t 30) && waits $id "quota(cpu@a100)" &&
	helps $id "--account=guest instead of home (cluster queue guest)" &&
	text "were not asked." && [ "$(job_field $id Account)" = guest ]
'

test_expect_success 'a QOS of the same user' '
	clear && gpu=$(submit -A home -p gpu -n6 -t 30) && first=$(submit -A home -p cpu -n6 -t 30) && all_run $gpu $first &&
	id=$(submit -A home -p cpu -n2 -t 30) && waits $id "quota(cpu@plain)" &&
	helps $id "--qos=vip instead of normal (cluster queue vip)" && [ "$(job_field $id QOS)" = vip ]
'

test_expect_success 'another partition; a user without rights, with an environment that would change the question' '
	clear && first=$(submit -A home -p gpu -n6 -t 30) && more=$(submit -A guest -p gpu -n2 -t 30) && all_run $first $more &&
	id=$(as_nobody sbatch --parsable -o /dev/null -A home -p gpu -n1 -t 30 --wrap "sleep 1000") && waits $id "quota(cpu@a100)" &&
	SBATCH_CONSTRAINT=none SBATCH_EXCLUSIVE=1 COLUMNS=10000 as_nobody "$all" why $id --fit >out &&
	grep -F "With --partition=cpu instead of gpu (cluster queue cpuq) it starts now on n" out &&
	as_nobody sh -c "$(grep "scontrol.*Partition=cpu" out)" && all_run $id &&
	as_nobody "$all" why $first --fit >out && grep "No change was tried: it has started" out
'

test_expect_success 'no partition that does not take its account, QOS or time' '
	clear && gpu() { scontrol update partitionname=gpu "$@"; } && first=$(submit -A home -p cpu -n6 -t 30) && all_run $first &&
	id=$(submit -A home -p cpu -n2 -t 30) && waits $id "quota(cpu@plain)" && fit $id && text "With --partition=gpu" &&
	for limit in allowaccounts=guest denyaccounts=home allowqos=vip maxtime=10; do
		gpu $limit && fit $id && ! text "--partition=gpu" && gpu allowaccounts=ALL denyaccounts= allowqos=ALL maxtime=infinite || return 1
	done && scontrol update partitionname=cpu allowaccounts=home && fit $id && text "With --partition=gpu" && ! text "--account" &&
	scontrol update partitionname=cpu allowaccounts=ALL
'

test_expect_success 'root asks for a job of another user, another user may not' '
	clear && first=$(submit -A home -p cpu -n4 -t 30) && all_run $first &&
	id=$(as_nobody sbatch --parsable -o /dev/null -A home -p cpu -n4 -t 30 --wrap "sleep 1000") && own=$(submit -A home -p cpu -n4 -t 30) &&
	waits $own "quota(cpu@plain)" && as_nobody "$all" why $own --fit >out && grep "only its user and root can ask for it" out &&
	waits $id "quota(cpu@plain)" && helps $id "--ntasks=2 instead of 4"
'

test_expect_success 'less time: up to a reservation, and in the time that is left' '
	clear && scontrol create reservation reservationname=soon starttime=now+30minutes duration=60 nodes=n[3-4] flags=maint users=root &&
	id=$(submit -A home -p cpu -n6 -t 60) && waits $id nodes &&
	helps $id "--time=29:00 instead of 1:00:00" && [ "$(job_field $id TimeLimit)" = 00:29:00 ] &&
	scontrol delete reservationname=soon
'

test_expect_success 'a constraint that keeps it off free nodes' '
	clear && first=$(submit -A both -p main -C a100 -n1 -t 30) && all_run $first &&
	id=$(submit -A both -p main -C a100 -n1 -t 30) && waits $id "quota(cpu@a100)" &&
	helps $id "no --constraint instead of a100"
'

test_expect_success 'the first of a StrictFIFO queue: by quota alone, as it says' '
	clear && first=$(submit -A strict -p cpu -n3 -t 30) && all_run $first &&
	id=$(submit -A strict -p cpu -n2 -t 30) && waits $id "quota(cpu@plain)" && fit $id &&
	text "With --ntasks=1 instead of 2 it has quota now. That is by quota alone: nodes were not asked" &&
	sh -c "$(grep "^scontrol update" "$WORK/fit" | tail -n 1)" && all_run $id
'

test_expect_success 'nothing helps: said, with what was tried' '
	clear && first=$(submit -A strict -p cpu -n4 -t 30) && guest=$(submit -A guest -p gpu -n2 -t 30) &&
	gpu=$(submit -A home -p gpu -n6 -t 30) && cpu=$(submit -A home -p cpu -n4 -t 30) && all_run $first $guest $gpu $cpu &&
	id=$(submit -A home -p gpu -n2 -t 30) && waits $id "quota(cpu@a100)" && fit $id &&
	text "No change that was tried starts it sooner: " && ! grep scontrol "$WORK/fit"
'

test_expect_success 'more than can ever be had: what is expected to start, and when' '
	clear && first=$(submit -A home -p cpu -n6 -t 30) && all_run $first && id=$(submit -A home -p cpu -n8 -t 30) &&
	says $id "wait=never(max=6)" && wait_for 10 "fit $id; text \"With --ntasks=6 instead of 8 it is expected to start at \"" &&
	text ", and as it is never." && sh -c "$(grep "^scontrol update" "$WORK/fit")" && says $id "wait=quota(cpu@plain)" &&
	scancel $first && all_run $id
'

test_expect_success 'an array: the command names the tasks that wait, and no others' '
	clear && first=$(submit -A home -p cpu -n3 -t 30) && all_run $first &&
	id=$(submit -A home -p cpu -n6 -t 30 -a 1,3,5-99%7) && waits $id "quota(cpu@plain)" && fit ${id}_3 &&
	text "With --ntasks=3 instead of 6 the first of its tasks starts now on n" &&
	text "scontrol update JobId=${q}${id}_[1,3,5-99]${q} NumTasks=3 NumCPUs=3" &&
	sh -c "$(grep NumTasks "$WORK/fit")" && wait_for 10 "tasks_run $id 1" && scancel $id &&
	id=$(submit -A home -p cpu -n6 -t 30 -a 1-31:10) && waits $id "quota(cpu@plain)" && fit ${id}_11 &&
	text "scontrol update JobId=${q}${id}_[1,11,21,31]${q} NumTasks=3" && sh -c "$(grep NumTasks "$WORK/fit")" && wait_for 10 "tasks_run $id 1"
'

test_expect_success 'srun: an update would leave it with more tasks than CPUs; a job of its own is named' '
	clear && first=$(submit -A home -p cpu -n4 -t 30) && all_run $first &&
	{ srun -J waits -A home -p cpu -n4 -t 30 true 2>/dev/null & } &&
	wait_for 10 "[ -n \"\$(squeue -h -n waits -o %A)\" ]" && id=$(squeue -h -n waits -o %A) && waits $id "quota(cpu@plain)" && fit $id &&
	text "scancel $id  # then submit it again with --ntasks=2 instead of 4" && sh -c "$(grep "^scancel" "$WORK/fit")" && wait
'

test_expect_success 'held, ended, of several components: what is said instead' '
	clear && first=$(submit -A home -p cpu -n6 -t 30) && all_run $first &&
	held=$(submit -H -A home -p cpu -n1) && after=$(submit -d afterok:$first -A home -p cpu -n1) &&
	het=$(sbatch --parsable -A home -p cpu -n1 : -p cpu -n1 --wrap "sleep 1000") &&
	fit $held && text "No change helps while it is held (scontrol release)." &&
	fit $after && text "No change was tried: it is not in line" &&
	says $het wait= && fit $het && text "its components start together" &&
	scancel $first && wait_for 10 "[ \"\$(job_state $first)\" = CANCELLED ]" && fit $first && text "No change helps: it has ended."
'

test_expect_success 'by eviction: how many jobs go, and they do' '
	use_cohort eval "quota_head; cohorts lab; echo clusterQueues:; queue home 8 cohort=lab; queue guest 8 cohort=lab reclaim=Any" &&
	all_run $(for i in 1 2 3 4; do submit -A home -N1 -n4 -t 60; done) && id=$(submit -A guest -n12 -t 30) && waits $id "quota(cpu@any)" &&
	wait_for 20 "fit $id; text \"--ntasks=8 instead of 12 it starts\"" && text ", after evicting 2 jobs." &&
	sh -c "$(grep "^scontrol update" "$WORK/fit")" && wait_for 20 "job_runs $id" && [ "$(evicted | wc -w)" = 2 ]
'

test_expect_success 'without the published file, and where quota is only observed: nothing is asked' '
	id=$(submit -A guest -n12 -t 30) && waits $id "quota(cpu@any)" && SCOHORT_PUBLISH=/nowhere/x fit $id 2>err &&
	text "No change was tried, because the published file" &&
	use_cohort eval "quota_head; echo enforcement: observe; echo clusterQueues:; queue home 8" &&
	all_run $(submit -A home -n16 -t 60) && id=$(submit -A home -n1) && wait_for 10 "tried $id" &&
	wait_for 10 "fit $id; text \"No change was tried: quota is only observed\""
'

test_expect_success 'a wrong option, and no slurmctld' '
	test_expect_code 2 scohort why --fit 2>err && grep "JOBID is missing" err &&
	test_expect_code 2 scohort why --fits $first 2>err &&
	cluster_stop_ctld && test_expect_code 3 scohort why --fit $first 2>err && grep "slurmctld does not answer" err
'

test_done
