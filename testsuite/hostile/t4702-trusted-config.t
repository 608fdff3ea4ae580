#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a cohort.yaml that others can write, or that is no file, is not followed'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"

[ "$(id -u)" -eq 0 ] || {
	skip_all='only root can give a file to another user'
	test_done
}

# config CPUS
config() {
	quota_head
	echo 'clusterQueues:'
	queue a "$1"
}

config 4 >cohort.yaml
cluster_up --cohort cohort.yaml
yaml=$CLUSTER/etc/cohort.yaml

# refused PATTERN: a reconfigure says so and keeps what is in force, and so says
# scohort check
refused() {
	log_mark && cluster_reconfigure &&
		wait_for 5 "log_has \"error: slurm-cohort: .*cohort.yaml has errors: the configuration in force does not change\"" &&
		log_has "error: slurm-cohort: .*cohort.yaml: $1" &&
		test_expect_code 1 scohort check 2>err && grep -E "cohort.yaml: $1" err &&
		wait_for 10 "scontrol ping | grep \"is UP\""
}

test_expect_success 'a quota of 4 is in force' '
	scohort check &&
	a1=$(submit -A a -N1 -n4) && all_run $a1 &&
	a2=$(submit -A a -N1 -n1) && wait_for 10 "in_line $a2"
'

test_expect_success 'its group can write it: refused' '
	config 8 >"$yaml" && chmod 664 "$yaml" &&
	refused "is not trusted: its group can write it .mode 0664.: chmod g-w"
'

test_expect_success 'any user can write it: refused' '
	chmod 646 "$yaml" &&
	refused "is not trusted: any user can write it .mode 0646.: chmod o-w" &&
	chmod 644 "$yaml"
'

test_expect_success 'it belongs to somebody else: refused' '
	chown 65534 "$yaml" &&
	refused "is not trusted: it belongs to user 65534, who is neither root nor SlurmUser" &&
	chown 0 "$yaml"
'

test_expect_success 'a FIFO: refused, and nobody waits for who might write to it' '
	mv "$yaml" good && mkfifo "$yaml" && chmod 644 "$yaml" &&
	refused "is not a regular file" &&
	rm "$yaml"
'

test_expect_success 'a folder, a device: refused' '
	mkdir "$yaml" && refused "is not a regular file" && rmdir "$yaml" &&
	ln -s /dev/zero "$yaml" && refused "is not a regular file" && rm "$yaml" &&
	job_waits $a2
'

test_expect_success 'a draft may be anybody'\''s' '
	cp good draft.yaml && chmod 666 draft.yaml && chown 65534 draft.yaml &&
	scohort check draft.yaml
'

test_expect_success 'a restart takes the last good one' '
	cp good "$yaml" && chmod 664 "$yaml" &&
	wait_for 10 "[ -s $CLUSTER/state/cohort.yaml.good ]" &&
	log_mark && cluster_restart_ctld &&
	log_has "error: slurm-cohort: .*cohort.yaml: is not trusted: its group can write it" &&
	log_has "error: slurm-cohort: .*cohort.yaml has errors: starting with the last valid one" &&
	wait_for 10 "in_line $a2"
'

test_expect_success 'without one there is no quota' '
	cluster_stop_ctld && mv "$CLUSTER/state/cohort.yaml.good" last && log_mark &&
	cluster_restart_ctld && all_run $a2 && scontrol requeue $a2 &&
	log_has "error: slurm-cohort: .*cohort.yaml has errors, and there is no earlier valid one" &&
	mv last "$CLUSTER/state/cohort.yaml.good"
'

test_expect_success 'what it says is taken when only root can write it, also by a link' '
	chmod 644 good && rm "$yaml" && ln -s "$PWD/good" "$yaml" &&
	cluster_restart_ctld && scohort check && all_run $a2
'

test_done
