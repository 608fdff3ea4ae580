# SPDX-License-Identifier: GPL-2.0-or-later
"""counted.py - instructions of slurmctld in place of time, counted by valgrind's callgrind

Noise does not move them, so that ratios near one can be told from one. What memory costs they
do not show. slurmctld takes some fifty times as long: what happens is counted, and not how
long that takes.
"""

import glob
import os
import re
import shutil
import subprocess

import ctld
import figures
import world

# The thread that calls it is the one with the main passes
PASS_FUNCTION = 'build_job_queue'
# The threads that call it serve submissions
SUBMIT_FUNCTION = 'job_allocate'
# Between two passes there is time to begin and to end counting
SLOW_PASSES = figures.PASSES.replace('sched_interval=1,', 'sched_interval=5,')
# A figure is of so many passes or events; of so many times as many jobs
COUNTED = 10
CHURN_OF_COUNTED = 10
SUBMISSIONS_OF_COUNTED = 40
LIMIT_SECONDS = 900


class Counter:
	"""From its start to stop() all that slurmctld does is counted"""

	def __init__(self, cluster, await_pass=True):
		self.cluster = cluster
		self.out = cluster.path('counts.%d' % cluster.pid)
		if await_pass:
			self.await_pass()
		cluster.sdiag_reset()
		self.control('-i', 'on')

	def control(self, *words):
		subprocess.run(['callgrind_control', *words, str(self.cluster.pid)], check=True,
			stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

	def stop(self):
		"""Millions of instructions: of all threads, of the one with the main passes, and of those
		that serve submissions"""
		self.control('-d')
		self.control('-i', 'off')
		self.passes = self.passed()
		self.all = self.main = self.submit = 0
		for name in glob.glob(self.out + '.*'):
			with open(name) as f:
				text = f.read()
			count = re.search(r'^(?:summary|totals): (\d+)', text, re.M)
			millions = int(count.group(1)) / 1e6 if count else 0
			self.all += millions
			if millions:
				self.keep(name)
			if calls(text, PASS_FUNCTION):
				self.main += millions
			elif calls(text, SUBMIT_FUNCTION):
				self.submit += millions
			os.unlink(name)
		return self

	def keep(self, name):
		"""For callgrind_annotate: each thread of each side and start"""
		if self.cluster.profiles:
			side = next(n for n, s in world.SIDES.items() if s is self.cluster.side)
			shutil.copy(name, os.path.join(self.cluster.profiles, 'callgrind.%s.%d.%s' % (
				side, self.cluster.starts, name.rsplit('-', 1)[-1])))

	def await_pass(self):
		"""One is over, and the next one has not begun"""
		before = self.passed()
		ctld.wait_for('a pass', LIMIT_SECONDS, lambda: self.passed() != before)

	def has_filled_nodes(self):
		"""Asked once a pass: the answer, a list of all nodes, is counted too, and costs as much as
		a job that ends"""
		self.await_pass()
		return self.cluster.idle_cpus() < 4

	def passed(self):
		return self.cluster.sdiag()['main']['Total cycles']


def calls(text, function):
	"""Whether what callgrind tells of a thread has the function"""
	return re.search(r'^c?fn=\(\d+\) %s$' % function, text, re.M)


def wrapper(folder, figure):
	"""The command that runs slurmctld so that it can be counted, from its start if the figure
	is of that"""
	return 'valgrind --tool=callgrind --separate-threads=yes --instr-atstart=%s ' \
		'--callgrind-out-file=%s/counts.%%p' % ('yes' if figure == 'restart' else 'no', folder)


def passes_quiet(cluster):
	counter = Counter(cluster)
	ctld.wait_for('%d passes' % cluster.counted, LIMIT_SECONDS,
		lambda: counter.passed() >= cluster.counted)
	counter.stop()
	return {'main pass, quiet': ('M', counter.main / counter.passes)}


def passes_event(cluster):
	"""A pass for the end, one for the submission or for both, and one of the clock's"""
	lines = list(figures.events(cluster, cluster.counted))
	counter = Counter(cluster)
	with cluster.jobs() as jobs:
		for i in range(cluster.counted):
			enough = counter.passed() + 2
			jobs.run(lines[2 * i:2 * i + 2])
			ctld.wait_for('two passes', LIMIT_SECONDS, lambda: counter.passed() >= enough)
	counter.stop()
	return {'main pass, an end and a submission in every second one': ('M', counter.main / counter.passes),
		'passes for each of these events': ('', counter.passes / cluster.counted)}


def submit(cluster):
	"""Without the main passes, the saving of state and the estimates: how many of them there
	are meanwhile is a matter of time. The first are in other figures, and the CPU time of the
	last is in what the bench prints without --instructions."""
	count = cluster.counted * SUBMISSIONS_OF_COUNTED
	lines = figures.submissions(cluster, count)
	with cluster.jobs() as jobs:
		counter = Counter(cluster, await_pass=False)
		jobs.submit(lines)
		counter.stop()
	return {'1,000 submissions': ('M', counter.submit * 1000 / count)}


def churn(cluster):
	count = cluster.counted * CHURN_OF_COUNTED
	lines = list(figures.events(cluster, count))
	with cluster.jobs(4) as jobs:
		counter = Counter(cluster)
		jobs.run(lines)
		figures.wait_at_most(LIMIT_SECONDS, lambda: counter.has_filled_nodes())
		counter.stop()
	return {'1,000 ended and submitted': ('M', counter.all * 1000 / count)}


def restart(cluster):
	"""All that it does from its start until it has got over that"""
	counter = Counter(cluster, await_pass=False).stop()
	return {'a start of slurmctld': ('M', counter.all)}


def reconfigure(cluster):
	counter = Counter(cluster, await_pass=False)
	cluster.client('scontrol', 'reconfigure')
	cluster.settle()
	return {'reconfigure': ('M', counter.stop().all)}


FIGURES = {
	'restart': (restart, figures.EVENTS),
	'reconfigure': (reconfigure, figures.EVENTS),
	'quiet': (passes_quiet, SLOW_PASSES),
	'event': (passes_event, SLOW_PASSES),
	'submit': (submit, figures.EVENTS),
	'churn': (churn, SLOW_PASSES),
}
