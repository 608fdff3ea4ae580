# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# looks.sh - what our passes do in some time: how many records they look at, and the like
#
# Used: what lib.sh, lib/quota.sh, lib/scohort.sh and lib/cycles.sh have.

# The counters of one document, in the order of count()
counters() { scohort metrics | awk '
	{ value[$1] = $2 }
	END {
		n = split("pass_duration_seconds_count job_record_looks_total rule_matches_total " \
			"job_bookings_total plans_total reason_texts_total " \
			"saved_jobs_total preemption_candidates_total", name, " ")
		for (i = 1; i <= n; i++)
			printf "%s%s", value["slurm_cohort_" name[i]], i < n ? " " : "\n"
	}'; }

# count: sets $passes, $looks, $matches, $booked, $plans, $texts, $saved and
# $candidates to what was added since the last count, in no more than $ms milliseconds. All
# that was done before it is in, and nothing that was done before the last one.
count() {
	local begun now
	begun=$(now_ms)
	published_anew && read -r -a now < <(counters) && [ ${#now[@]} -eq 8 ] || return 1
	passes=$((now[0] - counted[0])) looks=$((now[1] - counted[1]))
	matches=$((now[2] - counted[2])) booked=$((now[3] - counted[3]))
	plans=$((now[4] - counted[4]))
	texts=$((now[5] - counted[5])) saved=$((now[6] - counted[6]))
	candidates=$((now[7] - counted[7]))
	ms=$(($(now_ms) - count_begun)) count_begun=$begun counted=("${now[@]}")
	echo "$passes passes, $looks looks, $matches matches, $booked booked, $plans plans," \
		"$texts texts, $saved saved, $candidates candidates in $ms ms"
}
counted=(0 0 0 0 0 0 0 0)
count_begun=0

# end_one: the first of "running"
end_one() { scancel "${running[0]}" && unset 'running[0]' && running=("${running[@]}"); }
