# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# web.sh - scohort web, on a free port of 127.0.0.1
#
# Needs: wait_for, and scohort in PATH.

if scohort --help | grep '^  web ' >/dev/null; then
	test_set_prereq WEB
else
	echo "# scohort has no web here (Debian: libmicrohttpd-dev): its tests are skipped" >&2
fi

# The pages of the past need scohort record
if scohort record --help >/dev/null 2>&1; then
	test_set_prereq PAST
else
	echo "# scohort has no record here (Debian: libsqlite3-dev): tests of it are skipped" >&2
fi

# web_start [OPTION...]: sets $web, its address, which ends in a slash, and
# $web_pid
web_start() {
	rm -f web.address
	# it ends with this test, however that ends: prove waits for who has its pipes
	setpriv --pdeathsig KILL scohort web --listen 127.0.0.1:0 "$@" >web.address 2>web.err &
	web_pid=$!
	wait_for 30 '[ -s web.address ]' || { cat web.err; return 1; }
	web=$(cat web.address)
}

# web_stop: as Ctrl-C would, and it says nothing of it
web_stop() {
	kill -TERM "$web_pid" && wait "$web_pid"
}

# page PATH: what curl gets, within a minute
page() { curl -sS -m 60 --path-as-is "$web$1"; }

# code PATH [CURL-OPTION...]: only the status of HTTP
code() { curl -sS -m 60 --path-as-is -o /dev/null -w '%{http_code}' "${@:2}" "$web$1"; }

# rows PATH: the rows of the page's tables, a line each: fields with | between
rows() { page "$1" | python3 "$web_lib/page.py"; }

# warnings PATH: what the page warns of, a line each
warnings() { page "$1" | python3 "$web_lib/page.py" --warnings; }
