#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort queue: waiting jobs in order, and no more than a user may see'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

# Two accounts are two local queues in one cluster queue
cat >cohort.yaml <<-EOF
	visibility: {updateInterval: 1s, maxPosition: 8}
	priority: partition
	flavors: [{name: any}]
	clusterQueues:
	  - name: q
	    match: [{account: "q*"}]
	    resourceGroups: &four
	      - coveredResources: [cpu]
	        flavors: [{name: any, nominalQuota: cpu=4}]
	  - {name: other, match: [{account: other}], resourceGroups: *four}
EOF
{
	quick_scheduler
	three_tiers
	echo PrivateData=jobs
} >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf
all=$(scohort_for_all)

# rows FIELDS [QUEUE...]: of `scohort queue -P`, blanks for bars
rows() {
	local fields=$1
	shift
	scohort queue -n -P -o "$fields" "$@" | tr '|' ' '
}

test_expect_success 'nobody waits: headings only' '
	wait_for 10 "scohort queue >out 2>&1" &&
	cat >expect <<-EOT && test_cmp expect out &&
	JOBID QUEUE PLACE LOCAL CLASS AGE REQUEST VERDICT
	EOT
	scohort queue --json | json "len(d[\"jobs\"])" >got && grep -x 0 got
'

test_expect_success 'jobs in the order of their places, which are those that squeue tells' '
	running=$(submit -A q1 -N1 -n4 -t 60) && all_run $running &&
	a=$(submit -A q1 -n2) && b=$(submit -A q2 -n4) && c=$(submit -A q1 -n3) &&
	hi=$(submit -A q2 -n1 -p hi) && array=$(submit -A q1 -n2 -a 1-3) &&
	o=$(submit -A other -n4 -N1 -t 60) && all_run $o && o=$(submit -A other -n1) &&
	wait_for 10 "[ \"\$(positions $hi $a $b $c $array $o)\" = \"1/7 2/7 3/7 4/7 5/7 1/1\" ]" &&
	cat >expect <<-EOT &&
	$hi q 1/7 1/2 hi quota(cpu@any) 1 0
	$a q 2/7 1/5 main quota(cpu@any) 2 0
	$b q 3/7 2/2 main quota(cpu@any) 4 0
	$c q 4/7 2/5 main quota(cpu@any) 3 0
	${array}_[1-3] q 5/7 3/5 main quota(cpu@any) 2 0
	$o other 1/1 1/1 main quota(cpu@any) 1 0
	EOT
	fields=jobid,queue,place,local,class,verdict,need,free &&
	wait_for 10 "rows $fields >out && test_cmp expect out"
'

test_expect_success 'only the named queues' '
	rows jobid other >out && echo "$o" >expect && test_cmp expect out &&
	test_expect_code 1 scohort queue q nix 2>err &&
	grep -x "scohort queue: there is no cluster queue \"nix\"" err
'

test_expect_success '--local: one local queue after the other' '
	rows jobid,local --local q >out &&
	printf "%s 1/2\n%s 2/2\n%s 1/5\n%s 2/5\n%s_[1-3] 3/5\n" $hi $b $a $c $array >expect &&
	test_cmp expect out
'

test_expect_success '--limit and --offset: a part of it, also where jobs are private' '
	rows jobid,place >all && rows jobid,place --limit 3 --offset 2 >out && sed -n 3,5p all | test_cmp - out &&
	rows jobid,place --limit 0 >out && test_must_be_empty out && rows jobid --offset 99 >out && test_must_be_empty out &&
	json "any(\"jobs\" in q for q in d[\"clusterQueues\"])" <"$CLUSTER/state/cohort_status.json" >out && grep -x false out
'

