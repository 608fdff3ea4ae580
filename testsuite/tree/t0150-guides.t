#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every cohort.yaml in the documentation is one that is accepted, without a
# warning. A block ```yaml is a whole file, or its first line is "# fragment".
test_description='configurations and links in the documentation'
. "$(dirname "$0")/../lib.sh"

scohort() { "$BUILD/scohort" "$@"; }

# blocks FILE...: NNN.yaml for each block of yaml, with where it came from on top,
# or NNN.part if it is a fragment
blocks() {
	awk '
		/^```yaml$/ {
			file = sprintf("%03d.yaml", ++n)
			from = FILENAME ":" FNR
			next
		}
		file && /^```$/ { close(file); file = "" }
		file && from {
			if ($0 == "# fragment")
				sub(/yaml$/, "part", file)
			print "# " from >file
			from = ""
		}
		file { print >file }' "$@"
}

mkdir all && (cd all && blocks "$TOP"/README.md "$TOP"/doc/*.md)

test_expect_success 'there are whole ones' '
	test "$(ls all/*.yaml | wc -l)" -ge 8
'

test_expect_success 'each is accepted, and there is nothing to be said of it' '
	for file in all/*.yaml; do
		scohort check --offline "$file" >out 2>err && ! [ -s err ] || {
			head -n 1 "$file"
			cat err
			return 1
		}
	done
'

test_expect_success 'a fragment is no whole file' '
	for file in all/*.part; do
		[ -e "$file" ] || continue
		! grep -H "^clusterQueues:" "$file" || return 1
	done
'

test_expect_success 'one with an error would be found' '
	sed "s/nominalQuota/nominalQouta/" all/001.yaml >bad.yaml &&
	test_expect_code 1 scohort check --offline bad.yaml
'

test_expect_success 'the examples that are installed' '
	for file in "$TOP"/etc/*.yaml.example; do
		scohort check --offline "$file" >out 2>err && ! [ -s err ] || {
			cat err
			return 1
		}
	done
'

test_expect_success 'the first one of the README is etc/two-teams.yaml.example' '
	sed 1d all/001.yaml >readme &&
	sed -n "/^enforcement:/,\$p" "$TOP/etc/two-teams.yaml.example" >example &&
	test_cmp example readme
'

# LINK TARGET of every link to a file here
links() {
	local file
	for file in "$TOP"/*.md "$TOP"/doc/*.md; do
		grep -o "](\([^)]*\))" "$file" | sed "s/^](//; s/[#)].*//" |
			grep -v -e "^[a-z]*:" -e "^\$" | sed "s|^|${file%/*}/|"
	done
}

test_expect_success 'links lead somewhere' '
	links >targets &&
	test -s targets &&
	while read -r target; do
		[ -e "$target" ] || echo "$target"
	done <targets >nowhere &&
	test_must_be_empty nowhere
'

test_done
