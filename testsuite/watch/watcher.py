# SPDX-License-Identifier: GPL-2.0-or-later
"""watcher.py - samples of a cluster, in a thread of their own, and what the rules say of them"""

import threading
import time
import traceback

import evictions
import rules
import slurm

PAUSE = 0.4		# seconds between samples


class Watcher(threading.Thread):
	def __init__(self, cluster, world, tell):
		super().__init__(daemon=True)
		self.cluster, self.world, self.tell = cluster, world, tell
		self.logs = [slurm.Follower(cluster.log)]
		if cluster.backup:
			self.logs.append(slurm.Follower(cluster.backup.log))
		self.over = threading.Event()
		self.samples = self.passes = self.evictions = 0
		self.longest, self.at = 0, time.time()
		self.of_sample = [rules.Usage(), rules.Waiting(), rules.Completing(), rules.Places(),
				  rules.Published(), rules.Fixed(world.touched), rules.History()]
		self.preemptors, self.fates = evictions.Preemptors(), evictions.Fates()
		self.of_log = [evictions.Log(), evictions.Victims(), self.preemptors]
		self.last = None		# sample

	# ---- one look ----

	def records(self, what, parse):
		rc, out = self.cluster.run(['scontrol', '-o', '-d', 'show', what], 20)
		if rc != 0:
			return None
		return [parse(line) for line in slurm.records(out)]

	def sample(self):
		"""None while slurmctld does not answer"""
		config, since = self.world.config_now()
		found = slurm.Sample(time.time(), self.records('job', slurm.parse_job), config=config,
				     config_since=since, up_since=self.world.up_since)
		found.hosts = self.records('node', slurm.parse_host)
		if found.jobs is None or found.hosts is None:
			return None
		found.published = slurm.parse_published(self.cluster.published)
		found.passes = self.passes
		found.calm_since = self.world.disturbed_at
		if self.world.config_now() != (config, since):
			found.config = None
		return found

	# ---- what they say ----

	def hear(self):
		for log in self.logs:
			for event in filter(None, map(slurm.parse_event, log.lines())):
				self.hear_of(event)

	def hear_of(self, event):
		self.passes += event.kind == 'full'
		if event.kind == 'evict':
			self.evictions += 1
			self.world.victims.add(event.family)
		for rule in self.of_log:
			for text in rule.hear(event, self.world):
				self.tell(text)

	def forgive(self):
		"""What the driver has changed is no longer what somebody was evicted for"""
		if self.world.upset:
			self.world.upset = False
			self.preemptors.disturbed()
		while self.world.changed:
			self.preemptors.forget(self.world.changed.pop())

	def look(self):
		sample = self.sample()
		self.hear()
		self.forgive()
		if not sample:
			return
		with self.world.lock:
			self.world.jobs = {job.id: job for job in sample.jobs}
		for rule in self.of_sample + [self.preemptors]:
			for text in rule.look(sample):
				self.tell(text)
		for text in self.fates.look(sample, self.world):
			self.tell(text)
		self.longest = max(self.longest, sample.at - self.at)
		self.at, self.last = sample.at, sample
		self.samples += 1

	def run(self):
		"""A watcher that fails is something wrong, not a cluster without faults"""
		try:
			while not self.over.is_set():
				self.look()
				self.over.wait(PAUSE)
		except Exception:	# pylint: disable=broad-except
			self.tell('the watcher failed: ' + traceback.format_exc())

	def end(self):
		self.over.set()
		self.join()
		self.look()
