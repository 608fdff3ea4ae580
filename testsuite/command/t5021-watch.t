#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='scohort queue --watch: the line anew, on a terminal in place, which is as before afterwards'
. "$(dirname "$0")/../lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

{
	quota_head
	echo 'clusterQueues:'
	queue q 4
} >cohort.yaml
quick_scheduler >slurm.conf
cluster_up --cohort cohort.yaml --slurm-conf slurm.conf

# terminal: Python on stdin, with Terminal
terminal() { PYTHONPATH=$TESTSUITE/command PYTHONDONTWRITEBYTECODE=1 python3 - "$@"; }

test_expect_success 'one runs and waiting ones have their places' '
	running=$(submit -A q -N1 -n4) && all_run $running && a=$(submit -A q -n4) && b=$(submit -A q -n4) &&
	wait_for 10 "[ \"\$(positions $a $b)\" = \"1/2 2/2\" ]" && wait_for 10 "scohort queue | grep \"^$b  *q  *2/2\""
'


test_expect_success 'in place: what has changed is there, nothing flickers, Ctrl-C restores the terminal' '
	terminal $a $b <<-"END"
		import os, signal, subprocess, sys
		from terminal import Terminal
		a, b = sys.argv[1:]
		t = Terminal(["scohort", "queue", "--watch=1"])
		t.shows("scohort queue: every 1 s, 20")
		t.shows("\nJOBID")
		t.shows(f"\n{a}")
		t.shows(f"\n{b}")
		assert "?1049" in t.modes and "?25" not in t.modes and t.clears == 1, (t.modes, t.clears)
		subprocess.run(["scancel", a], check=True)
		t.until(lambda: f"\n{a}" not in t.screen() and f"\n{b}" in t.screen())
		frames = t.frames
		t.until(lambda: t.frames >= frames + 3)
		assert t.clears == 1 and not t.scrolls, (t.clears, t.scrolls)
		t.type(b"\x03")
		status = t.end()
		assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, status
		assert t.is_restored(), t.modes
	END
'

test_expect_success 'as many lines and columns as the terminal has, at once when that changes' '
	c=$(submit -A q -n4 -a 1-9) && for i in 1 2 3 4 5 6 7 8; do d=$(submit -A q -n4) || return 1; done &&
	wait_for 10 "scohort queue -n | grep \"^$d\"" && terminal $b $d <<-"END"
		import sys
		from terminal import Terminal
		b, d = sys.argv[1:]
		t = Terminal(["scohort", "queue", "--watch=600"], rows=40)
		t.shows(f"\n{d}")
		for rows, columns in (6, 50), (30, 100):
		    frames = t.frames
		    t.resize(rows, columns)
		    t.until(lambda: t.frames > frames and t.frame())
		    shown = t.frame()
		    assert len(shown) <= rows and max(map(len, shown)) <= columns, shown
		    assert "600 s" in shown[0] and any(line.startswith(b + " ") for line in shown), shown
		    assert any(line.startswith(d + " ") for line in shown) == (rows == 30), shown
		assert not t.scrolls
		t.kill(15)
		t.end()
		assert t.is_restored()
	END
'

test_expect_success 'Ctrl-Z gives the terminal back; behind the shell it is silent; it goes on in front' '
	terminal $b <<-"END"
		import re, sys, time
		from terminal import Terminal, state
		t = Terminal(["bash", "-c", "set -m; scohort queue --watch=1; echo \"stopped: $(jobs -p).\"; read line;"
		              "bg; echo behind; read line; echo before; fg"])
		t.shows(f"\n{sys.argv[1]}")
		t.type(b"\x1a")
		t.until(lambda: re.search(rb"stopped: (\d+)\.", t.raw) and t.is_restored())
		pid = re.search(rb"stopped: (\d+)\.", t.raw)[1].decode()
		assert state(pid) == "T"
		t.type(b"\n")
		t.until(lambda: b"behind" in t.raw and state(pid) != "T")
		rounds = time.monotonic() + 3
		t.until(lambda: time.monotonic() > rounds)
		t.type(b"\n")
		t.until(lambda: b"before" in t.raw and "?1049" in t.modes)
		silent = t.raw.split(b"stopped: ")[1].split(b"before")[0]
		assert b"\033" not in silent, silent
		t.shows(f"\n{sys.argv[1]}")
		t.type(b"\x03")
		t.end()
		assert t.is_restored()
	END
'

test_expect_success 'Ctrl-Z where no shell could continue it: it goes on at once' '
	terminal $b <<-"END"
		import sys
		from terminal import Terminal, state
		t = Terminal(["scohort", "queue", "--watch=600"])
		t.shows(f"\n{sys.argv[1]}")
		frames = t.frames
		t.type(b"\x1a")
		t.until(lambda: t.frames > frames + 1 and t.frame() and "?1049" in t.modes)
		assert state(t.pid) != "T" and t.clears == 2
		t.type(b"\x03")
		t.end()
		assert t.is_restored()
	END
