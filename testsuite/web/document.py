#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""document.py QUEUES FILE - a published document of so many cluster queues

The first queues have names that HTML, shells, terminals and addresses could
take for something else. Prints the rows that the first page has to show for
the queues, in any order: the name, flavor, resource and numbers.
"""
import json
import sys

NAMES = ["<script>alert(1)</script>", "a\"b'c&d", "\x1b[31mred", "x" * 63, "sla/sh", "\u00fcn\u00ef",
         "per%20cent", "..", "<img src=x onerror=alert(1)>"]
RULES = ["InClusterQueue", "InClusterQueueTimeBased", "InCohortReclamation",
         "InCohortReclaimWhileBorrowing", "InCohortFairSharing"]


def quota(nominal, used, lent, **more):
    return {"flavor": "a100", "resource": "gres/gpu", "nominal": nominal, "used": used,
            "borrowed": max(used - nominal, 0), "lent": lent, "free": 3, "potential": 2 * nominal, **more}


# What places wait for: with all numbers, without those that are not told where jobs are
# private, of all kinds, and one that is not known
WAITS = [{"wait": "quota", "flavor": "a100", "resource": "gres/gpu", "need": 8, "free": 2},
         {"wait": "quota", "flavor": "a100", "resource": "mem", "free": 2048}, {"wait": "preempting", "victims": 1},
         {"wait": "protected", "until": 1795350000}, {"wait": "protected", "by": "maxPreemptions"},
         {"wait": "protected", "by": "nonpreemptible"}, {"wait": "order"}, {"wait": "held"}, {"wait": "nodes"},
         {"wait": "never", "flavor": "a100", "resource": "cpu", "need": 90, "max": 8}, {"wait": "never"},
         {"wait": "nonpreemptible", "flavor": "a100", "resource": "cpu", "need": 3, "cap": 8, "used": 7},
         {"wait": "yields"}, {"wait": "pass"}, {"wait": "<b>\x1b[31m", "need": "x"}, 7,
         {"wait": "delayed", "until": 1795350000}]
LINE = [{"first": 2 * i + 1, "last": 2 * i + 1 + i % 2, **w} if isinstance(w, dict) else w for i, w in enumerate(WAITS)]


def queue(i, cohorts):
    name = NAMES[i] if i < len(NAMES) else f"team-{i:04d}"
    return {"name": name, "cohort": f"org{i % cohorts}", "queueingStrategy": "BestEffortFIFO",
            "stopPolicy": "Hold" if i == 7 else "None", "weight": 1.0, "share": 0.0,
            "running": i % 7, "waiting": i % 5,
            "preemption": {"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any",
                           "reclaimMinRuntime": 3600, "reclaimDelay": 600, "maxPreemptions": 3, "yieldAfterEvictions": 1},
            "match": [{"partition": "gpu", "qos": None, "account": name, "user": True}],
            "quota": [quota(8, i * 3 % 14, i % 3, reclaimable=1, reclaimableLater=1, reclaimableAt=1795350000)],
            "localQueues": ["1-3,7", "4-6"], "line": LINE if i == 12 else [], "lineRest": 41,
            "counters": {"evicted": {r: i % 3 for r in RULES}, "caused": {r: 1 for r in RULES}}}


n, path = int(sys.argv[1]), sys.argv[2]
cohorts = max(1, n // 20)
document = {"version": 1, "time": 1795347201, "pid": 1, "enforcement": "enforce", "localQueue": "account",
            "fairSharing": True, "flavors": [{"name": "a100", "nodes": None}], "asked": [],
            "cohorts": [{"name": "site", "parent": None, "quota": [quota(0, 0, 0, subtree=16)]}]
            + [{"name": f"org{i}", "parent": "site", "quota": [quota(0, 8, 2, subtree=16)]} for i in range(cohorts)],
            "clusterQueues": [queue(i, cohorts) for i in range(n)], "counters": {"since": 1795347201}}
with open(path + ".new", "w", encoding="utf-8") as file:
    json.dump(document, file)
for q in document["clusterQueues"]:
    pair, name = q["quota"][0], q["name"].replace("\x1b", "\\x1b")
    print("|".join(map(str, [name + (" Hold" if q["stopPolicy"] == "Hold" else ""), "", "a100", "gres/gpu", 8,
                             pair["used"], pair["borrowed"], pair["lent"], 3, 1, q["running"], q["waiting"]])))
