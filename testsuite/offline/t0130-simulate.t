#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='scohort simulate: traces played through cohort.yaml

What is worked out by hand comes out; CSV and sacct; two configurations; charts;
and what is wrong with a trace.'

. "$(dirname "$0")/../lib/offline.sh"

unset SLURM_CONF SCOHORT_FORMAT

# teams RECLAIM [KEYS]: a and b have 4 CPUs each, on two flavors
teams() {
	cat <<-END
	$2
	flavors: [{name: fast, features: fast}, {name: slow, features: slow}]
	cohorts: [{name: c}]
	clusterQueues:
	- name: a
	  cohort: c
	  match: [{account: "a*"}]
	  resourceGroups: [{coveredResources: [cpu, mem], flavors: [
	    {name: fast, nominalQuota: "cpu=4,mem=4G"}, {name: slow, nominalQuota: "cpu=0,mem=0"}]}]
	  preemption: {reclaimWithinCohort: $1$3}
	- name: b
	  cohort: c
	  match: [{account: b, partition: main}]
	  resourceGroups: [{coveredResources: [cpu, mem], flavors: [
	    {name: fast, nominalQuota: "cpu=4,mem=4G"}, {name: slow, nominalQuota: "cpu=0,mem=0"}]}]
	END
}

# fields NAMES [ARGUMENT...]: these columns, a line for each queue
fields() {
	local names=$1
	shift
	scohort simulate -n -P -o "$names" "$@"
}

teams Any >any.yaml
teams Never >never.yaml

# b borrows all; a takes it back after 100 s; who was evicted is in line again
# after 121 s, and runs for 1000 s from the beginning
cat >reclaim.csv <<-END
	submit,duration,queue,request
	0,1000,b,cpu=4
	10,1000,b,cpu=4
	1:40,50,a,cpu=4
END
sed -i 's/^1:40/100/' reclaim.csv

test_expect_success 'reclaim: waits, evictions and what they cost' '
	fields queue,jobs,started,median,max,evicted,lost -c any.yaml reclaim.csv >out &&
	printf "%s\n" "a|1|1|0:00|0:00|0|0:00" "b|2|2|0:00|0:00|1|1:30" >expect &&
	test_cmp expect out &&
	scohort simulate -c any.yaml --json reclaim.csv >json &&
	perl -MJSON::PP -e "local \$/; my \$s = decode_json(<STDIN>)->{simulations}[0];
		print join q( ), \$s->{seconds}, \$s->{evictions}, \$s->{lostSeconds},
			map { sprintf q(%.1f), 1221 * \$_->{average} } grep { \$_->{flavor} eq q(fast)
			&& \$_->{resource} eq q(cpu) } map { @{\$_->{usage}} } @{\$s->{queues}}" <json >out &&
	printf "1221 1 90 200.0 8360.0" >expect && test_cmp expect out
'

test_expect_success 'the same without reclaim, side by side' '
	fields queue,config,median,evicted -c any.yaml --against never.yaml reclaim.csv >out &&
	cat >expect <<-END &&
	a|any.yaml|0:00|0
	a|never.yaml|15:00|0
	b|any.yaml|0:00|1
	b|never.yaml|0:00|0
	END
	test_cmp expect out
'

test_expect_success 'the times until an evicted job waits again, and until it has ended' '
	scohort simulate -c any.yaml --requeue-time 500 reclaim.csv >out &&
	grep "any.yaml: over after 26:40" out &&
	fields queue,max -c any.yaml --grace-time 30 reclaim.csv >out &&
	grep "a|0:30" out
'

# Of the 90 s that the evicted run took, 80 are saved; the next one is shorter
test_expect_success 'checkpoints, and what a restart costs' '
	for how in "--checkpoint 40s|0:10|19:01" "--checkpoint 40s --restart-cost 30s|0:10|19:31" \
		"--checkpoint low=40s|0:10|19:01" "--checkpoint 1h,low=40s|0:10|19:01" \
		"--checkpoint 40s,low=1h|1:30|20:21" "--checkpoint high=40s|1:30|20:21" \
		"--restart-cost 30s|1:30|20:51" "--restart-cost high=30s|1:30|20:21"; do
		sed "1s/$/,class/; 2,3s/$/,low/; 4s/$/,high/" reclaim.csv >classes.csv &&
		IFS="|" read -r options lost over <<-END &&
		$how
		END
		scohort simulate -c any.yaml --classes low=0,high=0 $options classes.csv >out &&
		grep "^any.yaml: over after $over$" out &&
		fields queue,lost -c any.yaml --classes low=0,high=0 $options classes.csv >out &&
		grep "^b|$lost$" out || { echo "$how"; return 1; }
	done
'

test_expect_success 'checkpoints of each job, which count rather than the option' '
	sed "1s/$/,checkpoint/; 2s/$/,/; 3s/$/,40s/; 4s/$/,1h/" reclaim.csv >saves.csv &&
	for option in "" "--checkpoint 1h" "--checkpoint 30s"; do
		fields queue,lost -c any.yaml $option saves.csv >out && grep "^b|0:10$" out || return 1
	done &&
	sed "3s/40s$//" saves.csv >option.csv &&
	fields queue,lost -c any.yaml --checkpoint 30s option.csv >out && grep "^b|0:00$" out
'

# Nodes for 6 CPUs: the older job of b has saved more, so it loses less than the younger one
test_expect_success 'victims for nodes: what is saved is not lost' '
	cat >nodes.csv <<-END &&
	submit,duration,queue,request,checkpoint
	0,9000,b,cpu=3,
	60,9000,b,cpu=3,
	3660,50,a,cpu=2,
	END
	for word in "" 1h; do
		sed "2s/\$/$word/" nodes.csv >each.csv &&
		fields queue,lost -c any.yaml --nodes fast:cpu=6 each.csv >fields && grep "^b" fields || return 1
	done >out &&
	printf "%s\n" "b|1:00:00" "b|1:00" >expect && test_cmp expect out
'

test_expect_success 'a class that no job is of is an error, for checkpoints and restarts' '
	sed "1s/$/,class/; 2,3s/$/,/; 4s/$/,high/" reclaim.csv >classes.csv &&
	for option in checkpoint restart-cost; do
		test_expect_code 1 scohort simulate -c any.yaml --$option 1h,high=40s,hihg=1m classes.csv >out 2>err &&
		test_must_be_empty out &&
		echo "scohort simulate: --$option: no job of classes.csv is of class \"hihg\"" \
			"(the first one that is of a class: high)" >expect && test_cmp expect err || return 1
	done &&
	test_expect_code 1 scohort simulate -c any.yaml --checkpoint low=1h reclaim.csv 2>err &&
	grep "is of class \"low\" (the first one that is of a class: none)$" err
'

