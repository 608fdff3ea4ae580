#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='make dist: a tarball of a release'
. "$(dirname "$0")/../lib.sh"

version=$(sed -n 's/^VERSION = //p' "$TOP/config.mk")
committed() { git -c user.name=t -c user.email=t@example.org "$@" >"$WORK/git.log" 2>&1; }
heading() { sed -i "0,/^## .*/s//## $1/" tree/NEWS.md && (cd tree && committed commit --allow-empty -am heading); }

mkdir tree
tar -C "$TOP" --exclude=./.git --exclude=./.cache --exclude=./build --exclude=./autom4te.cache -cf - . | tar -C tree -xf -
(cd tree && committed init && committed add -A && committed commit -m all) || exit 1

test_expect_success 'a version without a date is refused, with file and line' '
	heading "$version (unreleased)" &&
	test_must_fail make -s -C tree dist DIST_DIR="$PWD/out" 2>err &&
	grep "NEWS.md:3: .## $version (unreleased). should be .## $version (YYYY-MM-DD)" err
'

test_expect_success 'another version is refused' '
	heading "9.9 (2026-12-01)" &&
	test_must_fail make -s -C tree dist DIST_DIR="$PWD/out" 2>err &&
	grep "should be .## $version (YYYY-MM-DD)" err
'

test_expect_success 'what is not committed is refused' '
	heading "$version (2026-12-01)" && echo >>tree/README.md &&
	test_must_fail make -s -C tree dist DIST_DIR="$PWD/out" 2>err &&
	grep "commit what git status shows" err && (cd tree && committed checkout README.md)
'

test_expect_success 'a release has all files, and make knows its goals without git' '
	make -s -C tree dist DIST_DIR="$PWD/out" >made &&
	tar -tzf "out/slurm-cohort-$version.tar.gz" | grep -v "/$" | sed "s,^slurm-cohort-$version/,," | sort >has &&
	(cd tree && git ls-files | sort) >wants && test_cmp wants has &&
	tar -xzf "out/slurm-cohort-$version.tar.gz" &&
	make -s -C "slurm-cohort-$version" help | grep "make check"
'

test_done
