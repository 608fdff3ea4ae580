# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# conf.sh - the files of one private cluster
#
# Used: $dir, $top, $build, $nodes, $port (first of the block: slurmctld,
# slurmdbd, the database, then one for each slurmd), $stock, $accounting,
# $extra_conf (file with lines for slurm.conf), $gres_conf (a gres.conf instead of
# ours), $slurm_plugindir, slurm_since.
#
# A line of $extra_conf takes the place of ours with the same key (or the same
# NodeName=, PartitionName=); @DIR@ in it is the cluster's folder, @PORT@ the port
# of the first slurmd. A NodeName line takes the place of all of ours, and need not
# say what conf_node_lines adds.

conf_ports() { echo $((nodes + 3)); }
conf_port_ctld() { echo "$port"; }
conf_port_dbd() { echo $((port + 1)); }
conf_port_db() { echo $((port + 2)); }

# conf_range FIRST LAST: a hostlist, "[1-2]" or "1"
conf_range() {
	if [ "$1" -eq "$2" ]; then echo "$1"; else echo "[$1-$2]"; fi
}

# conf_nodes FIRST LAST WORDS...: a NodeName line, if there are such nodes
conf_nodes() {
	local first=$1 last=$2
	shift 2
	[ "$first" -le "$last" ] || return 0
	echo "NodeName=n$(conf_range "$first" "$last") NodeHostname=localhost" \
		"NodeAddr=127.0.0.1 Port=$(conf_range $((port + 2 + first)) $((port + 2 + last)))" \
		"CPUs=4 RealMemory=4000 State=UNKNOWN $*"
}

conf_partition() {
	local name=$1 first=$2 last=$3
	shift 3
	[ "$first" -le "$last" ] || return 0
	echo "PartitionName=$name Nodes=n$(conf_range "$first" "$last") State=UP" \
		"MaxTime=INFINITE $*"
}

conf_plugins() {
	if [ "$stock" = yes ]; then
		echo "PluginDir=$slurm_plugindir"
		return
	fi
	cat <<-EOF
		PluginDir=${COHORT_PLUGINDIR:-$build/plugins}:$slurm_plugindir
		PreemptType=preempt/cohort
		PreemptMode=REQUEUE
	EOF
}

conf_accounting() {
	[ "$accounting" = yes ] || return 0
	cat <<-EOF
		AccountingStorageType=accounting_storage/slurmdbd
		AccountingStorageHost=127.0.0.1
		AccountingStoragePort=$(conf_port_dbd)
		AccountingStoragePass=$dir/run/munge.sock
		AccountingStorageTRES=gres/gpu
		AccountingStorageEnforce=associations,qos,limits
	EOF
}

# What a test does not say otherwise
conf_default() {
	local user gpus=$(((nodes + 1) / 2))
	user=$(id -un)
	cat <<-EOF
		ClusterName=test
		SlurmctldHost=localhost(127.0.0.1)
		SlurmctldPort=$(conf_port_ctld)
		SlurmUser=$user
		SlurmdUser=$user
		AuthType=auth/munge
		CredType=cred/munge
		AuthInfo=socket=$dir/run/munge.sock,cred_expire=5
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool/%n
		SlurmctldPidFile=$dir/run/slurmctld.own
		SlurmdPidFile=$dir/run/slurmd.%n.own
		SlurmctldLogFile=$dir/log/slurmctld.log
		SlurmdLogFile=$dir/log/slurmd.%n.log
		SlurmctldDebug=debug
		SlurmdDebug=info
		DebugFlags=NO_CONF_HASH
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		MpiDefault=none
		MailProg=/bin/true
		SlurmdParameters=config_overrides
		PropagateResourceLimits=NONE
		ReturnToService=2
		KillWait=2
		MessageTimeout=30
		JobRequeue=1
		SchedulerParameters=bf_interval=2,bf_max_time=30,sched_interval=2,sched_min_interval=0,bf_continue
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core_Memory
		DefMemPerCPU=500
		GresTypes=gpu
	EOF
	# A clock that is moved on while a node begins a batch job makes that job missing
	[ -z "${COHORT_CLOCK-}" ] || echo BatchStartTimeout=3600
	conf_plugins
	conf_accounting
	conf_nodes 1 "$gpus" Feature=a100 Gres=gpu:2
	conf_nodes $((gpus + 1)) "$nodes" Feature=cpu
	conf_partition main 1 "$nodes" Default=YES
	conf_partition gpu 1 "$gpus"
	conf_partition cpu $((gpus + 1)) "$nodes"
}

