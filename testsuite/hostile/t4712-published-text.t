#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the published file is UTF-8, whatever the names of users and jobs are'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/times.sh"
. "$TESTSUITE/lib/estimate.sh"
. "$TESTSUITE/lib/scohort.sh"

# A name in Latin-1, as slurmctld takes it
latin=$'gr\xfcn'

{
	quick_scheduler
	echo "PartitionName=$latin Nodes=ALL State=UP"
} >extra.conf
{
	quota_head
	echo 'clusterQueues:'
	queue a 4
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf extra.conf

file=$CLUSTER/state/cohort_status.json

# asks TOKEN OPTIONS...: and the answer with this partition and queue is there soon
asks() {
	local mail=$1
	shift
	test_only -A a -n1 -t 5 --mail-user="$mail" "$@"
}

# Answers in the file so far
answers() { json 'len(d["asked"])' <"$file"; }

# published N EXPRESSION: so many answers, and this is true of the document
published() {
	wait_for 10 "[ \"\$(answers 2>&1)\" = $1 ]" && [ "$(json "$2" <"$file")" = true ]
}

test_expect_success 'a token as scohort makes it is published' '
	asks scohort-whatif-4711-1700000000-42 &&
	published 1 "d[\"asked\"][0][\"token\"] == \"scohort-whatif-4711-1700000000-42\""
'

test_expect_success 'an address that only begins like one is not' '
	asks "scohort-whatif-me@example.org" && asks scohort-whatif-1-2-3-kim &&
	asks "scohort-whatif-1 2 3" && asks scohort-whatif-$(seq -s "" 100) &&
	published 5 "[a[\"token\"] for a in d[\"asked\"][1:]] == [None] * 4"
'

test_expect_success 'nor one with bytes that are no text; the file stays UTF-8' '
	asks $'\''scohort-whatif-\xff'\'' && asks $'\''scohort-whatif-1-\xc3'\'' &&
	published 7 "[a[\"token\"] for a in d[\"asked\"][5:]] == [None] * 2" &&
	iconv -f UTF-8 -t UTF-8 "$file" >/dev/null
'

test_expect_success 'a partition whose name is not UTF-8: so the name is shown, not the file spoilt' '
	asks scohort-whatif-1-2-3 -p "$latin" &&
	published 8 "d[\"asked\"][7][\"partition\"] == \"gr\\ufffdn\"" &&
	iconv -f UTF-8 -t UTF-8 "$file" >/dev/null &&
	scohort status >out && scohort whatif -A a -n1 -p "$latin" >out && grep "start now" out
'

test_done