test_expect_success '--json says the same; request and age are told' '
	scohort queue --json >json &&
	json "[j[\"jobId\"] for j in d[\"jobs\"]]" <json | tr " " "\n" >got &&
	rows jobid >text && test_cmp text got &&
	json "[job($b)[k] for k in (\"place\", \"total\", \"localPlace\", \"localTotal\", \"need\", \"free\", \"account\", \"tasks\")]" \
		<json >got && echo "3 7 2 2 4 0 q2 1" >expect && test_cmp expect got &&
	json "job($b)[\"request\"].startswith(\"cpu=4,\") and 0 <= job($b)[\"age\"] < 600" <json >got &&
	grep -x true got &&
	scohort queue --yaml | grep -c "^- jobId: " >got && grep -x 6 got
'

# As soon as a start is estimated there is a column for it
test_expect_success 'no line is longer than the screen' '
	wait_for 20 "rows start q | grep :" &&
	for columns in 64 80; do
		COLUMNS=$columns scohort queue >out && fits $columns <out || return 1
	done &&
	grep -w VERDICT out && grep -w PLACE out &&
	! grep -w CLASS out && [ $(grep -c " quota(cpu@any)" out) = 6 ]
'

test_expect_success 'places beyond maxPosition are told as such' '
	more=$(submit_some 3 -A q2 -n1) && set -- $more &&
	wait_for 10 "[ \"\$(positions $3)\" = 8+ ]" &&
	wait_for 10 "rows place,local q >out && tail -n 2 out | grep -x \"8+ -\"" &&
	scancel $more
'

# nobody has one job among those of root
test_expect_success 'PrivateData=jobs: places of all, details of the own jobs only' '
	mine=$(as_nobody sbatch --parsable -o /dev/null -A q2 -n2 --wrap "sleep 1000") &&
	wait_for 10 "[ \"\$(positions $mine)\" = 8/8 ]" &&
	printf "%s\n" "-|1-7/8|-|hidden|-" "$mine|8/8|3/3|quota(cpu@any)|q2" >expect &&
	wait_for 10 "as_nobody \"$all\" queue -P -n -o jobid,place,local,verdict,account q >out 2>err && test_cmp expect out" &&
	grep "PrivateData=jobs hides other users. jobs: 7 waiting job(s) show only their position" err &&
	as_nobody "$all" queue --json >json 2>/dev/null &&
	json "d[\"hidden\"]" <json >got && grep -x 8 got &&
	! grep -E "q1|\"$a\"|\"$b\"" json
'

test_expect_success 'who may not read the file sees the own jobs, and is told what is missing' '
	chmod 700 "$CLUSTER/state" &&
	as_nobody "$all" queue -P -n -o jobid,place,local >out 2>err &&
	chmod 755 "$CLUSTER/state" &&
	echo "$mine|8/8|-" >expect && test_cmp expect out &&
	grep "cohort_status.json: Permission denied" err && grep "no positions in local queues" err
'

test_expect_success 'who has quota and waits for nodes is told so' '
	scancel $mine && cluster_clear &&
	outside=$(submit -N4 -n16) && all_run $outside &&
	id=$(submit -A q1 -n2) &&
	wait_for 10 "[ \"\$(rows jobid,place,verdict)\" = \"$id 1/1 nodes\" ]"
'

# Slurm takes any bytes for the name of a job; a CSI is one control character
test_expect_success 'names that are no UTF-8 break neither documents nor terminals' '
	odd=$(submit -A q1 -n2 -J "$(printf "x\377\302\2332Jy")") &&
	wait_for 10 "scohort queue --json >out.json && grep -F \"\\\"$odd\\\"\" out.json" &&
	iconv -f UTF-8 -t UTF-8 out.json >same && test_cmp out.json same &&
	grep "\"x$(printf "\357\277\275")" out.json &&
	scohort queue --yaml >out.yaml && iconv -f UTF-8 -t UTF-8 out.yaml >same && test_cmp out.yaml same &&
	grep "x$(printf "\357\277\275")" out.yaml &&
	rows jobid,name >out && grep -F "$odd x??2Jy" out &&
	scohort why --json $odd >out.json && iconv -f UTF-8 -t UTF-8 out.json >same && test_cmp out.json same &&
	scancel $odd
'

test_done
