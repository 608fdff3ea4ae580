#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='scohort record: which file of events, if slurm.conf includes files, or something is wrong'

. "$(dirname "$0")/../lib/offline.sh"

unset "${!SLURM_@}" "${!SCOHORT_@}"
export TZ=UTC SCOHORT_PUBLISH=$PWD/published.json SLURM_CONF=$PWD/conf/slurm.conf
scohort record --help >help 2>&1 || true
if scohort record --db probe.db 2>&1 | grep -q "not built in"; then
	skip_all='scohort is built without SQLite'
	test_done
fi

mkdir conf state conf/more
cat >published.json <<'END'
{"version": 1, "time": 1767225600, "flavors": [{"name": "any"}], "cohorts": [],
 "clusterQueues": [{"name": "x", "quota": [{"flavor": "any", "resource": "cpu", "used": 1, "account": [0, 0, 0, 0, 0, 0]}],
 "borrowedFrom": {}, "counters": {"admitted": 0, "lost": {}, "evicted": {}, "caused": {}}}],
 "account": {"since": 1767222000, "at": 1767225600, "gaps": {"number": 0}}}
END
cat >event <<'END'
{"version":1,"time":1767225660,"job":1,"uid":1,"user":"u","account":"a","name":"n","started":1767225600,"ran":60,"queue":"x","rule":"InCohortReclamation","lost":{"cpu@any":240},"by":{"job":2,"uid":1,"user":"o","account":"b","queue":"x"},"numbers":null,"text":""}
END
cp event state/cohort_events.jsonl
state="StateSaveLocation=\"$PWD/state\""

# conf FILE LINE...: of slurm.conf's folder
conf() {
	local file=conf/$1
	shift
	printf '%s\n' "$@" >"$file"
}

# record STATUS EVENTS [ARGUMENT...]: into a new database that all can read; what it says is in err
record() {
	local status=$1 events=$2
	shift 2
	rm -f h.db* && (umask 022 && exec scohort record --db h.db --no-events) && chmod 644 h.db || return 1
	test_expect_code "$status" scohort record --db h.db "$@" 2>err || { cat err; return 1; }
	[ "$(python3 -c 'import sqlite3; print(*sqlite3.connect("h.db").execute("SELECT count(*) FROM event").fetchone())')" = "$events" ] ||
		{ cat err; return 1; }
}

test_expect_success 'StateSaveLocation is in an included file: beside slurm.conf, one deeper, or anywhere' '
	conf slurm.conf "ClusterName=c" "include common.conf # ours" && conf common.conf "$state" && record 0 1 && [ ! -s err ] &&
	conf common.conf "Include more/state.conf" && conf more/state.conf "$state" && record 0 1 && [ ! -s err ] &&
	elsewhere=$(mktemp -d) && mv conf/more/state.conf "$elsewhere" && conf slurm.conf "Include	$elsewhere/state.conf" &&
	record 0 1; rc=$?; rm -r "$elsewhere"; [ $rc = 0 ] && [ ! -s err ] &&
	conf slurm.conf "IncludeIt common.conf" "#Include none.conf" "$state" && record 0 1 && [ ! -s err ]
'

test_expect_success 'PrivateData is in an included file; the last one holds' '
	conf slurm.conf "$state" "Include common.conf" && conf common.conf "PrivateData=accounts,jobs" && record 0 0 &&
	grep "evictions are left out: slurm.conf has PrivateData=jobs" err &&
	conf slurm.conf "$state" "PrivateData=usage" "Include common.conf" && record 0 0 && grep "PrivateData=jobs" err &&
	conf slurm.conf "$state" "Include common.conf" "PrivateData=usage" && record 0 1 && [ ! -s err ]
'

