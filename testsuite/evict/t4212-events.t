#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='events: one line for each eviction, whatever becomes of the disk and of slurmctld'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/events.sh"
. "$TESTSUITE/lib/ctld_clock.sh"

{
	quick_scheduler
	echo 'PartitionName=gentle Nodes=ALL PriorityTier=1 GraceTime=200'
} >slurm.conf

logs=$WORK/log
disk=$WORK/disk
mkdir -p "$logs" "$disk"

lenders >cohort.yaml
ctld_clock
next_second() { later 1; }
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
EVENTS=$CLUSTER/state/cohort_events.jsonl

test_expect_success 'no event without an eviction, and no file' '
	a=$(submit -A a -n4) && all_run $a && holds_for 2 "[ ! -e \"$EVENTS\" ]" && told_soon written 0
'

test_expect_success 'an eviction: who, for whom, by which rule, with which numbers, and what is lost' '
	evicted_once && comment=$(system_comment $victim) && events_number 1 && cat "$EVENTS" &&
	event 0 <<-END
		e["job"] == $victim and e["by"]["job"] == $owner
		[e[k] for k in ("queue", "account", "partition", "user", "uid")] == ["a", "a", "main", "root", 0]
		[e["by"][k] for k in ("queue", "account", "user", "uid")] == ["b", "b", "root", 0]
		[e[k] for k in ("rule", "next", "preemption")] == ["InCohortReclamation", "requeue", 1]
		e["numbers"] == {"flavor": "any", "resource": "cpu", "used": 8, "nominal": 4, "byUsed": 0, "byNominal": 4, "needed": 3, "free": 0}
		e["text"] == "$comment"
		e["ran"] >= 2 and e["lost"] == {"cpu@any": 4 * e["ran"]}
		e["started"] <= e["decided"] <= e["time"]
	END
'

test_expect_success 'what is lost is what the counters say' '
	told_soon written 1 && [ "$(told lost)" = 0 ] && [ "$(metric events_written_total)" = 1 ] &&
	event 0 <<-END
		e["lost"]["cpu@any"] == $(published "queue(\"a\")[\"counters\"][\"lost\"][\"cpu@any\"]")
	END
'

test_expect_success 'only SlurmUser can read it' '
	[ "$(stat -c "%a %U" "$EVENTS")" = "600 root" ] && ! as_nobody cat "$EVENTS" &&
	chmod 644 "$EVENTS" && evicted_once && events_number 2 && [ "$(stat -c %a "$EVENTS")" = 600 ]
'

# in_state_file: the eviction that is not over yet
in_state_file() { grep -q '"evicted":{' <(tr -d ' ' <"$CLUSTER/state/cohort_state"); }

test_expect_success 'decided before slurmctld is stopped, carried out after that: one event, with its numbers' '
	n=$(events_count) && evict -p gentle &&
	wait_for 15 "[ \"\$(evicted)\" = \"$victim\" ]" && wait_for 10 in_state_file &&
	cluster_restart_ctld && job_runs $victim && clock_to $(($(evicted_at $victim) + 201)) &&
	wait_for 40 "job_waits $victim" && events_number $((n + 1)) && event $n <<-END
		e["job"] == $victim and e["by"]["job"] == $owner and e["numbers"]["needed"] == 3
	END
'

test_expect_success 'killed in the middle of a line: the part is no event, and is cut off' '
	n=$(events_count) && cluster_kill_ctld &&
	printf "%s" "{\"version\":1,\"time\":1,\"job\":77" >>"$EVENTS" &&
	evicted_once && events_number $((n + 1)) && event $n <<-END
		e["job"] == $victim
	END
'

test_expect_success 'bytes that a power cut has left are no event either' '
	n=$(events_count) && head -c 200000 /dev/zero >>"$EVENTS" &&
	evicted_once && events_number $((n + 1)) && [ $(stat -c %s "$EVENTS") -lt 100000 ]
'

test_expect_success 'the file is as large as it may be: it becomes the older one, and of those few are kept' '
	EVENTS=$logs/events && use_published lenders "file: $EVENTS, maxMegabytes: 1, keep: 2" &&
	{ head -c 1048500 /dev/zero | tr "\\0" " " && echo; } >"$EVENTS" && chmod 600 "$EVENTS" &&
	cp -p "$EVENTS" "$EVENTS.1" && cp -p "$EVENTS" "$EVENTS.2" &&
	evicted_once && events_number 1 && [ $(stat -c %s "$EVENTS.1") -eq 1048501 ] &&
	[ "$(ls "$logs" | xargs)" = "events events.1 events.2" ]