# With reclaim nobody waits; without it one of three jobs waits for 900 s
test_expect_success 'several configurations: differences to the first, and totals' '
	scohort simulate -c any.yaml -a never.yaml -a any.yaml reclaim.csv >out &&
	grep "^  against the first: mean wait +5:00, -1 evictions, -0.0 job hours lost$" out &&
	grep "^  against the first: mean wait +0:00, +0 evictions, +0.0 job hours lost$" out &&
	sed -n "s/  */ /g; /^total/p" out >total && cat total &&
	grep "^total any.yaml 3 3 0:00 0:00 0:00 0:00" total && grep "^total never.yaml 3 3 0:00 5:00 15:00 15:00" total &&
	fields queue,config,+mean,+evicted,+lost -c any.yaml -a never.yaml reclaim.csv >out &&
	cat >expect <<-END &&
	a|any.yaml|-|-|-
	a|never.yaml|+15:00|+0|+0:00
	b|any.yaml|-|-|-
	b|never.yaml|+0:00|-1|-1:30
	END
	test_cmp expect out
'

# Of ten CPUs that were asked for, two waited for 100 s
test_expect_success 'waits by job and by resource; lost work with units' '
	printf "%s\n" submit,duration,queue,request 0,100,a,cpu=8 0,50,a,cpu=2 >weights.csv &&
	fields queue,mean,weighted -c never.yaml weights.csv >out && grep "^a|0:50|0:20$" out &&
	fields queue,weighted -c never.yaml --resource mem weights.csv >out && ! grep "^a|0:" out &&
	sed "s/,1000,b/,8000,b/; s/^100,/3610,/" reclaim.csv >hours.csv &&
	scohort simulate -c any.yaml hours.csv >out &&
	grep "^  lost work: 1.0 job hours, 4.0 cpu hours of fast$" out
'

# Between 10 and 100 s all 8 CPUs are in use, before that the half
test_expect_success 'utilisation without warm-up and tail' '
	scohort simulate -c any.yaml reclaim.csv >out &&
	grep "; 100% in the steady time$" out && grep "^  steady time: from 0:10 to 1:40 (--warm-up, --tail)$" out &&
	scohort simulate -c any.yaml --warm-up 0s --tail 50s reclaim.csv >out &&
	grep "cpu of flavor fast in use.*; 90% in the steady time$" out &&
	grep "^  steady time: from 0:00 to 0:50" out &&
	scohort simulate -c any.yaml --warm-up 1h reclaim.csv >out && ! grep steady out
'

# The second job ends within a minute of the first: only then is decided again
test_expect_success 'decisions for all that happens within a step' '
	printf "%s\n" submit,duration,queue,request 0,100,a,cpu=4 0,130,a,cpu=4 0,10,a,cpu=4 >step.csv &&
	fields max -c never.yaml step.csv >out && grep -x 1:40 out &&
	fields max -c never.yaml --step 10s step.csv >out && grep -x 1:40 out &&
	fields max -c never.yaml --step 1m step.csv >out && grep -x 2:10 out
'

test_expect_success 'usage by flavor and resource, text and numbers' '
	fields queue,flavor,resource,nominal,peak -u -c any.yaml reclaim.csv >out &&
	cat >expect <<-END &&
	a|fast|cpu|4|4
	a|fast|mem|4G|0
	a|slow|cpu|0|0
	a|slow|mem|0|0
	b|fast|cpu|4|8
	b|fast|mem|4G|0
	b|slow|cpu|0|0
	b|slow|mem|0|0
	END
	test_cmp expect out
'

test_expect_success 'priorities of classes decide, by number and by name' '
	cat >class.csv <<-END &&
	submit,duration,queue,class,request
	0,100,a,0,cpu=8
	1,100,a,low,cpu=8
	2,100,a,high,cpu=8
	3,100,a,5,cpu=8
	END
	fields queue,max -c never.yaml --classes low=1,high=10 class.csv >out &&
	grep "a|4:59" out &&
	scohort simulate -c never.yaml --classes high=10 class.csv >out &&
	grep "1 job whose class has no priority" out
'

test_expect_success 'arrays: a row for all tasks' '
	cat >array.csv <<-END &&
	submit,duration,queue,tasks,request
	0,100,b,20,cpu=1
	END
	scohort simulate -c any.yaml --json array.csv >out &&
	grep "\"seconds\": *300" out && grep "\"ended\": *20" out &&
	grep "\"jobs\": *1" out
'

# week.yaml: a has 4 CPUs more in the night to Thursday (2026-07-02)
test_expect_success 'quota for a time: at the dates of the trace, and not without dates' '
	teams Never >week.yaml && sed -i "s/- name: a$/&\n  stopPolicy: None/;
		0,/nominalQuota: \"cpu=4,mem=4G\"/s//&, temporaryQuota: [{begin: Wed 22:00, end: Thu 06:00, nominalQuota: cpu=12}]/" week.yaml &&
	printf "%s\n" submit,duration,queue,request 2026-07-01T12:00:00,3600,a,cpu=16 >night.csv &&
	fields started,max -c week.yaml night.csv >out && echo "1|10:00:00" >expect &&
	head -n 1 out >first && test_cmp expect first &&
	scohort simulate -c week.yaml --usage --json night.csv >json && grep "\"borrowed\"" json &&
	printf "%s\n" submit,duration,queue,request 0,3600,a,cpu=16 >none.csv &&
	fields started,max -c week.yaml none.csv >out 2>err && head -n 1 out | grep "^0|" &&
	grep "temporaryQuota is left out: the times of none.csv are no dates" err
'

test_expect_success 'all tasks of an array have their turn, one each weekend' '
	teams Never >weekend.yaml &&
	sed -i "0,/nominalQuota: \"cpu=4,mem=4G\"/s//&, temporaryQuota: [{begin: Sat 00:00, end: Sun 00:00, nominalQuota: cpu=12}]/" weekend.yaml &&
	printf "%s\n" submit,duration,queue,request,tasks 2026-11-02T00:00:00,86400,a,cpu=16,3 >array3.csv &&
	scohort simulate -c weekend.yaml array3.csv >out && cat out && grep "over after 20-00:00:00" out
'

# A job waits for nodes that are not there, while its quota changes ten thousand
# times: that is no job that others evict, and no reason to wait for ever.
test_expect_success 'a job that never starts does not wait for the quotas of all years' '
	for day in Mon Tue Wed Thu Fri Sat Sun; do
		for hour in 0 1 2 3 4 5 6 7 8 9; do
			echo "{begin: $day 0$hour:00, end: $day 0$hour:30, nominalQuota: cpu=12},"
		done
	done >list && periods=$(tr -d "\n" <list) &&
	teams Never >changes.yaml &&
	sed -i "0,/nominalQuota: \"cpu=4,mem=4G\"/s//&, temporaryQuota: [${periods%,}]/" changes.yaml &&
	printf "%s\n" submit,duration,queue,request 2026-07-01T12:00:00,60,a,cpu=8 >never.csv &&
	scohort simulate -c changes.yaml --nodes fast:cpu=6 never.csv >out && cat out &&
	grep "^  1 job never started$" out && ! grep stopped out
