#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every cohort.yaml in the documentation is one that is accepted, without a
# warning that the documentation does not show. A block ```yaml is a whole file, or its first line is "# fragment".
test_description='configurations and links in the documentation'
. "$(dirname "$0")/../lib.sh"

scohort() { "$BUILD/scohort" "$@"; }

# blocks FILE...: NNN.yaml for each block of yaml, with where it came from on top,
# or NNN.part if it is a fragment
blocks() {
	awk '
		/^```yaml$/ {
			file = sprintf("%03d.yaml", ++n)
			from = FILENAME ":" FNR
			next
		}
		file && /^```$/ { close(file); file = "" }
		file && from {
			if ($0 == "# fragment")
				sub(/yaml$/, "part", file)
			print "# " from >file
			from = ""
		}
		file { print >file }' "$@"
}

mkdir all && (cd all && blocks "$TOP"/README.md "$TOP"/doc/*.md)

test_expect_success 'there are whole ones' '
	test "$(ls all/*.yaml | wc -l)" -ge 8
'

# unshown: lines of a check that no document shows. The first line of a file is ours.
unshown() {
	local message
	sed 's/.*\.yaml:\([0-9]*\): /\1 /' | while read -r line message; do
		cat "$TOP"/doc/*.md | grep -qxF "    cohort.yaml:$((line - 1)): $message" || echo "$line: $message"
	done
}

test_expect_success 'each is accepted, and nothing is said of it but what a guide shows' '
	for file in all/*.yaml; do
		scohort check --offline "$file" >out 2>err && unshown <err >unshown && test_must_be_empty unshown || {
			head -n 1 "$file"
			cat err
			return 1
		}
	done
'

test_expect_success 'jobs on nodes of several owners: a guide shows the warning' '
	[ "$(cat all/*.yaml | grep -c "name: vision-nodes, nodes")" = 1 ] &&
	file=$(grep -l "name: vision-nodes, nodes" all/*.yaml) && scohort check --offline "$file" 2>err &&
	[ "$(wc -l <err)" = 1 ] && grep "each of which has one owner" err
'

test_expect_success 'a fragment is no whole file' '
	for file in all/*.part; do
		[ -e "$file" ] || continue
		! grep -H "^clusterQueues:" "$file" || return 1
	done
'

test_expect_success 'one with an error would be found' '
	sed "s/nominalQuota/nominalQouta/" all/001.yaml >bad.yaml &&
	test_expect_code 1 scohort check --offline bad.yaml
'

# section HEADING: the configuration of this section of the administrator's guide
section() {
	awk -v heading="## $1" 'index($0, heading) == 1 { on = 1 }
		on && /^```$/ { exit }
		inside { print }
		on && /^```yaml$/ { inside = 1 }' "$TOP/doc/admin-guide.md"
}

step() { section "Step $1:"; }

# told HEADING COMMAND: what the guide says that the command prints there
told() {
	awk -v heading="## $1" -v command="    \$ $2" '
		/^## / { on = index($0, heading) == 1 }
		on && inside && (/^    \$/ || !/^    /) { exit }
		inside { sub(/^    /, ""); print }
		on && $0 == command { inside = 1 }' "$TOP/doc/admin-guide.md"
}

# Two jobs of six hours, each as large as all quota, in turns of four hours
test_expect_success 'step 4: turns end, and jobs longer than their turns finish' '
	step 4 >turns.yaml && grep -q "minAdmitDuration: 4h" turns.yaml &&
	cat >turns.csv <<-\EOF &&
	submit,duration,queue,request
	0,21600,backfill,"cpu=256,mem=2T,gres/gpu=32"
	10,21600,backfill,"cpu=256,mem=2T,gres/gpu=32"
	EOF
	scohort simulate -n -P -o jobs,started,max,evicted -c turns.yaml turns.csv >out &&
	grep "^2|2|3:59:5[0-9]|2$" out
'

test_expect_success 'step 4: without one of its keys no turn ends, and check says so' '
	grep -v "WithinCohort:" turns.yaml >none.yaml &&
	scohort simulate -n -P -o evicted -c none.yaml turns.csv >out && grep -x 0 out &&
	scohort check --offline none.yaml 2>err &&
	grep "minAdmitDuration: no turn of \"backfill\" ever ends" err
'

# play FILE COLUMNS TRACE: the figures of a trace
play() { scohort simulate -nPo "$2" -c "$1" "$3" | grep -v "^[a-z.]*:\|^  "; }

test_expect_success 'step 2: the trade of minimum run times' '
	step 2 >limits.yaml && told "Step 2:" "cat trade.csv" >trade.csv &&
	told "Step 2:" "scohort simulate -nPo value,owner,lost,best -c cohort.yaml --sweep minRuntime.reclaim=0,10m,30m,4h trade.csv" >expect &&
	[ "$(wc -l <expect)" -eq 4 ] &&
	scohort simulate -nPo value,owner,lost,best -c limits.yaml --sweep minRuntime.reclaim=0,10m,30m,4h trade.csv >out &&
	test_cmp expect out &&
	scohort simulate -nPo value,jobs -c limits.yaml --sweep "clusterQueues[*].maxPreemptions=1,3,10" trade.csv >out &&
	printf "%s\n" "1|3" "3|3" "10|3" >expect && test_cmp expect out
'

test_expect_success 'jobs that can not be preempted: the traces of the guide, and its figures' '
	np="Jobs that can" &&
	section "$np" >fixed.yaml && grep -q nonPreemptible fixed.yaml &&
	for trace in owner limit; do
		told "$np" "cat $trace.csv" >$trace.csv && grep -q interactive $trace.csv &&
		told "$np" "scohort simulate -nPo queue,max,evicted,lost -c cohort.yaml $trace.csv" >expect &&
		[ "$(wc -l <expect)" -eq 2 ] &&
		play fixed.yaml queue,max,evicted,lost $trace.csv >out && test_cmp expect out || return 1
	done &&
	grep -v nonPreemptible fixed.yaml >all.yaml &&
	play all.yaml queue,lost owner.csv >out && grep -x "vision|59:50" out &&
	play all.yaml queue,max limit.csv >out && grep -x "vision|0:00" out
'

test_expect_success 'usage history: the figures of the guide' '
	section "Usage history" >history.yaml &&
	sed "s/, usageHalfLifeTime: 1d//" history.yaml >without.yaml &&
	! cmp -s history.yaml without.yaml &&
	awk "BEGIN {
		print \"submit,duration,account,request\"
		for (h = 0; h < 14 * 24; h++) {
			for (k = 0; k < 32; k++)
				print h * 3600 \",3600,vision,\\\"cpu=1,gres/gpu=1\\\"\"
			if (h % 12 == 0) for (k = 0; k < 40; k++)
				print h * 3600 + 1 \",3600,speech,\\\"cpu=1,gres/gpu=1\\\"\"
		}
	}" >bursts.csv &&
	told "Usage history" "scohort simulate -nPo queue,median,mean,evicted -c without.yaml bursts.csv" >expect &&
	told "Usage history" "scohort simulate -nPo queue,median,mean,evicted -c cohort.yaml bursts.csv" >>expect &&
	[ "$(wc -l <expect)" -eq 4 ] &&
	play without.yaml queue,median,mean,evicted bursts.csv >out &&
	play history.yaml queue,median,mean,evicted bursts.csv >>out &&
	test_cmp expect out
'

# The example of quota for a time: 2026-07-01 is a Wednesday
test_expect_success 'quota for a time: what waits starts on Friday, and goes on after the weekend' '
	grep -l "begin: Fri 18:00" all/*.yaml >week && [ $(wc -l <week) = 1 ] &&
	cat >week.csv <<-\EOF &&
	submit,duration,queue,request
	2026-07-01T12:00:00,259200,team-b,cpu=20
	2026-07-06T07:59:00,600,team-b,cpu=4
	2026-07-06T08:01:00,600,team-b,cpu=4
	EOF
	TZ=UTC scohort simulate --json -c "$(cat week)" week.csv >json &&
	perl -MJSON::PP -e "local \$/; my \$q = (grep { \$_->{name} eq q(team-b) }
		@{decode_json(<STDIN>)->{simulations}[0]{queues}})[0];
		print join q( ), @{\$q}{qw(started waitMedian waitMax evictions)}" <json >out &&
	echo -n "3 $((9 * 3600 + 59 * 60)) $((54 * 3600)) 0" >expect && test_cmp expect out
'

test_expect_success 'the examples that are installed' '
	for file in "$TOP"/etc/*.yaml.example; do
		scohort check --offline "$file" >out 2>err && ! [ -s err ] || {
			cat err
			return 1
		}
	done
'

test_expect_success 'the first one of the guide is etc/two-teams.yaml.example' '
	sed 1d all/001.yaml >guide &&
	sed -n "/^enforcement:/,\$p" "$TOP/etc/two-teams.yaml.example" >example &&
	test_cmp example guide
'

# LINK TARGET of every link to a file here
links() {
	local file
	for file in "$TOP"/*.md "$TOP"/doc/*.md; do
		grep -o "](\([^)]*\))" "$file" | sed "s/^](//; s/[#)].*//" |
			grep -v -e "^[a-z]*:" -e "^\$" | sed "s|^|${file%/*}/|"
	done
}

test_expect_success 'links lead somewhere' '
	links >targets &&
	test -s targets &&
	while read -r target; do
		[ -e "$target" ] || echo "$target"
	done <targets >nowhere &&
	test_must_be_empty nowhere
'

test_done
