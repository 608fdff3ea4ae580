#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the private cluster: up, a job, down; two at once'
. "$(dirname "$0")/../lib.sh"

cluster=$TESTSUITE/cluster
first=$WORK/first
second=$WORK/second
CLUSTERS="$first $second"

# Runs the command with the environment of the cluster in DIR
on() {
	(. "$1/env" && shift && "$@")
}


# Pids of the daemons of the cluster in DIR
pids_of() { cat "$1"/run/*.pid | cut -d ' ' -f 1; }

alive() {
	local pid
	for pid; do
		[ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" || return 1
	done
}

# Processes with DIR in their command line or, as slurmstepd has it, among their
# open files
left_of() {
	local p
	for p in /proc/[0-9]*; do
		if grep -qF "$1/" "$p/cmdline" 2>/dev/null ||
			ls -l "$p/fd" 2>/dev/null | grep -qF "$1/"; then
			echo "${p#/proc/}"
		fi
	done
}

cat >cohort.yaml <<-EOF
	flavors:
	  - {name: any}
	clusterQueues:
	  - name: all
	    match: [{partition: main}]
	    resourceGroups:
	      - coveredResources: [cpu]
	        flavors: [{name: any, nominalQuota: "cpu=16"}]
EOF

test_expect_success 'wrong command lines are refused' '
	test_must_fail "$cluster" &&
	test_must_fail "$cluster" up --stock &&
	test_must_fail "$cluster" up --dir "$first" &&
	test_must_fail "$cluster" up --dir "$first" --stock --nodes none &&
	test_must_fail "$cluster" up --dir "$first" --cohort missing.yaml &&
	test_must_fail "$cluster" sideways --dir "$first" &&
	test_must_fail "$cluster" restart-ctld --dir "$first"
'

test_expect_success 'up: all nodes are idle' '
	start=$(now_ms) &&
	"$cluster" up --dir "$first" --stock &&
	took=$(($(now_ms) - start)) &&
	echo "$took ms" &&
	[ $took -lt $((60000 + PATIENCE * 1000)) ] &&
	[ "$(on "$first" sinfo -h -N -o %N%t -p main | grep -c idle)" -eq 4 ]
'

test_expect_success 'up again in the same folder is refused' '
	test_must_fail "$cluster" up --dir "$first" --stock
'

test_expect_success 'nodes, features, GPUs and partitions are as promised' '
	on "$first" sinfo -h -N -p main -o "%N %c %m %f %G" >nodes &&
	cat >expected <<-EOF &&
		n1 4 4000 a100 gpu:2
		n2 4 4000 a100 gpu:2
		n3 4 4000 cpu (null)
		n4 4 4000 cpu (null)
	EOF
	test_cmp expected nodes &&
	[ "$(on "$first" sinfo -h -p gpu -o %D)" -eq 2 ] &&
	[ "$(on "$first" sinfo -h -p cpu -o %D)" -eq 2 ]
'

test_expect_success 'jobs run: srun, a batch job with a GPU, a user other than root' '
	[ "$(on "$first" srun -N4 hostname | wc -l)" -eq 4 ] &&
	on "$first" sbatch --wait -o gpus --gres=gpu:1 --wrap "echo \$CUDA_VISIBLE_DEVICES" &&
	[ "$(cat gpus)" = 0 ] &&
	[ "$(on "$first" as_nobody srun id -u)" = 65534 ]
'

test_expect_success 'a second cluster comes up beside it, with plugins and lines of its own' '
	echo "KillWait=3" >extra.conf &&
	echo "PartitionName=main Nodes=ALL Default=YES PriorityTier=7" >>extra.conf &&
	echo "PartitionName=more Nodes=n1" >>extra.conf &&
	echo "MessageTimeout=10" >>extra.conf &&
	"$cluster" up --dir "$second" --cohort cohort.yaml --slurm-conf extra.conf --nodes 2 &&
	[ "$(ctld_port "$first")" -ne "$(ctld_port "$second")" ] &&
	on "$second" scontrol show config >config &&
	grep -E "KillWait +. 3 sec" config &&
	grep -E "PreemptType +. preempt/cohort" config &&
	[ "$(grep -c ^KillWait "$second/etc/slurm.conf")" -eq 1 ] &&
	[ "$(on "$second" scontrol -o show partition main | grep -o "PriorityTier=7")" ] &&
	[ "$(on "$second" sinfo -h -p more -o %D)" -eq 1 ]
'

test_expect_success 'reconfigure and a restart of slurmctld keep a running job' '
	id=$(on "$second" submit -n1) &&
	wait_for 10 "on $second job_runs $id" &&
	"$cluster" reconfigure --dir "$second" &&
	"$cluster" restart-ctld --dir "$second" &&
	on "$second" job_runs $id &&
	"$cluster" kill-ctld --dir "$second" &&
	on "$second" job_runs $id
'

# Stopped: it answers as little as one that hangs
test_expect_success 'a slurmctld of 24.11.5 that hangs as it reconfigures is killed and started, no other' '
	kill -STOP "$(cut -d " " -f 1 "$second/run/slurmctld.pid")" &&
	test_must_fail "$cluster" reconfigure --dir "$second" &&
	echo "Reconfigure signal (SIGHUP) received" >>"$second/log/slurmctld.log" &&
	case $slurm_version in
	24.11.[0-5]) "$cluster" reconfigure --dir "$second" ;;
	*) test_must_fail "$cluster" reconfigure --dir "$second" && "$cluster" kill-ctld --dir "$second" ;;
	esac &&
	on "$second" job_runs $id
'

test_expect_success 'down stops one and leaves the other alone' '
	others=$(pids_of "$second") &&
	first_pids=$(pids_of "$first") &&
	on "$first" submit -n1 &&
	on "$first" sbatch -o /dev/null --wrap "setsid sleep 1000 & exec sleep 1000" &&
	wait_for 10 "[ \$(on $first squeue -h -t R | wc -l) -eq 2 ]" &&
	{ on "$first" srun -N4 --exclusive true & } &&
	wait_for 10 "on $first squeue -h -t PD | grep -q ." &&
	"$cluster" down --dir "$first" &&
	! alive $first_pids &&
	[ -z "$(left_of "$first")" ] &&
	alive $others &&
	on "$second" scontrol ping | grep "is UP"
'

test_expect_success 'down again does nothing, and needs no folder' '
	"$cluster" down --dir "$first" &&
	"$cluster" down --dir "$WORK/none" &&
	[ ! -e "$WORK/none" ]
'

test_expect_success 'down never signals a process that only has the number of one of ours' '
	sleep 1000 & bystander=$! &&
	echo "$bystander 1" >"$first/run/slurmd.n1.pid" &&
	"$cluster" down --dir "$first" &&
	alive $bystander &&
	kill $bystander
'

test_expect_success 'down of the second leaves nothing' '
	"$cluster" down --dir "$second" &&
	! alive $others &&
	[ -z "$(left_of "$second")" ]
'

test_done
