#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='salloc and srun evict while they are submitted, with --immediate never, and no other job than a pass would'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/cycles.sh"

# The first victims have a minute. No pass but because of what happens.
cat >slurm.conf <<-EOF
	SchedulerParameters=sched_interval=10000,bf_interval=10000,batch_sched_delay=10000
	PartitionName=gentle Nodes=ALL GraceTime=60
EOF
{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org
	queue b 8 cohort=org reclaim=Any
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

ids() { squeue -h -o %A "$@" | sort -n | xargs; }

test_expect_success 'with --immediate: no job goes for it' '
	salloc --no-shell -p gentle -A a -J lent -n16 && log_mark &&
	test_must_fail salloc -I --no-shell -A b -J hasty -n2 2>err && cat err &&
	holds_for 2 "[ -z \"\$(evicted)\" ] && [ -z \"\$(ids -n hasty)\" ]"
'

# Perhaps a pass follows, for jobs behind it
test_expect_success 'else its victims are told while it is submitted: no pass comes before that' '
	away_from_midnight 60 && wait_for 30 settled && log_mark &&
	{ salloc --no-shell -A b -J owner -n2 2>waits & } &&
	wait_for 10 "[ \"\$(evicted | wc -w)\" -eq 1 ]" &&
	holds_for 2 "[ \"\$(main_cycles)\" -le $((before + 1)) ]"
'

test_expect_success 'and it starts when they have gone' '
	scancel -n lent && wait_for 20 "[ -n \"\$(ids -t R -n owner)\" ]"
'

# allocated NAME OPTIONS...: sets $job, which runs
allocated() {
	{ salloc --no-shell -A a -J "$@" 2>>allocated & } &&
	wait_for 20 "[ -n \"\$(ids -t R -n $1)\" ]" && job=$(ids -t R -n "$1")
}

# The newest goes. Slurm does not offer its node while the owner is submitted
test_expect_success 'it evicts what a pass would, also where a job has nodes for itself' '
	cluster_clear && allocated own -N2 -n8 && allocated shared -n4 && next_second && allocated whole --exclusive -n4 &&
	wait_for 30 settled && log_mark && { salloc --no-shell -A b -J owner -N1 -n4 2>waits & } &&
	wait_for 20 "[ -n \"\$(ids -t R -n owner)\" ]" && [ "$(evicted)" = "$job" ]
'

# told_at_once: slurmctld says that the owner waits when it has been submitted, and by then
# its victim was told
told_at_once() {
	log_lines 'slurm-cohort: evict: |_slurm_rpc_allocate_resources JobId=[0-9]+ NodeList=.null.' |
		head -n 1 | grep evict:
}

# The pass that has started a job does not evict it, and is over.
test_expect_success 'also a job that has just started: no pass comes before that' '
	cluster_clear && allocated kept -N3 -n12 && allocated before -N1 -n4 &&
	{ salloc --no-shell -A a -J new -N1 -n4 2>waits & } && wait_for 20 "[ -n \"\$(ids -t PD -n new)\" ]" &&
	wait_for 30 settled && log_mark && scancel $job &&
	wait_for 20 "[ -n \"\$(ids -t R -n new)\" ]" && job=$(ids -n new) &&
	{ salloc --no-shell -A b -J owner -N1 -n4 2>waits & } &&
	wait_for 20 "[ -n \"\$(ids -t R -n owner)\" ]" && [ "$(evicted)" = "$job" ] && told_at_once
'

test_expect_success 'nor does it take an older job because the newest ones have just started' '
	cluster_clear && allocated old -N1 -n4 && old=$job && wait_for 30 settled &&
	for i in 1 2 3; do allocated young$i -N1 -n4 || return 1; done && log_mark &&
	{ salloc --no-shell -A b -J second -N1 -n4 2>waits & } &&
	wait_for 20 "[ -n \"\$(ids -t R -n second)\" ]" && [ "$(evicted | wc -w)" -eq 1 ] && job_runs $old
'

test_done