# conf_merge EXTRA: ours from stdin without the lines that EXTRA replaces,
# then EXTRA
conf_merge() {
	awk -v extra="$1" '
		function key(line,	word) {
			sub(/^[ \t]+/, "", line)
			split(line, word, /[ \t]+/)
			word[1] = tolower(word[1])
			if (word[1] ~ /^(nodename|partitionname)=/)
				return word[1]
			sub(/=.*/, "", word[1])
			return word[1]
		}
		BEGIN {
			while ((getline line < extra) > 0) {
				own[n++] = line
				seen[key(line)] = 1
				if (tolower(line) ~ /^[ \t]*nodename=/)
					nodes = 1
			}
		}
		nodes && /^NodeName=/ { next }
		!(key($0) in seen)
		END { for (i = 0; i < n; i++) print own[i] }'
}

# conf_node_lines: NodeName=n1 or n[1-2] from stdin gets what it does not say:
# where its slurmd is, 4 CPUs, 4000 MB
conf_node_lines() {
	awk -v first="$((port + 2))" '
		function word(text) {
			if (tolower($0) !~ "[ \\t]" tolower(substr(text, 1, index(text, "="))))
				$0 = $0 " " text
		}
		/^NodeName=n/ {
			n = split($1, node, /[^0-9]+/)
			from = node[2]
			to = n > 2 && node[3] != "" ? node[3] : from
			word("NodeHostname=localhost")
			word("NodeAddr=127.0.0.1")
			word(sprintf("Port=[%d-%d]", first + from, first + to))
			word("CPUs=4")
			word("RealMemory=4000")
			word("State=UNKNOWN")
			if (from == to)
				sub(/Port=\[[-0-9]*\]/, "Port=" (first + from))
		}
		{ print }'
}

conf_write_slurm() {
	local extra=$dir/etc/extra.conf
	sed "s|@DIR@|$dir|g; s|@PORT@|$((port + 3))|g" "${extra_conf:-/dev/null}" | conf_node_lines >"$extra"
	conf_default | conf_merge "$extra" >"$dir/etc/slurm.conf"
	rm -f "$extra"
}

# A device for each GPU: gres.conf wants a file, any will do
conf_write_gres() {
	ln -sfn /dev/null "$dir/dev/gpu0"
	ln -sfn /dev/null "$dir/dev/gpu1"
	if [ -n "$gres_conf" ]; then
		sed "s|@DIR@|$dir|g" "$gres_conf" >"$dir/etc/gres.conf"
		return
	fi
	echo "NodeName=n$(conf_range 1 $(((nodes + 1) / 2))) Name=gpu File=$dir/dev/gpu[0-1]" \
		>"$dir/etc/gres.conf"
}

# slurmd starts a cgroup plugin even if nobody uses it. The one for version 1
# touches nothing until it is used; the one that it would find on most machines
# today wants systemd.
conf_write_cgroup() {
	local plugin=disabled
	slurm_since 23.11 || plugin=cgroup/v1
	echo "CgroupPlugin=$plugin" >"$dir/etc/cgroup.conf"
}

conf_write_env() {
	cat >"$dir/env" <<-EOF
		# Source this, then use sbatch, squeue, scontrol as on any cluster
		unset \${!SLURM_*} \${!SBATCH_*} \${!SALLOC_*} \${!SQUEUE_*} \${!SINFO_*}
		export SLURM_CONF=$dir/etc/slurm.conf
		export COHORT_CLUSTER_DIR=$dir
		export PATH=$build:$top/testsuite:\$PATH:/usr/local/sbin:/usr/sbin:/sbin
	EOF
}

conf_write() {
	local i
	for ((i = 1; i <= nodes; i++)); do
		mkdir -p "$dir/spool/n$i"
	done
	conf_write_slurm
	conf_write_gres
	conf_write_cgroup
	conf_write_env
	[ -z "$cohort" ] || [ "$cohort" -ef "$dir/etc/cohort.yaml" ] ||
		install -m 644 "$cohort" "$dir/etc/cohort.yaml"
}