'

test_expect_success 'not written: to a FIFO, a link, a file of another user, one with another name' '
	lost=$(told lost) && other=$logs/other && : >"$other" &&
	for make in "mkfifo $EVENTS" "ln -s $other $EVENTS" "install -o nobody /dev/null $EVENTS" \
			"ln $other $EVENTS"; do
		rm -f "$EVENTS" && $make && evicted_once && told_soon lost $((++lost)) &&
		[ ! -s "$other" ] && [ ! -s "$EVENTS" ] || return 1
	done &&
	grep -F "slurm-cohort: events lost: 1: can'"'"'t write $EVENTS: " "$CLUSTER/log/slurmctld.log"
'

# counted_as_told: the state file knows that there is an event of it
counted_as_told() { grep -q '"told":true' <(tr -d ' ' <"$CLUSTER/state/cohort_state"); }

# slurmctld saves its own state each few seconds.
test_expect_success 'kill -9 just after an eviction, of which slurmctld knows nothing then: one event, counted once' '
	cluster_clear && rm -f "$EVENTS" && log_mark &&
	victim=$(submit -A a -n8) && all_run $victim && owner=$(submit -A b -n4 -H) &&
	cluster_restart_ctld && wait_for 30 nodes_have_registered && cp "$CLUSTER/state/job_state" saved &&
	scontrol release $owner && events_number 1 && wait_for 10 counted_as_told && cluster_stop_ctld &&
	cp saved "$CLUSTER/state/job_state" && log_mark && cluster_restart_ctld && [ "$(job_state $victim)" = RUNNING ] &&
	scontrol release $owner && wait_for 30 "log_has \"evict: JobId=$victim .* for JobId=$owner .*, preemption 1, \"" &&
	holds_for 2 "[ \$(events_count) = 1 ]" && event 0 <<-END
		e["job"] == $victim and e["preemption"] == 1
	END
'

test_expect_success 'enable: false: none is written, and none is lost' '
	rm -f "$EVENTS" && use_published lenders "enable: false, file: $EVENTS" && lost=$(told lost) &&
	evicted_once && holds_for 2 "[ ! -e \"$EVENTS\" ]" && [ "$(told lost)" = "$lost" ]
'

# Not left behind, whatever ends the test
copy_function lib_exit exit_of_lib
lib_exit() {
	local code=$?
	umount -l "$disk" 2>/dev/null
	(exit $code)
	exit_of_lib
}
mount -t tmpfs -o size=64k,mode=755 tmpfs "$disk" 2>/dev/null && test_set_prereq TMPFS

# lines_until_full: lines are written to $EVENTS until not even 100 bytes more have room
lines_until_full() {
	python3 - "$EVENTS" <<-'END'
		import sys
		file = open(sys.argv[1], "ab", buffering=0)
		line = b'{"version":1,"job":1,"rule":"x","text":"' + 40 * b"-" + b'"}\n'
		end = file.tell()
		try:
		    while file.write(line) == len(line):
		        end += len(line)
		except OSError:
		    pass
		file.truncate(end)
	END
}

# losses_told: messages about it so far
losses_told() { grep -c 'slurm-cohort: events lost: ' "$CLUSTER/log/slurmctld.log"; }

test_expect_success TMPFS 'a full disk: jobs start and go as before, events are lost, counted, and told once a minute' '
	EVENTS=$disk/events && use_published lenders "file: $EVENTS" && lost=$(told lost) &&
	evicted_once && events_number 1 && lines_until_full && n=$(events_count) && told=$(losses_told) && from=$EPOCHSECONDS &&
	evicted_once && told_soon lost $((lost + 1)) && evicted_once && told_soon lost $((lost + 2)) &&
	[ "$(events_count)" = $n ] && [ "$(metric events_lost_total)" = $((lost + 2)) ] &&
	[ $(losses_told) -le $((told + 1 + (EPOCHSECONDS - from) / 60)) ] &&
	rm "$EVENTS" && evicted_once && events_number 1 && event 0 <<-END
		e["job"] == $victim
	END
'

test_done
