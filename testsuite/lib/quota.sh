# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# quota.sh - short words for cohort.yaml and for who was evicted
#
# The tests of quota and preemption write many small configurations. Here a
# cluster queue is one line; its jobs are those of the account of its name.
#
# Used: what lib.sh has.

# cohorts NAME[:PARENT[:KEY=N...]]...: the section of cohorts, cpu quota of the
# flavor "any": cohorts org east:org:nominal=1:lend=2. The keys of node_keys
# may stand there, too; PARENT is "-" for none.
cohorts() {
	local item quota
	echo 'cohorts:'
	for item; do
		# shellcheck disable=SC2086
		set -- ${item//:/ }
		printf '  - name: %s\n' "$1"
		[ -z "${2-}" ] || [ "$2" = - ] || printf '    parent: %s\n' "$2"
		quota=$(printf '%s\n' "${@:3}" | grep -E '^(nominal|borrow|lend)=')
		# shellcheck disable=SC2086
		[ -z "$quota" ] || quota_group cpu any $quota
		node_keys "${@:3}"
	done
}

# node_keys WORD=VALUE...: what queues and cohorts both have: pmin, rmin
# (preempt- and reclaimMinRuntime), weight; other words are left out
node_keys() {
	local word
	for word; do
		case $word in
		pmin=*) printf '    preemptMinRuntime: %s\n' "${word#*=}" ;;
		rmin=*) printf '    reclaimMinRuntime: %s\n' "${word#*=}" ;;
		weight=*) printf '    fairSharing: {weight: %s}\n' "${word#*=}" ;;
		esac
	done
}

# quota_group RESOURCE FLAVOR [nominal=N] [borrow=N] [lend=N]
quota_group() {
	local resource=$1 flavor=$2 nominal=0 borrow='' lend='' word
	shift 2
	for word; do
		local "${word?}"
	done
	printf '    resourceGroups:\n      - coveredResources: [%s]\n' "$resource"
	printf '        flavors: [{name: %s, nominalQuota: "%s=%s"' "$flavor" "$resource" "$nominal"
	[ -z "$borrow" ] || printf ', borrowingLimit: "%s=%s"' "$resource" "$borrow"
	[ -z "$lend" ] || printf ', lendingLimit: "%s=%s"' "$resource" "$lend"
	printf '}]\n'
}

# queue NAME NOMINAL [WORD=VALUE]...: a cluster queue for the jobs of account
# NAME with quota for cpu of the flavor "any". Words: cohort, borrow, lend,
# within, reclaim (policies), threshold (borrowWithinCohort up to it; "-": with
# none), turn (minAdmitDuration), max (maxPreemptions), delay (reclaimDelay; with
# expected=t only if expected), nonpre (nonPreemptible), strategy, resource; and those of node_keys.
queue() {
	local name=$1 nominal=$2 cohort='' borrow='' lend='' resource=cpu word
	local within=Never reclaim=Never threshold='' turn='' max='' delay='' expected='' nonpre='' strategy=BestEffortFIFO
	shift 2
	for word; do
		local "${word?}"
	done
	printf '  - name: %s\n    match: [{account: "%s"}]\n' "$name" "$name"
	printf '    queueingStrategy: %s\n' "$strategy"
	[ -z "$cohort" ] || printf '    cohort: %s\n' "$cohort"
	quota_group "$resource" any nominal="$nominal" borrow="$borrow" lend="$lend"
	node_keys "$@"
	[ -z "$max" ] || printf '    maxPreemptions: %s\n' "$max"
	[ -z "$delay" ] || printf '    reclaimDelay: %s\n' "$delay"
	[ -z "$expected" ] || printf '    reclaimDelayPolicy: Expected\n'
	[ -z "$nonpre" ] || printf '    nonPreemptible: {%s}\n' "$nonpre"
	printf '    preemption:\n      withinClusterQueue: %s\n' "$within"
	[ -z "$turn" ] ||
		printf '      withinClusterQueueConfig: {minAdmitDuration: %s}\n' "$turn"
	printf '      reclaimWithinCohort: %s\n' "$reclaim"
	case $threshold in
	'') ;;
	-) printf '      borrowWithinCohort: {policy: LowerPriority}\n' ;;
	*) printf '      borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: %s}\n' \
		"$threshold" ;;
	esac
}

