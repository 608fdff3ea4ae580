# SPDX-License-Identifier: GPL-2.0-or-later
"""evictions.py - rules about slurmctld.log: who was evicted, for whom, and what came of it"""

import slurm
from rules import LOOKS, STEP, seconds_of

ROUNDS, MINUTE = 3, 60		# so many for one job in a minute, which came to nothing, are too many
RULES_OF_OTHERS = ('InCohortReclamation', 'InCohortReclaimWhileBorrowing', 'InCohortFairSharing')


class Log:
	"""No error of ours, and nothing fatal"""

	def hear(self, event, _world):
		if event.kind == 'bad' and 'cohort.yaml' not in event.line:
			yield 'slurmctld.log: ' + event.line


class Victims:
	"""Nobody is evicted who is protected, exempt, within his quota, or was just started

	world: config_at(stamp), config_since(stamp), job(id) as it was last seen, changed: families since
	then, touched: families, ever
	"""

	def __init__(self, exempt=0):
		self.exempt = exempt		# PreemptExemptTime
		self.started = set()		# in this pass
		self.partitions = {}		# job: in which it started

	def hear(self, event, world):
		if event.kind in ('pass', 'full', 'up'):
			self.started.clear()
		elif event.kind == 'start':
			self.started.add(event.job)
			self.partitions[event.job] = event.partition
		elif event.kind == 'evict':
			for wrong in self._judge(event, world):
				yield '%s: %s' % (wrong, event.line)

	def _judge(self, event, world):
		if event.job in self.started:
			yield 'evicted in the pass that started it'
		if (event.family == event.preemptor_family and event.family not in world.changed and
		    not self._of_two_classes(event, world)):
			yield 'evicted for itself'
		job, config = world.job(event.job), world.config_at(event.at)
		if 'safe' in self._partitions(event, job):
			yield 'evicted although its partition has PreemptMode=OFF'
		ran, count, most = (int(n or 0) for n in slurm.RAN.search(event.rest).groups())
		if ran < self.exempt:
			yield 'evicted within PreemptExemptTime'
		if most and count > most:
			yield 'evicted more often than maxPreemptions'
		if config and not config.broken:
			yield from self._by_config(event, config, job, ran, world)

	def _partitions(self, event, job):
		"""A job that was last seen waiting shows all that it asked for"""
		started_in = self.partitions.get(event.job)
		return (started_in,) if started_in else job.partitions if job else ()

	@staticmethod
	def _of_two_classes(event, world):
		"""Tasks of one array that names several partitions (doc/limits.md)"""
		victim, preemptor = world.job(event.job), world.job(event.preemptor)
		return not victim or not preemptor or victim.partitions != preemptor.partitions

	def _is_fixed(self, event, config, job, ran, world):
		"""It started by these rules, and nobody has changed it since; of an array some tasks are not"""
		parts = self._partitions(event, job)
		return (event.family not in world.touched and 'min-available' not in job.comment and
			seconds_of(event.at) - ran > world.config_since(event.at) + 2 and
			len(parts) == 1 and config.is_fixed(job.comment, parts[0]))

	def _by_config(self, event, config, job, ran, world):
		victim, preemptor = event.victim_queue, event.preemptor_queue
		if victim not in config.queues or preemptor not in config.queues:
			return
		if job and self._is_fixed(event, config, job, ran, world):
			yield 'evicted although it can\'t be preempted'
		elastic = job is None or 'min-available' in job.comment
		owed = self._owed(event, config)
		if not elastic and ran < owed:
			yield 'evicted although protected for %d s' % owed
		held = slurm.HELD.search(event.rest)
		if (event.rule in RULES_OF_OTHERS and victim != preemptor and held and
		    held[1] == victim and int(held[2]) <= int(held[3]) and not (job and job.het)):
			yield 'evicted from within the nominal quota of its queue'

	def _owed(self, event, config):
		"""Components of one job may be in several queues: then the least"""
		victim, preemptor = event.victim_queue, event.preemptor_queue
		if event.preemptor == event.preemptor_family:
			return config.owed(victim, preemptor)
		return min(config.owed(victim, queue) for queue in config.queues
			   if queue == victim or config.node(queue).parent)


