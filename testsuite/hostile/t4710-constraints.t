#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='many --constraint texts, and long ones: what they cost, and what they mean'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/places.sh"
. "$TESTSUITE/lib/scohort.sh"

quick_scheduler >slurm.conf
{
	quota_head
	cat <<-EOF
		flavors:
		  - {name: west, nodes: "n[1-2]"}
		  - {name: odd, nodes: "n[1,3]"}
	EOF
	echo 'clusterQueues:'
	queue q 4 | sed 's/flavors: \[.*/flavors: [{name: west, nominalQuota: cpu=4}, {name: odd, nominalQuota: cpu=4}]/'
} | sed '/^  - {name: any}/d; 0,/^flavors:/{/^flavors:/d}' >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# Ten features that all nodes have make a thousand texts
words=(a b c d e f g h i j)
all=$(IFS=, && echo "${words[*]}")
# text N: another one for each number
text() {
	local i n=$1 out=
	for ((i = 0; i < 10; i++)); do
		[ $(((n >> i) & 1)) -eq 0 ] || out=$out${out:+&}${words[i]}
	done
	echo "$out"
}

# fill FIRST LAST: a job for each of these texts
fill() {
	local i
	for ((i = $1; i <= $2; i++)); do
		echo "-C $(text "$i")"
	done | xargs -P 4 -L 1 timeout 60 sbatch -Q -A q -n2 -o /dev/null --wrap "sleep 1000"
}

# Sets of nodes that were looked at so far
work() { published 'd["work"]["nodeSets"]'; }

# waiting N: so many are in line, so what they ask for has been looked at
waiting() { wait_for 60 "[ \"\$(published 'queue(\"q\")[\"waiting\"]')\" = $1 ]"; }

# cost BEFORE AFTER JOBS: for each of so many
cost() {
	echo "$(($2 - $1)) for $3 jobs"
	[ "$1" -lt "$2" ] && [ $((($2 - $1) / $3)) -le 250 ]
}

# Five features each, two flavors: about sixty sets. With a list of all texts that
# there were it is the more the more there are.
test_expect_success 'a text of its own for each job: each costs what it asks for, however many' '
	features n[1-2] $all,west && features n[3-4] $all,east &&
	running=$(submit_some 2 -A q -n4) && all_run $running && none=$(work) &&
	fill 1 60 && waiting 60 && few=$(work) && cost $none $few 60 &&
	fill 61 120 && waiting 120 && some=$(work) &&
	fill 121 300 && waiting 300 && many=$(work) && cost $some $many 180
'

test_expect_success 'also when all of them are looked at again' '
	scontrol update nodename=n4 state=drain reason=test &&
	wait_for 20 "[ \$(work) -ge $((many + 300)) ]" && cost $many $(work) 300 &&
	scontrol update nodename=n4 state=resume
'

# asks CONSTRAINT: what one such job costs, in $cost
asks() {
	waiting 0 && none=$(work) && long=$(submit -A q -n2 -C "$1") &&
	waiting 1 && cost=$(($(work) - none)) && echo "$cost"
}

test_expect_success 'sixty alternatives: each is looked at, not each with each' '
	squeue -h -t PD -o %A | xargs scancel &&
	asks "[$(for i in 1 2 3 4 5 6; do printf "%s|" ${words[*]}; done)a]" &&
	[ $cost -ge 60 ] && [ $cost -le 2000 ]
'

test_expect_success 'five hundred: not looked at, and the job waits as others do' '
	scancel $long &&
	asks "$(for i in {1..50}; do printf "%s&" ${words[*]}; done)a" && [ $cost -le 250 ] &&
	scancel $running && all_run $long && scancel $long
'

# The flavors: n1 and n2 are both west, n1 and n3 are one of each
test_expect_success 'alternatives with more beside them' '
	wait_for 20 "[ -z \"\$(squeue -h)\" ]" &&
	runs_on "n1 n2" -N2 -C "[west|east]" && runs_on "n1 n2" -N2 -C "a&[west|east]" &&
	runs_on "n1 n2" -N2 -C "[east|west]&a" && runs_on n3 -C "east" &&
	runs_on "n1 n3" -N2 -x n2 -C "[west|east|a]" &&
	runs_on n3 -x n1 -C "[east|a]&east"
'

# n3 and n4 are both east, and of the flavors n1 and n3 are left
test_expect_success 'too few of each: in no flavor' '
	never -N2 -x n2 -C "[west|east]" && never -N2 -x n2 -C "[east|west]&a" &&
	never -N2 -x n2 -C "a&b&[west|east]"
'

test_done
