#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fortnight.py DATABASE - two weeks of two groups, for pictures

Into a database that scohort record has made, in place of what it has recorded. lattice works by day, plasma by night; each has
16 GPUs and borrows what the other leaves idle. In the morning lattice takes its own back.
"""
import math
import random
import sqlite3
import sys
import time

OWNED, HOUR, DAYS, FIRST_JOB = 16, 3600, 14, 4000
base = sqlite3.connect(sys.argv[1])
now = int(time.time()) // HOUR * HOUR
random.seed(7)


def add(sql, *values):
    return base.execute(sql, values).lastrowid


def wish(hour, best):
    """What the jobs of a queue could use in that hour of the day, most at `best`"""
    return max(0, 16 + 14 * math.cos((hour - best) / 24 * 2 * math.pi) + random.uniform(-4, 4))


for table in ("node", "pair", "link", "what", "counter", "usage", "loan", "tally", "gap", "event", "event_lost"):
    base.execute(f"DELETE FROM {table}")
queues = ["lattice", "plasma"]
nodes = [add("INSERT INTO node(is_cohort, name) VALUES (0, ?)", name) for name in queues]
pairs = [add("INSERT INTO pair(node, resource, flavor) VALUES (?, 'gres/gpu', 'a100')", node) for node in nodes]
what = {name: add("INSERT INTO what(name) VALUES (?)", name)
        for name in ["evicted InCohortReclamation", "caused InCohortReclamation", "delay 60", "delay 600", "delay 3600"]}
for i in range(DAYS * 24, 0, -1):
    slot = now - i * HOUR
    wishes = [wish(slot // HOUR % 24, 13), wish(slot // HOUR % 24, 2)]
    own = [min(w, OWNED) for w in wishes]
    lent = [0, 0]
    for q in (0, 1):
        lent[1 - q] = max(0, min(wishes[q] - OWNED, OWNED - own[1 - q]))
    for q in (0, 1):
        idle = max(0, random.uniform(-1, 1)) if wishes[q] > OWNED else 0
        add("INSERT INTO usage VALUES (1, ?, ?, ?, ?, ?, ?, 0, ?, 0)", slot, pairs[q], OWNED * HOUR, int(own[q] * HOUR),
            int(lent[1 - q] * HOUR), int(lent[q] * HOUR), int(idle * HOUR))
        for name in list(what)[2:]:
            add("INSERT INTO tally VALUES (1, ?, ?, ?, ?)", slot, nodes[q], what[name],
                random.randint(0, {"delay 60": 20, "delay 600": 3, "delay 3600": 1}[name]))
    if slot // HOUR % 24 in (7, 8, 9):
        n = random.randint(1, 4)
        add("INSERT INTO tally VALUES (1, ?, ?, ?, ?)", slot, nodes[1], what["evicted InCohortReclamation"], n)
        add("INSERT INTO tally VALUES (1, ?, ?, ?, ?)", slot, nodes[0], what["caused InCohortReclamation"], n)
        for j in range(n):
            ran = random.randint(600, 5 * HOUR)
            event = add("INSERT INTO event(job, started, ended, ran, queue, what, by_job, by_queue) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        FIRST_JOB + 10 * i + j, slot - ran, slot + 300 * j, ran, nodes[1], what["evicted InCohortReclamation"],
                        FIRST_JOB + 10 * i + 5 + j, nodes[0])
            add("INSERT INTO event_lost VALUES (?, ?, ?)", event, pairs[1], ran * random.choice([1, 2, 4]))
base.execute("UPDATE reading SET begun = ?, at = ?, seen = ?, kept = ?", (now - DAYS * 24 * HOUR, now, now, now))
base.commit()
