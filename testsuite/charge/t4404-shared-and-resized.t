#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='shared nodes, defaults of partitions, nodes of several sizes, jobs that grow and shrink'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/epilog.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"

cat >sizes.conf <<-'EOF'
	NodeName=n[1-2] Feature=small Gres=gpu:2
	NodeName=n[3-4] Feature=large CPUs=8 RealMemory=8000
	PartitionName=force Nodes=n1 OverSubscribe=FORCE:2 State=UP MaxTime=INFINITE
	PartitionName=yes Nodes=n1 OverSubscribe=YES:2 State=UP MaxTime=INFINITE
	PartitionName=bynode Nodes=ALL DefMemPerNode=1500 State=UP MaxTime=INFINITE
	PartitionName=bygpu Nodes=n[1-2] DefCpuPerGPU=2 DefMemPerGPU=700 State=UP MaxTime=INFINITE
	PartitionName=dear Nodes=n[1-2] TRESBillingWeights=CPU=2.0,Mem=1.0G State=UP MaxTime=INFINITE
	Licenses=matlab:9
EOF
quick_scheduler | sed 's/$/,permit_job_expansion/' >>sizes.conf

epilog_line >>sizes.conf

plenty() { own 'cpu, mem, node, gres/gpu, license/matlab' "cpu=$1,mem=99G,node=99,gres/gpu=99,license/matlab=99"; }
plenty 99 >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf sizes.conf

test_expect_success 'memory and CPUs that partitions give by default' '
	gets_charged cpu=1 mem=1500 node=1 -- -p bynode &&
	gets_charged cpu=4 mem=1400 node=1 gres/gpu=2 -- -p bygpu --gpus=2 &&
	use_cohort plenty 3 &&
	two=$(submit -A q -p bygpu --gpus=2) && one=$(submit -A q -p bygpu --gpus=1) &&
	waits_for $two "never(max=3),need=4_cpu@any" && all_run $one
'

test_expect_success 'who shares CPUs is charged for them all the same' '
	use_cohort plenty 10 &&
	some="$(submit -A q -p force -n4) $(submit -A q -p force -n4)" && all_run $some &&
	more=$(submit -A q -p yes -s -n3) && two=$(submit -A q -n2) &&
	waits_for $more "quota(cpu@any),need=3,free=*" && all_run $two &&
	cluster_clear && books_empty
'

test_expect_success 'what is billed, with and without weights of the partition' '
	use_cohort own billing billing=9 &&
	gets_charged billing=2 -- -n2 && gets_charged billing=8 -- -p dear -w n1 --exclusive --mem=400 &&
	dear=$(submit -A q -p dear -N1 -n4 --mem=0) && waits_for $dear "never(max=9),need=11_billing@any" &&
	dear=$(submit -A q -p dear -n3 --mem=100) && all_run $dear && charged $dear billing=6 &&
	two=$(submit -A q -p dear -n2 --mem=100) && one=$(submit -A q -n3) &&
	waits_for $two "quota(billing@any),need=4,free=*" && all_run $one &&
	same_after_restart $dear $one && cluster_clear && books_empty
'

# sizes SMALL LARGE: flavors of nodes with 4 and 8 CPUs; small ones preferred
sizes() {
	cat <<-EOF
		visibility: {updateInterval: 1s}
		flavors: [{name: small, features: small}, {name: large, features: large}]
		clusterQueues:
		  - name: q
		    match: [{account: q}]
		    resourceGroups:
		      - coveredResources: [cpu]
		        flavors:
		          - {name: small, nominalQuota: "cpu=$1"}
		          - {name: large, nominalQuota: "cpu=$2"}
	EOF
}