# quota_head [INTERVAL]: what every configuration of these tests begins with.
# Texts follow at once, or at most every INTERVAL.
quota_head() {
	printf 'visibility: {updateInterval: %s}\npriority: partition\n' "${1-1s}"
	printf 'flavors:\n  - {name: any}\n'
}

# lone_queue N: a whole configuration, a queue c with N CPUs
lone_queue() {
	quota_head
	echo 'clusterQueues:'
	queue c "$1"
}

# two_kinds_head: the head with a cohort, org, and two kinds of nodes of four: n1 and n2
# are of flavor a100, n3 and n4 of flavor plain
two_kinds_head() {
	cat <<-EOF
		visibility: {updateInterval: 1s}
		priority: partition
		flavors:
		  - {name: a100, features: a100}
		  - {name: plain, nodes: "n[3-4]"}
		cohorts: [{name: org}]
		clusterQueues:
	EOF
}

# own RESOURCES QUOTA: a configuration with one queue, q, and no cohort
own() {
	cat <<-EOF
		visibility: {updateInterval: 1s}
		flavors: [{name: any}]
		clusterQueues:
		  - name: q
		    match: [{account: q}]
		    resourceGroups:
		      - coveredResources: [$1]
		        flavors: [{name: any, nominalQuota: "$2"}]
	EOF
}

# borrower_owner_and_loner: a configuration where a and b own 4 each in one cohort
# and b takes back what is its own; c owns 4 apart from them
borrower_owner_and_loner() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 4 cohort=org reclaim=Any
	queue c 4
}

# two_nodes_lent: a configuration where b owns two nodes of 4 CPUs, which a may
# borrow; c owns the other two, apart from them
two_nodes_lent() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 0 cohort=org
	queue b 8 cohort=org reclaim=Any
	queue c 8
}

# shared_by_two N: a configuration where a owns 4, the cohort N for a and c, and
# each may take back from the other what it borrows
shared_by_two() {
	quota_head
	cohorts "org:-:nominal=$1"
	echo 'clusterQueues:'
	queue a 4 cohort=org reclaim=Any
	queue c 0 cohort=org reclaim=Any
}

# quick_scheduler [OPTION]...: a line for slurm.conf; the default cluster looks at its
# queue every two seconds, and most tests wait for that many times. Backfill counts whole
# seconds: without bf_max_time it stops where a second ends in the middle of a cycle, and
# then it rests until something changes. Of an option that comes twice the first one
# counts: the caller's.
quick_scheduler() {
	local IFS=,
	set -- "$@" bf_interval=1 bf_max_time=30 sched_interval=1 sched_min_interval=0 \
		batch_sched_delay=0 bf_continue
	echo "SchedulerParameters=$*"
}

# impatient_scheduler: the same, where a job counts as untried after ten seconds: that
# goes by the longest cycle of backfill
impatient_scheduler() { quick_scheduler bf_max_time=3; }

# three_tiers: lines for slurm.conf, partitions on all nodes, whose
# PriorityTier is the priority of their jobs
three_tiers() {
	local tier
	for tier in lo=10 mid=50 hi=100; do
		echo "PartitionName=${tier%=*} Nodes=ALL PriorityTier=${tier#*=} State=UP MaxTime=INFINITE"
	done
}

# use_cohort COMMAND...: no job is left, and the configuration that the command
# prints is in force when this returns; log_mark included
use_cohort() {
	local before
	cluster_clear || return 1
	before=$(cohort_reads)
	"$@" >"$CLUSTER/etc/cohort.yaml" || return 1
	cluster_reconfigure && wait_for 5 "[ \$(cohort_reads) -gt $before ]"
	log_mark
}

# How often slurmctld has taken a cohort.yaml so far
cohort_reads() {
	grep -c 'slurm-cohort: .*cohort.yaml: .* cluster queues' "$CLUSTER/log/slurmctld.log"
}

# submit_some N OPTIONS...: N jobs; prints their ids in one line
submit_some() {
	local n=$1 ids=''
	shift
	while [ $((n--)) -gt 0 ]; do
		ids="$ids $(submit "$@")" || return 1
	done
	echo $ids
}

