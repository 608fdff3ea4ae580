# SPDX-License-Identifier: GPL-2.0-or-later
"""rules.py - what must hold in every sample

A rule looks at one sample after the other and yields what is wrong, as text. What
is in motion may look wrong for a moment: where a sample alone proves nothing, the
same has to be seen for a while, with no command given meanwhile.
"""

import collections
import re
import time

import quota

LOOKS = 4		# the least samples that anything lasting was seen in
STEP = 1.5		# seconds that count between two samples, at most


def seconds_of(stamp):
	"""Local time as Slurm prints it, in seconds since the epoch; 0: none"""
	try:
		return time.mktime(time.strptime(stamp, '%Y-%m-%dT%H:%M:%S'))
	except ValueError:
		return 0


class Lasting:
	"""Yields what was there in all samples of so many seconds, once

	Where samples come late, the machine has no time for the watcher, nor for
	slurmctld: of the time between two of them no more than STEP counts.
	"""

	def __init__(self, seconds, passes=0):
		self.seconds, self.passes = seconds, passes
		self.since, self.told = {}, set()
		self.last = None

	def of(self, sample, found):
		"""found is {key: text}; a key is a new one when anything that matters is another"""
		step = min(sample.at - self.last, STEP) if self.last is not None else 0
		self.last = sample.at
		kept = {}
		for key, text in found.items():
			at, lasted, passes, looks = self.since.get(key, (sample.at, -step, sample.passes, 0))
			kept[key] = at, lasted + step, passes, looks + 1
			if (lasted + step >= self.seconds and sample.passes - passes >= self.passes and
			    looks + 1 >= LOOKS and key not in self.told):
				self.told.add(key)
				yield '%s (for %d s)' % (text, sample.at - at)
		self.since = kept


class Calm(Lasting):
	"""The same, without any command meanwhile"""

	def of(self, sample, found):
		if any(sample.calm_since > at for at, *_ in self.since.values()):
			self.since = {}
		yield from super().of(sample, found)


def spans(sample, job):
	"""It started when flavors were others, and is charged to one of those that it is on"""
	return not any(all(node in quota.NODES_OF[flavor] for node in job.where)
		       for flavor in sample.config.flavors)


def usage(sample, flavor, jobs=None):
	"""{queue: CPUs} by the records of jobs, or of these only; without those of which it is not sure"""
	used = collections.Counter()
	for job in sample.jobs if jobs is None else jobs:
		if job.runs and job.account in sample.config.queues and not spans(sample, job):
			used[job.account] += sum(n for node, n in job.where.items()
						 if node in quota.NODES_OF[flavor])
	return used


class Usage:
	"""No queue, and no cohort, has more than it may

	Less quota evicts nobody: only if somebody has started since. Of a job that is COMPLETING that
	counts which was seen when it ran. If it was requeued, its record has the start that is
	expected: now. If it had ended, and slurmctld was restarted since, it is COMPLETING once more,
	although its nodes are long done with it.
	"""

	def __init__(self):
		self.started = {}		# job: when, as it was seen when it ran

	def look(self, sample):
		jobs, config = self._with_nodes(sample), sample.config
		if not config:
			return
		for flavor in config.flavors:
			for name, has, may in config.excesses(usage(sample, flavor, jobs), flavor):
				below = config.below(name)
				if self._last_start(jobs, below, flavor) > sample.config_since + 1:
					yield '%s uses %d of %d CPUs of %s: %s' % (
						name, has, may, flavor, self._users(jobs, below))

	def _with_nodes(self, sample):
		jobs = [job for job in sample.jobs if job.runs and
			(job.state != 'COMPLETING' or job.id in self.started)]
		self.started = {job.id: self.started[job.id] if job.state == 'COMPLETING' else seconds_of(job.start)
				for job in jobs}
		return jobs

	def _last_start(self, jobs, queues, flavor):
		nodes = quota.NODES_OF[flavor]
		return max((self.started[job.id] for job in jobs
			    if job.account in queues and any(n in nodes for n in job.where)), default=0)

	def _users(self, jobs, queues):
		return ' '.join('%d(%s):%d' % (job.id, job.account, sum(job.where.values()))
				for job in jobs if job.account in queues)


