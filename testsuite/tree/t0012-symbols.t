#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The linker takes from a library the first object that has a name, and says nothing of a
# second one: which of the two is called would depend on the order of files.
test_description='no two objects of a library of ours define the same global name'
. "$(dirname "$0")/../lib.sh"

# twice LIBRARY: the names that more than one of its objects define, and the objects. Weak
# ones may be there more than once.
twice() {
	nm -A -g --defined-only "$1" >names 2>err || { cat err; return 1; }
	awk '$(NF - 1) !~ /^[VWvwu]$/ { print $NF }' names | sort | uniq -d >doubles
	awk 'NR == FNR { double[$1] = 1; next } $NF in double { print $1, $NF }' doubles names
}

test_expect_success 'found: two objects with the same name; not: one that is static, weak, or only asked for' '
	for file in a b; do
		echo "int same(void); static int mine(void) { return 0; } int $file(void); int $file(void) { return mine(); }" >$file.c &&
		echo "int weak(void); __attribute__((weak)) int weak(void) { return 0; }" >>$file.c || return 1
	done &&
	echo "int same(void) { return 0; }" >>a.c && echo "int asks(void); int asks(void) { return same(); }" >>b.c &&
	${CC:-cc} -c a.c b.c && ar rcs good.a a.o b.o && twice good.a >said && test_must_be_empty said &&
	echo "int same(void) { return 1; }" >>b.c && ${CC:-cc} -c b.c && ar rcs bad.a a.o b.o && twice bad.a >said &&
	[ "$(wc -l <said)" = 2 ] && grep "a.o.*same$" said && grep "b.o.*same$" said
'

test_expect_success 'our libraries have none' '
	ls "$BUILD"/*.a >libraries && [ "$(wc -l <libraries)" -ge 3 ] &&
	while read -r library; do
		twice "$library" >said && [ "$(wc -l <names)" -ge 10 ] && test_must_be_empty said || { echo "$library"; cat said; return 1; }
	done <libraries
'

test_done