'

test_expect_success 'nodes that have less than quota' '
	scohort simulate -c any.yaml --nodes "fast:cpu=2,mem=8G" array.csv >out &&
	grep "over after 16:40" out &&
	test_expect_code 1 scohort simulate -c any.yaml --nodes "quick:cpu=2" array.csv 2>err &&
	grep "\"quick:cpu=2\" is not FLAVOR:RESOURCE=AMOUNT,... of a flavor in any.yaml" err
'

test_expect_success 'waits of owners and of borrowers' '
	fields queue,owner,borrower -c never.yaml reclaim.csv >out &&
	printf "%s\n" "a|15:00|-" "b|0:00|0:00" >expect && test_cmp expect out
'

# 64 jobs of 1 and 2 CPUs at once, nodes for 4: with any depth all nodes are in
# use until the last job, and nobody is evicted
test_expect_success 'a depth changes no totals' '
	{ echo submit,duration,queue,request
	  for i in 1 2 3 4 5 6 7 8; do printf "%s\n" 0,10,a,cpu=1 0,10,b,cpu=2 0,10,a,cpu=1; done
	} >depth.csv &&
	for depth in 0 1 2 100; do
		scohort simulate -c any.yaml --nodes fast:cpu=4 --depth $depth depth.csv >out &&
		grep "any.yaml: over after 1:20$" out && ! grep evict out && ! grep never out || return 1
	done &&
	for depth in 0 100; do
		scohort simulate -c any.yaml --json --nodes fast:cpu=4 --depth $depth depth.csv >json.$depth || return 1
	done && test_cmp json.0 json.100
'

# The second job of b runs on the quota of a, as a scavenger, and the first ends. We
# take the newest of b, which is above its quota; Slurm alone takes who was the scavenger.
test_expect_success 'what Slurm alone would do stands beside it' '
	cat >native.csv <<-END &&
	submit,duration,queue,request
	0,100,b,cpu=4
	1,1000,b,cpu=4
	105,1000,b,cpu=4
	110,50,a,cpu=4
	END
	fields config,queue,max,evicted,lost -c any.yaml --native scavenger --native caps native.csv >out &&
	printf "%s\n" "any.yaml|a|0:00|0|0:00" "native scavenger|a|0:00|0|0:00" "native caps|a|0:00|0|0:00" \
		"any.yaml|b|0:00|1|0:05" "native scavenger|b|0:00|1|1:49" "native caps|b|16:35|0|0:00" >expect &&
	test_cmp expect out &&
	sed "s/^- name: a$/&\n  reclaimDelay: 1h/" any.yaml >delayed.yaml &&
	fields config,queue,max,evicted,lost -c delayed.yaml --native scavenger --native caps native.csv >out &&
	grep "^delayed.yaml|b|0:00|0|0:00$" out && sed "/any.yaml/d" expect >native && grep native out | test_cmp native - &&
	test_expect_code 2 scohort simulate -c any.yaml --native qos native.csv 2>err &&
	grep "native: \"qos\" is not caps or scavenger" err
'

# The second job of b is evicted as a scavenger. When it is in line again and the first job
# ends, it takes the quota of b, and nobody evicts it from there.
test_expect_success 'an evicted scavenger starts within nominal quota if it can' '
	cat >native.csv <<-END &&
	submit,duration,queue,request
	0,200,b,cpu=4
	0,1000,b,cpu=2
	10,1000,a,cpu=4
	420,121,b,cpu=4
	END
	fields queue,max,evicted,lost -c any.yaml --native scavenger native.csv >out &&
	printf "%s\n" "a|0:00|0|0:00" "a|0:00|0|0:00" "b|9:50|1|0:10" "b|9:50|1|0:10" >expect &&
	test_cmp expect out
'