class Fixed:
	"""Nominal quota covers the jobs that can't be preempted, and who waits for that, does

	Only those count that started by these rules and that nobody has changed: each of them was
	counted when the last one started. touched: families that the driver has changed
	"""

	def __init__(self, touched):
		self.touched = touched

	def look(self, sample):
		config = sample.config
		if not config or not config.fixed:
			return
		jobs = [job for job in sample.jobs if self._counts(sample, job)]
		for flavor in config.flavors:
			used = collections.Counter()
			for job in jobs:
				used[job.account] += sum(n for node, n in job.where.items()
							 if node in quota.NODES_OF[flavor])
			for name, has, may in config.fixed_excesses(used, flavor):
				yield '%s has %d CPUs of %s that can\'t be preempted, and %d to cover them: %s' % (
					name, has, flavor, may, ' '.join('%d(%s)' % (job.id, job.account)
									 for job in jobs))
		yield from self._honest(sample)

	def _counts(self, sample, job):
		return (job.state in ('RUNNING', 'SUSPENDED') and job.account in sample.config.queues and
			job.family not in self.touched and 'min-available' not in job.comment and
			seconds_of(job.start) > sample.config_since + 2 and not spans(sample, job) and
			len(job.partitions) == 1 and sample.config.is_fixed(job.comment, job.partitions[0]))

	def _honest(self, sample):
		for job in sample.jobs:
			said = FIXED.search(job.text[3]) if job.waits and job.wait == 'nonpreemptible' else None
			if said and int(said[2]) + int(said[3]) <= int(said[1]):
				yield 'job %d waits, although it would be covered: %s' % (job.id, job.reason)


class History:
	"""Who has borrowed nothing has no share; local queues are in the order of their scores, unless
	somebody owns freed quota; and nobody has a history of more than there is"""

	def __init__(self, seconds=6):
		self.lasting = Calm(seconds)

	def look(self, sample):
		found = {}
		for queue in (sample.published or {}).get('clusterQueues', []):
			for resource, past in (queue.get('history') or {}).items():
				if resource == 'cpu' and not 0 <= past <= CPUS + 1e-6:
					yield '%s has a history of %g CPUs' % (queue['name'], past)
			if not any(pair['borrowed'] for pair in queue['quota'] if 'borrowed' in pair) and queue.get('share'):
				yield '%s borrows nothing, and has the share %g' % (queue['name'], queue['share'])
			scores = self._scores(queue)
			if scores != sorted(scores):
				found[queue['name'], str(scores)] = 'scores in the line of %s: %s' % (
					queue['name'], scores)
		if any(job.waits and (job.wait == 'preempting' or job.reason in SLURMS_OWN) for job in sample.jobs):
			found = {}
		yield from self.lasting.of(sample, found)

	def _scores(self, queue):
		every = queue.get('localUsage', [])[:len(queue['localQueues'])]
		return [float('inf') if local['score'] is None else local['score'] for local in every]


FIXED = re.compile(r'cap=(\d+),used=(\d+),need=(\d+)')
CPUS = 16		# of all nodes
PLANNED = 300		# seconds after which a plan is no excuse any more
SLURMS_OWN = ('Resources', 'Priority', 'None')
# What keeps a job, and no node from others
HARMLESS = ('BeginTime', 'Dependency', 'DependencyNeverSatisfied', 'JobHeldUser', 'JobHeldAdmin',
	    'JobArrayTaskLimit', 'PartitionDown', 'BadConstraints')


