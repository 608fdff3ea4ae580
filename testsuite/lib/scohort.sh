# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# scohort.sh - asking scohort, and what it says
#
# Used: what lib.sh has.

# metric NAME[{LABELS}]: the value of slurm_cohort_NAME, "" if there is none
metric() { scohort metrics | awk -v name="slurm_cohort_$1" '$1 == name { print $2 }'; }

# told_time EPOCH: as scohort tells people, with the day if that is not today
told_time() {
	if [ "$(date -d "@$1" +%F)" = "$(date +%F)" ]; then
		date -d "@$1" +%H:%M:%S
	else
		date -d "@$1" +%Y-%m-%dT%H:%M:%S
	fi
}

# published EXPRESSION: as json, of the published file
published() { json "$1" <"$CLUSTER/state/cohort_status.json"; }

# json EXPRESSION: of the JSON document on stdin, `d` in Python; a list is
# printed with blanks between, null as "-"
json() {
	python3 -c '
import json, sys
d = json.load(sys.stdin)
def queue(name): return [q for q in d["clusterQueues"] if q["name"] == name][0]
def cohort(name): return [c for c in d["cohorts"] if c["name"] == name][0]
def job(i): return [j for j in d["jobs"] if j["jobId"] == str(i)][0]
def word(x): return "-" if x is None else str(x).lower() if isinstance(x, bool) else str(x)
v = eval(sys.argv[1])
print(" ".join(map(word, v)) if isinstance(v, (list, tuple)) else word(v))' "$1"
}

# status_is QUEUE FIELDS VALUES: what `scohort status` says of it, like
# status_is a used,lent "3 0"
status_is() {
	[ "$(scohort status -n -P -o "name,$2" "$1" 2>&1 | sed -n "s/^$1|//p" | tr '|' ' ')" = "$3" ]
}

# status_soon QUEUE FIELDS VALUES: within 10 s
status_soon() {
	wait_for 10 "status_is $1 $2 \"$3\"" || {
		scohort status
		return 1
	}
}

# why_says ID TEXT: in its sentences, written in one line
why_says() { COLUMNS=10000 scohort why "$1" 2>&1 | grep -F -- "$2" >/dev/null; }

# why_soon ID TEXT: within 10 s
why_soon() {
	wait_for 10 "why_says $1 \"\$(cat <<<'$2')\"" || {
		COLUMNS=10000 scohort why "$1"
		return 1
	}
}

# fits WIDTH: no line on stdin is longer
fits() { ! grep -E "^.{$(($1 + 1))}"; }

# scohort_for_all: a copy of scohort that every user may run; prints its path
scohort_for_all() {
	cp "$BUILD/scohort" "$WORK/scohort.all" && chmod 755 "$WORK/scohort.all" &&
		echo "$WORK/scohort.all"
}

# published_anew: the published document was made after now. The next one may have been made
# before.
published_anew() {
	local was file=$CLUSTER/state/cohort_status.json
	wait_for 60 "[ -e '$file' ]" || return 1
	for _ in 1 2; do
		was=$(stat -c %y "$file") &&
			wait_for 30 "[ \"\$(stat -c %y '$file')\" != '$was' ]" || return 1
	done
}

# Passes of ours so far, as published
passes() { metric pass_duration_seconds_count; }

# Published by a pass that began after now, NUMBER passes later
passes_on() {
	local until
	published_anew && until=$(($(passes) + $1)) && wait_for 30 "[ \"\$(passes)\" -gt $until ]"
}
