# SPDX-License-Identifier: GPL-2.0-or-later
"""ctld.py - one private cluster, whose slurmctld becomes each side in turn

The world is made once, by Slurm alone, and its StateSaveLocation is kept. A side
starts from a copy of that: all have the same jobs on the same nodes, and no figure
finds what another one has left.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time

import world

HERE = os.path.dirname(os.path.abspath(__file__))
TESTSUITE = os.path.dirname(HERE)
TOP = os.path.dirname(TESTSUITE)
# Each pass looks at all jobs, so that the world is made in a few of them
FILLING = {'SchedulerParameters': 'defer,sched_interval=1,default_queue_depth=1000000,'
	'max_sched_time=30,bf_interval=10000'}
# slurmd launches no batch job twice: in each start an array's tasks get numbers that
# they had in no earlier one
IDS_PER_START = 100000
SETTLED_SECONDS = 30
SETTLED_CORE = 0.05
# Longer than updateInterval: what it does next is what it will do all day
SETTLED_ROW = 7


class BenchError(Exception):
	pass


def wait_for(what, seconds, condition):
	end = time.monotonic() + seconds
	while not condition():
		if time.monotonic() > end:
			raise BenchError('not within %d s: %s' % (seconds, what))
		time.sleep(0.05)


def config_mk(top):
	"""{name: value} of what configure has found"""
	with open(os.path.join(top, 'config.mk')) as f:
		return dict(re.findall(r'^(\w+) *:?= *(.*)$', f.read(), re.M))


class Cluster:
	def __init__(self, folder, sizes):
		self.dir = folder
		self.sizes = sizes
		self.build = os.environ.get('COHORT_BUILD', os.path.join(TOP, 'build'))
		self.config = config_mk(TOP)
		self.env = dict(os.environ, SLURM_CONF=self.path('etc/slurm.conf'),
			PATH=self.build + ':' + os.environ['PATH'])
		self.base = []
		self.pid = None
		self.side = None
		self.starts = 0
		self.profiles = None	# the folder that they are kept in
		self.counts_memory = False	# slurmctld runs with heap.c

	def path(self, name):
		return os.path.join(self.dir, name)

	def script(self, *words):
		"""The cluster's script, which knows how to start and stop daemons. What is measured is
		slurmctld as it is: one that hangs as it ends is killed after a minute, and its state
		is saved by then (doc/limits.md)."""
		env = dict(os.environ, COHORT_CTLD_WAKE='no',
			COHORT_SLURMD_WRAPPER='env LD_PRELOAD=' + self.path('all-nodes.so'))
		if self.counts_memory:
			env['COHORT_CTLD_WRAPPER'] = 'env LD_PRELOAD=%s COHORT_HEAP=%s' % (
				self.path('heap.so'), self.path('heap'))
		done = subprocess.run([os.path.join(TESTSUITE, 'cluster'), *words, '--dir', self.dir],
			stdout=subprocess.DEVNULL, env=env)
		if done.returncode:
			raise BenchError('cluster %s failed' % words[0])

	def client(self, *words):
		return subprocess.run(words, env=self.env, stdout=subprocess.PIPE, check=True,
			universal_newlines=True).stdout

	# ---- start and stop ----

	def up(self):
		os.makedirs(self.dir, exist_ok=True)
		build(self.dir, self.build, self.config)
		extra = self.path('extra.conf')
		lines = {**world.slurm_conf(self.sizes), **FILLING}
		with open(extra, 'w') as f:
			f.writelines('%s=%s\n' % line for line in lines.items())
			f.writelines(l + '\n' for l in world.side_conf(world.SIDES['none'], self.sizes))
		with open(self.path('gres.conf'), 'w') as f:
			f.write(world.gres_conf(self.sizes))
		self.script('up', '--stock', '--answers-for', str(self.sizes.nodes),
			'--slurm-conf', extra, '--gres-conf', self.path('gres.conf'))
		with open(self.path('etc/slurm.conf')) as f:
			self.base = f.read().splitlines()

	def down(self):
		self.script('down')

	def fill(self):
		"""Makes the world and keeps it, as it is without those who wait, and with them"""
		sizes = self.sizes
		with self.jobs(4) as jobs:
			jobs.submit(world.running_jobs(sizes))
			wait_for('%d jobs run' % sizes.running, 300,
				lambda: self.count('R') == sizes.running)
		self.keep('running')
		with self.jobs(4) as jobs:
			pending = world.pending_jobs(sizes)
			jobs.submit(next(pending) for _ in range(sizes.pending))
		waiting, wanted = self.count('PD'), world.waiting_records(sizes)
		if waiting != wanted:
			raise BenchError('%d jobs wait and not %d' % (waiting, wanted))
		self.keep('full')
		self.script('stop-ctld')

	def keep(self, name):
		self.script('stop-ctld')
		shutil.copytree(self.path('state'), self.path('worlds/' + name))
		self.script('restart-ctld')

	def start(self, side, parameters, kept='full'):
		"""slurmctld is this side from here on, and has got over its start"""
		self.side = side
		self.starts += 1
		self.script('stop-ctld')
		shutil.rmtree(self.path('state'))
		shutil.copytree(self.path('worlds/' + kept), self.path('state'))
		self.configure(side, parameters)
		self.script('restart-ctld')
		with open(self.path('run/slurmctld.pid')) as f:
			self.pid = int(f.read().split()[0])
		wait_for('all nodes have registered', 120, self.nodes_registered)
		self.settle()

	def plugins(self, side):
		"""The folder of ours: without cohorts, the pair that only hands on"""
		ours = os.environ.get('COHORT_PLUGINDIR', os.path.join(self.build, 'plugins'))
		if side.cohort:
			return ours
		forward = self.path('forward')
		for name in ('select_cons_tres.so', 'preempt_cohort.so'):
			shutil.copy(os.path.join(ours, name), forward)
		return forward

	def configure(self, side, parameters):
		plugins = self.config['SLURM_PLUGINDIR']
		if side.plugins:
			plugins = self.plugins(side) + ':' + plugins
			with open(self.path('etc/cohort.yaml'), 'w') as f:
				f.write(world.cohort_yaml(side.cohort, self.sizes))
		own = world.side_conf(side, self.sizes) + ['PluginDir=' + plugins,
			'SchedulerParameters=' + parameters, 'FirstJobId=%d' % (self.starts * IDS_PER_START)]
		keys = {conf_key(line) for line in own}
		with open(self.path('etc/slurm.conf'), 'w') as f:
			f.writelines(line + '\n' for line in self.base if conf_key(line) not in keys)
			f.writelines(line + '\n' for line in own)

	def nodes_registered(self):
		"""slurmctld asks for that some seconds after its start"""
		count = re.search(r'MESSAGE_NODE_REGISTRATION_STATUS .* count:(\d+)', self.client('sdiag'))
		return count and int(count.group(1)) >= self.sizes.nodes

	def settle(self):
		"""What it does after its start is not what it does all day"""
		end = time.monotonic() + SETTLED_SECONDS
		calm = 0
		while calm < SETTLED_ROW and time.monotonic() < end:
			before = self.cpu_ns()
			time.sleep(1)
			calm = calm + 1 if self.cpu_ns() - before < SETTLED_CORE * 1e9 else 0

	# ---- what it says and takes ----

	def count(self, state):
		return self.client('squeue', '-h', '-t', state, '-o', '%i').count('\n')

	def idle_cpus(self):
		return int(self.client('sinfo', '-h', '-p', 'scavenger', '-o', '%C').split('/')[1])

	def cpu_ns(self):
		"""CPU time of slurmctld, that of threads that have ended too"""
		return time.clock_gettime_ns(~self.pid << 3 | 2)

	def thread_ns(self, name):
		"""CPU time of one of its threads"""
		for task in os.listdir('/proc/%d/task' % self.pid):
			stat = '/proc/%d/task/%s/' % (self.pid, task)
			with contextlib.suppress(FileNotFoundError), open(stat + 'comm') as f:
				if f.read().strip() == name:
					with open(stat + 'schedstat') as s:
						return int(s.read().split()[0])
		raise BenchError('slurmctld has no thread %s' % name)

	def memory_kb(self):
		with open('/proc/%d/status' % self.pid) as f:
			return int(re.search(r'^RssAnon:\s*(\d+)', f.read(), re.M).group(1))

	def heap_bytes(self):
		"""What it has in use, where its memory is counted: see heap.c"""
		with open(self.path('heap/%d' % self.pid), 'rb') as f:
			return int.from_bytes(f.read(8), sys.byteorder)

	def sdiag_reset(self):
		self.client('sdiag', '-r')

	def sdiag(self):
		"""{'main': {...}, 'backfill': {...}, 'jobs': {...}}, numbers by their names"""
		part, found = 'jobs', {'jobs': {}, 'main': {}, 'backfill': {}}
		for line in self.client('sdiag').splitlines():
			if line.startswith('Main schedule'):
				part = 'main'
			elif line.startswith('Backfilling stats'):
				part = 'backfill'
			elif line.startswith('Remote Procedure Call'):
				break
			number = re.match(r'\s*([^:]+):\s+(\d+)$', line)
			if number:
				found[part].setdefault(number.group(1), int(number.group(2)))
		return found

	@contextlib.contextmanager
	def jobs(self, connections=1):
		with Jobs([self.path('jobs'), str(connections)], self.env) as jobs:
			yield jobs


def conf_key(line):
	"""NodeName and PartitionName lines are told apart by their name"""
	word = line.strip().split(' ')[0].lower()
	return word if word.startswith(('nodename=', 'partitionname=')) else word.split('=')[0]


def build(folder, build_dir, config):
	"""What is compiled: the client, what is preloaded into slurmd and slurmctld, and the idle
	library"""
	compiler = [os.environ.get('CC', 'cc'), '-std=gnu11', '-D_GNU_SOURCE', '-O2']
	flags = lambda *names: [word for name in names for word in config.get(name, '').split()]

	subprocess.run([*compiler, *flags('CPPFLAGS'), '-o', os.path.join(folder, 'jobs'),
		os.path.join(HERE, 'jobs.c'), *flags('LDFLAGS', 'SLURM_LIBS'), '-lpthread'], check=True)
	subprocess.run([*compiler, '-fPIC', '-shared', '-I' + build_dir,
		'-isystem', config['SLURM_SOURCE'], '-o', os.path.join(folder, 'all-nodes.so'),
		os.path.join(HERE, 'all-nodes.c')], check=True)
	subprocess.run([*compiler, '-fPIC', '-shared', '-o', os.path.join(folder, 'heap.so'),
		os.path.join(HERE, 'heap.c'), '-lpthread'], check=True)
	for name in ('heap', 'forward'):
		os.makedirs(os.path.join(folder, name), exist_ok=True)
	subprocess.run([*compiler, '-fPIC', '-shared', '-I' + build_dir,
		'-isystem', config['SLURM_SOURCE'], '-I', os.path.join(TOP, 'src/plugins/common'),
		'-Wl,-soname,libcohort_ctld.so', '-o', os.path.join(folder, 'forward/libcohort_ctld.so'),
		os.path.join(HERE, 'forward.c')], check=True)


class Jobs:
	"""The program jobs: see jobs.c for what its lines say"""

	def __init__(self, words, env):
		self.program = subprocess.Popen(words, env=env, stdin=subprocess.PIPE,
			stdout=subprocess.PIPE, universal_newlines=True)

	def __enter__(self):
		return self

	def __exit__(self, *_):
		self.program.stdin.close()
		self.program.wait()

	def run(self, lines):
		"""Answers, when all are there. It reads while it writes: pipes are short."""
		answers, asked = [], 0
		for line in lines:
			self.program.stdin.write(line + '\n')
			asked += 1
			if asked - len(answers) >= 64:
				self.program.stdin.flush()
				answers.append(self.answer())
		self.program.stdin.flush()
		while len(answers) < asked:
			answers.append(self.answer())
		return answers

	def answer(self):
		line = self.program.stdout.readline()
		if not line or line.startswith('0'):
			raise BenchError('an order was not carried out')
		return [int(word) for word in line.split()]

	def submit(self, jobs):
		return self.run('submit %s %s %d %d %d %d %s %d' % job for job in jobs)

	def start(self, job):
		"""Seconds until it has started"""
		return self.run(['start %s %s %d %d %d %d %s %d' % job])[0][1] / 1e6
