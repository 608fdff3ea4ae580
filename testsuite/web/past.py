#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""past.py DATABASE - fills a database that scohort record has made

Three hours of minutes, 8 days of hours and 35 days, up to the begin of this hour and day, of
queues with names that HTML could take for something else; two resources, two flavors of one;
three evictions. Hours are the sums of their minutes, days are by themselves. Prints the begin
of this hour.
"""
import sqlite3
import sys
import time

NAMES = ["<script>alert(1)</script>", "a\"b'c&d", "x" * 63, "plain"]
NOMINAL, HOUR = 8, 3600
base = sqlite3.connect(sys.argv[1])
now = int(time.time()) // HOUR * HOUR
today = now - now % 86400


def add(sql, *values):
    return base.execute(sql, values).lastrowid


def slots():
    """Level, begin, seconds, the number of the hour or day, and does something happen then?"""
    for i in range(1, 181):
        yield 0, now - 60 * i, 60, (i + 59) // 60, i % 60 == 7
    for i in range(1, 8 * 24 + 1):
        yield 1, now - HOUR * i, HOUR, i, True
    for i in range(1, 36):
        yield 2, today - 86400 * i, 86400, i, True


nodes = [add("INSERT INTO node(is_cohort, name) VALUES (0, ?)", name) for name in NAMES]
pairs = [(q, add("INSERT INTO pair(node, resource, flavor) VALUES (?, ?, ?)", node, resource, flavor))
         for q, node in enumerate(nodes) for resource, flavor in [("cpu", "any"), ("gres/gpu", "a100"), ("gres/gpu", "h100")]]
what = {name: add("INSERT INTO what(name) VALUES (?)", name)
        for name in ["evicted InCohortReclamation", "caused InCohortReclamation", "delay 10", "delay 100", "delay inf"]}
for level, slot, length, i, happens in slots():
    for n, (q, pair) in enumerate(pairs):
        own = (n + i) % (NOMINAL - 2)
        add("INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)", level, slot, pair, NOMINAL * length, own * length,
            (n + q) % 3 * length, (NOMINAL - own) // 2 * length, i % 2 * length, 7 * HOUR * n * happens)
    for q, node in enumerate(nodes if happens else []):
        for n, name in enumerate(what):
            add("INSERT INTO tally VALUES (?, ?, ?, ?, ?)", level, slot, node, what[name], (q + n + i) % 4)
for i in range(3):
    event = add("INSERT INTO event(job, started, ended, ran, queue, what, by_job, by_queue) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                987650 + i, now - 9000 - i, now - 1800 * (i + 1), 600 * (i + 1), nodes[i % 2], what["evicted InCohortReclamation"],
                987660 + i, nodes[3])
    add("INSERT INTO event_lost VALUES (?, ?, ?)", event, pairs[i % 2 * 3][1], HOUR * (i + 1))
base.execute("UPDATE reading SET begun = ?, at = ?, seen = ?, kept = ?", (today - 36 * 86400, now, now, now))
base.commit()
print(now)
