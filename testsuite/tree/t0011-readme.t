#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='documents name what is there: each test its line in README.md, each path a file'
. "$(dirname "$0")/../lib.sh"

readme=$TESTSUITE/README.md

# README.md as it should be: the folders in the order that it has them, and the
# tests by number, each with the first line of its description
lines_of_folder() {
	local test words
	echo "## $1"
	for test in "$TESTSUITE/$1"/t[0-9]*.t; do
		words=$(sed -n -E "/^test_description=/{
			s/^test_description=(\\$\{test_description-)?(['\"])(.*)/\2\3/
			s/^'([^']*).*/\1/; s/^\"([^\"]*).*/\1/; p; q; }" "$test")
		[ -n "$words" ] || words="has no test_description"
		test=${test##*/}
		echo "- ${test%.t}: $words"
	done
}

folders_with_tests() {
	(cd "$TESTSUITE" && printf '%s\n' */t[0-9]*.t | cut -d / -f 1 | sort -u)
}

test_expect_success 'every folder with tests has a section, every test its line' '
	grep "^## [a-z]*$" "$readme" | sed "s/^## //" >sections &&
	sort sections | diff - <(folders_with_tests) &&
	while read -r folder; do
		lines_of_folder "$folder" || exit 1
	done <sections >expected &&
	sed "/^## Only in/,\$d" "$readme" | grep -E "^## [a-z]*$|^- t[0-9]" >actual &&
	diff expected actual
'

test_expect_success 'no number is given twice' '
	find "$TESTSUITE" -name "t[0-9]*.t" -printf "%f\n" | cut -c 1-5 | sort >numbers &&
	uniq -d numbers >twice && test_must_be_empty twice
'

test_expect_success 'a name in "slow", "elsewhere" or the list of check-long is the number of a test' '
	{
		sed "s/#.*//" "$TESTSUITE/slow" "$TESTSUITE/elsewhere"
		sed -n "/^## Only in/,/^## [^O]/s/^- \\([t0-9, ]*\\):.*/\\1/p" "$readme" | tr -d ,
	} | xargs -n 1 | sort -u >names && [ "$(wc -l <names)" -gt 50 ] &&
	comm -23 names numbers >gone &&
	test_must_be_empty gone
'

test_expect_success 'every path of src or testsuite in a document is there' '
	(cd "$TOP" && grep -noE "\b(src/(common|config|scohort|plugins)|testsuite)/[A-Za-z0-9_./-]*[A-Za-z0-9]" \
		*.md doc/*.md testsuite/*.md) |
		while IFS=: read -r file line path; do
			[ -e "$TOP/$path" ] || [ "${path##*/}" = NAME ] || echo "$file:$line: $path is not there"
		done >wrong &&
	cat wrong && test_must_be_empty wrong
'

test_done
