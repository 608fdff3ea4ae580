#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort metrics: what Prometheus, its alerts and a dashboard read'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head
	cohorts lab
	echo 'clusterQueues:'
	queue vision 4 cohort=lab borrow=6
	queue audio 8 cohort=lab reclaim=Any
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

if command -v promtool >/dev/null; then
	test_set_prereq PROMTOOL
else
	echo "# promtool is not installed (Debian: prometheus): its checks are skipped" >&2
fi

metric_soon() { wait_for 10 "[ \"\$(metric '$1')\" = \"$2\" ]" || { scohort metrics; return 1; }; }

# waited ID: how long it stood in line before it started, by its record
waited() {
	local start submit eligible
	start=$(date -d "$(job_field "$1" StartTime)" +%s) && submit=$(date -d "$(job_field "$1" SubmitTime)" +%s) &&
		eligible=$(date -d "$(job_field "$1" EligibleTime)" +%s) &&
		echo $((start - (submit > eligible ? submit : eligible)))
}

pair=',flavor="any",resource="cpu"}'
vision='{cohort="lab",cluster_queue="vision"'
audio='{cohort="lab",cluster_queue="audio"'

test_expect_success 'numbers of the ledger are those of status' '
	id=$(submit -A vision -n10) && all_run $id && more=$(submit -A vision -n2) &&
	metric_soon "usage$vision$pair" 10 &&
	metric_soon "pending_jobs$vision}" 1 &&
	for m in quota_nominal=nominal quota_borrowing_limit=blimit usage=used borrowed=borrowed lent=lent \
			free=free reclaimable=reclaim; do
		for q in vision audio; do
			labels=${!q} &&
			wait_for 10 "got=\$(metric ${m%=*}\$labels\$pair); status_is $q ${m#*=} \${got:--}" || { echo "$m $q"; return 1; }
		done
	done &&
	[ "$(metric "up")" = 1 ] && [ "$(metric "enforcing")" = 1 ] &&
	[ "$(metric "admitted_active_jobs$vision}")" = 1 ]
'

test_expect_success 'an eviction counts under its reason, an admission in the histogram' '
	new=$(submit -A audio -n8) && all_run $new &&
	metric_soon "evicted_jobs_total$vision,reason=\"InCohortReclamation\"}" 1 &&
	metric_soon "admitted_jobs_total$audio}" 1 &&
	scohort metrics >out &&
	[ "$(grep -c "^slurm_cohort_evicted_jobs_total.* 0\$" out)" -eq 9 ] &&
	[ "$(metric "admission_wait_seconds_count$audio}")" = 1 ] &&
	[ "$(metric "admission_wait_seconds_bucket$audio,le=\"+Inf\"}")" = 1 ] &&
	sed -n "s/^slurm_cohort_admission_wait_seconds_bucket$audio,le=\"\([0-9.]*\)\"} /\1 /p" out >buckets && cat buckets &&
	[ "$(wc -l <buckets)" -eq 14 ] && waited=$(waited $new) && echo "waited for $waited s" &&
	awk -v waited=$waited "\$2 != (\$1 >= waited) { exit 1 }" buckets &&
	[ "$(metric "pass_duration_seconds_count")" -ge 1 ] &&
	[ "$(metric "plans_total")" -ge 1 ]
'

