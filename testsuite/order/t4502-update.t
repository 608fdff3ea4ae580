#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a waiting job is changed: demand, place, verdict and text follow'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

# With priority/multifactor, the default from Slurm 23.11 on, all are of priority 1
# here, and those `scontrol top` does not move
{ three_tiers; quick_scheduler; echo PriorityType=priority/basic; } >slurm.conf
sed -i 's/^SchedulerParameters=.*/&,enable_user_top/' slurm.conf
echo Licenses=lic:10 >>slurm.conf

# config PRIORITY: q owns 4 CPUs, 4000 MB, 2 GPUs, 2 nodes and 2 licenses, on
# the first two nodes; r owns 4 CPUs on the other two
config() {
	cat <<-EOT
		visibility: {updateInterval: 1s}
		priority: $1
		flavors: [{name: a100, features: a100}, {name: plain, features: cpu}]
		clusterQueues:
		  - name: q
		    match: [{account: q}]
		    resourceGroups:
		      - coveredResources: [cpu, mem, gres/gpu, node, license/lic]
		        flavors:
		          - {name: a100, nominalQuota: "cpu=4,mem=4000,gres/gpu=2,node=2,license/lic=2"}
		  - name: r
		    match: [{account: r}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors:
		          - {name: plain, nominalQuota: "cpu=4"}
		          - {name: a100, nominalQuota: "cpu=4"}
	EOT
}

config partition >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# holder OPTIONS...: somebody of q runs with these
holder() { holder=$(submit -A q "$@") && all_run "$holder"; }

update() { job_update "$@"; }

# ---- size ----

test_expect_success 'CPUs: more than can ever be, fewer, few enough' '
	holder -n2 --mem=100 &&
	job=$(submit -A q -N1 -n3 --mem=100) && says $job "quota(cpu@a100),need=3,free=2" &&
	update $job NumNodes=2-2 NumTasks=5 NumCPUs=5 && says $job "never(max=4),need=5" &&
	update $job NumCPUs=4 && says $job "quota(node@a100),need=2,free=1" &&
	update $job NumNodes=1-1 NumTasks=2 NumCPUs=2 && all_run $job &&
	[ "$(usage q)" -eq 4 ]
'

test_expect_success 'nodes' '
	cluster_clear && holder -n1 --mem=100 &&
	job=$(submit -A q -N2 -n2 --mem=100) && says $job "quota(node@a100),need=2,free=1" &&
	update $job NumNodes=3-3 NumTasks=3 && says $job "never(nodes)" &&
	update $job NumNodes=1-1 NumTasks=1 NumCPUs=1 && all_run $job
'

test_expect_success 'memory' '
	cluster_clear && holder -n1 --mem=2500 &&
	job=$(submit -A q -n1 --mem=2000) && says $job "quota(mem@a100),need=2000,free=1500" &&
	update $job MinMemoryNode=1800 && says $job "need=1800,free=1500" &&
	update $job NumNodes=2-2 NumTasks=2 MinMemoryNode=3000 && says $job "never(max=4000),need=6000_mem@a100" &&
	update $job NumNodes=1-1 NumTasks=1 NumCPUs=1 MinMemoryNode=1500 && all_run $job && [ "$(usage q mem)" -eq 4000 ]
'

test_expect_success 'GPUs' '
	cluster_clear && holder -n1 --mem=100 --gres=gpu:1 &&
	job=$(submit -A q -n1 --mem=100 --gres=gpu:2) && says $job "quota(gres/gpu@a100),need=2,free=1" &&
	update $job TresPerNode=gres:gpu:1 && all_run $job && [ "$(usage q gpu)" -eq 2 ] &&
	job=$(submit -A q -N2 -n2 --mem=100 --gpus=2) && says $job "quota(gres/gpu@a100),need=2,free=0" &&
	update $job TresPerJob=gres:gpu:3 && says $job "never(max=2),need=3_gres/gpu@a100"
'

test_expect_success 'memory that comes with GPUs' '
	cluster_clear && holder -n1 --mem=2500 &&
	job=$(submit -A q -N1 --mem-per-gpu=1000 --gpus-per-node=2) && says $job "quota(mem@a100),need=2000,free=1500" &&
	update $job TresPerNode=gres:gpu:1 && all_run $job
'

# It has quota then. Slurm 24.11 by itself has no nodes for it, not even when all are idle.
test_expect_success 'CPUs that come with GPUs' '
	cluster_clear && holder -n1 --mem=100 &&
	job=$(submit -A q -N1 --mem=100 --gpus-per-node=2 --cpus-per-gpu=2) && says $job "quota(cpu@a100),need=4,free=3" &&
	update $job TresPerNode=gres:gpu:1 &&
	if slurm_since 24.11; then says $job "wait=nodes"; else all_run $job; fi
'

# One CPU is left on each of the two nodes, and one node in the quota
test_expect_success 'what was learned of a request is forgotten with it' '
	cluster_clear && full="$(submit -n3 -w n1 --mem=100) $(submit -n2 -w n2 --mem=100)" &&
	all_run $full && holder -n1 --mem=100 -w n2 &&
	job=$(submit -A q -n2 --mem=100) && says $job "quota(node@a100),need=2,free=1" &&
	update $job NumTasks=1 NumCPUs=1 && all_run $job
'

test_expect_success 'licenses' '
	cluster_clear && holder -n1 --mem=100 -L lic:1 &&
	job=$(submit -A q -n1 --mem=100 -L lic:2) && says $job "quota(license/lic@a100),need=2,free=1" &&
	update $job Licenses=lic:3 && says $job "never(max=2),need=3_license/lic@a100" &&
	update $job Licenses=lic:1 && all_run $job
'

test_expect_success 'whole nodes or not' '
	cluster_clear && holder -n2 --mem=100 &&
	job=$(submit -A q -n1 --mem=100 --exclusive) && says $job "quota(cpu@a100),need=4,free=2" &&
	update $job OverSubscribe=YES && all_run $job
'

# ---- where ----

test_expect_success 'another constraint, another flavor' '
	cluster_clear &&
	r=$(submit -A r -N1 -n4 -C cpu) && all_run $r &&
	job=$(submit -A r -n2 -N1 -C cpu) && says $job "quota(cpu@plain),need=2,free=0" &&
	update $job Features=a100 && all_run $job && running_nodes $job | grep "n[12]"
'

test_expect_success 'another list of nodes, and nodes to leave out' '
	job=$(submit -A r -n3 -N1 -w n3) && says $job "quota(cpu@plain),need=3,free=0" &&
	update $job ReqNodeList=n2 && says $job "quota(cpu@a100),need=3,free=2" &&
	update $job NumTasks=2 NumCPUs=2 ReqNodeList= ExcNodeList=n3,n4 && all_run $job
'

# ---- order ----

# What does not change what is asked for changes no place, whoever it is
test_expect_success 'time limit, name, nice: the place stays' '
	cluster_clear && holder -n4 --mem=100 &&
	one=$(submit -A q -n1 --mem=100) && two=$(submit -A q -n1 --mem=100) &&
	wait_for 5 "[ \"\$(positions $one $two)\" = \"1/2 2/2\" ]" &&
	update $one TimeLimit=10 && update $one JobName=other && update $one Nice=100 &&
	scontrol top $two && wait_for 5 "in_line $one $two" &&
	holds_for 2 "[ \"\$(positions $one $two)\" = \"1/2 2/2\" ]"
'

test_expect_success 'partition: the class changes, and the place' '
	update $two Partition=hi && wait_for 5 "[ \"\$(positions $one $two)\" = \"2/2 1/2\" ]" &&
	update $one Partition=hi && wait_for 5 "[ \"\$(positions $one $two)\" = \"1/2 2/2\" ]"
'

test_expect_success 'with priority: job, priority, nice and top decide' '
	use_cohort config job && holder -n4 --mem=100 &&
	one=$(submit -A q -n1 --mem=100) && two=$(submit -A q -n1 --mem=100) && three=$(submit -A q -n1 --mem=100) &&
	wait_for 5 "[ \"\$(positions $one $two $three)\" = \"1/3 2/3 3/3\" ]" &&
	scontrol top $two && wait_for 5 "[ \"\$(positions $one $two $three)\" = \"2/3 1/3 3/3\" ]" &&
	update $two Nice=1000 && wait_for 5 "[ \"\$(positions $one $two $three)\" = \"1/3 3/3 2/3\" ]" &&
	update $three Priority=4294967000 && wait_for 5 "[ \"\$(positions $one $two $three)\" = \"2/3 3/3 1/3\" ]"
'

test_expect_success 'nothing is left over' '
	use_cohort config partition &&
	one=$(submit -A q -N2 -n4 --mem=2000 --gres=gpu:1 -L lic:2) && two=$(submit -A r -n4 -C cpu) &&
	all_run $one $two && scancel $two && three=$(submit -A r -n4 -C a100) && all_run $three &&
	job=$(submit -A q -n1 --mem=1) && says $job "need=1,free=0"
'

test_done
