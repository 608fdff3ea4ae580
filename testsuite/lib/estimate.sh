# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# estimate.sh - when a job will start, by squeue --start, sbatch --test-only and
# scohort simulate
#
# Used: what lib.sh, times.sh, quota.sh and cycles.sh have.

# estimate_conf: lines for slurm.conf. Backfill says when those start that wait for
# nodes only, in steps of a minute unless it is told to be exact.
estimate_conf() {
	quick_scheduler | sed 's/$/,bf_resolution=1/'
	three_tiers
	echo 'PartitionName=grace Nodes=ALL GraceTime=100 State=UP MaxTime=INFINITE'
}

# halves WORD...: a configuration: a and b own 4 each; the words are b's
halves() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 4 cohort=org "$@"
}

# estimate ID: in seconds since the epoch, "" for N/A
estimate() {
	local when
	when=$(squeue -h --start -j "$1" -o %S 2>/dev/null | head -n 1)
	[ -z "$when" ] || [ "$when" = N/A ] || date -d "$when" +%s
}

# ends ID: when a running job reaches its limit
ends() { date -d "$(job_field "$1" EndTime)" +%s; }

# near TIME TIME [SECONDS]: not further apart than that
near() { [ -n "$1" ] && [ $(($1 - $2)) -le "${3:-5}" ] && [ $(($2 - $1)) -le "${3:-5}" ]; }

# estimated ID TIME [SECONDS]: soon squeue says so, give or take
estimated() {
	wait_for 20 "near \"\$(estimate $1)\" $2 ${3:-5}" || {
		echo "job $1: $(estimate "$1"), expected $2; $(job_reason "$1")"
		return 1
	}
}

# keeps_estimate ID TIME: so it is again when backfill has been through. That writes times of
# its own, which may stand until they are put right (doc/limits.md).
keeps_estimate() {
	local from
	from=$(backfill_cycles) && wait_for 30 "backfilled $from 3" && estimated "$@"
}

# no_estimate ID...: soon squeue says N/A, and goes on to
no_estimate() {
	local id
	for id; do
		wait_for 20 "[ -z \"\$(estimate $id)\" ]" || return 1
	done
	holds_for 2 "[ -z \"\$(for id in $*; do estimate \$id; done)\" ]"
}

# test_only OPTIONS...: when sbatch --test-only says that such a job would start,
# in seconds since the epoch; fails if it says something else. Its words are in
# $WORK/test_only; what the nodes were like when it failed is shown.
test_only() {
	sbatch --test-only "$@" --wrap true >"$WORK/test_only" 2>&1 || {
		cat "$WORK/test_only" >&2
		sinfo -h -o '%n %T %C' >&2
		return 1
	}
	date -d "$(sed -n 's/.* to start at \([^ ]*\) .*/\1/p' "$WORK/test_only")" +%s
}

# Whom the last one would evict, in one line
test_only_victims() {
	sed -n 's/.*Preempts: *//p' "$WORK/test_only" | tr ',' '\n' | sort -n | xargs
}

# three_teams A B C: the quotas of a, b and c
three_teams() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a "$1" cohort=org reclaim=Any within=LowerPriority
	queue b "$2" cohort=org reclaim=LowerPriority
	queue c "$3" cohort=org borrow=4 reclaim=Any within=LowerPriority
}

# simulated_up A B C: a cluster of three teams for worlds/simulated. There a victim stays out
# of the line until it is told to come back.
simulated_up() {
	three_teams "$@" >cohort.yaml
	{
		three_tiers
		quick_scheduler
		echo "AuthInfo=socket=$CLUSTER/run/munge.sock,cred_expire=3600"
	} >tiers.conf
	cluster_up --cohort cohort.yaml --slurm-conf tiers.conf
}

# simulated KIND JOBS SEED: worlds/simulated says that it is all the same. COHORT_TRACE_JOBS=N
# plays so many, and prints how it went; COHORT_SEED says which.
simulated() {
	CLUSTER=$CLUSTER "$TESTSUITE/worlds/simulated" "$1" "${COHORT_TRACE_JOBS-$2}" "${COHORT_SEED-$3}" >played || {
		cat played
		return 1
	}
	[ -z "${COHORT_TRACE_JOBS-}" ] || sed 's/^/# /' played >&2
}