'

test_expect_success 'other signals, and a wrong slurm.conf: the terminal is as before' '
	terminal $b <<-"END" &&
		import os, signal, sys
		from terminal import Terminal
		for name in "USR1", "USR2", "PIPE", "ALRM", "ABRT", "SEGV", "HUP", "QUIT":
		    t = Terminal(["scohort", "queue", "--watch=600"])
		    t.shows(f"\n{sys.argv[1]}")
		    number = getattr(signal, "SIG" + name)
		    t.kill(number)
		    status = t.end()
		    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, (name, status)
		    assert t.is_restored(), (name, t.modes)
	END
	{ cat "$SLURM_CONF" && echo "SlurmctldPort=wrong"; } >wrong.conf && SLURM_CONF=$PWD/wrong.conf terminal <<-"END"
		import os
		from terminal import Terminal
		t = Terminal(["scohort", "queue", "--watch=1"], columns=300)
		status = t.end()
		assert os.WEXITSTATUS(status) == 1 and t.is_restored(), (status, t.modes)
		assert b"\033" not in t.raw and b"SlurmctldPort" in t.raw, t.raw
	END
'

# Ctrl-S stops the terminal, which then takes nothing for longer than a round
test_expect_success 'Ctrl-S on a terminal that makes no writer wait: it goes on after Ctrl-Q' '
	terminal $b <<-"END"
		import sys, time
		from terminal import Terminal
		t = Terminal(["scohort", "queue", "--watch=1"], nonblocking=True)
		t.shows(f"\n{sys.argv[1]}")
		t.type(b"\x13")
		rounds = time.monotonic() + 3
		t.until(lambda: time.monotonic() > rounds)
		frames = t.frames
		t.type(b"\x11")
		t.until(lambda: t.frames >= frames + 2)
		t.type(b"\x03")
		t.end()
		assert t.is_restored()
	END
'

test_expect_success 'what ends it is told when the terminal is as before; wrong seconds' '
	terminal <<-"END" &&
		import os
		from terminal import Terminal
		t = Terminal(["scohort", "queue", "--watch", "nobody"])
		status = t.end()
		assert os.WEXITSTATUS(status) == 1 and t.is_restored(), status
		assert b"there is no cluster queue \"nobody\"" in t.raw.split(b"\033[?1049l")[-1], t.raw
	END
	test_expect_code 2 scohort queue --watch=0 2>err && grep "^scohort queue: --watch: 0 seconds is too few" err
'

test_expect_success 'no terminal, a dumb one, or -P: one round after the other, without control characters' '
	{ timeout 100 scohort queue --watch=1 >watch & } && watcher=$! &&
	wait_for 20 "[ \$(grep -c \"^scohort queue: every 1 s, 20\" watch) -ge 2 ]" && kill $watcher && grep "^$b" watch &&
	! grep "$(printf "\\033")" watch &&
	terminal $b <<-"END"
		import os, re, sys
		from terminal import Terminal
		row = re.compile(rf"\n{sys.argv[1]}[ |]|\"jobId\": ?\"{sys.argv[1]}\"".encode())
		for term, more in ("dumb", []), ("xterm", ["-P"]), ("xterm", ["--json"]):
		    os.environ["TERMINAL"] = term
		    t = Terminal(["scohort", "queue", "--watch=1"] + more)
		    t.until(lambda: len(row.findall(t.raw)) >= 2)
		    assert b"\033" not in t.raw, t.raw
		    t.type(b"\x03")
		    t.end()
	END
'

test_expect_success 'slurmctld goes: that is told in place, and it goes on when slurmctld is back' '
	terminal $b "$PWD" <<-"END" &
		import pathlib, sys
		from terminal import Terminal
		b, here = sys.argv[1], pathlib.Path(sys.argv[2])
		t = Terminal(["scohort", "queue", "--watch=1"], columns=150)
		t.shows(f"\n{b}")
		(here / "shown").touch()
		t.until(lambda: f"\n{b}" not in t.screen() and "slurmctld" in t.screen(), 90)
		assert not t.scrolls and t.clears == 1
		(here / "told").touch()
		t.shows(f"\n{b}", 120)
		t.type(b"\x03")
		t.end()
		assert t.is_restored()
	END
	watcher=$! && wait_for 60 "[ -e shown ]" && cluster_stop_ctld && wait_for 90 "[ -e told ]" && cluster_restart_ctld &&
	wait $watcher
'

test_done
