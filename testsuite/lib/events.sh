# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# events.sh - evictions, and the file that tells them
#
# The queue b owns what the queue a borrows. EVENTS is the path of the file.
#
# Used: what lib.sh, quota.sh and scohort.sh have.

# lenders [KEYS [MORE]]: a configuration with these keys of the section events, and with
# further lines
lenders() {
	quota_head
	[ $# -eq 0 ] || echo "events: {$1}"
	[ $# -lt 2 ] || echo "$2"
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org
	queue b 4 cohort=org reclaim=Any
}

# evict OPTIONS...: b takes back what $victim of a borrows, for $owner. Nobody else is there.
evict() {
	cluster_clear && log_mark &&
		stays=$(submit -A a -N1 -n4 "$@") && all_run "$stays" && next_second &&
		victim=$(submit -A a -N1 -n4 "$@") && all_run "$victim" && next_second && next_second &&
		owner=$(submit -A b -n3)
}

# evicted_once OPTIONS...: and the owner runs
evicted_once() {
	evict "$@" && all_run "$owner" && wait_for 10 "[ \"\$(evicted)\" = \"$victim\" ]"
}

# events_count: how many events the file has; fails if a line of it is none
events_count() {
	[ -e "$EVENTS" ] || { echo 0; return; }
	python3 - "$EVENTS" <<-'END'
		import json, sys
		text = open(sys.argv[1]).read()
		assert not text or text.endswith("\n")
		events = [json.loads(line) for line in text.split("\n")[:-1]]
		assert all(e["version"] == 1 and e["job"] and e["rule"] for e in events)
		print(len(events))
	END
}

# events_number N: within 10 s there are so many
events_number() {
	wait_for 10 "[ \"\$(events_count)\" = $1 ]" || {
		cat "$EVENTS"
		return 1
	}
}

# event N: all lines on stdin are true of `e`, the event of that number, in Python
event() {
	sed "$(($1 + 1))!d" "$EVENTS" >event.json
	python3 -c '
import json, sys
e = json.load(open("event.json"))
wrong = [line for line in sys.stdin if not eval(line)]
print(json.dumps(e), *wrong, sep="\n")
sys.exit(len(wrong) > 0)'
}

# From 23.11 on slurmctld runs itself anew when it reconfigures, and counts from 0. What
# is published then is that of before, for a moment.
# published_since SECOND: it is that of who has read cohort.yaml since then
published_since() {
	wait_for 10 "[ \"\$(published 'max(d[\"configuration\"].get(\"since\") or 0, d[\"configuration\"].get(\"rejectedAt\") or 0)')\" -ge $1 ]"
}

# use_published COMMAND...: as use_cohort; and what is told from now on is of the new term
use_published() {
	local now
	next_second
	now=$((EPOCHSECONDS + ${AHEAD-0}))
	use_cohort "$@" && published_since "$now"
}

# told WHAT: events "written" or "lost", as published; of notify, "ran" or "failed"
told() { published "{**d['events'], **d['events']['notify']}['$1']"; }

# told_soon WHAT N: within 10 s
told_soon() {
	wait_for 10 "[ \"\$(told $1)\" = $2 ]" || {
		told "$1"
		return 1
	}
}