class Waiting:
	"""Who fits in quota and nodes starts within a few passes

	Told only where nothing else can be the reason: the first in line, within his
	nominal quota, who wants CPUs of any one node that is planned for nobody, and nobody
	waits for nodes; where
	all nodes are idle; and where all wait for others, and these for nothing else.
	"""

	def __init__(self, seconds=8, passes=4):
		self.first = Calm(seconds, passes)
		self.all = Calm(seconds + 4, passes)
		self.order = Calm(seconds, passes)
		self.planned = {}		# id: since when it has nodes that are planned

	def look(self, sample):
		self.planned = {job.id: self.planned.get(job.id, sample.at)
				for job in sample.jobs if job.waits and job.planned}
		if not sample.config:
			return
		running = tuple(sorted(job.id for job in sample.jobs if job.runs))
		yield from self.first.of(sample, {
			(job.id, running): 'job %d (%s) waits with %s, although it fits: %s' % (
				job.id, job.account, job.reason, self._nodes(sample))
			for job in sample.jobs if self._fits(sample, job)})
		yield from self.all.of(sample, self._idle(sample, running))
		yield from self.order.of(sample, self._in_a_ring(sample, running))

	def _in_a_ring(self, sample, running):
		"""Who waits for order waits for somebody who waits for something else"""
		found = {}
		for tree in {sample.config.above(name)[-1] for name in sample.config.queues}:
			queues = sample.config.below(tree)
			jobs = [job for job in sample.jobs if job.waits and job.account in queues and job.text]
			if (jobs and all(job.wait == 'order' for job in jobs) and
			    not any(self._blocks(job) for job in sample.jobs)):
				found[tuple(job.id for job in jobs), running] = 'nobody starts, all wait for order: ' + (
					', '.join('%d (%s)' % (job.id, job.account) for job in jobs))
		return found

	def _nodes(self, sample):
		return ' '.join('%s=%d' % (h.name, h.free) for h in sample.hosts)

	def _blocks(self, job):
		if not job.waits or job.reason in HARMLESS:
			return False
		return job.wait in (None, 'nodes')

	def _wants_little(self, job):
		text = job.text
		return (job.waits and text and text[0] == 1 and text[2] not in ('never', 'held', 'nonpreemptible') and
			job.simple and not job.het and job.nodes in ('1', '1-1'))

	def _fits(self, sample, job):
		if not self._wants_little(job) or job.account not in sample.config.queues:
			return False
		if any(self._blocks(other) for other in sample.jobs if other is not job):
			return False
		kept = self._kept(sample, job)
		return any(self._has_quota(sample, job, flavor) and self._has_node(sample, job, flavor, kept)
			   for flavor in sample.config.flavors)

	def _kept(self, sample, job):
		"""Nodes that are planned for others: whoever is done in time may use them, all others wait

		Not for ever: no job here runs so long that a plan takes more than PLANNED seconds.
		"""
		return {node for other in sample.jobs if sample.config.planned and other is not job and other.waits
			and sample.at - self.planned.get(other.id, sample.at) < PLANNED
			for node in other.planned}

	def _has_quota(self, sample, job, flavor):
		if sample.config.room(job.account, usage(sample, flavor), flavor) < job.cpus:
			return False
		pair = pair_of(sample.published, job.account, flavor)
		return (pair and pair['free'] >= job.cpus and
			pair['used'] + job.cpus <= pair['nominal'])

	def _has_node(self, sample, job, flavor, kept):
		return any(h.usable and h.name not in kept and h.free >= job.cpus and h.memory >= 500 * job.cpus and
			   h.name in quota.NODES_OF[flavor] for h in sample.hosts)

	def _idle(self, sample, running):
		"""With nothing at all on the nodes, and all of them up, somebody must start"""
		if running or not all(h.usable and h.free == 4 for h in sample.hosts):
			return {}
		ready = [job for job in sample.jobs if job.waits and not sample.torn(job) and
			 (job.reason in SLURMS_OWN or (job.text and job.wait not in ('never', 'held')))]
		if not ready:
			return {}
		return {tuple(job.id for job in ready): 'all nodes are idle, and these wait: ' +
			', '.join('%d (%s) %s' % (job.id, job.account, job.reason) for job in ready)}


class Completing:
	"""Who ends, ends: his nodes are free again some day"""

	def __init__(self, seconds=60):
		self.lasting = Lasting(seconds)

	def look(self, sample):
		yield from self.lasting.of(sample, {
			(job.id, job.start, sample.up_since): 'job %d is COMPLETING on %s' % (
				job.id, ','.join(job.where))
			for job in sample.jobs if job.state == 'COMPLETING'})


# ---- the published file ----

def queue_of(published, name):
	for queue in (published or {}).get('clusterQueues', []):
		if queue['name'] == name:
			return queue
	return None


