# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# places.sh - which nodes a job of the queue q gets, by its options
#
# Used: what lib.sh, quota.sh and reason.sh have.

# runs_on NODES OPTIONS...: a job with these starts there
runs_on() {
	local id nodes=$1 rc
	shift
	id=$(submit -A q "$@") && all_run "$id" &&
	[ "$(running_nodes "$id" | xargs)" = "$nodes" ]
	rc=$?
	running_nodes "$id"
	scancel "$id" && wait_for 10 '[ -z "$(squeue -h -t R,CG -A q)" ]'
	return $rc
}

# never OPTIONS...: no flavor has the nodes for it, and it says so
never() {
	local id
	id=$(submit -A q "$@") && wait_for 10 "[ \"\$(reason_wait $id)\" = 'never(nodes)' ]" || {
		job_reason "$id"
		return 1
	}
	holds_for 1 "job_waits $id" && scancel "$id"
}
