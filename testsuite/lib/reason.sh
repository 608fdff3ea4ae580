# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# reason.sh - the parts of the text that squeue shows for a job that waits
#
#	Cohort:pos=3/41,wait=quota(gres/gpu@a100),need=8,free=2,cq=vision

# reason_pos ID: "3/41"; "" if the job has no position
reason_pos() { job_reason "$1" | sed -n 's/^Cohort:pos=\([^,]*\),.*/\1/p'; }

# reason_wait ID: "quota(gres/gpu@a100)"
reason_wait() { job_reason "$1" | sed -n 's/^Cohort:.*,wait=\([^,]*\).*/\1/p'; }

# positions ID...: all of them in one look, "1/3 2/3 - 3/3". After Slurm has tried a
# job that is alone in its queue, its own word (Resources) stands there until ours
# is put back: that moment is not looked at.
positions() {
	local list looks=10 jobs
	list=$(IFS=,; echo "$*")
	while jobs=$(squeue -h -r -j "$list" -o '%A %r' 2>/dev/null) &&
		[ $((--looks)) -gt 0 ] && [[ $jobs =~ \ (Resources|Priority)($|$'\n') ]]; do
		sleep 0.05
	done
	awk -v ids="$*" '
		{
			pos[$1] = "-"
			if (match($2, /^Cohort:pos=[^,]*/))
				pos[$1] = substr($2, 12, RLENGTH - 11)
		}
		END {
			n = split(ids, id, " ")
			for (i = 1; i <= n; i++)
				printf "%s%s", (i == 1 ? "" : " "),
					(id[i] in pos ? pos[id[i]] : "gone")
			print ""
		}' <<<"$jobs"
}

# in_line ID...: each has a position
in_line() {
	[[ " $(positions "$@")" =~ ^(\ [0-9]+(/[0-9]+)?[+]?)+$ ]]
}

# is_refused ID REASON: Slurm's own, and soon
is_refused() { wait_for 30 "[ \"\$(job_reason $1)\" = $2 ]"; }

# says ID TEXT: soon the text has that in it
says() {
	wait_for 10 "job_reason $1 | grep -q -- '$2'" || {
		job_reason "$1"
		return 1
	}
}