# charts FILE EXPRESSION: of the numbers in the page; stdin may define what it calls
charts() {
	{ [ -t 0 ] || cat; } </dev/stdin >defined.py
	python3 -c "
import json, re, sys
text = open(sys.argv[1]).read()
page = json.loads(re.search(r\"<script type=.application/json. id=.data.>(.*?)</script>\", text, re.S)[1])
exec(open(\"defined.py\").read())
print(eval(sys.argv[2]))" "$1" "$2"
}

# A run is protected for that long. 0: a starts at once, the newer job of b has lost 90 s. 3m: a waits
# until the older one has run for 180 s, the newer one is still protected. 20m: until that ends, 900 s.
# The first job of b is within quota, too, and does not wait.
test_expect_success 'values that are tried: the trade, and what nothing else beats' '
	reclaim="--sweep minRuntime.reclaim=0,3m,20m" &&
	fields value,owner,lost,best,evicted,mean -c any.yaml $reclaim reclaim.csv >out &&
	printf "%s\n" "0|0:00|1:30|*|1|0:00" "3m|0:40|3:00|-|1|0:26" "20m|7:30|0:00|*|0|5:00" >expect &&
	test_cmp expect out &&
	cp any.yaml before.yaml && scohort simulate -c any.yaml $reclaim --html trade.html reclaim.csv >out &&
	test_cmp before.yaml any.yaml &&
	grep "^  minRuntime.reclaim: 0, 3m, 20m$" out && grep -c "nothing beats" out >n && grep -x 2 n &&
	grep "^  nothing beats 0: owners wait 0:00, 1:30 of run time lost$" out &&
	grep "^  nothing beats 20m: owners wait 7:30, 0:00 of run time lost$" out &&
	charts trade.html "[len(page[\"trade\"][\"points\"]), sum(p[\"unbeaten\"] for p in page[\"trade\"][\"points\"]), page[\"trade\"][\"x\"]]" |
		grep -x "\[3, 2, .lost work, job seconds.\]" && charts trade.html "[p[\"name\"] for p in page[\"trade\"][\"points\"]]" | grep -x "\[.0., .3m., .20m.\]"
'

test_expect_success 'two paths: all combinations; as JSON' '
	for always in 0 20m; do for policy in Any Never; do
		sed "s/reclaimWithinCohort: Any/reclaimWithinCohort: $policy/; 1s/.*/minRuntime: {reclaim: $always}/" any.yaml >one.yaml &&
		fields mean,evicted,max -c one.yaml --json reclaim.csv >json.one &&
		perl -MJSON::PP -e "local \$/; my \$t = decode_json(<STDIN>)->{simulations}[0]{total};
			print join(q(|), @ARGV, map { \$t->{\$_} } qw(waitMean evictions ownerWait)), qq(\n)" $always $policy <json.one || return 1
	done; done >expect &&
	scohort simulate -c any.yaml --json --sweep minRuntime.reclaim=0,20m \
		--sweep "clusterQueues[a].preemption.reclaimWithinCohort=Any,Never" reclaim.csv >json &&
	perl -MJSON::PP -e "local \$/; my \$d = decode_json(<STDIN>);
		for (@{\$d->{simulations}}) {
			my (\$t, \$v) = @{\$_}{qw(total values)};
			print join(q(|), (map { \$v->{\$_->{path}} } @{\$d->{sweep}}), map { \$t->{\$_} } qw(waitMean evictions ownerWait)), qq(\n);
		}
		print STDERR join q( ), map { \$_->{unbeaten} ? 1 : 0 } @{\$d->{simulations}}" <json >out 2>unbeaten &&
	test_cmp expect out && printf "1 1 1 1" >expect && test_cmp expect unbeaten
'

# a and b share their rules by an alias: only those of one may change. Without borrowing the second job of b
# waits until the first one ends, 990 s, and three jobs are owners'.
test_expect_success 'paths: a queue by name or number, all of them, amounts, keys that are not there' '
	sed "s/preemption: {reclaimWithinCohort: Any}/preemption: \&rules {reclaimWithinCohort: Any}/" any.yaml >alias.yaml &&
	echo "  preemption: *rules" >>alias.yaml && quota="resourceGroups[0].flavors[fast]" &&
	tried() { fields value,owner,lost -c alias.yaml --sweep "$1" reclaim.csv | tail -n 1 >>out; } && : >out &&
	tried "clusterQueues[b].preemption.reclaimWithinCohort=Never" &&
	tried "clusterQueues[1].preemption.reclaimWithinCohort=Never" &&
	tried "clusterQueues[a].preemption.reclaimWithinCohort=Never" &&
	tried "clusterQueues[*].preemption.reclaimWithinCohort=Never" &&
	tried "clusterQueues[b].$quota.borrowingLimit.cpu=0" &&
	tried "clusterQueues[b].$quota.nominalQuota.cpu=8" &&
	printf "%s\n" "Never|0:00|1:30" "Never|0:00|1:30" "Never|7:30|0:00" "Never|7:30|0:00" "0|5:30|0:00" "8|0:00|0:00" >expect &&
	test_cmp expect out
'

test_expect_success 'what is wrong with --sweep' '
	wrong() {
		echo "scohort simulate: $2" >expect &&
		test_expect_code "$1" scohort simulate -c any.yaml --sweep "$3" $4 reclaim.csv >out 2>err &&
		test_must_be_empty out && test_cmp expect err
	} &&
	not="is not PATH=VALUE,... (minRuntime.reclaim=0,10m,1h)" &&
	wrong 2 "--sweep: \"minRuntime.reclaim\" $not" minRuntime.reclaim && wrong 2 "--sweep: \"a..b=1\" $not" a..b=1 &&
	wrong 2 "--sweep: \"a[=1\" $not" "a[=1" && wrong 2 "--sweep: \"=1\" $not" "=1" &&
	wrong 2 "--sweep: a: a value is empty" a=1, && wrong 2 "--sweep: a: \"1\" comes twice" a=1,2,1 &&
	wrong 2 "--sweep: a comes twice" a=1 "--sweep a=2" && wrong 2 "--sweep: two paths at most" a=1 "--sweep b=1 --sweep c=1" &&
	wrong 2 "--sweep: 400 combinations are more than 100" a=$(seq -s, 20) "--sweep b=$(seq -s, 20)" &&
	wrong 2 "--sweep: a: has more than 30 values" a=$(seq -s, 31) &&
	wrong 2 "--sweep and --against: only one of them" a=1 "-a never.yaml" &&
	wrong 2 "--sweep and --native: only one of them" a=1 "--native caps" && wrong 2 "--sweep and --usage: only one of them" a=1 -u &&
	bad() { wrong 1 "--sweep $1: any.yaml: $2" "${3-$1}"; } &&
	bad minRuntime.reclaim=soon "minRuntime.reclaim: \"soon\" is not a time (minutes, 4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, 2d)" \
		minRuntime.reclaim=10m,soon &&
	bad minRuntime.reclam=1h "minRuntime.reclam: unknown key (did you mean reclaim?)" &&
	bad "clusterQueues[c].cohort=c" "clusterQueues[c] has no item of that name or number (it has 2 items, from 0)" &&
	bad "clusterQueues.cohort=c" "clusterQueues is no map: it has no key \"cohort\"" &&
	bad "clusterQueues[0].name.x=c" "clusterQueues[0].name is no map: it has no key \"x\"" &&
	bad "minRuntime[0]=1h" "minRuntime is no list"
'

# Nobody starts within a quota of 0: there is no trade. Names are printed so that no terminal obeys them
test_expect_success 'combinations without owners are not compared' '
	scohort simulate -c any.yaml --sweep "clusterQueues[*].resourceGroups[0].flavors[fast].nominalQuota.cpu=0,8" \
		--html none.html reclaim.csv >out &&
	grep "^  0: not compared, no job started within nominal quota$" out && grep -c "nothing beats 8:" out >n && grep -x 1 n &&
	charts none.html "len(page[\"trade\"][\"points\"])" | grep -x 1 &&
	test_expect_code 1 scohort simulate -c any.yaml --sweep minRuntime.reclaim=0 --html no/x.html reclaim.csv 2>err &&
	grep "no/x.html: cannot be written: No such file" err &&
	evil=$(printf "a\033[31m") && test_expect_code 2 scohort simulate -c any.yaml --sweep "$evil=1" reclaim.csv >out 2>&1 &&
	! LC_ALL=C grep "$(printf "\033")" out
'

# The commands of doc/evidence.md, with a trace of the same columns
test_expect_success 'the commands of doc/evidence.md' '
	sed -n "s/^    //;/^conf() {/,/^}/p;/^play() {/,/^}/p" "$top/doc/evidence.md" >evidence.sh &&
	. ./evidence.sh &&
	printf "%s\n" job_id,user,num_gpu,submit_time,duration 0,x,4,0,100 1,x,4,1,1000 2,y,4,5,50 >gpus.csv &&
	by=user conf gres/gpu 4 $(cut -d, -f2 gpus.csv | tail -n +2 | sort -u) >lend.yaml &&
	sed -n "s/^    //;/^philly=/s/trace_job_Philly_MIX1/gpus/p;/^play .*philly/p" "$top/doc/evidence.md" >plays &&
	[ "$(grep -c "^play" plays)" -eq 2 ] && sed -n "1p;2p" plays >first && . ./first >json &&
	perl -MJSON::PP -e "local \$/; print join q( ), map { \"\$_->{config}:\$_->{evictions}\" }
		@{decode_json(<STDIN>)->{simulations}}" <json >out &&
	printf "%s" "lend.yaml:1 native caps:0 native scavenger:1 minrun.yaml:1 fair.yaml:1" >expect &&
	test_cmp expect out &&
	sed -n "1p;3p" plays >second && . ./second >json && grep "native scavenger" json &&
	printf "%s\n" "; a trace" "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 -1 -1 -1" >jobs.swf &&
	by=account conf cpu 4 1 >lend.yaml &&
	sed -n "s/^    //;/^play .*\(LCG\|NASA\)/s/[^ ]*\.swf.*/jobs.swf/p" "$top/doc/evidence.md" >plays &&
	[ "$(wc -l <plays)" -eq 2 ] && . ./plays >json &&
	printf "%s\n" name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time \
		p0,1,1,1,1000,,LS,Running,5,90,10 p1,1,1,0,0,,BE,Running,5,90,10 p2,1,1,1,1000,,BE,Pending,5,90, >openb_pod_list_default.csv &&
	sed -n "s/^    //;/^awk/,/openb/p;/^play .*pods/p" "$top/doc/evidence.md" >plays && [ "$(grep -c "^play" plays)" -eq 2 ] &&
	by=qos conf gres/gpu 12 LS BE Burstable >lend.yaml && . ./plays >json && printf "%s\n" submit,duration,qos,gpus 5,80,LS,1 >expect &&
	test_cmp expect pods.csv && [ "$(grep -c "native scavenger" json)" -eq 2 ]
'

test_expect_success 'features tell which flavors a job can use' '
	sed "s/slow, nominalQuota: \"cpu=0/slow, nominalQuota: \"cpu=1/" any.yaml >both.yaml &&
	cat >features.csv <<-END &&
	submit,duration,queue,features,request
	0,100,a,slow,cpu=1
	0,100,a,slow,cpu=1
	0,100,a,slow&big,cpu=1
	0,100,a,,cpu=1
	END
	fields queue,flavor,resource,peak -u -c both.yaml features.csv | grep "^a|.*|cpu|" >out &&
	printf "%s\n" "a|fast|cpu|1" "a|slow|cpu|2" >expect && test_cmp expect out
'

test_expect_success 'rules find the queue; the others are left out and counted' '
	cat >rules.csv <<-END &&
	submit,duration,account,partition,request
	2026-11-01T00:00:00,60,a1,,cpu=1
	2026-11-01T00:00:10,60,b,"main,other",cpu=1
	2026-11-01T00:00:20,60,b,other,cpu=1
	END
	scohort simulate -c any.yaml rules.csv >out &&
	grep "1 job matches no queue: left out" out &&
	fields queue,jobs -c any.yaml rules.csv >out &&
	printf "%s\n" "a|1" "b|1" >expect && test_cmp expect out
'

test_expect_success 'what sacct prints' '
	cat >sacct.txt <<-END &&
	JobID|Submit|Eligible|ElapsedRaw|Account|Partition|QOS|ReqTRES|AllocTRES|Priority
	7|2026-11-01T00:00:00|2026-11-01T00:00:30|100|a1|main|normal|cpu=1|billing=4,cpu=4,mem=1.50G,node=1|77
	7.batch|2026-11-01T00:00:00|2026-11-01T00:00:30|100|a1||||cpu=4|
	8|2026-11-01T00:00:10|Unknown|50|b|main|normal|cpu=8|cpu=8,mem=2000M,node=2|78
	9|2026-11-01T00:00:10|Unknown|0|b|main|normal|cpu=8||78
	END
	scohort simulate -c never.yaml sacct.txt >out &&
	grep "sacct.txt: 2 jobs, 2 rows left out" out &&
	grep "2 jobs whose classes have no priority" out &&
	fields queue,resource,peak -u -c never.yaml sacct.txt >out &&
	grep "a|cpu|4" out && grep "a|mem|1536M\|a|mem|1.5G" out && grep "b|cpu|8" out &&
	fields queue,max -c never.yaml - <sacct.txt >out &&
	grep "a|0:30" out &&
	test_expect_code 1 scohort simulate -c never.yaml --unit h sacct.txt 2>err &&
	grep "sacct.txt: is output of sacct, which has no --columns or --unit" err
'

# pool KEY...: x owns 3, y nothing, and 2 are idle; these keys are those of x and y
pool() {
	local q
	printf "%s\n" "fairSharing: {enable: true}" "flavors: [{name: f}]" "cohorts: [{name: c}]" clusterQueues:
	for q in x=3 y=0 idle=2; do
		printf "%s\n" "- name: ${q%=*}" "  cohort: c" "  match: [{account: ${q%=*}}]" "  preemption: {reclaimWithinCohort: Any}" \
			"  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: cpu=${q#*=}}]}]"
		[ $# -eq 0 ] || printf "  %s\n" "$@"
	done
}

test_expect_success 'jobs evict each other without end only where the rules against it are off' '
	printf "%s\n" submit,duration,queue,request 0,3600,x,cpu=5 10,3600,y,cpu=4 20,3600,y,cpu=1 >pool.csv &&
	pool >ends.yaml && fields queue,jobs,started,evicted -c ends.yaml pool.csv >out &&
	printf "%s\n" "x|1|1|1" "y|2|2|0" "idle|0|0|0" >expect && test_cmp expect out &&
	pool "maxPreemptions: 0" "yieldAfterEvictions: 0" >endless.yaml && scohort simulate -c endless.yaml pool.csv >out &&
	sed -n "/^endless.yaml: over/{n;p}" out >second && grep "^  stopped: jobs evict each other without end$" second &&
	evictions=$(sed -n "s/^  \([0-9]*\) evictions$/\1/p" out) && [ "$evictions" -gt 3 ] && [ "$evictions" -le 100 ]
'

test_expect_success 'turns of a job get longer: one that is longer than its turn ends' '
	cat >turns.yaml <<-END &&
	flavors: [{name: f}]
	clusterQueues:
	- name: a
	  match: [{account: a}]
	  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: cpu=8}]}]
	  preemption: {withinClusterQueue: LowerOrNewerEqualPriority,
	    withinClusterQueueConfig: {minAdmitDuration: 60s}}
	END
	printf "%s\n" submit,duration,queue,request 0,600,a,cpu=8 1,600,a,cpu=8 >turns.csv &&
	fields queue,jobs,started,evicted -c turns.yaml turns.csv >out && grep -x "a|2|2|8" out
'

# The simulation looks again each 1/64 of the half-life: 46,000 times while the first one runs.
test_expect_success 'jobs that only wait are not endless, however long and often they are looked at' '
	{ echo "fairSharing: {enable: true, usageHalfLifeTime: 1h}" && teams Any; } >halves.yaml &&
	printf "%s\n" submit,duration,queue,request 0,2592000,a,cpu=8 10,3600,b,cpu=8 >halves.csv &&
	fields queue,started,max,evicted -c halves.yaml halves.csv >out &&
	printf "%s\n" "a|1|0:00|0" "b|1|29-23:59:50|0" >expect &&
	test_cmp expect out
'

test_expect_success 'charts of one, and of two; a file that needs no other one' '
	scohort simulate -c any.yaml --html one.html reclaim.csv &&
	charts one.html "[len(page[\"columns\"]), len(page[\"columns\"][0][\"charts\"])]" | grep -x "\[1, 4\]" &&
	! grep -E "(src|href)=\"|@import|url\(" one.html && tail -n 1 one.html | grep "^</html>" &&
	scohort simulate -c any.yaml --against never.yaml --html two.html --resource mem reclaim.csv &&
	charts two.html "[(c[\"title\"], c[\"charts\"][0][\"title\"]) for c in page[\"columns\"]]" |
		grep -x "\[(.any.yaml., .mem in use.), (.never.yaml., .mem in use.)\]" &&
	test_expect_code 1 scohort simulate -c any.yaml --html x.html --resource node reclaim.csv 2>err &&
	grep "there is no quota for node in any.yaml" err &&
	test_expect_code 1 scohort simulate -c any.yaml --html no/x.html reclaim.csv 2>err &&
	grep "no/x.html: cannot be written: No such file" err
'

# Only b has to wait, and is evicted.
test_expect_success 'charts: four of one axis of time; who waits, and when who is evicted' '
	scohort simulate -c any.yaml --html panels.html reclaim.csv &&
	charts panels.html "check(page)" <<-\END
	def check(page):
	    column, = page["columns"]
	    assert column["title"] == "any.yaml" and not page["dates"]
	    titles = [chart["title"] for chart in column["charts"]]
	    assert titles == ["cpu in use", "cpu borrowed", "waiting jobs", "evictions in each 0:03"], titles
	    edges = page["edges"]
	    assert edges[0] == 0 and abs(edges[-1] - 1221) < 1, edges[-1]
	    def when(chart, queue):
	        """Where it is above zero"""
	        values, = [s["values"] for s in column["charts"][chart]["series"] if s["name"] == queue]
	        assert len(values) == len(edges) - 1
	        return [edges[i] for i, value in enumerate(values) if value > 0]
	    assert not when(2, "a") and not when(3, "a")
	    waits, evicted = when(2, "b"), when(3, "b")
	    assert 95 < min(waits) < 105 and 213 < max(waits) < 226, waits
	    assert 95 < min(evicted) <= max(evicted) < 105, evicted
	    line = column["charts"][0]["line"]
	    assert line["name"] == "nominal quota of all" and line["values"][7] == 8, line
	END
'

test_expect_success 'each event as CSV: when, what, which line, for which' '
	scohort simulate -c any.yaml --events events.csv reclaim.csv >out &&
	printf "%s\n" time,event,line,queue,by 0,start,2,b, 10,start,3,b, 100,evict,3,b,4 100,gone,3,b, \
		100,start,4,a, 150,end,4,a, 221,start,3,b, 1000,end,2,b, 1221,end,3,b, >expect &&
	test_cmp expect events.csv &&
	printf "%s\n" submit,duration,queue,request 2026-11-21T10:00:00,1000,b,cpu=4 \
		2026-11-21T10:00:10,1000,b,cpu=4 2026-11-21T10:01:40,50,a,cpu=4 >dates.csv &&
	scohort simulate -c any.yaml --events events.csv dates.csv >out &&
	grep "^2026-11-21T10:01:40,evict,3,b,4$" events.csv &&
	test_expect_code 1 scohort simulate -c any.yaml --events no/e.csv reclaim.csv 2>err &&
	grep "no/e.csv: cannot be written: No such file" err &&
	for other in --against=never.yaml --native=caps --sweep=minRuntime.reclaim=0; do
		test_expect_code 2 scohort simulate -c any.yaml --events e.csv $other reclaim.csv 2>err &&
		other=${other%%=*} && grep -- "--events and $other: only one of them" err || return 1
	done
'

test_expect_success 'charts: dates of the trace; names are no markup' '
	printf "%s\n" submit,duration,queue,request 2026-11-21T09:30:00,18000,b,cpu=4 2026-11-21T10:00:00,18000,b,cpu=4 >dated.csv &&
	scohort simulate -c any.yaml --native caps --html dated.html dated.csv &&
	charts dated.html "[page[\"dates\"], int(page[\"edges\"][0]), page[\"columns\"][1][\"title\"]]" |
		grep -x "\[True, $(date -d 2026-11-21T09:30:00 +%s), .native caps.\]" &&
	cp any.yaml "<script>alert(1)<!--.yaml" &&
	scohort simulate -c "<script>alert(1)<!--.yaml" --html evil.html reclaim.csv &&
	[ "$(grep -c "<script" evil.html)" = "$(grep -c "<script" dated.html)" ] &&
	charts evil.html "page[\"columns\"][0][\"title\"]" | grep -xF "<script>alert(1)<!--.yaml"
'

# fails MESSAGE: in.csv is refused with it
fails() {
	test_expect_code 1 scohort simulate -c any.yaml in.csv >out 2>err &&
	test_must_be_empty out && head -n 1 err >first &&
	echo "$1" >expect && test_cmp expect first
}

# row TEXT: a trace with this one row
row() { printf '%s\n' submit,duration,queue,tasks,request "$1" >in.csv; }

test_expect_success 'what is wrong: file, line, value, what would be right' '
	: >in.csv && fails "in.csv: contains no jobs" &&
	echo submit,duration >in.csv && fails "in.csv:1: missing column: request" &&
	row soon,1,a,1,cpu=1 && fails "in.csv:2: submit: \"soon\" is not a time (90, 1:30:00, 4h since the beginning, or 2026-11-21T14:05:11)" &&
	row 0,-1,a,1,cpu=1 && fails "in.csv:2: duration: \"-1\" is not a time (90, 1:30:00, 4h)" &&
	row 0,1,a,0,cpu=1 && fails "in.csv:2: tasks: \"0\" is not a number from 1 to 4000000" &&
	row 0,1,a,1,cpu=x && fails "in.csv:2: request: cpu: \"x\" is not an amount (a whole number, with a suffix K, M, G, T or P if wanted)" &&
	row 0,1,a,1,cpus && fails "in.csv:2: request: \"cpus\" is not RESOURCE=AMOUNT (\"cpu=4,mem=16G\" would be right)" &&
	row 0,1,a && fails "in.csv:2: has 3 fields, and none for request" &&
	row "0,1,a,1,\"cpu=1" && fails "in.csv:2: a quote is not closed" &&
	printf "%s\n" submit,duration,request 1,1,cpu=1 2026-11-01T00:00:00,1,cpu=1 >in.csv &&
	fails "in.csv:3: submit: \"2026-11-01T00:00:00\": either all are dates, or none" &&
	test_expect_code 1 scohort simulate -c any.yaml absent.csv 2>err &&
	grep "^absent.csv: cannot be read: No such file" err &&
	test_expect_code 1 scohort simulate -c absent.yaml reclaim.csv 2>err &&
	grep "^absent.yaml: cannot be read" err &&
	test_expect_code 2 scohort simulate 2>err && grep -i "usage\|TRACE\|argument" err
'

test_expect_success 'what options say is right, or an error' '
	refused() {
		echo "scohort simulate: $1" >expect && shift &&
		! scohort simulate -c any.yaml "$@" reclaim.csv >out 2>err &&
		test_must_be_empty out && test_cmp expect err
	} &&
	refused "--nodes: fast: \"gpu\" is not a resource (gres/gpu would be right)" --nodes "fast:gpu=100" &&
	refused "--nodes: fast: no queue of any.yaml has quota for gres/gpu" --nodes "fast:gres/gpu=100" &&
	refused "--nodes: fast comes twice" --nodes "fast:cpu=1;fast:cpu=2" &&
	refused "--nodes: slow: is empty (\"cpu=4,mem=16G\" would be right)" --nodes "fast:cpu=1;slow:" &&
	refused "--classes: \"high=x\" is not NAME=NUMBER (high=100)" --classes low=1,high=x &&
	refused "--native: caps comes twice" --native caps --native scavenger --native caps &&
	refused "--unit: \"d\" is not s, m or h" --unit d &&
	refused "--checkpoint: \"60\" is not a time with a unit, or CLASS=TIME (30s, 10m, 1h, low=10m)" --checkpoint 60 &&
	refused "--restart-cost: \"low=\" is not a time with a unit, or CLASS=TIME (30s, 10m, 1h, low=10m)" --restart-cost 1m,low= &&
	refused "--checkpoint: low comes twice" --checkpoint 1m,low=1h,low=2h &&
	refused "--restart-cost: 2m: a time for all others comes twice" --restart-cost 1m,low=1h,2m &&
	refused "--tail: \"low=1m\" is not one time (30s, 10m, 1h)" --tail low=1m &&
	refused "--step: \"x\" is not a time with a unit (30s, 10m, 1h)" --step x
'

test_expect_success 'what is left out is counted by cause' '
	cat >left.csv <<-END &&
	submit,duration,queue,account,request,model
	0,100,a,,"cpu=1,gres/gpu=1,node=1",x
	0,100,a,,gres/gpu=2,y
	0,100,c,,cpu=1,y
	0,100,d,,cpu=1,y
	0,100,,z,cpu=1,y
	END
	scohort simulate -c any.yaml left.csv >out &&
	grep "^  columns that are not used: model$" out &&
	grep "^  1 job matches no queue: left out$" out &&
	grep "^  2 jobs name queues that are not there, the first one \"c\" in line 4: left out$" out &&
	grep "^  gres/gpu of 2 jobs: left out, as no quota of the queue covers it$" out &&
	grep "^  node of 1 job: left out" out &&
	grep "^  1 job asks for nothing that its queue has quota for: it starts at once$" out
'

test_expect_success 'a trace of any site: its columns, units and dates' '
	cat >site.csv <<-END &&
	job,began,hours,team,cpus,model
	1,1764547200,0.5,b,8,x
	2,1764547210,0.5,a1,4,x
	END
	map="submit=began,duration=hours,account=team,cpu=cpus" &&
	sed "s/, partition: main//" any.yaml >site.yaml &&
	TZ=UTC scohort simulate -c site.yaml --columns "$map" --unit h site.csv >out &&
	grep "^  submitted from 2025-12-01T00:00:00 to 2025-12-01T00:00:10$" out &&
	grep "^  columns that are not used: job, model$" out &&
	fields queue,evicted,lost -c site.yaml --columns "$map" --unit h site.csv >out &&
	printf "%s\n" "a|0|0:00" "b|1|0:10" >expect && test_cmp expect out
'

# Team a takes back 4 CPUs from user 6 of group b after 10 s; job 3 did not run
cat >standard.swf <<-END
; UnixStartTime: 1764547200
; MaxProcs: 8
; Computer: two teams
; Queue: 1 main
1 0 -1 100 8 -1 -1 8 -1 -1 1 6 2 -1 1 1 -1 -1
2 10 -1 50 4 -1 -1 -1 -1 -1 1 5 1 -1 1 1 -1 -1
3 10 -1 -1 4 -1 -1 -1 -1 -1 5 5 1 -1 1 1 -1 -1
END

test_expect_success 'the Standard Workload Format, plain and gzip' '
	sed "s/account: \"a.\"/account: 1, qos: main/; s/account: b, partition: main/account: 2/" any.yaml >swf.yaml &&
	gzip -k standard.swf &&
	for trace in standard.swf standard.swf.gz; do
		TZ=UTC scohort simulate -c swf.yaml $trace >out &&
		grep "^$trace: 2 jobs, 1 row left out$" out &&
		grep "^  1 job that never ran: left out$" out &&
		grep "^  computer: two teams, 8 processors$" out &&
		grep "^  submitted from 2025-12-01T00:00:00 to" out &&
		fields queue,evicted,lost -c swf.yaml $trace >out &&
		printf "%s\n" "a|0|0:00" "b|1|0:10" >expect && test_cmp expect out || return 1
	done &&
	sed 1,4d standard.swf | scohort simulate -c swf.yaml --json - >json &&
	perl -MJSON::PP -e "local \$/; my \$t = decode_json(<STDIN>)->{trace};
		print join q( ), \$t->{jobs}, \$t->{leftOut}{neverRan}, \$t->{begin} // q(none)" <json >out &&
	printf "2 1 none" >expect && test_cmp expect out
'

test_expect_success 'what the name of a trace says is so: .swf without a header, .gz that is none' '
	sed 1,4d standard.swf >bare.swf && gzip -k bare.swf &&
	for trace in bare.swf bare.swf.gz; do
		scohort simulate -c swf.yaml $trace >out && grep "^$trace: 2 jobs, 1 row left out$" out || return 1
	done &&
	cp bare.swf plain.swf.gz && cp reclaim.csv plain.csv.gz && : >empty.gz &&
	for trace in plain.swf.gz plain.csv.gz empty.gz; do
		test_expect_code 1 scohort simulate -c swf.yaml $trace >out 2>err && test_must_be_empty out &&
		echo "$trace: cannot be read: it is not compressed with gzip, although its name ends in .gz" >expect &&
		test_cmp expect err || return 1
	done &&
	test_expect_code 1 scohort simulate -c swf.yaml --unit h bare.swf 2>err &&
	grep "^bare.swf: is in the Standard Workload Format, which has no --columns or --unit$" err
'

test_expect_success 'a line with NUL in it is wrong, wherever it stands' '
	printf "\0\n" >in.csv && fails "in.csv:1: contains a NUL byte" &&
	printf "submit,duration,request\n0,1,cpu=1\n0,1,cpu=1\0\n" >in.csv &&
	fails "in.csv:3: contains a NUL byte"
'

test_expect_success 'names of files are printed so that no terminal obeys them' '
	name=$(printf "e\033[31m\nvil") && shown="e\\x1b[31m\\x0avil" &&
	cp reclaim.csv "$name" && cp any.yaml "$name.yaml" &&
	scohort simulate -c "$name.yaml" "$name" >out &&
	grep -F "$shown: " out && grep -F "$shown.yaml: over" out &&
	test_expect_code 1 scohort simulate -c any.yaml "no$name" >>out 2>&1 &&
	test_expect_code 1 scohort simulate -c "no$name" reclaim.csv >>out 2>&1 &&
	test_expect_code 1 scohort simulate -c any.yaml --html "no/$name" reclaim.csv >>out 2>&1 &&
	test_expect_code 1 engine-lab eval "no$name" >>out 2>&1 &&
	test_expect_code 1 engine-lab eval "$name" >>out 2>&1 &&
	test_expect_code 1 engine-lab eval --check "$name" >>out 2>&1 &&
	scohort check --offline "$name.yaml" >>out &&
	test_expect_code 1 scohort check "$name" >>out 2>&1 &&
	test_expect_code 1 scohort import "$name" >>out 2>&1 &&
	test_expect_code 2 scohort "$name" >>out 2>&1 &&
	test_expect_code 2 scohort check --offline a "$name" >>out 2>&1 &&
	grep -c -F "$shown" out >n && [ "$(cat n)" -ge 12 ] &&
	! LC_ALL=C grep "$(printf "\033")" out &&
	! grep "^vil" out
'

# Of 16 CPUs of the cohort "steady" always asks for all, and "bursty" every twelve
# hours for 32 hours of one; the figures are those of doc/how-it-decides.md
lately() {
	echo "fairSharing: {enable: true$1}"
	cat <<-END
	flavors: [{name: any}]
	cohorts: [{name: lab, resourceGroups: [{coveredResources: [cpu],
	  flavors: [{name: any, nominalQuota: cpu=16}]}]}]
	clusterQueues:
	END
	for name in bursty steady; do
		cat <<-END
		- name: $name
		  cohort: lab
		  match: [{account: $name}]
		  preemption: {reclaimWithinCohort: Any}
		  resourceGroups: [{coveredResources: [cpu],
		    flavors: [{name: any, nominalQuota: cpu=0}]}]
		END
	done
}
awk 'BEGIN {
	print "submit,duration,account,request"
	for (h = 0; h < 28 * 12; h++) {
		for (k = 0; k < 16; k++) print h * 3600 ",3600,steady,cpu=1"
		if (h % 12 == 0) for (k = 0; k < 32; k++)
			print h * 3600 + 1 ",3600,bursty,cpu=1"
	}
}' >bursts.csv

