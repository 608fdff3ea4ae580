# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# charge.sh - what jobs are charged, by slurmctld's debug log, and whether the
# books are back at zero
#
# Used: what lib.sh and quota.sh have.

# wide_queue ACCOUNT RESOURCES AMOUNTS: a cluster queue for the jobs of an account,
# flavor "any"
wide_queue() {
	cat <<-EOF
		  - name: $1
		    match: [{account: $1}]
		    resourceGroups:
		      - coveredResources: [$2]
		        flavors: [{name: any, nominalQuota: "$3"}]
	EOF
}

# charge_of ID: what it was charged, the last time, "cpu@any=1 mem@any=500";
# nothing that was said before slurmctld's last start
charge_of() {
	tac "$CLUSTER/log/slurmctld.log" |
		sed -n '/slurmctld version .* started/q
			s/.*slurm-cohort: charge: JobId='"$1"' ([^)]*): //p' | head -n 1
}

# charged ID RESOURCES...: within 5 s it is charged exactly these, in the order
# of the configuration, the flavor "any" left out: charged 7 cpu=1 mem=500
charged() {
	local id=$1
	shift
	wait_for 5 "[ \"\$(charge_of $id | sed 's/@any//g')\" = \"$*\" ]" || {
		echo "charged: $(charge_of "$id"), expected: $*" >&2
		return 1
	}
}

# first_charge ID: what was charged at the start, before the allocation stood in
# the job's record. It must be the same.
first_charge() {
	grep "slurm-cohort: charge: JobId=$1 " "$CLUSTER/log/slurmctld.log" |
		sed -n 's/.*): //p' | head -n 1
}

# gets_charged RESOURCES -- OPTIONS...: a job with these options runs, and is
# charged so, from the start; it is gone when this returns
gets_charged() {
	local want=() id
	while [ "$1" != -- ]; do
		want+=("$1")
		shift
	done
	shift
	id=$(submit -A q "$@") && all_run "$id" && charged "$id" "${want[@]}" || return 1
	[ "$(first_charge "$id")" = "$(charge_of "$id")" ] || {
		echo "at first: $(first_charge "$id"), then: $(charge_of "$id")" >&2
		return 1
	}
	# The next one chooses among all nodes, not among those that are free already
	scancel "$id" && wait_for 20 '[ "$(sinfo -h -o %t | sort -u)" = idle ]'
}

# same_after_restart ID...: what these are charged, all over again
same_after_restart() {
	local id before=() i=0
	for id; do
		before+=("$(charge_of "$id")")
		[ -n "${before[-1]}" ] || { echo "job $id: no charge" >&2; return 1; }
	done
	cluster_restart_ctld || return 1
	for id; do
		wait_for 10 "[ -n \"\$(charge_of $id)\" ]" &&
			[ "$(charge_of "$id")" = "${before[i]}" ] || {
			echo "job $id: before: ${before[i]}, now: $(charge_of "$id")" >&2
			return 1
		}
		i=$((i + 1))
	done
}

reason_says() { [[ $(job_reason "$1") == Cohort:*,wait=$2,* ]]; }

# waits_for ID TEXT: soon its REASON has this behind wait=
waits_for() {
	wait_for 10 "reason_says $1 '$2'" || {
		echo "REASON is $(job_reason "$1"), expected wait=$2" >&2
		return 1
	}
}

# text_of ID: what squeue shows, without how many wait in the queue in all: a job
# that has come just now is in the texts of the others up to updateInterval later
text_of() { job_reason "$1" | sed 's,\(pos=[0-9]*\)/[0-9]*,\1,'; }

# steady ID: it waits, and slurmctld does not try it over and over: no more than a
# few passes a second, and the same text; where Slurm writes its own in between it
# is back soon
steady() {
	local runs text from
	wait_for 2 "text=\$(text_of $1); [[ \$text == Cohort:* ]]" || return 1
	from=$(now_ms)
	runs=$(sched_runs)
	holds_for 2 "job_waits $1" || return 1
	runs=$(($(sched_runs) - runs)) from=$(($(now_ms) - from))
	[ $((runs * 1000)) -lt $((from * 8)) ] || {
		echo "$runs passes in $from ms" >&2
		return 1
	}
	wait_for 2 "[ \"\$(text_of $1)\" = \"$text\" ]"
}

# How often the main scheduler has run
sched_runs() { sdiag 2>/dev/null | awk '/Total cycles:/ { print $3; exit }'; }

# books_empty: soon nothing is in use any more, in any queue
books_empty() {
	local file=$CLUSTER/state/cohort_status.json since
	since=$EPOCHSECONDS
	wait_for 10 "[ \$(stat -c %Y '$file') -gt $since ] && grep -q '\"used\"' '$file' &&
		! sed 's/\"asked\".*//' '$file' | grep -q '\"used\": *[1-9-]'" || {
		grep -E '"(resource|used)"' "$file" >&2
		return 1
	}
}

# Nodes of three kinds, for slurm.conf and gres.conf: n1 and n2 have two GPUs of
# type a100 and eight shards each, n3 two of type v100, n4 none
gpu_kinds() {
	cat <<-'EOF'
		NodeName=n[1-2] Feature=a100 Gres=gpu:a100:2,shard:8
		NodeName=n3 Feature=v100 Gres=gpu:v100:2
		NodeName=n4 Feature=cpu
		PartitionName=whole Nodes=ALL OverSubscribe=EXCLUSIVE State=UP MaxTime=INFINITE
		GresTypes=gpu,shard
	EOF
}

gpu_kinds_gres() {
	cat <<-'EOF'
		NodeName=n[1-2] Name=gpu Type=a100 File=@DIR@/dev/gpu[0-1]
		NodeName=n[1-2] Name=shard Count=8
		NodeName=n3 Name=gpu Type=v100 File=@DIR@/dev/gpu[0-1]
	EOF
}
