# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# accounting.sh - slurmdbd and its database, for a private cluster
#
# A MariaDB server and a slurmdbd of our own, both on this host's loopback.
#
# Used: $dir, the ports of conf.sh, $sacctmgr (file with sacctmgr commands).

accounting_db_ready() {
	mariadb --no-defaults --socket="$dir/run/db.sock" -u root -e 'select 1' >/dev/null 2>&1
}

# accounting_sql NAME: a script that came with the server, by its old or new name
accounting_sql() {
	cat "/usr/share/mysql/mysql_$1.sql" 2>/dev/null ||
		cat "/usr/share/mariadb/mariadb_$1.sql"
}

# The system tables, made by the server itself: quicker than the installer. In /tmp
# its files have names by its pid, which a server in another namespace may have, too.
accounting_create_db() {
	[ ! -d "$dir/db/mysql" ] || return 0
	mkdir -p "$dir/db" "$dir/run/db.tmp"
	{
		printf '%s\n' 'create database mysql;' 'use mysql;'
		accounting_sql system_tables
		accounting_sql system_tables_data
		echo 'create database slurm_acct_db;'
	} | mariadbd --no-defaults --bootstrap "--user=$(id -un)" --datadir="$dir/db" \
		--tmpdir="$dir/run/db.tmp" --skip-log-bin >>"$dir/log/mariadbd.out" 2>&1
}

accounting_start_db() {
	accounting_create_db || { say "cannot make the database"; return 1; }
	proc_start mariadbd mariadbd --no-defaults "--user=$(id -un)" \
		--datadir="$dir/db" --tmpdir="$dir/run/db.tmp" --socket="$dir/run/db.sock" --pid-file="$dir/run/db.own" \
		--bind-address=127.0.0.1 --port="$(conf_port_db)" --skip-networking=0 \
		--innodb-buffer-pool-size=64M --innodb-lock-wait-timeout=900 \
		--innodb-flush-log-at-trx-commit=0 --skip-name-resolve
	wait_ready mariadbd 60 accounting_db_ready || return 1
	mariadb --no-defaults --socket="$dir/run/db.sock" -u root <<-EOF
		create database if not exists slurm_acct_db;
		create or replace user slurm@'127.0.0.1' identified by 'slurm';
		grant all on slurm_acct_db.* to slurm@'127.0.0.1';
	EOF
}

accounting_write_conf() {
	(umask 077 && cat >"$dir/etc/slurmdbd.conf") <<-EOF
		AuthType=auth/munge
		AuthInfo=$dir/run/munge.sock
		DbdHost=localhost
		DbdAddr=127.0.0.1
		DbdPort=$(conf_port_dbd)
		SlurmUser=$(id -un)
		LogFile=$dir/log/slurmdbd.log
		PidFile=$dir/run/slurmdbd.own
		PluginDir=$slurm_plugindir
		StorageType=accounting_storage/mysql
		StorageHost=127.0.0.1
		StoragePort=$(conf_port_db)
		StorageUser=slurm
		StoragePass=slurm
		StorageLoc=slurm_acct_db
	EOF
}

accounting_dbd_ready() {
	client 10 sacctmgr -n -P show cluster >/dev/null 2>&1
}

# Lines of sacctmgr: "add account team-a", "# comments"
accounting_load() {
	local line out
	while read -r line; do
		case $line in
		'' | '#'*) continue ;;
		esac
		# shellcheck disable=SC2086
		out=$(client 60 sacctmgr -Q -i $line </dev/null 2>&1) && continue
		case $out in
		*'Nothing new added'* | *'already exists'* | *'Already existing'*) continue ;;
		esac
		say "sacctmgr $line: $out"
		return 1
	done <"$1"
}

accounting_start() {
	accounting_start_db || return 1
	accounting_write_conf
	SLURM_CONF=$dir/etc/slurm.conf \
		proc_start slurmdbd env "SLURM_CONF=$dir/etc/slurm.conf" slurmdbd -D
	wait_ready slurmdbd 60 accounting_dbd_ready || return 1
	accounting_load <(echo "add cluster test") || return 1
	[ -z "$sacctmgr" ] || accounting_load "$sacctmgr"
}
