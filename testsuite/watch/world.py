# SPDX-License-Identifier: GPL-2.0-or-later
"""world.py - the cluster, the trace, and what the rules have to know of the driver"""

import os
import subprocess
import threading
import time

from rules import seconds_of

HERE = os.path.dirname(os.path.abspath(__file__))


class Trace:
	"""What was done, in a file"""

	def __init__(self, path):
		self.path, self.start = path, time.time()
		self.lock = threading.Lock()

	def add(self, text):
		with self.lock, open(self.path, 'a', encoding='utf-8') as file:
			file.write('%.1f %s\n' % (time.time() - self.start, text))


class Cluster:
	"""The private cluster, and who is in control of it"""

	def __init__(self, folder, trace):
		self.folder, self.trace = folder, trace
		self.env = dict(os.environ)
		self.env['SLURM_CONF'] = folder + '/etc/slurm.conf'
		self.log = folder + '/log/slurmctld.log'
		self.published = folder + '/state/cohort_status.json'
		self.backup = None

	def run(self, command, limit=60, text=None):
		"""(exit status, output) of a client; one that hangs is killed"""
		try:
			done = subprocess.run(command, env=self.env, input=text, text=True, timeout=limit,
					      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
			return done.returncode, done.stdout.strip()
		except subprocess.TimeoutExpired:
			return 124, 'no answer'

	def do(self, *words, limit=60, text=None):
		rc, out = self.run(list(words), limit, text)
		self.trace.add('%s -> %s%s' % (' '.join(words), '' if rc == 0 else '(%d) ' % rc,
					       out.replace('\n', ' / ')[-100:]))
		return rc, out

	def manage(self, what, *words):
		"""testsuite/cluster"""
		command = [HERE + '/../cluster', what, '--dir', self.folder, *words]
		return self.do(*(self.backup.as_host('ctla', command) if self.backup else command), limit=200)

	def manage_words(self, what):
		"""What testsuite/cluster prints"""
		return self.run([HERE + '/../cluster', what, '--dir', self.folder])[1]

	def alive(self):
		if self.backup and not self.backup.alive():
			return False
		return 'slurmctld runs' in self.manage_words('status')

	def configure(self, config):
		with open(self.folder + '/etc/cohort.yaml', 'w', encoding='utf-8') as file:
			file.write(config.yaml())


class World:
	"""What the rules have to know of the driver"""

	def __init__(self, config, cluster):
		self.cluster = cluster
		self.lock = threading.Lock()
		self.configs = [(0, time.time(), config)]	# (from, to be sure, config)
		self.disturbed_at = time.time()
		self.up_since = time.time()
		self.jobs = {}			# id: as last seen
		self.cancelled = set()		# families
		self.victims = set()
		self.accepted = {}
		self.unsaved = []		# (from, to): accepted then, and perhaps never saved
		self.nodes_failed = []		# when
		self.changed = set()		# families, since the watcher has asked
		self.touched = set()		# families, ever
		self.upset = False		# nodes, partitions, quotas
		self.busy = 0

	def job(self, number):
		return self.jobs.get(number)

	def processes(self, number):
		job = self.jobs.get(number)
		return job.processes if job else 1

	def config_at(self, stamp):
		"""None: it may have been one of several"""
		at = seconds_of(stamp)
		begun = [i for i, (begun, _, _) in enumerate(self.configs) if begun - 2 <= at]
		settled = [i for i, (_, sure, _) in enumerate(self.configs) if sure is not None and sure + 2 <= at]
		if not begun or not settled:
			return None
		config = self.configs[settled[-1]][2]
		later = self.configs[settled[-1]:begun[-1] + 1]
		return config if all(c is config for _, _, c in later) else None

	def config_since(self, stamp):
		"""From when on the one of that time was in force, to be sure"""
		return max((sure for _, sure, _ in self.configs if sure and sure <= seconds_of(stamp)), default=0)

	def config_now(self):
		begun, sure, config = self.configs[-1]
		return (None, 0) if sure is None else (config, sure)

	def may_be_lost(self, at):
		return any(begun <= at <= end for begun, end in self.unsaved)

	def asked(self, job):
		"""Has anybody asked for the end that it had?"""
		if job.state == 'CANCELLED':
			return job.family in self.cancelled or self.was_victim(job) or self.just_killed()
		if job.state == 'PREEMPTED':
			return self.was_victim(job)
		if job.state in ('NODE_FAIL', 'FAILED'):
			# a job that has ended, and slurmctld was killed before that was saved,
			# is missed on its node
			return bool(self.nodes_failed or self.unsaved) or job.name == 'step'
		return job.state in ('TIMEOUT', 'DEADLINE')

	def just_killed(self):
		"""The end of a job that was not saved as started, or of one whose id somebody
		else got, is for slurmctld the end of one that waits: cancelled"""
		return any(time.time() - end < 60 for _, end in self.unsaved)

	def was_victim(self, job):
		return job.family in self.victims or job.name == 'step'
