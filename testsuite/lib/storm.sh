# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storm.sh - everything a user or an administrator may do, in random order
#
# The same seed gives the same commands; which jobs they meet depends on time.
# bash gives a subshell other random numbers, so functions answer in $REPLY.
#
# Used: what lib.sh and quota.sh have; $ACCOUNTS, $QOSES: names (no QOSES: without
# slurmdbd); $RESTARTS: how many in 100 restarts happen; $VARIANTS: configurations,
# variant NAME prints one.

# one_of WORD...
one_of() { shift $((RANDOM % $#)); REPLY=$1; }

# maybe PERCENT
maybe() { [ $((RANDOM % 100)) -lt "$1" ]; }

# What a job asks for, in $opts; its $partition
some_size() {
	case $((RANDOM % 18)) in
	0 | 1 | 2 | 3) opts+=(-n $((1 + RANDOM % 4))) ;;
	4) opts+=(-N2 -n $((2 + RANDOM % 6))) ;;
	5) opts+=(-N 1-$((2 + RANDOM % 3))) ;;
	6) opts+=(--gres=gpu:1) ;;
	7) opts+=(--gres=gpu:a100:$((1 + RANDOM % 2))) ;;
	8) opts+=(--gpus=v100:1 -n1) ;;
	9) opts+=(--gpus-per-node=2 --cpus-per-gpu=2) ;;
	10) # with whole nodes Slurm 22.05 never starts these
		REPLY=$((1 + RANDOM % 4))
		[[ ${opts[*]} = *whole* ]] || opts+=("--gres=shard:$REPLY") ;;
	11) opts+=(--exclusive -N $((1 + RANDOM % 2))) ;;
	12) opts+=(-n1 --mem=$((500 * (1 + RANDOM % 8)))) ;;
	13) opts+=(-n2 -L soft:$((1 + RANDOM % 3))) ;;
	14) opts+=(-N2 -C '[a100*1&cpu*1]') ;;
	15) one_of '[a100|v100]' 'a100|cpu' cpu a100 '[cpu|v100]' && opts+=(-n2 -C "$REPLY") ;;
	16) one_of n1 n2,n3 n4 && opts+=(-w "$REPLY" -n2) ;;
	17) one_of n1 n2,n3 n4 && opts+=(-x "$REPLY" -N 1-2) ;;
	esac
}

some_partition() {
	one_of lo lo mid hi lo,hi mid,lo,whole cancel out,lo whole
	partition=$REPLY
	opts+=(-p "$REPLY")
}

# Words besides; more of them with jobs that are alone
some_more() {
	local when
	case $((RANDOM % 14)) in
	0) opts+=(--begin=now+$((RANDOM % 4))) ;;
	1) one_of afterany after afternotok afterok
		[ ${#ids[@]} -eq 0 ] || opts+=(-d "$REPLY:${ids[RANDOM % ${#ids[@]}]}") ;;
	2) opts+=(--no-requeue) ;;
	3) opts+=(--signal=B:USR1@60) ;;
	4) printf -v when '%(%FT%T)T' $((EPOCHSECONDS + 60 + RANDOM % 30)) && opts+=(--deadline="$when" -t1) ;;
	5) opts+=(--reservation=res) ;;
	6) opts+=(--prefer=a100) ;;
	7) opts+=(-H) ;;
	8) opts+=(--nice=$((RANDOM % 1000))) ;;
	9 | 10) [ -z "$QOSES" ] || { one_of $QOSES passing quick,slow && opts+=(-q "$REPLY"); } ;;
	esac
}

some_job() {
	opts=()
	some_partition
	some_size
	one_of $ACCOUNTS
	opts+=(-A "$REPLY" -t 1)
	some_more
}

# Answers do not matter here: much of it is refused, and should be
quietly() { "$@" >>"$WORK/storm.out" 2>&1; true; }

