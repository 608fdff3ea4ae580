#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what bash offers after scohort, without slurmctld'
. "$(dirname "$0")/../lib/offline.sh"

# No slurmctld and no slurm.conf of this machine
unset "${!SLURM_@}" "${!SCOHORT_@}"
mkdir -p etc state
cat >etc/slurm.conf <<-EOF
	# StateSaveLocation=/nowhere
	ClusterName=c
	 statesavelocation = "$PWD/state"  # here
EOF
export SLURM_CONF=$PWD/etc/slurm.conf
cat >state/cohort_status.json <<-'EOF'
	{"version": 1, "time": 1,
	 "flavors": [{"name": "a100"}, {"name": "h100"}],
	 "cohorts": [{"name": "lab"}],
	 "clusterQueues": [
	  {"name": "vision", "cohort": "lab",
	   "quota": [{"flavor": "a100", "resource": "cpu"}, {"flavor": "h100", "resource": "cpu"},
	             {"flavor": "a100", "resource": "gres/gpu"}]},
	  {"name": "speech", "cohort": "lab", "quota": []}]}
EOF
# squeue is all that completion asks; it says here what it was asked
mkdir bin
printf '#!/bin/sh\necho 4711\necho "$*" >>"%s/asked"\n' "$PWD" >bin/squeue
chmod +x bin/squeue

# offers WORD...: in one line, sorted, what bash offers for the last of the words; the
# words are as bash divides them (= is one of them)
cat >offer.sh <<-'EOF'
	. "$1"
	shift
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	$(complete -p scohort | sed 's/.*-F \([^ ]*\) .*/\1/')
	printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
EOF
offers() { PATH=$PWD/bin:$PATH bash offer.sh "$top/etc/scohort.bash-completion" scohort "$@" 2>err | paste -sd ' '; }

# offered EXPECTED WORD...
offered() {
	local expected=$1 got
	shift
	got=$(offers "$@")
	[ "$got" = "$expected" ] && test_must_be_empty err || {
		echo "scohort $*: got \"$got\", expected \"$expected\""
		cat err
		return 1
	}
}

# What a help text has that begins with a dash, by other means
long_options() {
	scohort "$1" --help | awk '$1 ~ /^-.,$/ { print $2 } $1 ~ /^--/ { print $1 }' |
		sed 's/[[].*//; s/=.*/=/' | sort -u
}

commands=$(scohort --help | sed -n '/^Commands:/,/^$/p' | awk 'NR > 1 && NF { print $1 }')

test_expect_success 'the names, from the published file that slurm.conf leads to' '
	scohort status --names >out && sort -u out >names &&
	cat >expected <<-EOF &&
		cohort lab
		flavor a100
		flavor h100
		queue speech
		queue vision
		resource cpu
		resource gres/gpu
	EOF
	test_cmp expected names
'

test_expect_success 'a file of one'\''s own, and none: an error that names it' '
	mv state/cohort_status.json other.json &&
	SCOHORT_PUBLISH=$PWD/other.json scohort status --names >out && grep "^queue vision$" out &&
	test_expect_code 1 scohort status --names >out 2>err && test_must_be_empty out &&
	grep "scohort status: $PWD/state/cohort_status.json: No such file" err &&
	echo "{\"version\": 1, \"cohorts\": [3]}" >state/cohort_status.json &&
	test_expect_code 1 scohort status --names 2>err && grep "cohorts\[0\]" err &&
	mv other.json state/cohort_status.json
'

test_expect_success 'all commands' '
	[ "$(wc -w <<<"$commands")" -ge 16 ] &&
	offered "$(printf "%s\n" --help --version $commands | LC_ALL=C sort | paste -sd " ")" "" &&
	offered "simulate" sim && offered "drain" dr && offered "" nosuch
'

test_expect_success 'all options of each of them' '
	for c in $commands; do
		offers $c -- | tr " " "\n" | grep "^--" >got &&
		long_options $c >expected && [ -s expected ] &&
		sort -u got >got.sorted && test_cmp expected got.sorted || { echo "$c"; return 1; }
	done &&
	offered "--until=" set --u && offered "-w" status -w
'

test_expect_success 'names where a command takes them' '
	offered "lab speech vision" status "" && offered "vision" status v &&
	offered "speech vision" queue "" && offered "speech vision" queue vision "" &&
	for c in hold drain resume; do
		offered "speech vision" $c "" && offered "" $c vision "" || return 1
	done &&
	offered "speech vision" set "" && offered "a100 h100" set vision "" &&
	offered "cpu= gres/gpu=" set vision a100 "" && offered "gres/gpu=" set vision a100 g &&
	offered "" set vision a100 cpu = 4 ""
'

test_expect_success 'an option and its value are no operands' '
	offered "speech vision" set -u now+4h "" &&
	offered "a100 h100" set --until = now+4h vision "" &&
	offered "" set -u "" && offered "lab speech vision" status -a "" &&
	offered "cpu gres/gpu" status -r "" && offered "gres/gpu" status --resource = g &&
	offered "cpu gres/gpu" status --resource =
'

test_expect_success 'report: queues, periods, a database' '
	offered "speech vision" report "" && offered "day hour month week" report --by "" &&
	offered "etc/slurm.conf" report --db etc/ && offered "" record ""
'

test_expect_success 'fields, also after a comma' '
	offers status -o "" | grep -w nominal &&
	offered "name,nominal" status -o name,nom && offered "nominal" status --format = nom
'

test_expect_success 'files where files are wanted' '
	mkdir -p files && : >files/one.yaml &&
	for c in check diff apply simulate import whatif; do
		offered "files/one.yaml" $c files/ || return 1
	done &&
	offered "files/one.yaml" simulate -c files/ && offered "files/one.yaml" simulate --against = files/
'

test_expect_success 'jobs are one'\''s own; nothing else asks Slurm' '
	[ ! -e asked ] && offered 4711 why "" && [ "$(cat asked)" = "-h -o %i --me" ]
'

test_expect_success 'without a published file it offers nothing and says nothing' '
	rm state/cohort_status.json && offered "" status "" && offered "" set ""
'

test_done
