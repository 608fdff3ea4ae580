#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a copy of the tree is built again where its source is another one, whatever its time'
. "$(dirname "$0")/../lib.sh"

# shellcheck source=../lib/copy_tree.sh
. "$TESTSUITE/lib/copy_tree.sh"
top=$WORK/tree work=$WORK/lists
mkdir -p "$top"/{src/part,build,.ci} "$work"

cat >"$top/Makefile" <<'END'
build/all: build/a.o build/b.o
	cat $^ >$@
build/%.o: src/part/%.c
	@mkdir -p build
	cp $< $@
END
echo one >"$top/src/part/a.c"
echo two >"$top/src/part/b.c"
echo words >"$top/.ci/run"
echo in >"$top/config.mk.in"
touch "$top"/{build/object,config.mk,configure}
chmod 755 "$top/.ci/run"

copied() { copy_tree "$WORK/copy" && make -C "$WORK/copy" >made; }
made() { grep "^cp" made | grep -o "[ab]\\.o$"; }

test_expect_success 'all is copied but what was configured and built' '
	copied && (cd "$WORK/copy" && find . -type f ! -path "./build/*" | sort) >files &&
	printf "./%s\n" .ci/run Makefile config.mk.in src/part/a.c src/part/b.c | diff - files &&
	[ -x "$WORK/copy/.ci/run" ] && [ "$(made | xargs)" = "a.o b.o" ]
'

test_expect_success 'nothing is new: nothing is made' '
	touch "$top"/src/part/* && copied && ! made
'

test_expect_success 'another source is made, though it is older than what was made of the one before' '
	echo three >"$top/src/part/a.c" && touch -d 2020-01-01 "$top/src/part/a.c" && copied &&
	[ "$(made)" = a.o ] && [ "$(xargs <"$WORK/copy/build/all")" = "three two" ]
'

test_expect_success 'so it is if the build was broken off' '
	echo four >"$top/src/part/b.c" && touch -d 2020-01-01 "$top/src/part/b.c" &&
	copy_tree "$WORK/copy" && copied && [ "$(made)" = b.o ]
'

test_expect_success 'a program that may be run later may be run in the copy' '
	chmod 755 "$top/config.mk.in" && copied && [ -x "$WORK/copy/config.mk.in" ]
'

test_expect_success 'a source that is gone takes all that was built with it' '
	rm "$top/src/part/b.c" && sed -i "s/ build.b.o//" "$top/Makefile" && copied &&
	[ "$(made)" = a.o ] && [ "$(cat "$WORK/copy/build/all")" = three ]
'

test_done