some_batch() {
	local how=("$@") seconds
	some_job
	seconds=$((RANDOM % 4)).$((RANDOM % 10))
	case $((RANDOM % 8)) in
	# an array that names several QOS ends slurmctld 24.11, without us, too
	[0-2]) [[ ${opts[*]} != *quick,slow* ]] || opts+=(-q quick) ;;&
	0) opts+=(-a 0-$((1 + RANDOM % 5))) ;;
	1) opts+=(-a 0-$((1 + RANDOM % 5))%$((1 + RANDOM % 2))) ;;
	2) opts+=(-a 0-3 --comment=cohort:min-available=1) ;;
	3)
		one_of $ACCOUNTS
		# of several partitions two such jobs may wait for each other in
		# backfill for good, without the plugins, too
		opts+=(: -A "$REPLY" -n $((1 + RANDOM % 2)) -p "$partition")
		;;
	4) opts+=(--comment=cohort:preemptibility=non-preemptible) ;;
	esac
	quietly sbatch "${how[@]}" -o /dev/null "${opts[@]}" --wrap "exec sleep $seconds"
}

some_step() {
	some_job
	if maybe 50; then opts+=(-I$((1 + RANDOM % 2))); fi
	if maybe 50; then
		quietly timeout 6 srun "${opts[@]}" sleep 1 </dev/null &
		steps+=($!)
	else
		quietly timeout 6 salloc "${opts[@]}" sleep 1 </dev/null &
		steps+=($!)
	fi
}

some_id() {
	REPLY=''
	[ ${#ids[@]} -eq 0 ] || REPLY=${ids[RANDOM % ${#ids[@]}]}
	[ -n "$REPLY" ]
}

some_update() {
	local id
	some_id || return 0
	id=$REPLY
	case $((RANDOM % 11)) in
	0) one_of $ACCOUNTS && quietly scontrol update JobId="$id" Account="$REPLY" ;;
	1) one_of lo mid hi lo,hi out && quietly scontrol update JobId="$id" Partition="$REPLY" ;;
	2) quietly scontrol update JobId="$id" NumNodes=1 ;;
	3) quietly scontrol update JobId="$id" NumCPUs=$((1 + RANDOM % 4)) ;;
	4) quietly scontrol update JobId="$id" Priority=$((1 + RANDOM % 1000)) ;;
	5) quietly scontrol update JobId="$id" TimeLimit=$((1 + RANDOM % 3)) ;;
	6) quietly scontrol update JobId="$id" ArrayTaskThrottle=$((RANDOM % 3)) ;;
	7) one_of a100 cpu '[a100|v100]' && quietly scontrol update JobId="$id" Features="$REPLY" ;;
	8) quietly scontrol update JobId="$id" StartTime=now+2 ;;
	9) quietly scontrol update JobId="$id" Comment="cohort:min-available=$((RANDOM % 3))" ;;
	10) [ -z "$QOSES" ] || { one_of $QOSES && quietly scontrol update JobId="$id" QOS="$REPLY"; } ;;
	esac
}

some_control() {
	some_id || return 0
	case $((RANDOM % 8)) in
	0) quietly scontrol hold "$REPLY" ;;
	1) quietly scontrol release "$REPLY" ;;
	2) quietly scontrol requeue "$REPLY" ;;
	3) quietly scontrol requeuehold "$REPLY" ;;
	4) quietly scontrol suspend "$REPLY" ;;
	5) quietly scontrol resume "$REPLY" ;;
	6) quietly scontrol top "$REPLY" ;;
	7) quietly scancel "$REPLY" ;;
	esac
}

some_nodes() {
	one_of n1 n2 n3 n4
	case $((RANDOM % 5)) in
	0) quietly scontrol update NodeName="$REPLY" State=DRAIN Reason=storm ;;
	1) quietly scontrol update NodeName="$REPLY" State=DOWN Reason=storm ;;
	2) quietly scontrol update NodeName="$REPLY" Features=cpu,a100 ;;
	*) quietly scontrol update NodeName="n[1-4]" State=RESUME ;;
	esac
}

some_reservation() {
	if maybe 60; then
		one_of n1 n2 n3,n4
		quietly scontrol create reservation=res starttime=now+$((RANDOM % 3)) duration=1 \
			users=root nodes="$REPLY" flags=ignore_jobs
	else
		quietly scontrol delete reservation=res
	fi
}

