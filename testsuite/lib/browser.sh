# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# browser.sh - a headless Chromium, driven by testsuite/web/browser.py
#
# Needs: wait_for, $TESTSUITE, and $CLUSTER: what a test leaves of its browser goes
# with its cluster, by the mark of procs.sh.

if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
	test_set_prereq BROWSER
else
	echo "# no browser (Debian: chromium-driver): its tests are skipped" >&2
fi

# browser_start [dark]
browser_start() {
	rm -f browser.log
	setpriv --pdeathsig TERM env "$(procs proc_mark)" chromedriver --port=0 >browser.log 2>&1 &
	browser_pid=$!
	wait_for 60 'grep "started successfully on port" browser.log' || { cat browser.log; return 1; }
	sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' browser.log >browser.session
	browser start "$@"
}

# browser COMMAND [ARGUMENT...]: as browser.py has them
browser() { python3 "$TESTSUITE/web/browser.py" browser.session "$@"; }

browser_stop() {
	browser stop
	kill "$browser_pid" && wait "$browser_pid"
	:
}