test_expect_success 'buckets are cumulative, and end in what is counted' '
	scohort metrics | awk -F"[{ ]" "
		/_bucket/ { n = \$NF; sub(/,?le=.*/, \"\", \$2); key = \$1 \$2
			if (key == last && n + 0 < before + 0) exit 1
			last = key; before = n; buckets++ }
		END { exit !(buckets > 30) }"
'

# The longest one is in the last bucket that has any
test_expect_success 'how long threads of the plugin hold the lock of slurmctld: each time is counted' '
	before=$(metric lock_hold_seconds_count) && [ "$before" -ge 1 ] &&
	wait_for 20 "[ \"\$(metric lock_hold_seconds_count)\" -gt $before ]" &&
	scohort metrics | awk "
		/^slurm_cohort_lock_hold_longest_seconds/ { longest = \$2 }
		/^slurm_cohort_lock_hold_seconds_bucket/ {
			bound = \$1; gsub(/.*le=.|.}\$/, \"\", bound)
			if (\$2 > counted) { counted = \$2; above = previous; upper = bound }
			previous = bound
		}
		END { print above, longest, upper
			exit !(longest > above + 0 && (upper == \"+Inf\" || longest <= upper + 0)) }"
'

test_expect_success PROMTOOL 'promtool has nothing to say of the older format' '
	scohort metrics --prometheus >out && ! grep EOF out &&
	promtool check metrics <out >said 2>&1 && test_must_be_empty said
'

# promtool reads OpenMetrics where it imports it: each sample needs its time
test_expect_success PROMTOOL 'OpenMetrics is read as such' '
	scohort metrics >out && [ "$(tail -n 1 out)" = "# EOF" ] &&
	awk -v now=$EPOCHSECONDS "/^#/ { print; next } { print \$0, now }" out >timed &&
	promtool tsdb create-blocks-from openmetrics timed blocks >said 2>&1 || { cat said; return 1; }
	promtool tsdb dump blocks >dump 2>/dev/null || promtool tsdb list blocks >dump
	grep -c "^slurm" out >expect && awk "NR == 2 { print \$7 }" said >got &&
	test_cmp expect got
'

test_expect_success PROMTOOL 'the alert rules are right' '
	promtool check rules "$TOP/etc/prometheus-alerts.yaml"
'

test_expect_success 'alerts and dashboard ask for nothing that is not there' '
	scohort metrics | sed -n "s/^\(slurm_cohort_[a-z_]*\).*/\1/p" | sort -u >there &&
	python3 -c "import json, sys; json.load(open(sys.argv[1]))" "$TOP/etc/grafana-dashboard.json" &&
	grep -ohE "slurm_cohort_[a-z_]+" "$TOP/etc/grafana-dashboard.json" "$TOP/etc/prometheus-alerts.yaml" |
		sort -u >asked &&
	[ "$(wc -l <asked)" -gt 10 ] &&
	comm -23 asked there >lacking && test_must_be_empty lacking
'

test_expect_success 'completion: commands, options, queues, fields' '
	cat >complete.sh <<-\EOT &&
	. "$TOP/etc/scohort.bash-completion"
	compopt() { :; }
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_scohort
	printf "%s\n" "${COMPREPLY[@]}"
	EOT
	complete() { TOP=$TOP bash complete.sh "$@" | xargs; }
	[ "$(complete scohort sta)" = status ] &&
	[ "$(complete scohort status --wa)" = --watch ] &&
	[ "$(complete scohort queue --l)" = "--local --limit=" ] &&
	[ "$(complete scohort status v)" = vision ] &&
	[ "$(complete scohort queue -o jobid,verd)" = jobid,verdict ] &&
	[ "$(complete scohort check cohort.y)" = cohort.yaml ] &&
	complete scohort why "" | grep -w "$more"
'

test_expect_success 'the man page has every command and option' '
	man=$TOP/doc/man/scohort.1 &&
	scohort --help | sed -n "/^Commands/,/^\$/s/^  \([a-z]*\).*/\1/p" >commands &&
	grep -x metrics commands &&
	while read -r command; do
		grep -q "^\.SS scohort $command" "$man" || echo "$command"
		scohort $command --help | grep -oE -e "--[a-z][a-z0-9-]+" | sort -u | while read -r option; do
			sed "s/\\\\-/-/g" "$man" | grep -q -e "$option" || echo "$command $option"
		done
	done <commands >lacking &&
	test_must_be_empty lacking
'

test_expect_success 'slurmctld is down: up is 0, and the status says so' '
	pid=$("$TESTSUITE/cluster" status --dir "$CLUSTER" | sed -n "s/^slurmctld runs (\([0-9]*\))/\1/p") &&
	kill $pid && wait_for 20 "! kill -0 $pid 2>/dev/null" &&
	test_expect_code 3 scohort metrics >out &&
	grep -x "slurm_cohort_up 0" out && [ "$(tail -n 1 out)" = "# EOF" ]
'

test_done