# Several pairs in a line, which Slurm refuses; as it reads them: a line that goes on, "job" and "all"
test_expect_success 'PrivateData is anywhere in a line, and in any form that slurmctld takes' '
	for line in "ClusterName=c PrivateData=jobs" "ClusterName=c PrivateData = \"accounts,jobs\" # ours" "PRIVATEDATA=JOB" \
			"PrivateData=all" "SlurmUser=\"a b\" PrivateData=jobs ClusterName=c" "ClusterName=c \\
			PrivateData=jobs" "PrivateData=accounts,\\
jobs" "ClusterName=a\\#b PrivateData=jobs" "NodeName=n1 CPUs=4 PrivateData+=jobs" "# ours \\
			PrivateData=jobs"; do
		conf slurm.conf "$state" "$line" && record 0 0 && grep "slurm.conf has PrivateData=jobs" err || { echo "$line"; return 1; }
	done &&
	for line in "ClusterName=c PrivateData=usage" "ClusterName=c # PrivateData=jobs" "MailProg=\"x PrivateData=jobs\"" \
			"PrivateData=jobs PrivateData=usage" "ClusterName=xPrivateData=jobs"; do
		conf slurm.conf "$line" "$state" && record 0 1 && [ ! -s err ] || { echo "$line"; return 1; }
	done &&
	conf slurm.conf "ClusterName=c $state PrivateData=usage" && record 0 1 && [ ! -s err ]
'

test_expect_success 'an included file cannot be read, or includes itself: told, and evictions are left out' '
	conf slurm.conf "$state" "Include none.conf" && record 1 0 &&
	grep "evictions are left out: $PWD/conf/none.conf cannot be read, and jobs may be private there" err &&
	conf slurm.conf "Include none.conf" && record 1 0 &&
	grep "left out: $PWD/conf/none.conf cannot be read, and StateSaveLocation may be there" err &&
	conf slurm.conf "Include slurm.conf" "Include slurm.conf" && record 1 0 && grep "slurm.conf cannot be read" err &&
	conf slurm.conf "Include %c.conf" "$state" && record 1 0 && grep "%c.conf cannot be read" err
'

test_expect_success 'no slurm.conf, or a folder in its place: sums are taken; events only if it is known that all may read them' '
	rm conf/slurm.conf && record 0 0 && [ ! -s err ] &&
	conf cohort.yaml "flavors: [{name: any}]" "clusterQueues:" "  - name: x" \
		"    resourceGroups: [{coveredResources: [cpu], flavors: [{name: any, nominalQuota: cpu=1}]}]" \
		"events: {file: $PWD/state/cohort_events.jsonl}" && record 1 0 &&
	grep "evictions are left out: $PWD/conf/slurm.conf cannot be read, and jobs may be private there; all users can read h.db" err &&
	chmod o= h.db && scohort record --db h.db 2>err && [ ! -s err ] && record 0 1 --events state/cohort_events.jsonl &&
	mkdir conf/slurm.conf && record 1 0 && grep "slurm.conf cannot be read, and jobs may be private there" err && rm conf/cohort.yaml &&
	record 1 0 && grep "slurm.conf cannot be read, and StateSaveLocation may be there" err && rmdir conf/slurm.conf
'

test_expect_success 'cohort.yaml has an error, or there is none' '
	conf slurm.conf "$state" && conf cohort.yaml "events: {enable: flase}" && record 1 0 &&
	grep "evictions are left out: $PWD/conf/cohort.yaml cannot be read or has errors, which scohort check tells" err &&
	record 0 1 --events state/cohort_events.jsonl && rm conf/cohort.yaml && record 0 1 && [ ! -s err ]
'

test_expect_success '--events: no such folder, no such file, or only older ones' '
	record 1 0 --events /nope/typo.jsonl && grep "^scohort record: --events: /nope/typo.jsonl: there is no such folder" err &&
	record 0 0 --events state/typo.jsonl && grep "^scohort record: --events: state/typo.jsonl: there is no such file" err &&
	mv state/cohort_events.jsonl state/e.1 && record 0 1 --events state/e && [ ! -s err ]
'

test_done
