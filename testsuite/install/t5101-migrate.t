#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# doc/admin-guide.md: what the two ways to come from elsewhere promise, with the
# configurations of the guide, in smaller numbers and without minimum run times.
test_description='coming from scavenger partitions, and from GrpTRES with preempt/qos'
. "$(dirname "$0")/../lib.sh"

# guide_yaml HEADING [N]: the first or Nth yaml under it
guide_yaml() {
	awk -v heading="## $1" -v nth="${2-1}" '
		/^## / { here = $0 == heading }
		here && /^```yaml$/ { inside = ++n == nth; next }
		inside && /^```$/ { exit }
		inside && !/^minRuntime:/' "$TOP/doc/admin-guide.md"
}

# ---- scavenger partitions ----

guide_yaml 'Coming from scavenger partitions' |
	sed 's/gpu\[01-08]/n[1-2]/; s/gpu\[09-16]/n[3-4]/; s/gres\/gpu=64/gres\/gpu=4/
		s/node=8/node=2/' >cohort.yaml
cat >slurm.conf <<-EOF
	PartitionName=vision Nodes=n[1-2] PriorityTier=10 PreemptMode=OFF
	PartitionName=speech Nodes=n[3-4] PriorityTier=10 PreemptMode=OFF
	PartitionName=scavenger Nodes=n[1-4] PriorityTier=1 GraceTime=1
EOF
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

node_job() { submit -N 1 --exclusive -p "$@"; }

test_expect_success 'scavengers fill what is idle, with partitions as they were' '
	for i in 1 2 3 4; do
		node_job scavenger >>all || return 1
	done &&
	wait_for 20 "job_runs $(echo $(cat all))"
'

test_expect_success 'a team gets a node of its own back, and takes no other' '
	owner=$(node_job vision) &&
	wait_for 30 "job_runs $owner" &&
	running_nodes $owner | grep "^n[12]$" &&
	log_lines "cohort: evict:" >evicted &&
	test "$(wc -l <evicted)" -eq 1 &&
	grep "(scavenger) for JobId=$owner (vision), rule InCohortReclamation" evicted &&
	grep "node@vision-nodes" evicted
'

test_expect_success 'the victim waits in line, and is told for what' '
	victim=$(sed -n "s/.*evict: JobId=\([0-9]*\) .*/\1/p" evicted) &&
	wait_for 30 "job_reason $victim | grep \"^Cohort:pos=1/1,wait=quota.*cq=scavenger\""
'

test_expect_success 'a job gets nodes of one team, and one that wants more never starts' '
	cluster_clear && two=$(submit -N 2 --exclusive -p scavenger) && three=$(submit -N 3 --exclusive -p scavenger) &&
	wait_for 20 "job_runs $two" && running_nodes $two | xargs | grep -xE "n1 n2|n3 n4" &&
	wait_for 20 "job_reason $three | grep wait=never"
'

cluster_down

CLUSTER=$WORK/one
guide_yaml 'Coming from scavenger partitions' 2 |
	sed 's/gres\/gpu=64/gres\/gpu=4/; s/cpu=512/cpu=8/; s/mem=4T/mem=8G/' >cohort.yaml
cat >slurm.conf <<-EOF
	PartitionName=gpu Nodes=ALL
	PartitionName=scavenger Nodes=ALL PriorityTier=1
EOF
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

test_expect_success 'where the nodes of both are one flavor it starts, and check has no such warning' '
	three=$(submit -N 3 --exclusive -p scavenger) && wait_for 20 "job_runs $three" &&
	scohort check cohort.yaml 2>err && ! grep "one owner" err
'

cluster_down

# ---- GrpTRES and preempt/qos ----

CLUSTER=$WORK/qos
guide_yaml 'Coming from GrpTRES and preempt/qos' | sed 's/gres\/gpu=64/gres\/gpu=2/' >cohort.yaml
cat >slurm.conf <<-EOF
	AccountingStorageTRES=gres/gpu
	AccountingStorageEnforce=associations,limits,qos
EOF
cat >sacctmgr <<-EOF
	add account lab
	add qos standby set Priority=0
	add qos vision,speech set Priority=100 Preempt=standby
	add user root account=lab qos=vision,speech,standby defaultqos=standby
EOF
cluster_up --accounting --sacctmgr sacctmgr --cohort cohort.yaml --slurm-conf slurm.conf

qos_job() { submit -A lab -p gpu -q "$1" --gres="gpu:$2" -n 1; }

# The TRES is known once slurmctld has told it
test_expect_success 'before: over its GrpTRES, a team waits for itself' '
	sacctmgr -Q -i modify qos vision,speech set GrpTRES=gres/gpu=2 &&
	v1=$(qos_job vision 2) && s1=$(qos_job standby 1) && s2=$(qos_job standby 1) &&
	wait_for 20 "job_runs $v1 $s1 $s2" &&
	v2=$(qos_job vision 1) &&
	wait_for 20 "job_reason $v2 | grep QOSGrpGRES"
'

test_expect_success 'check warns that without unmanaged preempt/qos would not go on' '
	sed "/^unmanaged:/d" cohort.yaml >without.yaml && ! cmp cohort.yaml without.yaml &&
	warning="warning: preempt/qos does not work beside slurm-cohort, not even with enforcement: observe" &&
	scohort check without.yaml 2>err && grep "$warning" err &&
	scohort check cohort.yaml 2>err && ! grep "does not work" err
'

test_expect_success 'observing: preempt/qos goes on' '
	p1=$(qos_job speech 1) &&
	wait_for 20 "job_runs $p1" &&
	! log_has "cohort: evict:" &&
	wait_for 10 "log_has \"observe: would evict: .* for JobId=$p1 .speech., rule InCohortReclamation\""
'

test_expect_success 'in force, without GrpTRES: the team borrows, as from Preempt=standby' '
	sed -i /^enforcement/d "$CLUSTER/etc/cohort.yaml" &&
	cluster_reconfigure &&
	sacctmgr -Q -i modify qos vision,speech set GrpTRES=gres/gpu=-1 Preempt= &&
	wait_for 30 "job_runs $v2" &&
	log_has "cohort: evict: .*\\(standby\\) for JobId=$v2 \\(vision\\), rule InCohortReclaimWhileBorrowing"
'

test_expect_success 'and the other team takes its own back' '
	p2=$(qos_job speech 1) &&
	wait_for 30 "job_runs $p2" &&
	log_has "cohort: evict: JobId=$v2 \\(vision\\) for JobId=$p2 \\(speech\\), rule InCohortReclamation" &&
	job_runs $v1 $p1
'

test_done
