#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort diff and apply: what a new file would change, and its way into force or back'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

# lab VISION AUDIO: two queues that share 16 CPUs
lab() {
	quota_head
	cohorts lab
	echo 'clusterQueues:'
	queue vision "$1" cohort=lab reclaim=Any
	queue audio "$2" cohort=lab reclaim=Any
}

lab 8 8 >cohort.yaml
cluster_up --cohort cohort.yaml
yaml=$CLUSTER/etc/cohort.yaml

# From 23.11 on slurmctld and the slurmds run themselves anew. 24.11.5 may hang if the next
# reconfigure comes meanwhile (doc/limits.md).
apply() { cluster_settled && scohort apply "$@"; }

told() { scohort status --json | json "d[\"configuration\"][\"$1\"]"; }
# quota of vision, in force
nominal() { scohort status --json vision | json 'queue("vision")["quota"][0]["nominal"]'; }

test_expect_success 'no difference: said, also when the words and comments differ' '
	wait_for 10 "[ \"\$(told onDisk)\" = same ]" &&
	scohort diff cohort.yaml >out && echo "Nothing would change." >expect && test_cmp expect out &&
	{ echo "# a comment"; cat cohort.yaml; } >draft.yaml &&
	scohort diff draft.yaml >out && test_cmp expect out &&
	scohort diff >out && test_cmp expect out
'

test_expect_success 'quotas, rules, jobs that move, who would borrow, who could be evicted' '
	v=$(submit -A vision -n8) && all_run $v && w=$(submit -A audio -n2 --hold) &&
	wait_for 10 "[ \"\$(scohort status --json | json \"queue(\\\"vision\\\")[\\\"running\\\"]\")\" = 1 ]" &&
	lab 4 12 | sed "s/account: \"*audio\"*/account: \"aud*\"/" >draft.yaml &&
	scohort diff draft.yaml >out &&
	cat >expect <<-EOF &&
	Quotas:
	  queue vision, flavor any: nominalQuota of cpu 8 -> 4
	  queue audio, flavor any: nominalQuota of cpu 8 -> 12
	Rules and settings:
	  clusterQueues[audio].match: {account: audio} -> none
	  clusterQueues[audio].match: none -> {account: aud*}
	Queues that would newly borrow:
	  vision: 4 cpu of flavor any
	Running jobs that could newly be evicted:
	  $v of queue vision
	In short:
	  1 running job becomes evictable, for jobs of: audio 1
	USER JOBS EVICTABLE
	root    1         1
	EOF
	test_cmp expect out &&
	lab 8 8 | sed "s/account: \"*vision\"*/account: pictures/" >draft.yaml &&
	scohort diff draft.yaml >out &&
	grep "^  $v, running: vision -> no queue$" out &&
	lab 8 8 | sed "s/account: \"*audio\"*/account: nobody/; s/account: \"*vision\"*/account: \"*[no]\"/" >draft.yaml &&
	scohort diff draft.yaml >out && grep "^  $w, waiting: audio -> vision$" out &&
	! grep "$v, running" out &&
	scohort diff --json draft.yaml | json "[(j[\"jobId\"], j[\"to\"]) for j in d[\"jobs\"] if j[\"state\"] == \"waiting\"]" >got &&
	grep vision got && scancel $w
'

test_expect_success 'a file that slurmctld would reject: the errors, exit 1, and nothing is changed' '
	lab 8 8 | sed "s/{name: any}/{name: any, features: nowhere}/" >bad.yaml &&
	test_expect_code 1 scohort diff bad.yaml 2>err && grep "is no feature of any node" err &&
	test_expect_code 1 apply bad.yaml 2>err && grep "is no feature of any node" err &&
	cmp cohort.yaml "$yaml" && ! [ -e "$yaml.old" ] && test_expect_code 2 scohort apply 2>err
'

test_expect_success 'apply: what it changes, in force, the old one beside it with mode and owner' '
	chmod 640 "$yaml" && lab 4 12 >draft.yaml &&
	apply draft.yaml >out && grep "nominalQuota of cpu 8 -> 4" out &&
	grep "^$yaml is in force; the old file is $yaml.old$" out &&
	cmp draft.yaml "$yaml" && cmp cohort.yaml "$yaml.old" && [ $(nominal) = 4 ] &&
	[ $(stat -c %a "$yaml") = 640 ] && [ $(stat -c %a "$yaml.old") = 640 ] &&
	[ "$(cd "$CLUSTER/etc" && echo cohort.yaml.*)" = "cohort.yaml.lock cohort.yaml.old" ] && all_run $v
'