class Preemptors:
	"""For whom others were evicted, he starts, or it is said why not

	Where samples come late, victims go late, too: of the time between two of them no more than
	STEP counts. world: job(id), calm_since
	"""

	def __init__(self, seconds=40):
		self.seconds = seconds
		self.last = None		# when the last sample was
		self.waiting = {}		# family: (when it was last, line, seconds that count since)
		self.silent = {}		# family: samples in which nothing was said, later than that
		self.said = {}			# family: samples in which it was said why
		self.rounds = {}		# family: stamps of evictions that came to nothing

	def hear(self, event, world):
		if event.kind == 'evict':
			self._answered(event.preemptor_family)
			self.waiting[event.preemptor_family] = seconds_of(event.at), event.line, 0
			stamps = self.rounds.setdefault(event.preemptor_family, [])
			if not stamps or seconds_of(event.at) - stamps[-1] > 2:
				stamps.append(seconds_of(event.at))
			if len(stamps) >= ROUNDS and stamps[-1] - stamps[-ROUNDS] < MINUTE:
				del stamps[:]
				yield 'evictions for job %d come to nothing, again and again: %s' % (
					event.preemptor, event.line)
		elif event.kind in ('start', 'late'):
			self.forget(event.family)
		elif event.kind == 'up':
			self.waiting.clear()
			self.silent.clear()
			self.said.clear()
			self.rounds.clear()

	def forget(self, family):
		"""It started, or somebody has changed it"""
		self._answered(family)
		self.rounds.pop(family, None)

	def disturbed(self):
		"""Nodes, partitions or quotas are others: evictions may have come to nothing by that"""
		self.rounds.clear()

	def look(self, sample):
		step = min(sample.at - self.last, STEP) if self.last is not None else 0
		self.last = sample.at
		for family, (at, line, since) in list(self.waiting.items()):
			self.waiting[family] = at, line, since + step
			jobs = [job for job in sample.jobs if job.family == family and job.waits]
			if not jobs or since + step < self.seconds:
				continue
			if any(self._says_why(job) for job in jobs):
				self.silent.pop(family, None)
				self.said[family] = self.said.get(family, 0) + 1
				if self.said[family] >= LOOKS:
					self._answered(family)
				continue
			self.silent[family] = self.silent.get(family, 0) + 1
			if self.silent[family] >= LOOKS:
				self._answered(family)
				yield 'for %s others were evicted %d s ago; it shows %s: %s' % (
					family, sample.at - at, jobs[0].reason, line)

	def _answered(self, family):
		self.waiting.pop(family, None)
		self.silent.pop(family, None)
		self.said.pop(family, None)

	def _says_why(self, job):
		return job.wait != 'preempting' and job.reason not in ('', 'None')


class Fates:
	"""No job is lost, and none ends as nobody asked

	A record stays for a while after the end; so who is not there any more was seen
	at its end. After kill -9 those are forgiven that slurmctld had not saved.
	world: asked(job), may_be_lost(since when it is there), accepted: {id: when sbatch
	said so} of those not seen yet; gap: the longest time without samples
	"""

	def __init__(self, gap=25):
		self.gap = gap
		self.known = {}		# key: [job, first seen, last seen]
		self.at = 0
		self.judged = set()	# ends: what excuses one may be forgotten, and the record stays

	def look(self, sample, world):
		seen = {}
		for job in sample.jobs:
			for key in self._keys(job):
				seen[key] = job
		late = self.at and sample.at - self.at > self.gap
		for key in [] if late else [k for k in self.known if k not in seen]:
			job, first, _ = self.known[key]
			if job.state not in slurm.ENDED and not world.may_be_lost(first):
				yield 'job %s is lost: last seen %s (%s)' % (
					'_'.join(map(str, key)), job.state, job.reason)
		self.known = {key: [job, self._first(key, job, sample.at), sample.at]
			      for key, job in seen.items()}
		self.at = sample.at
		yield from self._never_seen(sample, world)
		yield from self._ends(sample, world)

	def _never_seen(self, sample, world):
		there = {job.id for job in sample.jobs} | {job.family for job in sample.jobs}
		for number, at in list(world.accepted.items()):
			if at >= sample.at:
				continue
			del world.accepted[number]
			if number not in there and not world.may_be_lost(at):
				yield 'job %d was accepted, and is not there' % number

	def _first(self, key, job, at):
		before = self.known.get(key)
		return before[1] if before and before[0].name == job.name else at

	def _keys(self, job):
		if not job.array or not job.task:
			return [(job.id,)]
		try:
			return [(job.array, n) for n in tasks_of(job.task)]
		except ValueError:
			return []

	def _ends(self, sample, world):
		for job in sample.jobs:
			end = (job.id, job.name)
			if job.state not in slurm.ENDED:
				self.judged.discard(end)
				continue
			if job.state == 'COMPLETED' or end in self.judged:
				continue
			self.judged.add(end)
			if not world.asked(job):
				yield 'job %d ended as %s, which nobody asked for' % (job.id, job.state)


def tasks_of(text):
	"""0-2,5%1 -> 0 1 2 5"""
	for part in text.partition('%')[0].split(','):
		first, _, last = part.partition('-')
		yield from range(int(first), int(last or first) + 1)
