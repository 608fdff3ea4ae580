# SPDX-License-Identifier: GPL-2.0-or-later
"""evidence.py - all that is known of the cluster when something is wrong, for who reads a log only

It is taken at once, before anything moves: all records of jobs and nodes, the published file,
what scohort why says of each job that waits, the counters of the scheduler, the end of the log.
All of it is kept in the folder of the soak; what is printed of it is bounded.
"""

import re
import threading
import time

import slurm

LINES, WIDTH = 60, 8000		# of one part that is printed
ASKED = 24			# waiting jobs
SECONDS = 60			# for all questions: slurmctld may be gone
LOG = 400			# lines of the log that are kept
PRINTED_JOBS = ('JobId', 'ArrayJobId', 'ArrayTaskId', 'HetJobId', 'JobName', 'Priority', 'Nice', 'Account', 'QOS',
		'JobState', 'Reason', 'Dependency', 'Requeue', 'Restarts', 'SubmitTime', 'EligibleTime', 'StartTime',
		'PreemptEligibleTime', 'PreemptTime', 'LastSchedEval', 'Scheduler', 'Partition', 'ReqNodeList', 'NodeList',
		'SchedNodeList', 'NumNodes', 'NumCPUs', 'NumTasks', 'ArrayTaskThrottle', 'OverSubscribe', 'Comment',
		'SystemComment', 'AdminComment', 'ResvName')
NOISE = re.compile(r'_slurm_rpc_|Running job scheduler|beginning|completed testing|jobs to backfill|'
		   r'cohort: estimates of|slurmctld: debug')
RPCS = re.compile(r'count:\d|RPC|Remote Procedure')
NOTHING = ('', '(null)', 'N/A', 'None', 'Unknown', 'n/a')


def short(record):
	"""What may matter of a record of scontrol, without what is not set"""
	found = slurm.fields(record)
	return ' '.join('%s=%s' % (key, found[key]) for key in PRINTED_JOBS
			if key in found and (key == 'Reason' or found[key] not in NOTHING))


def end_of(path):
	try:
		with open(path, encoding='utf-8', errors='replace') as file:
			return file.read().splitlines()[-LOG:]
	except OSError as error:
		return [str(error)]


class Part:
	"""One of them: lines that are kept, and those that are printed of them"""

	def __init__(self, title, lines, printed=None):
		self.title, self.lines = title, lines
		self.printed = lines if printed is None else printed

	def shown(self):
		"""The last ones of too many lines"""
		left = len(self.printed) - LINES
		return ([] if left <= 0 else ['(%d more lines)' % left]) + [
			line if len(line) <= WIDTH else line[:WIDTH] + '...' for line in self.printed[-LINES:]]


class Evidence:
	def __init__(self, cluster, folder):
		self.cluster, self.path = cluster, folder + '/evidence'
		self.parts, self.until = [], 0
		self.lock, self.taken = threading.Lock(), False

	def _ask(self, *words):
		"""A client that hangs says so"""
		left = self.until - time.time()
		if left <= 0:
			return ['not asked: the others have taken too long']
		return self.cluster.run(list(words), min(left, 10))[1].split('\n')

	def _jobs(self):
		records = [line for line in self._ask('scontrol', '-o', '-d', 'show', 'job') if '=' in line]
		left = [line for line in records if re.search(r' JobState=(?!%s)' % '|'.join(slurm.ENDED), line)]
		self.parts.append(Part('records of jobs that are not over', records, [short(line) for line in left]))
		return [line for line in left if ' JobState=PENDING' in line]

	def _why(self, waiting):
		ids = [slurm.fields(line)['JobId'] for line in waiting]
		for number in ids[:ASKED]:
			lines = self._ask('scohort', 'why', '--json', number)
			self.parts.append(Part('scohort why --json ' + number, lines,
					       [' '.join(' '.join(lines).split())]))

	def take(self):
		"""Once: of the first thing that is wrong"""
		with self.lock:
			if not self.taken:
				self.taken = True
				self._take()

	def _take(self):
		self.until = time.time() + SECONDS
		waiting = self._jobs()
		nodes = self._ask('scontrol', '-o', 'show', 'node')
		self.parts.append(Part('nodes', nodes, [' '.join(re.findall(
			r'(?:NodeName|State|CPUAlloc|CPUTot|AllocMem|Reason)=\S+', line)) for line in nodes]))
		self._why(waiting)
		published = end_of(self.cluster.published)
		self.parts.append(Part('the published file', published, [''.join(published)]))
		self.parts.append(Part('scohort status', self._ask('scohort', 'status')))
		self.parts.append(Part('cohort.yaml', end_of(self.cluster.folder + '/etc/cohort.yaml')))
		counters = self._ask('sdiag')
		self.parts.append(Part('sdiag', counters, [line for line in counters if not RPCS.search(line)]))
		log = end_of(self.cluster.log)
		self.parts.append(Part('slurmctld.log', log, [line for line in log if not NOISE.search(line)]))
		with open(self.path, 'w', encoding='utf-8') as file:
			for part in self.parts:
				file.write('==== %s ====\n%s\n' % (part.title, '\n'.join(part.lines)))

	def show(self):
		for part in self.parts:
			print('%s:' % part.title)
			print(''.join('\t%s\n' % line for line in part.shown() if line.strip()), end='')
