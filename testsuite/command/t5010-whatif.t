#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort whatif: an answer, then the submission, and the same comes of it'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"
. "$TESTSUITE/lib/scohort.sh"

# lab WORD...: a owns 4, b 8; the words are those of both
lab() {
	quota_head
	cohorts org
	echo 'clusterQueues:'
	queue a 4 cohort=org "$@"
	queue b 8 cohort=org reclaim=Any "$@"
}

lab >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# asks OPTIONS...: text in $WORK/text, document in $WORK/doc; both say the same
asks() {
	scohort whatif --json "$@" >"$WORK/doc" 2>"$WORK/err"
	local rc=$? text
	COLUMNS=10000 scohort whatif "$@" >"$WORK/text" 2>>"$WORK/err"
	text=$(sed 's/^ *//' "$WORK/text")
	cat "$WORK/err" "$WORK/text"
	[ ! -s "$WORK/doc" ] ||
		[ "$(doc '"\n".join(d["sentences"])' | without_times)" = "$(without_times <<<"$text")" ] ||
		return 99
	return $rc
}
doc() { json "$1" <"$WORK/doc"; }
text() { grep -F -- "$1" "$WORK/text"; }

# The two questions may be a second apart
without_times() { sed 's/[0-9]*:[0-9:]*[0-9]/TIME/g'; }

# same_nodes ID: it runs where it was said
same_nodes() { [ "$(squeue -h -j "$1" -o %N)" = "$(doc 'd["nodes"]')" ]; }

# same_books: soon each queue uses and borrows what was said
same_books() {
	local queue used
	doc '"\n".join("%s %d %d" % (x["clusterQueue"], x["used"], x["borrowed"]) for x in d["after"])' >"$WORK/after"
	[ -s "$WORK/after" ] || return 1
	while read -r queue used; do
		status_soon "$queue" used,borrowed "$used" || return 1
	done <"$WORK/after"
}

