# SPDX-License-Identifier: GPL-2.0-or-later
"""driver.py - all that users and administrators may do, in random order

The same seed gives the same commands; which jobs they meet depends on time. Every
command is in the trace: seconds since the start, the command, what it answered.
"""

import os
import random
import subprocess
import time

import quota

QUEUES = ('a', 'b', 'c', 'd')
ACCOUNTS = QUEUES + QUEUES + ('out',)
PARTITIONS = ('lo', 'lo', 'lo', 'mid', 'mid', 'hi', 'lo,hi', 'mid,lo', 'cancel', 'safe')
NODES = ('n1', 'n2', 'n3', 'n4')
CPUS_OF_NODE = 4
FIXED = quota.WORD + 'non-preemptible'
SLURM_CONF = """\
SchedulerParameters=bf_interval=1,bf_max_time=30,sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_continue
MinJobAge=60
PartitionName=lo Nodes=ALL PriorityTier=10 Default=YES State=UP MaxTime=INFINITE
PartitionName=mid Nodes=ALL PriorityTier=50 State=UP MaxTime=INFINITE
PartitionName=hi Nodes=ALL PriorityTier=100 State=UP MaxTime=INFINITE
PartitionName=cancel Nodes=ALL PriorityTier=20 PreemptMode=CANCEL GraceTime=1 State=UP MaxTime=INFINITE
PartitionName=safe Nodes=ALL PriorityTier=15 PreemptMode=OFF State=UP MaxTime=INFINITE
"""
CONTROLS = ('hold', 'release', 'release', 'requeue', 'requeuehold', 'suspend', 'resume', 'resume', 'top',
	    'cancel')
FITS = {	# most of the rest is refused
	'hold': lambda job: job.waits, 'top': lambda job: job.waits,
	'release': lambda job: 'held' in job.reason.lower(),
	'requeue': lambda job: job.runs, 'requeuehold': lambda job: job.runs,
	'suspend': lambda job: job.state == 'RUNNING', 'resume': lambda job: job.state == 'SUSPENDED',
	'cancel': lambda job: True,
}
STUCK = ('BadConstraints', 'DependencyNeverSatisfied', 'PartitionNodeLimit', 'PartitionConfig')