test_expect_success 'whole nodes cost what the nodes of a flavor have' '
	use_cohort sizes 4 6 &&
	first=$(submit -A q -N1 --exclusive) && all_run $first &&
	[ "$(charge_of $first)" = cpu@small=4 ] &&
	second=$(submit -A q -N1 --exclusive) && large=$(submit -A q -N1 --exclusive -C large) &&
	waits_for $second "quota(cpu@small),need=4,free=0" &&
	waits_for $large "never(max=6),need=8_cpu@large" && steady $second &&
	scancel $first && all_run $second && [ "$(charge_of $second)" = cpu@small=4 ] &&
	use_cohort sizes 4 8 &&
	both=$(submit_some 2 -A q -N1 --exclusive) && all_run $both &&
	[ "$(for id in $both; do charge_of $id; done | sort | xargs)" = "cpu@large=8 cpu@small=4" ] &&
	same_after_restart $both
'

test_expect_success 'in one flavor: on to the smaller node, now or when it is released' '
	use_cohort own cpu cpu=7 &&
	other=$(submit -n4 -w n1) && all_run $other &&
	whole=$(submit -A q -N1 --exclusive) && all_run $whole &&
	[ "$(running_nodes $whole)" = n2 ] && charged $whole cpu=4 &&
	scancel $whole && other2=$(submit -n4 -w n2) && all_run $other2 &&
	whole=$(submit -A q -N1 --exclusive) &&
	waits_for $whole "quota(cpu@any),need=8,free=7" && steady $whole &&
	scancel $other && all_run $whole && [ "$(running_nodes $whole)" = n1 ]
'

test_expect_success 'the smaller node is not free yet when the job is tried' '
	scancel $whole && other=$(submit -n4 -w n1) && all_run $other && epilog_lasts &&
	scancel $other && wait_for 10 "[ \"\$(job_state $other)\" = COMPLETING ]" &&
	whole=$(submit -A q -N1 --exclusive) &&
	waits_for $whole "quota(cpu@any),need=8,free=7" && steady $whole &&
	epilog_ends && all_run $whole && [ "$(running_nodes $whole)" = n1 ]
'

test_expect_success 'a job that gives nodes back' '
	use_cohort plenty 6 &&
	job=$(submit -A q -N2 -n2 -c2 --gres=gpu:1 -L matlab) && all_run $job &&
	charged $job cpu=4 mem=2000 node=2 gres/gpu=2 license/matlab=1 &&
	next=$(submit -A q -n4) && waits_for $next "quota(cpu@any),need=4,free=2" &&
	scontrol update JobId=$job NumNodes=1 &&
	charged $job cpu=2 mem=1000 node=1 gres/gpu=1 license/matlab=1 && all_run $next &&
	same_after_restart $job $next
'

# grown OPTIONS...: an allocation without steps, which is moved to job $job
grown() {
	salloc --no-shell -A q --dependency=expand:$job "$@" 2>alloc &&
		more=$(sed -n 's/.*Granted job allocation //p' alloc) && [ -n "$more" ]
}

# From 25.05 on slurmctld then has only the licenses that the job began with
grown_after_restart() {
	if slurm_since 25.05; then
		cluster_restart_ctld && scontrol -o show licenses matlab | grep " Used=1 " &&
			charged $1 cpu=5 mem=2500 node=2 license/matlab=1
	else
		same_after_restart $1
	fi
}

test_expect_success 'a job that gets the nodes of another' '
	use_cohort plenty 6 &&
	job=$(submit -A q -w n1 -n2 -L matlab) && all_run $job &&
	grown -w n2 -n3 -L matlab:2 && charged $more cpu=3 mem=1500 node=1 license/matlab=2 &&
	scontrol update JobId=$more NumNodes=0 &&
	charged $job cpu=5 mem=2500 node=2 license/matlab=3 &&
	next=$(submit -A q -n2) && waits_for $next "quota(cpu@any),need=2,free=1" &&
	grown_after_restart $job && waits_for $next "quota(cpu@any),need=2,free=1" &&
	scancel $job && all_run $next && cluster_clear && books_empty
'

test_done