test_expect_success 'within its own quota: where, on which flavor; and so it comes' '
	asks -A a -n4 -t 5 && text "It would start now on " &&
	text "Cluster queue a would be charged 4 cpu of flavor any." &&
	text "a would then use 4 cpu of flavor any, none of it borrowed." &&
	[ "$(doc "[d[\"verdict\"], d[\"charges\"][0][\"flavor\"], d[\"victims\"]]")" = "start any []" ] &&
	[ -z "$(squeue -h)" ] &&
	a1=$(submit -A a -n4 -t 5) && all_run $a1 && same_nodes $a1 && same_books
'

test_expect_success 'borrowing: how much; a script with #SBATCH lines' '
	printf "#!/bin/sh\n#SBATCH -A a\n#SBATCH -n 6\n#SBATCH -t 30\nexec sleep 1000\n" >job.sh &&
	asks job.sh && text "a would then use 10 cpu of flavor any, 6 of it borrowed." &&
	a2=$(sbatch --parsable -o /dev/null job.sh) && all_run $a2 && same_nodes $a2 && same_books
'

# A job that has just started is not evicted yet
test_expect_success 'by eviction: whom, by which rule, what is borrowed then; and the same go' '
	wait_for 10 "asks -A b -n8 -t 5 && ! text protected" && text "after evicting 1 job." &&
	text "$a2: cluster queue a, has run " && text ", rule InCohortReclamation, that is, " &&
	text "b would then use 8 cpu of flavor any, none of it borrowed." &&
	[ "$(doc "[d[\"verdict\"], d[\"victims\"][0][\"rule\"]]")" = "preempt InCohortReclamation" ] &&
	holds_for 1 "job_runs $a1 $a2" && log_mark &&
	b1=$(submit -A b -n8 -t 5) && all_run $b1 &&
	[ "$(evicted)" = "$(doc "d[\"victims\"][0][\"jobId\"]")" ] &&
	[ "$(rule_of $a2)" = InCohortReclamation ] && same_nodes $b1 && same_books
'

test_expect_success 'it would wait: what is missing and until when, as its submission says' '
	scancel $a2 &&
	wait_for 10 "asks -A a -n4 -t 5 && text \"It would wait in cluster queue a, at position 1 of 1.\"" &&
	text "It waits for quota: it needs 4 cpu of flavor any, and a can get 0 now." &&
	text "Expected start: " && near $(doc "d[\"start\"]") $(ends $a1) &&
	a3=$(submit -A a -n4 -t 5) && says $a3 "wait=quota(cpu@any),need=4,free=0" &&
	wait_for 5 "[ \"\$(reason_wait $a3)\" = \"$(doc "d[\"reason\"]" | sed "s/.*wait=\([^,]*\).*/\1/")\" ]" &&
	estimated $a3 $(doc "d[\"start\"]")
'

test_expect_success 'at a later time' '
	at=$((EPOCHSECONDS + 7200)) &&
	asks --at=$(date -d @$at +%Y-%m-%dT%H:%M:%S) -A a -n4 -t 5 &&
	[ "$(doc "d[\"verdict\"]")" = later ] && near $(doc "d[\"start\"]") $at 5 &&
	asks -A a -n4 -t 5 --at=$(date -d @$at +%Y-%m-%dT%H:%M:%S) &&
	[ "$(doc "d[\"verdict\"]")" = later ] && near $(doc "d[\"start\"]") $at 5 &&
	asks --at now+60 -A a -n12 -t 5 && [ $(doc "d[\"start\"]") -gt $(($(ends $b1) - 5)) ]
'

test_given_time 'at a later time, whom it would evict then; and the same go' '
	use_cohort eval "lab | sed \"1a minRuntime: {reclaim: ${TIME}s}\"" &&
	a4=$(submit -A a -n12 -t 600) && all_run $a4 && log_mark &&
	free=$(($(started $a4) + TIME)) &&
	asks --at now+60 -A b -n8 -t 5 && text ", after evicting 1 job, or earlier if" &&
	text "$a4: cluster queue a, has run " && text ", rule InCohortReclamation, that is, " &&
	{ asks -A b -n8 -t 5 && text "protected by a minimum run time" || { before $EPOCHSECONDS $free; false; }; } &&
	text "$a4: cluster queue a" && near $(doc "d[\"start\"]") $free &&
	[ "$(doc "[d[\"verdict\"], d[\"victims\"][0][\"rule\"]]")" = "wait InCohortReclamation" ] &&
	b2=$(submit -A b -n8 -t 5) && wait_for $((TIME + 15)) "job_runs $b2" && [ "$(evicted)" = $a4 ] &&
	use_cohort lab && b1=$(submit -A b -n8 -t 5) && all_run $b1
' 15 40

test_expect_success 'never: no start, exit status 1, and the most there could be' '
	test_expect_code 1 asks -A a -n13 &&
	text "It can never start as submitted: it needs 13 cpu of flavor any, and can never get more than 12 in a." &&
	[ "$(doc "[d[\"verdict\"], d[\"start\"]]")" = "never -" ] &&
	never=$(submit -A a -n13) && says $never "wait=never(max=12)"
'

test_expect_success 'more than nodes have: no start either, and the submission is refused' '
	test_expect_code 1 asks -A b -N1 -n8 &&
	text "No node that is up can ever hold it, in any flavor of cluster queue b" &&
	[ "$(doc "[d[\"verdict\"], d[\"start\"]]")" = "never -" ] &&
	! sbatch -A b -N1 -n8 --wrap true 2>err && grep "not available" err
'

test_expect_success 'outside of all queues, and held' '
	scancel $never $a3 && asks -n1 && text "It would be outside all cluster queues" && text "It would start now on " &&
	asks -H -A b -n1 && text "it is held"
'

test_expect_success 'what sbatch refuses: in its own words, and at once' '
	test_expect_code 1 asks -A a -p nowhere && grep "invalid partition" "$WORK/err" &&
	test_expect_code 1 asks --no-such-option && grep "no-such-option" "$WORK/err" &&
	test_expect_code 2 scohort whatif --at 2>err && grep "at" err
'

test_expect_success 'behind others in a StrictFIFO queue' '
	use_cohort lab strategy=StrictFIFO &&
	a1=$(submit -A a -n12 -t 9) && all_run $a1 && first=$(submit -A a -n4 -t 9) &&
	says $first wait=quota && asks -A a -n1 -t 5 && text "at position 2 of 2" &&
	near $(doc "d[\"start\"]") $(ends $a1)
'

test_expect_success 'protected: until when' '
	use_cohort eval "lab | sed \"1a minRuntime: {reclaim: 1h}\"" &&
	a1=$(submit -A a -n8 -t 600) && all_run $a1 && asks -A b -n8 -t 5 &&
	text "protected by a minimum run time or a turn. The first protection ends at " &&
	near $(doc "d[\"start\"]") $(($(started $a1) + 3600)) &&
	b1=$(submit -A b -n8 -t 5) && protected $b1 $(($(started $a1) + 3600))
'

test_expect_success 'without the file: what can not be told, time and victims all the same' '
	use_cohort lab && a1=$(submit -A a -n12) && all_run $a1 &&
	wait_for 10 "SCOHORT_PUBLISH=/nowhere/x COLUMNS=1000 scohort whatif -A b -n8 >out 2>err &&
		! grep protected out && grep \"after evicting 1 job\" out" &&
	grep "/nowhere/x: " err && grep "^ *$a1" out &&
	grep "The published file says nothing about this request" out
'

test_expect_success 'enforcement observe: said' '
	use_cohort eval "lab | sed \"1a enforcement: observe\"" &&
	asks -A a -n13 && text "Quota is only observed" && text "It would start now"
'

test_expect_success 'without slurmctld: said at once' '
	cluster_stop_ctld && test_expect_code 3 asks -A a && grep "slurmctld does not answer" "$WORK/err"
'

test_done
