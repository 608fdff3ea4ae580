# SPDX-License-Identifier: GPL-2.0-or-later
"""figures.py - what is measured: each of these on a slurmctld that was just started

A figure answers {what: (unit, value)}; a value is the less the better, unless the
unit is of starts. CPU is that of all of slurmctld's threads.
"""

import itertools
import random
import statistics
import time

import world

# Backfill is out of the way, and the main scheduler looks at all jobs each second
PASSES = 'sched_interval=1,bf_interval=10000'
# The other way round
BACKFILL = 'sched_interval=10000,bf_interval=1,bf_continue,bf_max_job_test=1000'
# The same, and it looks so far ahead that it sees running jobs end
FAR_BACKFILL = BACKFILL + ',bf_window=10000,bf_resolution=600'
# Slurm's names of the threads
MAIN, BACKFILLS = 'sched_agent', 'bckfl'
# Neither runs but because of what happens
EVENTS = 'sched_interval=10000,bf_interval=10000'


class Meter:
	"""CPU and wall time of slurmctld from here on, and CPU time of one of its threads"""

	def __init__(self, cluster, thread=None):
		self.cluster = cluster
		self.thread = thread
		cluster.sdiag_reset()
		self.start = time.monotonic()
		self.cpu = cluster.cpu_ns()
		self.own = self.own_ns()

	def own_ns(self):
		return self.cluster.thread_ns(self.thread) if self.thread else 0

	def stop(self):
		self.own = (self.own_ns() - self.own) / 1e6
		self.cpu = (self.cluster.cpu_ns() - self.cpu) / 1e6
		self.wall = time.monotonic() - self.start
		self.sdiag = self.cluster.sdiag()
		return self


def wait_at_most(seconds, condition):
	end = time.monotonic() + seconds
	while not condition() and time.monotonic() < end:
		time.sleep(0.1)


def submissions(cluster, count):
	"""[job]: of those that come later"""
	return list(itertools.islice(world.pending_jobs(cluster.sizes, cluster.sizes.pending), count))


def victims_of_events(sizes):
	"""Which running jobs end, in an order that favours nobody"""
	return random.Random(12).sample(range(1, sizes.running + 1), sizes.running)


def events(cluster, count):
	"""[line]: one end, one submission, and so on"""
	pending = world.pending_jobs(cluster.sizes, cluster.sizes.pending)
	for job in victims_of_events(cluster.sizes)[:count]:
		yield 'end %d' % job
		yield 'submit %s %s %d %d %d %d %s %d' % next(pending)


def event_each_second(cluster, seconds):
	lines = list(events(cluster, seconds))
	with cluster.jobs() as jobs:
		begin = time.monotonic()
		for i in range(seconds):
			jobs.run(lines[2 * i:2 * i + 2])
			time.sleep(max(0, begin + i + 1 - time.monotonic()))


def rest(cluster, seconds=10):
	meter = Meter(cluster)
	time.sleep(seconds)
	meter.stop()
	return {'CPU at rest, a second': ('ms', meter.cpu / seconds)}


def passes_quiet(cluster, seconds=10):
	meter = Meter(cluster, MAIN)
	time.sleep(seconds)
	main = meter.stop().sdiag['main']
	return {'main pass, quiet: CPU': ('ms', meter.cpu / main['Total cycles']),
		'main pass, quiet: CPU of its thread': ('ms', meter.own / main['Total cycles']),
		'main pass, quiet: time': ('ms', main['Mean cycle'] / 1000)}


def passes_event(cluster, seconds=10):
	meter = Meter(cluster, MAIN)
	event_each_second(cluster, seconds)
	main = meter.stop().sdiag['main']
	return {'an end and a submission each second: CPU a second': ('ms', meter.cpu / seconds),
		'an end and a submission each second: CPU of the main scheduler': ('ms', meter.own / seconds),
		'an end and a submission each second: time of a pass': ('ms', main['Mean cycle'] / 1000)}


def backfill(cluster, seconds=10):
	meter = Meter(cluster, BACKFILLS)
	event_each_second(cluster, seconds)
	cycles = meter.stop().sdiag['backfill']
	found = {'backfill, a cycle: CPU': ('ms', meter.own / cycles['Total cycles']),
		'backfill, a cycle: time': ('ms', cycles['Mean cycle'] / 1000)}
	tried = cycles['Total cycles'] * cycles['Depth Mean (try depth)']
	# Whoever waits for quota is not tried
	if tried:
		found['backfill, 1,000 jobs tried: CPU'] = ('ms', meter.own * 1000 / tried)
	return found


def planned(cluster, seconds=40):
	"""Of those that wait for quota some are planned, on the side that does so"""
	found = {what.replace('backfill', 'backfill, far ahead', 1): value
		for what, value in backfill(cluster, seconds).items()}
	nodes = cluster.client('squeue', '-h', '-t', 'PD', '-O', 'SchedNodes:30').split()
	found['jobs with planned nodes'] = ('', len(nodes) - nodes.count('(null)') - nodes.count('n/a'))
	return found


def submit(cluster, count=300):
	lines = submissions(cluster, count)
	with cluster.jobs() as jobs:
		meter = Meter(cluster)
		jobs.submit(lines)
		meter.stop()
	return {'1,000 submissions: CPU': ('ms', meter.cpu * 1000 / count),
		'1,000 submissions: time': ('ms', meter.wall * 1e6 / count)}


