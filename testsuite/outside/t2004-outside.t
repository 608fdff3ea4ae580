#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='jobs outside all queues: as without the plugins'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/two.sh"

# A job leaves its nodes one after the other, and a pass that sees only some of them free
# starts other jobs than one that sees them all: there is none while a job is completing.
cat >slurm.conf <<-EOF
	$(quick_scheduler)
	CompleteWait=600
	PartitionName=low Nodes=ALL PriorityTier=1
	PartitionName=high Nodes=ALL PriorityTier=20
	PartitionName=half Nodes=n[3-4] PriorityTier=5
	Licenses=tool:2
EOF

{
	quota_head
	echo 'clusterQueues:'
	queue full 1
	queue strict 1 strategy=StrictFIFO
	queue roomy 1000
} >cohort.yaml

two_up --cohort cohort.yaml -- --slurm-conf slurm.conf

# Jobs outside, by name: state, nodes, reason
look() { squeue -h -r -A out -o '%j|%K|%T|%N|%r' | sort; }

# out NAME OPTIONS...: a job that no queue matches
out() { submit -J "$1" -A out "${@:2}"; }

# All kinds of jobs behind four that fill the cluster
submit_all() {
	local i
	for i in 1 2 3 4; do
		out "fill$i" -w "n$i" -n4 || return 1
	done
	wait_for 10 '[ "$(squeue -h -t R -A out | wc -l)" -eq 4 ]' || return 1
	out wide -N2 -n8 -p high
	out small -n1 -p low
	out pair -n2 -p high
	out gpu -n1 --gres=gpu:2 -p high
	out feature -n3 -C cpu -p low
	out alone -N1 --exclusive -p half
	out named -w n1 -n1 -p low
	out either -n1 -p low,high
	out short -t 60 -n1 -p low
	out after -n1 -d "afterany:$(squeue -h -n fill1 -o %A)"
	out held -n1 -H
	out later -n1 --begin=now+1hour
	out tool1 -L tool:2 -n1
	out tool2 -L tool:2 -n1
	out array -a 1-4%2 -n1 -p half
}

reasons() { grep "^$1|" actual | cut -d '|' -f 5; }

test_expect_success 'they wait with the same reasons' '
	both submit_all &&
	alike &&
	[ "$(grep -c PENDING actual)" -eq 18 ] &&
	[ "$(reasons held) $(reasons later)" = "JobHeldUser BeginTime" ]
'

# Which starts next, and where, is the order in which they would all start
for name in fill1 fill3 fill2 wide; do
	test_expect_success "the same start on the same nodes when $name ends" '
		both cancel $name &&
		alike
	'
done

test_expect_success 'in the end they run, but for those that may not' '
	both cancel fill4 && alike && both cancel alone &&
	alike &&
	[ "$(reasons held) $(reasons later)" = "JobHeldUser BeginTime" ]
'

# Jobs of our queues that wait; one that runs takes as much room in both clusters
managed() {
	local i
	for i in full strict; do
		submit -A $i -n1 -w n4 || return 1
	done
	wait_for 10 '[ "$(squeue -h -t R | wc -l)" -eq 2 ]'
}

managed_wait() {
	local ids
	ids="$(submit -A full -n1 -p high) $(submit -A strict -n1 -p high)
		$(submit -A full -n1 -p high -a 0-9) $(submit -A strict -n1 -p low)" &&
	wait_for 10 "in_line $(echo $ids)"
}

# roomy NAME OPTIONS...: a job that only nodes can make wait. Where, when and
# before whom it starts is the same without the plugins.
roomy() { submit -J "$1" -A roomy "${@:2}"; }

submit_mixed() {
	out fill1 -w n1 -n4 && out fill2 -w n2 -n4 && out fill3 -w n3 -n4 && out fill4 -w n4 -n2 &&
	wait_for 10 '[ "$(squeue -h -t R -A out | wc -l)" -eq 4 ]' &&
	roomy r1 -n1 -p high && out wide -N2 -n8 -p high && out small -n1 -p low &&
	roomy r2 -n3 -p high && out pair -n2 -p high && roomy r3 -n1 -p low &&
	out gpu -n1 --gres=gpu:2 -p low && out either -n1 -p low,high && roomy r4 -n2 -p low &&
	out array -a 1-4%2 -n1 -p half && roomy r5 -n1 -p half -a 1-3 &&
	out short -t 60 -n1 -p low && roomy r6 -n1 -p high
}

look() {
	squeue -h -r -A out -o '%j|%K|%T|%N|%r' | sort
	squeue -h -r -A roomy -o '%j|%K|%T|%N' | sort
}

test_expect_success 'with jobs of our queues waiting before and among them: the same reasons' '
	both cluster_clear &&
	both managed && on "$ours" managed_wait &&
	both submit_mixed &&
	on "$ours" managed_wait &&
	alike
'

for name in fill1 fill3 fill2 wide; do
	test_expect_success "with jobs of a queue waiting: the same start when $name ends" '
		both cancel $name &&
		alike
	'
done

test_expect_success 'all the time, those of the queues have waited' '
	[ "$(on "$ours" squeue -h -r -t PD -A full,strict | wc -l)" -eq 26 ] &&
	[ "$(on "$ours" squeue -h -r -t R -A full,strict | wc -l)" -eq 2 ]
'

test_done
