#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='going live: observe, scohort observed, diff, apply, and what was said comes true'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/events.sh"

guide=$TOP/doc/admin-guide.md
program=$WORK/program
printf '#!/bin/sh\necho "$COHORT_JOB" >>"%s/notified"\n' "$WORK" >"$program" && chmod 755 "$program"

# step_1: the configuration of the guide. told COMMAND: what it says that the command prints
step_1() { awk '/^## Step 1:/ { on = 1 } on && /^```$/ { exit } yaml { print } on && /^```yaml$/ { yaml = 1 }' "$guide"; }
told_in_guide() {
	awk -v command="    \$ $1" 'inside && !/^    [^$]/ { exit } inside { sub(/^    /, ""); print } $0 == command { inside = 1 }' "$guide"
}

quick_scheduler >slurm.conf
{ step_1; quota_head | grep -v "^priority\|^flavors\|^  - "; echo "notify: {program: $program}"; } >cohort.yaml
grep -v "^enforcement:" cohort.yaml >new.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
EVENTS=$CLUSTER/state/cohort_events.jsonl
yaml=$CLUSTER/etc/cohort.yaml

enforcement() { scohort status --json | json 'd["enforcement"]'; }
# observed KEY...: numbers of scohort observed
observed() { scohort observed --json | json "[d[k] for k in '$*'.split()]"; }

# pairs: of a victim and a preemptor
pairs() { python3 -c 'import json, sys
for e in map(json.loads, open(sys.argv[1])): e.get("observed") == "evict" and print(e["job"], e["by"]["job"])' "$EVENTS"; }

test_expect_success 'observe: what would happen is in the file of events, each once, and nobody is told' '
	step_1 >step && grep -x "enforcement: observe" step &&
	a=$(submit_some 4 -A team-a -N1 -n4) && all_run $a && next_second &&
	more=$(submit -A team-a -N1 -n4) && owner=$(submit -A team-b -n8) &&
	wait_for 15 "[ \"\$(observed waited evicted room)\" = \"1 2 1\" ]" &&
	scontrol hold $owner && wait_for 10 "! scohort queue -n -P -o jobid | grep -x $owner" &&
	scontrol release $owner && wait_for 10 "scohort queue -n -P -o jobid | grep -x $owner" && holds_for 3 "job_waits $owner" &&
	[ "$(observed waited evicted room)" = "1 2 1" ] && pairs >list && cat list && [ -s list ] && [ -z "$(sort list | uniq -d)" ] &&
	! [ -e "$WORK/notified" ] && all_run $a
'

test_expect_success 'the sum of that names queues, rule and people; no account of real evictions has it' '
	told_in_guide "scohort observed" | sed "s/^Since [^ ]*/Since/" >expect && [ $(wc -l <expect) -ge 8 ] &&
	scohort observed | sed "s/^Since [^ ]*/Since/" >out && test_cmp expect out &&
	! as_nobody "$(scohort_for_all)" observed 2>err && cat err && grep "Permission denied" err &&
	if scohort record --db h.db 2>&1 | tee err | grep "not built in"; then return 0; fi &&
	[ ! -s err ] && scohort report --db h.db --evictions --json --start today --end now | json "len(d[\"rows\"])" >out && grep -x 0 out
'

test_expect_success 'diff says who could be evicted from then on, for whom, and whose jobs these are' '
	told_in_guide "scohort apply new.yaml" | sed "/^Put it/,\$d" >expect && [ $(wc -l <expect) -ge 8 ] &&
	scohort diff new.yaml >out && test_cmp expect out &&
	scohort diff --json new.yaml | json "[len(d[\"evictable\"]), d[\"summary\"][\"evictable\"], d[\"users\"][0][\"evictable\"]]" >out &&
	grep -x "4 4 4" out
'

# answer TEXT [OPTION...]: apply on a terminal, and what is typed there; what the screen shows is in `screen`.
# $meanwhile: a command that runs while it asks
meanwhile=true
answer() {
	local text=$1
	shift
	meanwhile=$meanwhile PYTHONPATH=$TESTSUITE/command PYTHONDONTWRITEBYTECODE=1 python3 - "$text" "$@" <<-"END"
		import os, subprocess, sys
		from terminal import Terminal
		t = Terminal(["scohort", "apply", *sys.argv[2:]], rows=60)
		if sys.argv[1]:
		    t.shows("Put it in force? [y/N]")
		    subprocess.run(os.environ["meanwhile"], shell=True, check=True)
		    t.type(sys.argv[1].encode() + b"\n")
		status = t.end()
		open("screen", "w").write(t.screen())
		sys.exit(status >> 8)
	END
}

cat >rejected <<END && chmod +x rejected
#!/bin/sh -e
echo "nonsense: [" >"$yaml"
scontrol reconfigure
until scohort status --json | grep -q '"valid": *false'; do sleep 0.1; done
cat cohort.yaml >"$yaml"
END

test_expect_success 'apply asks on a terminal: no changes nothing, yes puts it in force' '
	test_expect_code 1 answer n new.yaml && grep "nothing was changed" screen && [ "$(enforcement)" = observe ] && cmp cohort.yaml "$yaml" &&
	test_expect_code 1 answer "" nowhere.yaml && ! grep "Put it" screen &&
	meanwhile="echo \"# mine\" >>\"$yaml\"" test_expect_code 1 answer y new.yaml && grep "was changed by others" screen &&
	tail -n 1 "$yaml" | grep -x "# mine" && cp cohort.yaml "$yaml" &&
	cluster_settled && meanwhile=./rejected answer y new.yaml && cat screen && grep "become evictable, for jobs of: team-b 4" screen &&
	grep "is in force; the old file is" screen && [ "$(enforcement)" = enforce ]
'

test_expect_success 'and that is what happens: two of these go, for the job that was named, and are told' '
	all_run $owner && wait_for 15 "[ \"\$(cat \"$WORK/notified\" | wc -l)\" = 2 ]" && sort "$WORK/notified" >victims && cat victims &&
	[ $(for job in $a; do echo $job; done | sort | comm -12 - victims | wc -l) = 2 ] &&
	[ $(grep -c "\"time\"" "$EVENTS") = 2 ] && [ "$(observed waited evicted room)" = "1 2 1" ] &&
	if scohort record --db h.db 2>&1 | grep "not built in"; then return 0; fi &&
	scohort report --db h.db --evictions --json --start today --end now | json "d[\"rows\"][0][\"evicted\"]" >out && cat out && grep -x 2 out
'

test_expect_success 'nothing is asked with --yes, nor where nothing would change' '
	cluster_settled && answer "" --yes cohort.yaml && [ "$(enforcement)" = observe ] && ! grep "Put it" screen &&
	cluster_settled && answer "" cohort.yaml && grep "is in force already" screen
'

test_expect_success 'the commands of the mail to users, as a user' '
	cluster_settled && apply="$(scohort_for_all)" && echo "#!/bin/sh" >job.sh && chmod a+rx . job.sh &&
	sed -n "/^Subject: quotas/,/^\`\`\`/s/.*:  *scohort \(.*\)/\1/p" "$guide" >commands && [ $(wc -l <commands) -ge 4 ] &&
	while read -r command; do
		set -- $(echo "$command" | sed "s/JOBID/$owner/; s/job.sh/-A team-a -n1 --wrap true/")
		as_nobody "$apply" "$@" </dev/null >out 2>&1 || { echo "$command"; cat out; return 1; }
		[ -s out ] || return 1
	done <commands
'

test_done