# fixed KEYS: no job of b matching these can be preempted
fixed() { teams Any | sed "/name: b/a\\  nonPreemptible: {$1}"; }

# b's jobs start at once, the second borrows; the owner of a wants its quota back
cat >fixed.csv <<-END
	submit,duration,queue,request,qos,preemptibility
	0,1000,b,cpu=4,,non-preemptible
	10,1000,b,cpu=4,high,
	100,50,a,cpu=4,,non-preemptible
END

test_expect_success 'jobs that cannot be preempted: by rule and by word, up to nominal quota' '
	fixed "byUser: true" >user.yaml && fixed "match: [{qos: high}]" >qos.yaml &&
	fixed "byUser: true, match: [{qos: high}]" >both.yaml &&
	for how in any user qos both; do
		echo $how &&
		fields queue,max,evicted,lost -c $how.yaml fixed.csv || return 1
	done >out &&
	cat >expect <<-\END &&
	any
	a|0:00|0|0:00
	b|0:00|1|1:30
	user
	a|0:00|0|0:00
	b|0:00|1|1:30
	qos
	a|0:00|0|0:00
	b|0:00|1|1:40
	both
	a|0:00|0|0:00
	b|16:30|0|0:00
	END
	test_cmp expect out &&
	sed "s/,non-preemptible/,never/" fixed.csv >in.csv &&
	fails "in.csv:2: preemptibility: \"never\" is neither preemptible nor non-preemptible"