test_expect_success 'from observe to what is the default: who could be evicted from then on' '
	{ echo "enforcement: observe"; lab 4 12; } >observe.yaml &&
	apply observe.yaml >out && cat out && grep "^  enforcement: enforce (default) -> observe$" out && ! grep "be evicted" out &&
	wait_for 10 "[ \"\$(scohort status --json | json \"queue(\\\"vision\\\")[\\\"running\\\"]\")\" = 1 ]" &&
	scohort diff draft.yaml >out &&
	cat >expect <<-EOF && test_cmp expect out &&
	Rules and settings:
	  enforcement: observe -> enforce (default)
	Running jobs that could newly be evicted:
	  $v of queue vision
	In short:
	  1 running job becomes evictable, for jobs of: audio 1
	USER JOBS EVICTABLE
	root    1         1
	EOF
	apply draft.yaml
'

test_expect_success 'keys that are left out mean their defaults, in maps that are left out, too' '
	{ lab 4 12; echo "enforcement: enforce"; echo "minRuntime: {reclaim: 2h}"; echo "lossWeights: {cpu: 2}"; } >more.yaml &&
	scohort diff more.yaml >out &&
	cat >expect <<-EOF && test_cmp expect out
	Rules and settings:
	  minRuntime.reclaim: 0 (default) -> 2h
	  lossWeights: {cpu: 1} (default) -> {cpu: 2}
	In short:
	  no job becomes evictable, and none changes its queue or place
	EOF
'

# newly FILE: the jobs that could newly be evicted
newly() { scohort diff "$1" | sed '1,/newly be evicted/d; /^In short/,$d'; }

# fixed VISION AUDIO: the same, and jobs of vision whose users say so can't be preempted
fixed() { lab "$@" | sed "s/  - name: vision/&\n    nonPreemptible: {byUser: true}/"; }

test_expect_success 'one that could not be preempted, and is borrowed for: evictable when the rule goes, or the queue is drained' '
	fixed 8 8 >fixed.yaml && apply fixed.yaml >out && ! grep "be evicted" out && scancel $v &&
	v=$(submit -A vision -n8 --comment=cohort:preemptibility=non-preemptible) && all_run $v &&
	wait_for 10 "[ \"\$(scohort status --json | json \"queue(\\\"vision\\\")[\\\"running\\\"]\")\" = 1 ]" &&
	fixed 4 12 >less.yaml && scohort diff less.yaml >out && cat out && ! grep "be evicted" out &&
	echo "  $v of queue vision" >expect &&
	newly draft.yaml >out && test_cmp expect out &&
	sed "s/  - name: vision/&\n    stopPolicy: HoldAndDrain/" fixed.yaml >drain.yaml &&
	newly drain.yaml >out && test_cmp expect out &&
	scohort diff drain.yaml >out && grep "^  1 running job becomes evictable$" out &&
	apply draft.yaml
'

test_expect_success 'the same again is in force, too' '
	cp "$yaml.old" old && apply draft.yaml >out && head -n 1 out | grep "Nothing would change" &&
	grep "is in force already" out && cmp old "$yaml.old"
'

# slurmctld asks who can write the file; a draft is not judged by that
test_expect_success 'one that slurmctld rejects all the same: why, and the old one is back' '
	chmod 666 "$yaml" && lab 6 10 >draft2.yaml &&
	test_expect_code 1 apply draft2.yaml 2>err &&
	grep "slurmctld rejected it: $yaml: is not trusted" err &&
	cmp draft.yaml "$yaml" && [ $(nominal) = 4 ] && chmod 640 "$yaml" &&
	cluster_reconfigure && wait_for 10 "[ \"\$(told valid)\" = true ]"
'

test_expect_success 'a file on disk that is not in force: compared is what is' '
	lab 5 11 >"$yaml" && sed -i "s/cpu=5/cpu=five/" "$yaml" && cluster_reconfigure &&
	wait_for 10 "[ \"\$(told valid)\" = false ]" && scohort diff draft.yaml >out &&
	echo "Nothing would change." >expect && test_cmp expect out &&
	apply draft.yaml && [ "$(told valid)" = true ]
'

test_expect_success 'a file edited in its place: the one that was in force is kept; a link stays one' '
	cp "$yaml" force.yaml && sed -i "s/cpu=4/cpu=3/" "$yaml" && wait_for 15 "[ \"\$(told onDisk)\" = changed ]" &&
	apply "$yaml" >out && grep "nominalQuota of cpu 4 -> 3" out && cmp force.yaml "$yaml.old" &&
	[ $(nominal) = 3 ] &&
	mv "$yaml" "$CLUSTER/etc/real.yaml" && ln -s real.yaml "$yaml" &&
	apply draft.yaml && [ -L "$yaml" ] && cmp draft.yaml "$CLUSTER/etc/real.yaml" && [ $(nominal) = 4 ]
'

test_expect_success 'without the right to write: said, and nothing is changed' '
	all=$(scohort_for_all) && chmod a+r draft2.yaml "$yaml" && cp draft2.yaml /tmp/draft.$$ &&
	chmod a+r /tmp/draft.$$ && test_expect_code 1 as_nobody "$all" apply /tmp/draft.$$ 2>err
	rm /tmp/draft.$$ && cat err && cmp draft.yaml "$yaml"
'

test_done
