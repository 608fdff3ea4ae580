#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='built for another Slurm: it runs as without the plugins, or does not load them'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"

config() { sed -n "s/^$1 = //p" "$TOP/config.mk"; }

source=$(config SLURM_SOURCE)

# shifted NAME FILE PATTERN: plugins in $WORK/NAME/plugins, built with a FILE of
# Slurm's that has eight more bytes before the line with PATTERN
shifted() {
	local headers=$WORK/$1/headers
	mkdir -p "$headers/${2%/*}" || return 1
	sed "0,/$3/s//char cohort_shift[8];\n&/" "$source/$2" >"$headers/$2"
	! cmp -s "$source/$2" "$headers/$2" && build "$1"
}

# build NAME: with $WORK/NAME/headers before all others. What has nothing to do
# with Slurm need not be built again, nor what is in $WORK/NAME/obj already.
build() {
	local dir=$WORK/$1
	mkdir -p "$dir/obj" && cp -a "$BUILD"/*.a "$dir" &&
		cp -a "$BUILD"/obj/{common,config} "$dir/obj" &&
		env -u MAKEFLAGS -u MAKELEVEL make -s -C "$TOP" BUILD="$dir" CFLAGS=-O0 WARN_CFLAGS= HARDEN_CFLAGS= \
			CPPFLAGS="-I$dir/headers" plugins >/dev/null
}

# Where a job record is declared
record_header() {
	if [ -e "$source/src/common/job_record.h" ]; then
		echo src/common/job_record.h
	else
		echo src/slurmctld/slurmctld.h
	fi
}

{
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 8 cohort=org
	queue b 8 cohort=org reclaim=Any
} >cohort.yaml

# all_as_stock WHAT: jobs beyond quota run, nobody is preempted, nothing but the
# one error is said, and slurmctld lives through restart and reconfigure
all_as_stock() {
	local a b again
	a=$(submit_some 4 -A a -N1 -n4) && all_run $a && b=$(submit -A b -n8) &&
		wait_for 10 "[ \"\$(job_reason $b)\" = Resources ]" &&
		holds_for 3 "job_runs $a && [ \"\$(job_reason $b)\" = Resources ]" || return 1
	cluster_reconfigure && cluster_restart_ctld && job_runs $a && job_waits $b &&
		scancel $a && all_run $b && again=$(submit -A a -n8) && all_run $again &&
		scontrol update job=$again AdminComment=x &&
		[ "$(job_field $again AdminComment)" = x ] && scancel $again $b &&
		wait_for 10 '[ -z "$(squeue -h)" ]' && said_once "$1"
}

# said_once WHAT: in each start one error, and no other word after it
said_once() {
	awk -v what="$1" '
		/slurmctld version .* started/ { said = 0 }
		!/slurm-cohort: / { next }
		/error: slurm-cohort: .* of this slurmctld have another layout than in the headers .*quota is NOT enforced and no job is preempted/ {
			if (said++ || index($0, what " of this slurmctld") == 0)
				bad = 1
			found = 1
			next
		}
		said { print; bad = 1 }
		END { exit bad || !found }' "$CLUSTER/log/slurmctld.log"
}

# up_shifted NAME: in a folder of its own
up_shifted() {
	CLUSTER=$WORK/cluster-$1
	COHORT_PLUGINDIR=$WORK/$1/plugins cluster_up --cohort cohort.yaml
}

test_expect_success 'job records with something more in the middle' '
	shifted job "$(record_header)" "^	char \*batch_host;" &&
	up_shifted job && all_as_stock "job records" && cluster_down
'

test_expect_success 'partitions' '
	part=$(cd "$source" && grep -lE "^	uint16_t priority_tier;" src/common/part_record.h \
		src/slurmctld/slurmctld.h 2>/dev/null | head -n 1) &&
	shifted part "$part" "^	uint16_t priority_tier;" &&
	up_shifted part && all_as_stock partitions && cluster_down
'

test_expect_success 'the settings of slurm.conf' '
	shifted conf slurm/slurm.h "^	char.*\*preempt_type;" &&
	up_shifted conf && all_as_stock settings && cluster_down
'

# Another micro version: Slurm looks at plugin_version
test_expect_success 'plugins of another version are refused by Slurm itself' '
	mkdir -p "$WORK/other/headers/slurm" &&
	sed "/define SLURM_VERSION_NUMBER/s/..\$/63/" "$TOP/build/slurm/slurm_version.h" \
		>"$WORK/other/headers/slurm/slurm_version.h" &&
	cp "$TOP/build/config.h" "$WORK/other/headers" &&
	mkdir "$WORK/other/obj" && cp -a "$BUILD/obj/plugins" "$WORK/other/obj" &&
	grep -rl --include="*.c" "SLURM_VERSION_NUMBER" "$TOP/src/plugins" | sed "s|^$TOP/src/||; s|c\$|o|" >versioned &&
	(cd "$WORK/other/obj" && xargs rm) <versioned &&
	build other && (cd "$WORK/other/obj" && xargs ls) <versioned &&
	CLUSTER=$WORK/cluster-other &&
	CLUSTERS="$CLUSTERS $CLUSTER" &&
	COHORT_PLUGINDIR=$WORK/other/plugins test_must_fail "$TESTSUITE/cluster" up \
		--dir "$CLUSTER" --cohort cohort.yaml &&
	grep -hE "[Ii]ncompatible .*plugin.* version|version.*[0-9]\.99" "$CLUSTER"/log/slurmctld.*
'

test_done