def churn(cluster, count=500):
	"""It is over when what was set free has found its jobs, but for a rest that fits none"""
	lines = list(events(cluster, min(count, cluster.sizes.running)))
	with cluster.jobs(4) as jobs:
		meter = Meter(cluster)
		jobs.run(lines)
	wait_at_most(60, lambda: cluster.idle_cpus() < 4)
	meter.stop()
	started = meter.sdiag['jobs']['Jobs started']
	return {'1,000 ended and submitted: CPU': ('ms', meter.cpu * 2000 / len(lines)),
		'1,000 ended and submitted: time': ('ms', meter.wall * 2e6 / len(lines)),
		'started a second meanwhile': ('1/s', started / meter.wall)}


RECLAIMED = (1, 10, 100)	# CPUs
WARM_UP = 1			# CPUs of a start that does not count


def starts_within(quota):
	"""How often an owner of so many CPUs starts: up to five times, where the quota has room
	for that and for one of each larger one"""
	left = quota - WARM_UP - sum(RECLAIMED)
	for cpus in RECLAIMED:
		more = min(4, max(0, left // cpus))
		left -= more * cpus
		yield cpus, 1 + more


def reclaim(cluster):
	"""From the submission of an owner's job to its start, with victims of one CPU each. It may
	meet a pass that is under way, or none: a single time says little, so that it is the
	median of up to five. The first start after slurmctld has become another side meets what
	follows from that: it does not count."""
	found = {}
	side = cluster.side
	if side.preempt == 'none' or (side.plugins and side.cohort in (None, 'nobody')):
		return found
	with cluster.jobs() as jobs:
		jobs.start(world.owner_job(WARM_UP))
	for cpus, times in starts_within(world.owner_cpus(side.cohort, cluster.sizes)):
		if cpus * 80 > cluster.sizes.nodes * world.NODE_CPUS:
			break
		with cluster.jobs() as jobs:
			took = [jobs.start(world.owner_job(cpus)) for _ in range(times)]
		found['an owner of %d CPUs: until it starts' % cpus] = ('ms',
			statistics.median(took) * 1000)
	return found


def squeue(cluster, times=5):
	found = {}
	for what, words in (('squeue', ('squeue', '-h')),
			('scontrol show job', ('scontrol', 'show', 'job'))):
		meter = Meter(cluster)
		for _ in range(times):
			cluster.client(*words)
		meter.stop()
		found[what + ': CPU'] = ('ms', meter.cpu / times)
		found[what + ': time'] = ('ms', meter.wall * 1000 / times)
	return found


def scohort(cluster, times=5):
	"""Beside squeue, in turn: as parts of its time"""
	if not cluster.side.cohort:
		return {}
	names = ('squeue', 'scohort status', 'scohort queue')
	took = {name: [] for name in names}
	for _ in range(times):
		for name in names:
			start = time.monotonic()
			cluster.client(*name.split())
			took[name].append(time.monotonic() - start)
	squeue_took = statistics.median(took['squeue'])
	return {name + ': time, squeue is 1': ('', statistics.median(took[name]) / squeue_took)
		for name in names[1:]}


HELD = 200


def hold(cluster):
	"""Each by an order of its own, and set free again"""
	first = cluster.sizes.running + 1
	meter = Meter(cluster)
	for word in ('hold', 'release'):
		for job in range(first, first + HELD):
			cluster.client('scontrol', word, str(job))
	meter.stop()
	return {'1,000 jobs held and released: CPU': ('ms', meter.cpu * 1000 / HELD)}


def start_times(cluster, times=5):
	meter = Meter(cluster)
	for _ in range(times):
		cluster.client('squeue', '-h', '--start')
	meter.stop()
	return {'squeue --start: CPU': ('ms', meter.cpu / times)}


def reconfigure(cluster, times=3):
	meter = Meter(cluster)
	for _ in range(times):
		cluster.client('scontrol', 'reconfigure')
		cluster.settle()
	meter.stop()
	return {'reconfigure: CPU': ('ms', meter.cpu / times)}


def restart(cluster):
	"""Of its start, until it has got over that"""
	return {'a start of slurmctld: CPU': ('ms', cluster.cpu_ns() / 1e6)}


def memory(cluster):
	"""The same side with those who wait, and without them"""
	full = cluster.memory_kb()
	cluster.start(cluster.side, EVENTS, 'running')
	return {'memory of a waiting job': ('kB', (full - cluster.memory_kb()) / cluster.sizes.pending)}


def in_use(cluster, samples=20):
	"""What it has when nothing is under way: what comes and goes is not in the least of them"""
	least = cluster.heap_bytes()
	for _ in range(samples):
		time.sleep(0.25)
		least = min(least, cluster.heap_bytes())
	return least


def heap(cluster):
	"""As memory, but what it has in use, to the byte: noise does not move it"""
	cluster.counts_memory = True
	found = {}
	for kept in ('full', 'running'):
		cluster.start(cluster.side, EVENTS, kept)
		found[kept] = in_use(cluster)
	cluster.counts_memory = False
	return {'memory in use of a waiting job': ('B', (found['full'] - found['running']) / cluster.sizes.pending),
		'memory in use without those that wait': ('kB', found['running'] / 1000)}


# {name: (function, SchedulerParameters)}
FIGURES = {
	'quiet': (passes_quiet, PASSES),
	'event': (passes_event, PASSES),
	'backfill': (backfill, BACKFILL),
	'planned': (planned, FAR_BACKFILL),
	'submit': (submit, EVENTS),
	'churn': (churn, PASSES),
	'reclaim': (reclaim, PASSES + ',batch_sched_delay=0'),
	'squeue': (squeue, EVENTS),
	'scohort': (scohort, EVENTS),
	'start': (start_times, EVENTS),
	'hold': (hold, PASSES),
	'reconfigure': (reconfigure, EVENTS),
	'restart': (restart, EVENTS),
	'memory': (memory, EVENTS),
	'heap': (heap, EVENTS),
	'rest': (rest, EVENTS),
}