# submit_stubborn OPTIONS...: a job that starts and ignores SIGTERM, so that what follows
# comes while it is told to go: within KillWait, or its grace time
submit_stubborn() { stubborn_until false "$@"; }

# stubborn_until COMMAND OPTIONS...: the same; it ends when COMMAND succeeds
stubborn_until() {
	local id over=$1
	shift
	id=$(sbatch --parsable -o /dev/null "$@" --wrap \
		"trap : TERM; touch $WORK/stubborn.\$SLURM_JOB_ID; until $over; do sleep 0.1; done") &&
		wait_for 10 "[ -e $WORK/stubborn.$id ]" && echo "$id"
}

# Ids of the jobs evicted since log_mark, in order of id, in one line
evicted() {
	log_lines 'slurm-cohort: evict: ' | sed 's/.*evict: JobId=\([0-9]*\).*/\1/' |
		sort -n | xargs
}

# next_second: until the clock's second is another one. Slurm counts starts and
# submissions in seconds, and who came later decides much here.
next_second() {
	local now=$EPOCHSECONDS
	while [ "$now" = "$EPOCHSECONDS" ]; do
		sleep 0.05
	done
}

# all_run ID...: within 10 s
all_run() { wait_for 10 "job_runs $*"; }

# tasks_run ARRAY N: so many of its tasks run
tasks_run() { [ "$(squeue -h -r -j "$1" -t R | wc -l)" -eq "$2" ]; }

# evicted_are ID...: exactly these, and no others in the two seconds after
evicted_are() {
	local want
	want=$(printf '%s\n' "$@" | sort -n | xargs)
	wait_for 10 "[ \"\$(evicted)\" = \"$want\" ]" &&
		holds_for 2 "[ \"\$(evicted)\" = \"$want\" ]" || {
		echo "evicted: $(evicted), expected: $want" >&2
		return 1
	}
}

# evicted_some N ID...: so many of these, whichever, and nobody else
evicted_some() {
	local n=$1 id
	shift
	wait_for 10 "[ \$(evicted | wc -w) -ge $n ]" &&
		holds_for 2 "[ \$(evicted | wc -w) -eq $n ]" || return 1
	for id in $(evicted); do
		[[ " $* " == *" $id "* ]] || { echo "evicted: $id, expected: of $*" >&2; return 1; }
	done
}

# tried ID...: slurmctld has a reason why each of them waits
tried() { ! squeue -h -r -j "$(IFS=,; echo "$*")" -o %r | grep -qxE 'None|'; }

# nobody_evicted_for ID...: these were tried and wait, and nobody gives way, in some passes
# of the scheduler
nobody_evicted_for() { wait_for 10 "tried $*" && holds_for 3 "job_waits $* && [ -z \"\$(evicted)\" ]"; }

# books_settled QUEUE:CPUS...: with nobody there, each queue has what it owns
# and not one CPU more. All queues with quota to lend have to be named, and the
# nodes must hold them all together.
books_settled() {
	local item ids='' more=''
	for item; do
		ids="$ids $(submit -A "${item%:*}" -n"${item#*:}")" || return 1
	done
	# shellcheck disable=SC2086
	all_run $ids || return 1
	for item; do
		more="$more $(submit -A "${item%:*}" -n1)" || return 1
	done
	for item in $more; do
		wait_for 5 "job_reason $item | grep -q ',wait=quota(cpu@any),need=1,free=0,'" || {
			squeue
			return 1
		}
	done
	# shellcheck disable=SC2086
	scancel $ids $more
}

# cpu_seconds CPUS ID...: that these have run by now, with so many CPUs each
cpu_seconds() {
	local cpus=$1 sum=0 id
	shift
	for id; do
		sum=$((sum + cpus * (EPOCHSECONDS + 1 - $(date -d "$(job_field "$id" StartTime)" +%s))))
	done
	echo $sum
}

# loses_less CPUS "ID..." CPUS "ID...": the first ones soon do, and did two seconds before.
# Those that lose faster are the second ones. All times are whole seconds.
loses_less() {
	local more=$((2 * ($3 * $(wc -w <<<"$4") - $1 * $(wc -w <<<"$2")) + 1))
	wait_for 120 "[ \$((\$(cpu_seconds $1 $2) + $more)) -le \$(cpu_seconds $3 $4) ]"
}
