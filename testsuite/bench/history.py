#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""history.py SCOHORT FOLDER [QUEUES [RESOURCES [DAYS [EVICTIONS]]]] - a database of
scohort record as it is after DAYS, and how long reports of it take

Ten cluster queues, five resources, a year and 300 evictions a day, if nothing else is
said, in the worst case: each queue has borrowed each resource from all others in every hour. The last
week is recorded every two hours, what came before once a day: that fills the same
rows as a reading each minute, as it is spread over them. Then come ten readings, one
a minute. Prints the size of the database, CPU seconds of such a reading, and of each
report.
"""
import json
import os
import random
import resource
import subprocess
import sys
import time

BOUNDS = [1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240]
RULES = ["InClusterQueue", "InCohortReclamation", "InCohortFairSharing"]
RESOURCES = ["cpu", "mem", "gres/gpu", "node", "license/x"]
SIZES = {"mem": 4000000, "cpu": 1024}


def cpu_of(command):
    """CPU seconds of the command, and how many lines it prints"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            out.count(b"\n"))


class World:
    def __init__(self, queues, resources):
        self.jobs = 0
        self.queues = [f"team{i:02}" for i in range(queues)]
        self.resources = (RESOURCES + [f"gres/x{i}" for i in range(resources)])[:resources]
        self.sums = {(q, r): [0, 0, 0, 0.0, 0.0, 0.0] for q in self.queues for r in self.resources}
        self.loans = {(q, l, r): 0.0 for q in self.queues for l in self.queues if l != q
                      for r in self.resources}
        self.events = {q: {"lost": 0, "evicted": [0] * 3, "caused": [0] * 3, "delays": [0] * 15}
                       for q in self.queues}

    def run(self, seconds):
        for (q, r), s in self.sums.items():
            size = SIZES.get(r, 64)
            part = random.random()
            s[0] += size * seconds
            s[1] += int(size * part) * seconds
            s[2] += int(size * random.random() / 2) * seconds
            s[3] += size * (1 - part) * random.random() * seconds
            s[5] += size * (1 - part) / 10 * seconds
        for (q, l, r) in self.loans:
            self.loans[q, l, r] += SIZES.get(r, 64) * random.random() / 10 * seconds
        for e in self.events.values():
            e["lost"] += random.randrange(seconds)
            for name in "evicted", "caused", "delays":
                e[name][random.randrange(len(e[name]))] += max(1, seconds // 3600)

    def queue(self, q):
        e = self.events[q]
        lenders = {l: {f"{r}@any": round(self.loans[q, l, r], 3) for r in self.resources}
                   for l in self.queues if l != q}
        return {"name": q, "running": 9, "waiting": 1,
                "quota": [{"flavor": "any", "resource": r, "used": 1,
                           "account": [round(v, 3) for v in self.sums[q, r]]}
                          for r in self.resources],
                "borrowedFrom": {"clusterQueues": lenders},
                "counters": {"admitted": sum(e["delays"]), "lost": {"gres/gpu@any": e["lost"]},
                             "evicted": dict(zip(RULES, e["evicted"])),
                             "caused": dict(zip(RULES, e["caused"])),
                             "reclaimDelaySeconds": {"bounds": BOUNDS, "buckets": e["delays"]}}}

    def evict(self, path, begin, end, n):
        """So many evictions of that time, each of a job with all resources"""
        with open(path, "a") as f:
            for i in range(n):
                self.jobs += 1
                q, by = random.sample(self.queues, 2)
                ran = random.randrange(60, 86400)
                ended = begin + (end - begin) * (i + 1) // (n + 1)
                f.write(json.dumps({
                    "version": 1, "time": ended, "job": self.jobs, "started": ended - ran, "ran": ran,
                    "queue": q, "rule": random.choice(RULES), "user": "somebody", "text": 300 * "x",
                    "by": {"job": self.jobs + 1, "queue": by},
                    "lost": {f"{r}@any": ran * random.randrange(1, 64) for r in self.resources}}) + "\n")

    def write(self, path, at, since):
        document = {"version": 1, "time": at, "flavors": [{"name": "any"}], "cohorts": [],
                    "clusterQueues": [self.queue(q) for q in self.queues],
                    "account": {"since": since, "at": at, "gaps": {"number": 0}}}
        with open(path + ".new", "w") as f:
            json.dump(document, f)
        os.rename(path + ".new", path)


def main():
    scohort, folder = sys.argv[1:3]
    queues, resources, days, evictions = \
        [int(a) for a in sys.argv[3:]] + [10, 5, 365, 300][len(sys.argv) - 3:]
    random.seed(1)
    world = World(queues, resources)
    db, published, events = (folder + "/" + n for n in ("history.db", "published.json", "events"))
    os.environ["SCOHORT_PUBLISH"] = published
    today = time.mktime(time.localtime()[:3] + (0, 0, 0, 0, 0, -1))
    at = begin = int(today) - days * 86400
    readings = []
    while at <= today + 600:
        world.write(published, at, begin)
        readings.append(cpu_of([scohort, "record", "--db", db, "--events", events])[0])
        step = 60 if at >= today else 7200 if at >= today - 7 * 86400 else 86400
        world.run(step)
        at += step
        world.evict(events, at - step, at, max(1, evictions * step // 86400))
    last = readings[-10:]
    print(f"{len(readings)} readings, each of the last ten {sum(last) / len(last):.4f} s")
    print(f"{world.jobs} evictions, {os.path.getsize(events) / 1e6:.1f} MB of events")
    print(f"database: {os.path.getsize(db) / 1e6:.1f} MB,"
          f" log {os.path.getsize(db + '-wal') / 1e6:.1f} MB")
    start, end = (time.strftime("%Y-%m-%d", time.localtime(t)) for t in (begin, today))
    for options in ([], ["--by", "month"], ["--by", "week"], ["--by", "day"],
                    ["--by", "day", "--json"], ["--by", "day", "--csv"], ["--matrix"],
                    ["--by", "month", "--matrix"], ["--html", folder + "/plot.html"],
                    ["--evictions"], ["--evictions", "--by", "month"], ["--evictions", "--by", "day"],
                    ["--costliest", "20"]):
        command = [scohort, "report", "--db", db, "--start", start, "--end", end] + options
        seconds, lines = cpu_of(command)
        print(f"report {' '.join(options[:3]) or 'of all':24} {seconds:.3f} s, {lines} lines")
    quarter = time.strftime("%Y-%m-%d", time.localtime(today - 90 * 86400))
    seconds, lines = cpu_of([scohort, "report", "--db", db, "--start", quarter, "--end", end,
                             "--by", "hour"])
    print(f"report of a quarter --by hour   {seconds:.3f} s, {lines} lines")


main()
