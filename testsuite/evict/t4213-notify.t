#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='notify: a program for each eviction, which may fail, hang, or be unsafe'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/events.sh"

program=$WORK/program
out=$WORK/out

# The program appends what it was told. Its folder stands for all of its files.
program_is() {
	cat >"$program.new" && chmod 755 "$program.new" && mv "$program.new" "$program"
}

# notifies [KEYS]: with the program, and further keys of the section
notifies() { lenders "enable: true" "notify: {program: $program${1:+, $1}}"; }

quick_scheduler >slurm.conf
echo "MailProg=$WORK/mail" >>slurm.conf
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"%s.mail"\ncat >>"%s.mail"\n' "$out" "$out" >mail
chmod 755 mail
[ "$PWD" = "$WORK" ] || cp -p mail "$WORK/mail"
program_is <<-END
	#!/bin/sh
	env >"$out.new"; ls -l /proc/self/fd >"$out.files"; cat /proc/self/status >"$out.status"
	mv "$out.new" "$out"
END

notifies >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
EVENTS=$CLUSTER/state/cohort_events.jsonl

# says NAME VALUE: a variable of the program
says() {
	grep -x "COHORT_$1=$2" "$out" || { cat "$out"; return 1; }
}

name=$(printf 'a\033[31mb\nCOHORT_RULE=none')

test_expect_success 'it is told what the event says, and nothing that a user wrote gets a line of its own' '
	evicted_once --job-name="$name" --mail-user="\$(id)@host" && wait_for 10 "[ -e \"$out\" ]" &&
	says JOB $victim && says USER root && says UID 0 && says QUEUE a && says BY_JOB $owner && says BY_QUEUE b &&
	says RULE InCohortReclamation && says NEXT requeue && says PREEMPTION 1 && says EVENT eviction &&
	says JOB_NAME "a.x1b\[31mb.x0aCOHORT_RULE=none" && says MAIL_USER "[$](id)@host" &&
	says MAIL_PROG "$WORK/mail" && says TEXT "$(system_comment $victim)" && says RAN "[0-9]*" &&
	says LOST ".*cpu@any.*" && says COUNTED 0 && says MAX_PREEMPTIONS 3 && [ $(grep -c "^COHORT_RULE=" "$out") -eq 1 ] &&
	told_soon ran 1 && [ "$(told failed)" = 0 ] && [ "$(metric notify_runs_total)" = 1 ]
'

# 32 and 33 are the C library's own: nobody else can send or set them
LIBC_OWN=0x180000000

test_expect_success 'it has no file of slurmctld, no signal blocked or ignored, nothing of its environment' '
	cat "$out.files" "$out.status" && [ $(grep -c -- "->" "$out.files") -le 4 ] &&
	grep "^SigBlk:[[:space:]]*0*\$" "$out.status" && ignored=$(sed -n "s/^SigIgn:[[:space:]]*//p" "$out.status") &&
	[ $((0x$ignored & ~LIBC_OWN)) -eq 0 ] &&
	! grep -v -E "^(COHORT_[A-Z_]*|PATH|LC_ALL|SLURM_CONF|PWD|OLDPWD|SHLVL|_)=" "$out"
'

# no_zombie: slurmctld has none
no_zombie() { ! ps -o stat= --ppid "$(procs proc_pid slurmctld)" | grep Z; }

test_expect_success 'it fails: counted, in the log, and no zombie is left' '
	program_is <<-END &&
		#!/bin/sh
		exit 3
	END
	evicted_once && told_soon failed 1 && wait_for 10 no_zombie && [ "$(metric notify_failures_total)" = 1 ] &&
	wait_for 70 "grep -F \"slurm-cohort: notify failed: 1: exit status 3\" \"$CLUSTER/log/slurmctld.log\""
'

# gone PID: neither it nor a zombie of it
gone() { ! kill -0 "$1" 2>/dev/null; }

# It has to begin within that time
test_given_time 'it hangs: killed after timeLimit with its children, and scheduling goes on' '
	rm -f "$out.pids" && use_published notifies "timeLimit: ${TIME}s" && program_is <<-END &&
		#!/bin/sh
		trap "" TERM HUP INT
		sleep 1000 &
		echo \$\$ \$! >"$out.pids.new"; mv "$out.pids.new" "$out.pids"
		wait
	END
	failed=$(told failed) && evicted_once && wait_for $TIME "[ -s \"$out.pids\" ] || [ \"\$(told failed)\" -gt $failed ]" &&
	{ [ -s "$out.pids" ] || { too_late=t; return 1; }; } && read one two <"$out.pids" && wait_for $TIME "[ \"\$(told failed)\" = $((failed + 1)) ]" &&
	wait_for 10 "gone $one && gone $two" && wait_for 10 no_zombie
