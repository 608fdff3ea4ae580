#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table is the file "layers", the judge the program "architecture". Before
# it judges our code it has to find each fault in a small tree.
test_description='layers: no call or include goes up or in a circle, nothing is too large'
. "$(dirname "$0")/../lib.sh"

architecture=$TESTSUITE/tree/architecture

# small_tree: the parts one (low < mid < high) and two, which knows one; no faults
small_tree() {
	rm -rf small && mkdir -p small/src/{one/{low,mid,high},two} && cd small || return
	cat >layers <<-END
		part one:
		part two: one
		layers one
		  low
		  mid side
		  high
		  *
		headers one: stddef.h
		calls one: malloc
		limit folder_files 4
		limit file_lines 12
		limit function_lines 4
	END
	mkdir src/one/side
	echo 'int low(void);' >src/one/low/low.h
	source_of one/low/low low
	echo 'int mid(void);' >src/one/mid/mid.h
	source_of one/mid/mid mid low
	echo 'int side(void);' >src/one/side/side.h
	source_of one/side/side side low
	echo 'int high(void);' >src/one/high/high.h
	source_of one/high/high high mid
	echo 'int one(void);' >src/one/one.h
	source_of one/one one high
	echo 'int two(void);' >src/two/two.h
	source_of two/two two one
}

# source_of FILE FUNCTION CALLED...: FILE.c has the function, which calls the
# others. Headers are not needed for that, so each fault is alone.
source_of() {
	local file=$1 name=$2 called
	shift 2
	{
		for called; do echo "int $called(void);"; done
		printf 'int %s(void);\nint %s(void)\n{\n\treturn 0' "$name" "$name"
		for called; do printf ' + %s()' "$called"; done
		printf ';\n}\n'
	} >"src/$file.c"
}

# include FILE HEADER: as the first line
include() { sed -i "1i #include $2" "src/$1"; }

# judged [PAGE]: builds the small tree and asks; what is said is in the file "said"
judged() {
	local file
	(
		cd small || exit 2
		for file in $(find src -name '*.c'); do
			file=${file#src/}
			mkdir -p "build/obj/${file%/*}" &&
				${CC:-cc} -MMD -iquote src/one -iquote src/two -c -o \
					"build/obj/${file%.c}.o" "src/$file" || exit 2
		done
		"$architecture" layers . build "$@" >../said
	)
}

# finds TEXT...: these faults and no others are said
finds() {
	judged
	[ $? -eq 1 ] && cat said && printf '%s\n' "$@" | diff - said
}

test_expect_success 'a tree that keeps to its layers' '
	(small_tree) && judged && test_must_be_empty said
'

test_expect_success 'found: a call that goes up' '
	(small_tree && source_of one/low/low low high && source_of one/high/high high) &&
	finds "one/low/low.c -> one/high/high.c: upward: high"
'

test_expect_success 'found: an include that goes up, of a header too' '
	(small_tree && include one/low/low.h "\"mid/mid.h\"" && include one/low/low.c "\"low/low.h\"" &&
		include one/mid/mid.c "\"one.h\"") &&
	finds "one/low/low.h -> one/mid/mid.h: upward: includes it" \
		"one/mid/mid.c -> one/one.h: upward: includes it"
'

test_expect_success 'found: folders of one layer that know each other' '
	(small_tree && source_of one/side/side side mid) &&
	finds "one/side/side.c -> one/mid/mid.c: of one layer: mid"
'

test_expect_success 'found: a call from a part to one that it does not know' '
	(small_tree && source_of one/high/high high two && source_of two/two two) &&
	finds "one/high/high.c -> two/two.c: one does not know two: two"
'

test_expect_success 'the same name in a part that is not linked with this one is no call' '
	(small_tree && echo "part three: one" >>layers && mkdir src/three &&
		source_of three/three same && source_of two/two two same) &&
	judged && test_must_be_empty said
'

test_expect_success 'found: a circle of calls' '
	(small_tree && source_of one/mid/mid mid other && source_of one/mid/other other third &&
		source_of one/mid/third third mid) &&
	finds "circle of 3 files: one/mid/mid.c one/mid/other.c one/mid/third.c" \
		"  one/mid/mid.c -> one/mid/other.c: other" \
		"  one/mid/other.c -> one/mid/third.c: third" \
		"  one/mid/third.c -> one/mid/mid.c: mid"
'

test_expect_success 'found: a circle of headers' '
	(small_tree && echo "#pragma once" | tee src/one/low/a.h >src/one/low/b.h &&
		include one/low/a.h "\"low/b.h\"" && include one/low/b.h "\"low/a.h\"") &&
	finds "circle of 2 files: one/low/a.h one/low/b.h" \
		"  one/low/a.h -> one/low/b.h: includes it" \
		"  one/low/b.h -> one/low/a.h: includes it"
'

test_expect_success 'found: an include that only the compiler sees' '
	(small_tree && include one/low/low.c "TEXT" && sed -i "1i #define TEXT \"low/low.h\"" \
		src/one/low/low.c) &&
	finds "one/low/low.c -> one/low/low.h: included, but no #include of it was found"
'

test_expect_success 'found: a header or a function of the system that is not for the part' '
	(small_tree && include one/low/low.c "<time.h>" && include one/mid/mid.c "<stddef.h>" &&
		sed -i "s/return 0/return (int)time(NULL)/" src/one/low/low.c) &&
	finds "one/low/low.c -> time: no function for one" \
		"one/low/low.c -> <time.h>: no header for one"
'

test_expect_success 'found: a file that is in no layer, and a layer that is not there' '
	(small_tree && mkdir src/one/new && source_of one/new/new new && sed -i "s/high/& gone/" layers) &&
	finds "one/new/new.c: of no layer of one" "layers: one/gone is not there"
'

test_expect_success 'found: too many files, lines of a file and of a function' '
	(small_tree && touch src/one/low/{a,b,c}.h && seq -f "/* %g */" 13 >src/one/mid/mid.h &&
		sed -i "s/return/;\n\n&/" src/one/high/high.c) &&
	finds "one/low: 5 files, at most 4" "one/high/high.c:4: high(): 5 lines, at most 4" \
		"one/mid/mid.h: 13 lines, at most 12"
'

test_expect_success 'found: an object that is not built' '
	(small_tree) && judged && rm small/build/obj/two/two.* &&
	(cd small && test_must_fail "$architecture" layers . build) >said &&
	grep "^two/two.c: not built: no build/obj/two/two.d$" said
'

test_expect_success 'found: a page that is no longer true' '
	(small_tree && cat >page <<-END
		low < mid, side < high
		low/low.c: low(), high.c and mid/mid.c: mad() and gone.c
	END
	) &&
	judged page
	[ $? -eq 1 ] && printf "%s\n" "page: mid/mid.c has no mad()" "page: gone.c is not there" |
		diff - said
'

test_expect_success 'our code keeps to its layers' '
	(cd "$TOP" && "$architecture" -v "$TESTSUITE/tree/layers" . "$BUILD" \
		doc/architecture.md CONTRIBUTING.md)
'

test_done
