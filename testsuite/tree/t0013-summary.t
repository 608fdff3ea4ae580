#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A log of `make check` is all that is left of a machine that CI had: what is not in it
# cannot be asked.
test_description='the summary of make check says what a program that failed has said'
. "$(dirname "$0")/../lib.sh"

# program NAME LINE...: a test program, and the file with what it says on stderr
program() {
	printf '#!/bin/sh\n' >"$1" && chmod +x "$1" && echo "words of $1" >"$1.err" &&
	local name=$1 && shift && printf 'echo "%s"\n' "$@" >>"$name"
}

test_expect_success 'of a failure: comments and stderr; of a success: nothing; each version is counted' '
	mkdir 1.0 2.0 && program 1.0/good 1..1 "# fine" "ok 1 - a" &&
	program 2.0/bad 1..2 "# exponent 1.29" "not ok 1 - a" "# a step" "ok 2 - b # SKIP no disk" &&
	printf "1.0\tone (here)\n2.0\ttwo (there)\n3.0\tthree\tno root\n" >versions &&
	! COHORT_VERSIONS=versions PERL5LIB=$COHORT_TOP/testsuite/lib prove --harness Summary \
		--exec env 1.0/good 2.0/bad >said 2>err &&
	grep "^Slurm one (here): 1 programs, 1 tests ran, 0 skipped" said &&
	grep "^Slurm two (there): 1 programs, 1 tests ran, 1 skipped" said &&
	grep "^  skipped: bad 2: no disk" said && grep "^Slurm three: not run: no root" said &&
	sed -n "/^2.0.bad said:/,/^words/p" said >bad &&
	printf "%s\n" "2.0/bad said:" "# exponent 1.29" "# a step" "words of 2.0/bad" >expected &&
	test_cmp expected bad && ! grep "fine\|words of 1.0" said
'

test_expect_success 'of a program that says much: its last sixty comments' '
	mapfile -t lines < <(seq -f "# line %.0f" 100) && program 1.0/much 1..1 "${lines[@]}" "not ok 1" &&
	! COHORT_VERSIONS=versions PERL5LIB=$COHORT_TOP/testsuite/lib prove --harness Summary \
		--exec env 1.0/much >said 2>err &&
	[ "$(grep -c "^# line" said)" = 60 ] && grep "^# line 41$" said && grep "^# line 100$" said
'

test_done