' 3 20 60

# running: how many of them are
running() { ls "$out.at" | wc -l; }

test_expect_success 'no more than atOnce at a time: the others wait, and get their turn' '
	use_published notifies "timeLimit: 600s, atOnce: 1" && mkdir -p "$out.at" && program_is <<-END &&
		#!/bin/sh
		: >"$out.at/\$COHORT_JOB"
		until [ -e "$out.go" ]; do sleep 0.1; done
		rm "$out.at/\$COHORT_JOB"
	END
	ran=$(told ran) && evicted_once && wait_for 10 "[ \$(running) -eq 1 ]" && evicted_once &&
	holds_for 2 "[ \$(running) -eq 1 ]" && : >"$out.go" && told_soon ran $((ran + 2)) && [ $(running) -eq 0 ]
'

test_expect_success 'a link in a folder that others can write to is not run, nor one of another user' '
	mkdir -p "$WORK/links" && chmod 777 "$WORK/links" && ln -s "$program" "$WORK/links/program" && log_mark &&
	lenders "enable: true" "notify: {program: $WORK/links/program}" >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 10 "log_lines \"notify.program: .*other users can write to $WORK/links\"" &&
	chmod 1777 "$WORK/links" && chown -h nobody "$WORK/links/program" && log_mark && cluster_reconfigure &&
	wait_for 10 "log_lines \"notify.program: .*the link .* belongs to user\""
'

test_expect_success 'a program that others can change is an error with line and path, and not run' '
	use_cohort notifies && rm -f "$out" && program_is <<-END && chmod 777 "$program" &&
		#!/bin/sh
		echo run >"$out"
	END
	line=$(grep -n "^notify:" "$CLUSTER/etc/cohort.yaml" | cut -d: -f1) && log_mark && next_second && now=$(date +%s) &&
	cluster_reconfigure && wait_for 10 "log_lines \"cohort.yaml:$line: notify.program: .* is not trusted: any user can write it\"" &&
	! scohort check >check.out 2>&1 && grep ":$line: notify.program: .* is not trusted: any user can write it" check.out &&
	published_since $now && failed=$(told failed) && evicted_once && told_soon failed $((failed + 1)) && [ ! -e "$out" ]
'

test_expect_success 'so is one in a folder that others can write to, one of another user, and none at all' '
	mkdir -p "$WORK/open" && chmod 777 "$WORK/open" && chmod 755 "$program" && cp -p "$program" "$WORK/open/program" &&
	for what in "$WORK/open/program=other users can write to" "$WORK=is not a regular file" "$WORK/none=cannot be read"; do
		log_mark && lenders "enable: true" "notify: {program: ${what%%=*}}" >"$CLUSTER/etc/cohort.yaml" &&
		cluster_reconfigure && wait_for 10 "log_lines \"notify.program: .*${what#*=}\"" || return 1
	done &&
	chown nobody "$program" && log_mark && notifies >"$CLUSTER/etc/cohort.yaml" && cluster_reconfigure &&
	wait_for 10 "log_lines \"notify.program: .*belongs to user\"" && chown root "$program"
'

test_expect_success 'the example mails the owner by MailProg: who, why, where the job stands, what it may do' '
	cp "$TOP/etc/cohort-notify.example" "$program.new" && chmod 755 "$program.new" && mv "$program.new" "$program" &&
	use_published notifies && ran=$(told ran) && rm -f "$out.mail" && evicted_once --mail-user="someone@example.org" &&
	told_soon ran $((ran + 1)) && cat "$out.mail" && sed -n 1,3p "$out.mail" >head &&
	printf "%s\n" -s "Job $victim was preempted for cluster queue b" someone@example.org | test_cmp - head &&
	grep "^Who: job $owner of cluster queue b" "$out.mail" && grep "^Why: preempted at .* rule InCohortReclamation" "$out.mail" &&
	grep "^It is in the queue again. squeue says of it now: ." "$out.mail" && grep "borrowed" "$out.mail"
'

test_done