def pair_of(published, name, flavor):
	for pair in (queue_of(published, name) or {}).get('quota', []):
		if pair['flavor'] == flavor and pair['resource'] == 'cpu':
			return pair
	return None


def places(text):
	"""1-3,5 -> 1 2 3 5"""
	for part in filter(None, text.split(',')):
		first, _, last = part.partition('-')
		yield from range(int(first), int(last or first) + 1)


class Places:
	"""The places of a queue are 1 to n, in the published file and in squeue"""

	def __init__(self, seconds=6):
		self.lasting = Calm(seconds)

	def look(self, sample):
		for queue in (sample.published or {}).get('clusterQueues', []):
			told = sorted(p for line in queue['localQueues'] for p in places(line))
			if told != list(range(1, queue['waiting'] + 1)):
				yield 'places of %s are %s, %d wait' % (queue['name'], told, queue['waiting'])
		yield from self.lasting.of(sample, self._in_squeue(sample))

	def _in_squeue(self, sample):
		lines = collections.defaultdict(list)
		for job in sample.jobs:
			if job.waits and job.text:
				lines[job.text[4]].append(job)
		found = {}
		for name, jobs in lines.items():
			# some reasons of Slurm's own say more than ours, and hide a place; a
			# component may show what another one lacks
			hidden = any(job.waits and job.account == name and
				     not (job.text and job.text[4] == name) for job in sample.jobs)
			if wrong := self._wrong(jobs, hidden):
				shown = tuple(sorted((job.id, job.reason) for job in jobs))
				found[shown] = 'in squeue, %s: %s' % (wrong, shown)
		return found

	def _wrong(self, jobs, hidden):
		"""Components of one job share a place, and may show the line of another queue"""
		totals = {job.text[1] for job in jobs}
		if len(totals) > 1:
			return 'several totals'
		taken = collections.Counter()
		for job in jobs:
			if not job.het:
				taken.update(range(job.text[0], job.text[0] + job.tasks))
		if any(n > 1 for n in taken.values()):
			return 'two have the same place'
		if taken and (min(taken) < 1 or max(taken) > min(totals)):
			return 'a place beyond the end'
		hidden = hidden or any(job.het for job in jobs)
		if not hidden and len(taken) < min(totals):
			return 'a place that nobody has'
		return None


class Published:
	"""What is published is what squeue shows"""

	def __init__(self, seconds=10):
		self.lasting = Calm(seconds)

	def look(self, sample):
		config = sample.config
		if not config or not sample.published:
			return
		found = {}
		for name in config.queues:
			jobs = [job for job in sample.jobs if job.account == name]
			for what, text in self._differ(sample, name, jobs):
				found[name, what, text] = text
		yield from self.lasting.of(sample, found)

	def _differ(self, sample, name, jobs):
		queue = queue_of(sample.published, name)
		if not queue:
			yield 'queue', 'queue %s is not published' % name
			return
		least, most = self._waiting(jobs)
		if not least <= queue['waiting'] <= most:
			yield 'waiting', '%s: %d wait as published, %d to %d by squeue' % (
				name, queue['waiting'], least, most)
		least = sum(job.state == 'RUNNING' for job in jobs)
		most = sum(job.runs for job in jobs)
		if not least <= queue['running'] <= most:
			yield 'running', '%s: %d run as published, %d to %d by squeue' % (
				name, queue['running'], least, most)
		if any(job.runs and spans(sample, job) for job in jobs):
			return
		for flavor in sample.config.flavors:
			yield from self._used(sample, name, flavor)

	def _waiting(self, jobs):
		waits = [job for job in jobs if job.waits]
		alone = sum(job.tasks for job in waits if not job.het)
		in_line = sum(job.tasks for job in waits if not job.het and job.text)
		return in_line, alone + len({job.het for job in waits if job.het})

	def _used(self, sample, name, flavor):
		pair = pair_of(sample.published, name, flavor)
		has = usage(sample, flavor)[name]
		# freed quota that somebody owns counts as used, too
		owned = any(job.waits and job.account == name for job in sample.jobs)
		if pair and (pair['used'] < has or (pair['used'] > has and not owned)):
			yield 'used', '%s uses %d CPUs of %s as published, %d by squeue' % (
				name, pair['used'], flavor, has)
