# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# looks.sh - how many records the passes look at
#
# Used: what lib.sh and lib/scohort.sh have, and may_look MILLISECONDS PASSES of the test: how
# many looks that time and so many passes may take.

looks() { metric job_record_looks_total; }

# few COMMAND...: after each of eight passes; and all of them look at far fewer records than
# eight looks at all would be
few() {
	local since looks passes
	since=$(now_ms) looks=$(looks) passes=$(passes)
	for _ in 1 2 3 4 5 6 7 8; do
		"$@" >command 2>&1 && passes_on 0 || return 1
	done
	looks=$(($(looks) - looks)) passes=$(($(passes) - passes))
	since=$(($(now_ms) - since))
	echo "$looks looks, $passes passes, $since ms, at most $(may_look $since $passes)"
	[ $looks -le "$(may_look $since $passes)" ]
}

# end_one: the first of "running"
end_one() { scancel "${running[0]}" && unset 'running[0]' && running=("${running[@]}"); }