class Driver:
	def __init__(self, cluster, world, seed):
		self.cluster, self.world = cluster, world
		self.random = random.Random(seed)
		self.steps = []
		self.favourite = 'a'
		self.actors = []		# of scenes: they take long
		self.counts = {'jobs': 0, 'kills': 0, 'reconfigures': 0, 'scenes': 0, 'takeovers': 0, 'commands': 0}

	# ---- small change ----

	def one_of(self, words):
		return self.random.choice(words)

	def maybe(self, percent):
		return self.random.random() * 100 < percent

	def do(self, *words, **more):
		self.world.disturbed_at = time.time()
		self.counts['commands'] += 1
		result = self.cluster.do(*words, **more)
		self.world.disturbed_at = time.time()
		return result

	# ---- jobs ----

	def account(self):
		"""One queue after the other has most of the jobs: it borrows, then others reclaim. Each
		queue has two accounts"""
		name = self.favourite if self.maybe(40) else self.one_of(ACCOUNTS)
		return name + '1' if self.maybe(30) else name

	def size(self):
		n, number = self.random.randint(1, 4), self.random.randint(1, 3)
		return self.one_of((
			['-N1', '-n%d' % n], ['-N1', '-n%d' % n], ['-N1', '-n%d' % n], ['-N1', '-n1'],
			['-n%d' % (2 * n)], ['-N2', '-n%d' % (2 + n)], ['-N1-%d' % (1 + number), '-n1'],
			['--exclusive', '-N%d' % min(number, 2)], ['-w', self.one_of(NODES), '-n%d' % min(n, 2)]))

	def options(self):
		words = ['-A', self.account(), '-p', self.one_of(PARTITIONS), '-t2'] + self.size()
		extra = self.random.randrange(16)
		if extra == 0:
			words.append('--begin=now+%d' % self.random.randint(1, 4))
		elif extra == 1 and (other := self.some_job()):
			words.append('--dependency=afterany:%d' % other)
		elif extra == 2:
			words.append('--no-requeue')
		elif extra == 3:
			words.append('-H')
		elif extra == 4:
			words.append('--nice=%d' % self.random.randint(1, 1000))
		return words

	def sleep(self):
		most = self.one_of((1, 3, 6, 12, 24))
		return 'exec sleep %.1f' % (self.random.random() * most)

	def batch(self):
		words = self.options()
		kind = self.random.randrange(10)
		if kind == 0:
			words += ['-a', '0-%d' % self.random.randint(1, 5)]
		elif kind == 1:
			words += ['-a', '0-%d%%%d' % (self.random.randint(1, 5), self.random.randint(1, 2))]
		elif kind == 2:
			words += ['-a', '0-3', '--comment=cohort:min-available=%d%s' % (
				self.random.randint(1, 3), ' ' + FIXED if self.maybe(30) else '')]
		elif kind in (3, 4):
			self.het(words)
		elif kind in (5, 6):
			words.append('--comment=' + self.one_of((FIXED, FIXED, 'cohort:preemptibility=preemptible',
								 'cohort:preemptibility=no')))
		self.submit(words)

	def het(self, words):
		"""One more component; of several partitions two such jobs may wait for each
		other in backfill for good, with or without us"""
		at = words.index('-p') + 1
		words[at] = words[at].partition(',')[0]
		words += [':', '-A', self.one_of(ACCOUNTS), '-p', words[at], '-t2', '-N1',
			  '-n%d' % self.random.randint(1, 2)]

	def submit(self, words, command=None):
		rc, out = self.do('sbatch', '--parsable', '-J', 'job%d' % self.counts['jobs'], '-o', '/dev/null',
				  *words, '--wrap', command or self.sleep())
		if rc == 0 and out.split('\n')[-1].isdigit():
			number = int(out.split('\n')[-1])
			self.counts['jobs'] += 1
			self.world.accepted[number] = time.time()
			if command:
				self.actors.append(number)
			return number
		return None

	def step(self):
		words = self.options()
		if self.maybe(50):
			words.append('-I%d' % self.random.randint(1, 2))
		command = [self.one_of(('srun', 'salloc')), '-J', 'step'] + words + ['sleep', '1']
		self.cluster.trace.add(' '.join(command) + ' &')
		self.world.disturbed_at = time.time()
		self.counts['jobs'] += 1
		self.steps.append(subprocess.Popen(
			['timeout', '-k', '1', '8'] + command, env=self.cluster.env, stdin=subprocess.DEVNULL,
			stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
		self.steps = [p for p in self.steps if p.poll() is None]

	def gather(self):
		"""Somebody has all nodes for a while, so that others wait, and go in one pass"""
		self.submit(['-A', 'out', '-p', 'hi', '-t2', '-N4', '--exclusive'], 'exec sleep 3')

	def families(self):
		"""Of all that are there, as asked now"""
		_, out = self.cluster.run(['squeue', '-h', '-o', '%F'])
		return sorted({int(word) for word in out.split() if word.isdigit()})

	def cancel(self, families):
		for family in sorted(filter(None, families)):
			job = self.world.job(family)
			self.world.cancelled.update((family, job.family if job else family))
			self.world.changed.add(family)
			self.do('scancel', str(family))

	def some_job(self, fits=lambda job: True):
		"""The id of one that waits or runs"""
		with self.world.lock:
			ids = sorted(number for number, job in self.world.jobs.items()
				     if (job.waits or job.runs) and job.name != 'step' and fits(job))
		return self.one_of(ids) if ids else None

	# ---- what becomes of them ----

	def touch(self, number):
		job = self.world.job(number)
		family = job.family if job else number
		self.world.changed.add(family)
		self.world.touched.add(family)
		return family

	def update(self):
		number = self.some_job()
		if number is None:
			return
		self.touch(number)
		processes = self.world.processes(number)
		job = self.world.job(number)
		# one node has CPUs for so many: Slurm takes more, and never starts it. An
		# update of the first component is one of all, and what one needs is too
		# much for another.
		sizes = () if job and job.het else (
			'NumNodes=%d' % (1 if processes <= CPUS_OF_NODE else 2),
			'NumCPUs=%d' % max(self.random.randint(1, 4), processes))
		word = self.one_of((
			'Account=' + self.account(), 'Partition=' + self.one_of(PARTITIONS)) +
			sizes + (
			'Priority=%d' % self.random.randint(1, 1000),
			'TimeLimit=%d' % self.random.randint(2, 4),
			'ArrayTaskThrottle=%d' % self.random.randint(0, 2), 'StartTime=now+2',
			'Comment=cohort:min-available=%d' % self.random.randint(0, 2),
			'Comment=' + self.one_of((FIXED, quota.WORD + 'preemptible'))))
		self.do('scontrol', 'update', 'JobId=%d' % number, word)

	def control(self, verbs):
		verb = self.one_of(verbs)
		number = self.some_job(FITS.get(verb) if self.maybe(90) else lambda job: True)
		if number is None:
			return
		family = self.touch(number)
		job = self.world.job(number)
		if job and job.het and self.maybe(80):		# most is refused for other components
			number = job.het
		if verb == 'cancel':
			self.world.cancelled.add(family)
			self.do('scancel', str(number))
		else:
			self.do('scontrol', verb, str(number))

	# ---- nodes, partitions, configurations ----

	def nodes(self):
		node, kind = self.one_of(NODES), self.random.randrange(6)
		self.world.upset = True
		if kind == 0:
			self.do('scontrol', 'update', 'NodeName=' + node, 'State=DRAIN', 'Reason=soak')
		elif kind == 1:
			self.world.nodes_failed.append(time.time())
			self.do('scontrol', 'update', 'NodeName=' + node, 'State=DOWN', 'Reason=soak')
		else:
			self.do('scontrol', 'update', 'NodeName=n[1-4]', 'State=RESUME')

	def partition(self):
		self.world.upset = True
		state = self.one_of(('DOWN', 'UP', 'UP'))
		self.do('scontrol', 'update', 'PartitionName=mid', 'State=' + state)

	def reservation(self):
		self.world.upset = True
		if self.maybe(50):
			self.do('scontrol', 'create', 'reservation=res', 'starttime=now', 'duration=1', 'users=root',
				'nodes=' + self.one_of(NODES), 'flags=ignore_jobs')
		else:
			self.do('scontrol', 'delete', 'reservation=res')

	def configure(self, name):
		"""Another cohort.yaml; one with errors leaves the one before in force"""
		config, world = quota.CONFIGS[name], self.world
		before = world.configs[-1][2]
		self.counts['reconfigures'] += 1
		world.upset = True
		begun = time.time()
		world.configs.append((begun, None, before if config.broken else config))
		self.cluster.trace.add('cohort.yaml: ' + name)
		self.cluster.configure(config)
		self.manage('reconfigure')
		# from 24.11 on slurmctld runs itself anew
		world.configs[-1] = begun, time.time(), world.configs[-1][2]

	def kill(self):
		"""kill -9 of slurmctld, and a new one"""
		self.counts['kills'] += 1
		self.lose_control('kill-ctld')

	def restart(self):
		self.lose_control('restart-ctld')

	def manage(self, what):
		self.world.disturbed_at = time.time()
		self.cluster.manage(what)
		self.world.disturbed_at = time.time()

	def saved_at(self):
		"""What was accepted before is not lost by kill -9"""
		try:
			return os.stat(self.cluster.folder + '/state/job_state').st_mtime - 5
		except FileNotFoundError:
			return 0

	def lost_from_now(self):
		"""Before slurmctld is killed: the watcher may look before it is known when
		the next one was up"""
		world = self.world
		world.unsaved.append((self.saved_at(), float('inf')))
		world.up_since = world.disturbed_at = time.time()
		world.upset = True

	def lost_until_now(self):
		world = self.world
		world.unsaved[-1] = world.unsaved[-1][0], time.time() + 1
		world.up_since = world.disturbed_at = time.time()

	def lose_control(self, how):
		self.lost_from_now()
		self.manage(how)
		self.lost_until_now()

	def takeover(self, meanwhile):
		"""The backup takes over, things go on, and the first one takes control back.
		Returns what went wrong, or None."""
		world, backup = self.world, self.cluster.backup
		before = backup.controls(backup.log), backup.controls(self.cluster.log)
		self.counts['takeovers'] += 1
		self.lost_from_now()
		self.cluster.trace.add('kill -9 of the first slurmctld')
		backup.kill_first()
		if not backup.wait_control(backup.log, before[0]):
			return 'the backup does not take over'
		self.lost_until_now()
		meanwhile()
		world.upset = True
		self.manage('restart-ctld')
		if not backup.wait_control(self.cluster.log, before[1]):
			return 'the first slurmctld does not take control back'
		world.up_since = world.disturbed_at = time.time()
		return None

	# ---- all of it ----

	def command(self):
		time.sleep(self.random.random() * 0.1)
		if self.maybe(3):
			self.favourite = self.one_of(QUEUES)
		kind = self.random.randrange(100)
		with self.world.lock:
			many = sum(job.tasks for job in self.world.jobs.values() if job.waits) > 60
		if many:	# a queue that ends some day
			self.control(('release', 'resume', 'cancel', 'cancel'))
			time.sleep(0.3)
		elif kind >= 75:
			self.update()
		elif kind >= 62:
			self.control(CONTROLS)
		elif kind < 45:
			self.batch()
		elif kind < 50:
			self.step()
		elif kind < 55:
			self.nodes()
		elif kind < 57:
			self.reservation()
		elif kind < 59:
			self.partition()
		elif kind < 60:
			self.gather()
		elif kind < 61:
			self.do('scohort', 'status')
		else:
			self.do('sbatch', '--test-only', *self.options(), '--wrap', 'true')

	# ---- the end ----

	def settle(self):
		"""No more input, and nothing that keeps jobs from going"""
		self.world.upset = True
		self.cancel(set(self.actors) & set(self.families()))
		self.configure('base')
		self.do('scontrol', 'update', 'NodeName=n[1-4]', 'State=RESUME')
		self.do('scontrol', 'update', 'PartitionName=mid', 'State=UP')
		self.do('scontrol', 'delete', 'reservation=res')
		for process in self.steps:
			process.wait()

	def unstick(self, sample):
		"""Those go that wait for what will never be, the suspended go on, and nodes are there

		slurmd refuses to launch a job that it believes to be running. slurmctld drains its node then.
		"""
		if any(job.waits and 'NotAvail' in job.reason for job in sample.jobs):
			self.do('scontrol', 'update', 'NodeName=n[1-4]', 'State=RESUME')
		for job in sample.jobs:
			if job.waits and (sample.torn(job) or 'held' in job.reason.lower() or
					  job.wait == 'never' or job.reason in STUCK):
				self.world.cancelled.add(job.family)
				self.do('scancel', str(job.family))
			elif job.state == 'SUSPENDED':
				self.do('scontrol', 'resume', str(job.id))