'

# b has borrowed all that a owns, and more jobs of b wait; a may not evict. a starts when
# those that ran before it have ended, not when there are none left.
test_expect_success 'what an owner waits for is not lent to later borrowers' '
	teams Never | sed "s/cpu=4,mem=4G/cpu=8,mem=8G/;/name: b/,$ s/cpu=8,mem=8G/cpu=0,mem=0/" >later.yaml &&
	{
		echo submit,duration,queue,request &&
		echo 0,1000,b,cpu=4 && echo 0,1500,b,cpu=4 && echo 600,100,a,cpu=8 &&
		for i in 1 2 3 4 5 6 7 8; do echo 700,1000,b,cpu=4; done
	} >later.csv &&
	fields queue,max,evicted -c later.yaml later.csv >out &&
	printf "%s\n" "a|15:00|0" "b|1:05:00|0" >expect &&
	test_cmp expect out
'

# by_usage ACCOUNT: of a queue with usage history, that one comes last
by_usage() {
	cat <<-END
		admissionFairSharing: {usageHalfLifeTime: 1h}
		flavors: [{name: any}]
		clusterQueues:
		  - name: q
		    match: [{account: "*"}]
		    admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
		    localQueues: [{name: $1, fairSharing: {weight: 0}}]
		    resourceGroups:
		      - {coveredResources: [cpu], flavors: [{name: any, nominalQuota: cpu=1}]}
	END
}

test_expect_success 'weights of accounts: the one with weight 0 waits for all others' '
	printf "%s\n" submit,duration,account,request 0,600,b,cpu=1 0,600,a,cpu=1 0,60,b,cpu=1 \
		0,600,a,cpu=1 0,60,b,cpu=1 0,600,a,cpu=1 0,60,b,cpu=1 >accounts.csv &&
	for last in a b; do
		by_usage $last >$last.yaml &&
		scohort simulate -n -P -o queue,median,mean -c $last.yaml accounts.csv || return 1
	done >out &&
	printf "q|%s\n" "12:00|14:34" "30:00|26:08" >expect &&
	test_cmp expect out
'

test_expect_success 'usage history: the team with bursts waits less' '
	lately >now.yaml && lately ", usageHalfLifeTime: 1d" >lately.yaml &&
	scohort simulate -n -P -o queue,median,mean -c now.yaml bursts.csv >out &&
	scohort simulate -n -P -o queue,median,mean -c lately.yaml bursts.csv >>out &&
	grep bursty out >bursty && cat bursty &&
	printf "bursty|%s\n" "2:00:00|1:30:00" "1:00:00|57:55" >expect &&
	test_cmp expect bursty
'

test_done
