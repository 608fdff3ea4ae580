#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='licenses in quota, of the cluster and remote ones, and others beside'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/charge.sh"

{ quick_scheduler; echo 'Licenses=matlab:6,abaqus:1'; } >lic.conf
printf '%s\n' 'add account a' 'add account b' 'add account q' \
	'add user root account=a,b,q defaultaccount=q' \
	'add resource name=ansys server=flex servertype=flexlm count=8 type=license cluster=test percentallowed=50' \
	>commands

licenses() { own 'cpu, license/matlab, "license/ansys@flex"' 'cpu=8,license/matlab=3,license/ansys@flex=2'; }
licenses >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf lic.conf --accounting --sacctmgr commands

test_expect_success 'charged, limited, and free again' '
	two=$(submit -A q -L matlab:2) && remote=$(submit -A q -L ansys@flex:2,matlab) &&
	all_run $two $remote &&
	charged $two cpu=1 license/matlab=2 &&
	charged $remote cpu=1 license/matlab=1 license/ansys@flex=2 &&
	m=$(submit -A q -L matlab) && a=$(submit -A q -L ansys@flex) &&
	never=$(submit -A q -L matlab:4) &&
	waits_for $m "quota(license/matlab@any),need=1,free=0" &&
	waits_for $a "quota(license/ansys@flex@any),need=1,free=0" &&
	waits_for $never "never(max=3),need=4_license/matlab@any" &&
	same_after_restart $two $remote &&
	scancel $remote && all_run $m $a &&
	cluster_clear && books_empty
'

test_expect_success 'one that quota does not know is Slurm'\''s affair, and holds up nobody' '
	other=$(submit -A q -L abaqus -n1) && all_run $other && charged $other cpu=1 &&
	waits=$(submit -A q -L abaqus -n7) &&
	wait_for 10 "[ \"\$(job_reason $waits)\" = Licenses ]" &&
	next=$(submit -A q -n7) && all_run $next && job_waits $waits &&
	scancel $other $next && all_run $waits
'

test_expect_success 'a job that can do with either: refused or charged for what it gets' '
	cluster_clear &&
	if either=$(submit -A q -L "matlab:2|abaqus:1" 2>err); then
		all_run $either && wait_for 5 "[ -n \"\$(charge_of $either)\" ]" &&
			charge_of $either | sed "s/@any//g" | grep -xE "cpu=1( license/matlab=2)?"
	else
		grep -i license err
	fi
'

lent() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org resource=license/matlab
	queue b "$1" cohort=org resource=license/matlab reclaim=Any
}

test_expect_success 'lent ones are taken back while others are free' '
	use_cohort lent 4 &&
	a=$(submit_some 4 -A a -L matlab) && all_run $a &&
	b=$(submit -A b -L matlab:2) && all_run $b && evicted_some 2 $a
'

# Slurm does not even try a job whose licenses are in use (doc/limits.md)
test_expect_success 'where all are in use they are not, and that is said at the start' '
	use_cohort lent 6 &&
	wait_for 5 "grep \"error: slurm-cohort: license/matlab: quota is 6 in all, the cluster has 6:\" \
		\"$CLUSTER/log/slurmctld.log\"" &&
	a=$(submit_some 6 -A a -L matlab) && all_run $a &&
	b=$(submit -A b -L matlab:2) && wait_for 10 "[ \"\$(job_reason $b)\" = Licenses ]" &&
	nobody_evicted_for $b && scancel ${a%% *} && a=${a#* } && scancel ${a%% *} && all_run $b
'

test_done