some_partitions() {
	case $((RANDOM % 4)) in
	0) quietly scontrol update PartitionName=mid State=DOWN ;;
	1) quietly scontrol create PartitionName=new Nodes=ALL State=UP ;;
	2) quietly scontrol delete PartitionName=new ;;
	*) quietly scontrol update PartitionName=mid State=UP ;;
	esac
}

# What slurmctld hears of slurmdbd
some_accounting() {
	[ -n "$QOSES" ] || return 0
	case $((RANDOM % 9)) in
	0 | 1) one_of $QOSES && sacct_do modify qos "$REPLY" set Priority=$((RANDOM % 100)) ;;
	2) one_of $QOSES && sacct_do modify qos "$REPLY" set GrpTRES=cpu=$((RANDOM % 12 - 1)) ;;
	3) one_of cancel requeue && sacct_do modify qos quick set PreemptMode="$REPLY" ;;
	4) one_of $ACCOUNTS && sacct_do modify account "$REPLY" set MaxJobs=$((RANDOM % 6 - 1)) ;;
	5) one_of $ACCOUNTS && sacct_do modify user root where account="$REPLY" set fairshare=$((1 + RANDOM % 9)) ;;
	6) sacct_do add qos passing && sacct_do modify user root set qos+=passing ;;
	7) sacct_do delete qos passing ;;
	8) sacct_do add account e parent=a && sacct_do delete account e ;;
	esac
}

sacct_do() { quietly sacctmgr -Q -i "$@"; }

# settings VARIANT: these are in cohort.yaml, and slurmctld is told
settings() {
	variant "$1" >"$CLUSTER/etc/cohort.yaml"
	quietly cluster_reconfigure
}

some_look() {
	case $((RANDOM % 6)) in
	0) quietly scohort status ;;
	1) quietly scohort queue ;;
	2) some_id && quietly scohort why "$REPLY" ;;
	3) quietly scohort metrics ;;
	4) quietly squeue --start ;;
	5) some_id && quietly scontrol show job "$REPLY" ;;
	esac
}

# One command of all
some_command() {
	case $((RANDOM % 100)) in
	1[0-3]) if [ -n "$QOSES" ]; then some_accounting; else some_batch; fi ;;
	[0-9] | [1-3][0-9]) some_batch ;;
	4[0-9]) some_batch --test-only ;;
	5[0-4]) some_step ;;
	5[5-9] | 6[0-3]) some_update ;;
	6[4-9] | 7[0-9]) some_control ;;
	8[0-4]) some_nodes ;;
	8[5-7]) some_reservation ;;
	88) some_partitions ;;
	89 | 9[0-2]) some_look ;;
	9[3-5]) one_of $VARIANTS && settings "$REPLY" ;;
	96) maybe "$RESTARTS" && cluster_restart_ctld ;;
	97) maybe "$RESTARTS" && cluster_kill_ctld ;;
	*) some_ids ;;
	esac
	true
}

some_ids() { mapfile -t ids < <(squeue -h -r -o %i 2>/dev/null); }

# storm SECONDS SEED: commands for so long, of a seed
storm() {
	local end=$((EPOCHSECONDS + $1)) n=0
	RANDOM=$2
	ids=() steps=()
	while [ $EPOCHSECONDS -lt $end ]; do
		[ $((n++ % 5)) -ne 0 ] || some_ids
		# a queue that ends some day
		[ ${#ids[@]} -lt 60 ] || { some_control; continue; }
		some_command
		ctld_alive || { echo "slurmctld is gone"; return 1; }
	done
	# without a name, wait would wait for who watches the storm, who waits for us
	[ ${#steps[@]} -eq 0 ] || wait "${steps[@]}"
	echo "$n commands of seed $2"
}

ctld_alive() { "$TESTSUITE/cluster" status --dir "$CLUSTER" 2>&1 | grep -q '^slurmctld runs'; }
