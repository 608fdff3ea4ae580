# SPDX-License-Identifier: GPL-2.0-or-later
"""slurm.py - what slurmctld shows: records of jobs and nodes, its log, the published file"""

import dataclasses
import json
import re

WORD = re.compile(r'(?:^|\s)([A-Za-z][\w/:]*)=')
SHARE = re.compile(r'Nodes=(\S+) CPU_IDs=(\S+) Mem=')
COHORT = re.compile(r'^Cohort:pos=(\d+)(?:/(\d+))?\+?,wait=([a-z]+)(.*),cq=(\S+)$')
RUNS = ('RUNNING', 'COMPLETING', 'SUSPENDED')
ENDED = ('COMPLETED', 'CANCELLED', 'FAILED', 'TIMEOUT', 'NODE_FAIL', 'PREEMPTED', 'DEADLINE',
	 'BOOT_FAIL', 'OUT_OF_MEMORY')


def hosts(text):
	"""n[1-2,4] -> n1 n2 n4"""
	found = []
	for name, ranges in re.findall(r'([^\[\],]+)(?:\[([^\]]*)\])?', text):
		if not ranges:
			found.append(name)
		for part in filter(None, ranges.split(',')):
			first, _, last = part.partition('-')
			found += [name + str(i) for i in range(int(first), int(last or first) + 1)]
	return found


def count_ids(text):
	"""0-3,5 -> 5"""
	total = 0
	for part in text.split(','):
		first, _, last = part.partition('-')
		total += int(last or first) - int(first) + 1
	return total


def fields(line):
	"""A record of scontrol -o as {key: value}; the first one of a key counts"""
	found, marks = {}, list(WORD.finditer(line))
	for mark, after in zip(marks, marks[1:] + [None]):
		value = line[mark.end():after.start() if after else len(line)].strip()
		found.setdefault(mark.group(1), value)
	return found


@dataclasses.dataclass
class Job:
	id: int
	state: str
	account: str			# without a number at its end: the queue
	array: int = 0			# id of the array, 0: none
	task: str = ''
	het: int = 0			# id of the first component, 0: none
	reason: str = ''
	partitions: tuple = ('lo',)
	cpus: int = 1
	processes: int = 1		# by the CPUs that each wants: Slurm 24.11 starts none with fewer
	nodes: str = '1'		# least and most
	where: dict = dataclasses.field(default_factory=dict)	# {node: CPUs}
	planned: tuple = ()		# nodes that backfill keeps for it
	start: str = ''
	name: str = ''
	comment: str = ''
	simple: bool = True		# any node will do, and nothing but CPUs is asked for
	record: str = ''		# as scontrol prints it

	@property
	def family(self):
		return self.array or self.het or self.id

	@property
	def waits(self):
		return self.state == 'PENDING'

	@property
	def runs(self):
		return self.state in RUNS

	@property
	def tasks(self):
		return count_ids(self.task.partition('%')[0]) if self.task and self.waits else 1

	@property
	def text(self):
		"""(place, total, wait, rest, queue) if we wrote the reason"""
		found = COHORT.match(self.reason)
		return found and (int(found[1]), int(found[2] or 0), found[3], found[4], found[5])

	@property
	def wait(self):
		return self.text[2] if self.text else None


def _is_simple(f):
	plain = ('(null)', '', None)
	return (f.get('Features') in plain and f.get('ReqNodeList') in plain and
		f.get('ExcNodeList') in plain and f.get('Reservation') in plain and
		f.get('OverSubscribe') in ('OK', 'YES') and 'gres' not in f.get('TresPerNode', ''))


def _least(f, key):
	return int((re.match(r'\d+', f.get(key, '')) or '0')[0])


def parse_job(line):
	f = fields(line)
	job = Job(int(f['JobId']), f['JobState'], f.get('Account', '').rstrip('0123456789'))
	job.array = int(f.get('ArrayJobId', 0))
	job.task = f.get('ArrayTaskId', '')
	job.het = int(f.get('HetJobId', 0))
	job.reason = f.get('Reason', '')
	job.partitions = tuple(f.get('Partition', '').split(','))
	job.cpus = int(f.get('NumCPUs', '1').partition('-')[0])
	job.processes = _least(f, 'NumTasks') * max(1, _least(f, 'CPUs/Task'))
	job.nodes = f.get('NumNodes', '1')
	if f.get('SchedNodeList', '(null)') != '(null)':
		job.planned = tuple(hosts(f['SchedNodeList']))
	job.start = f.get('StartTime', '')
	job.name = f.get('JobName', '')
	job.comment = f.get('Comment', '')
	job.record = line
	job.simple = _is_simple(f) and job.processes <= job.cpus
	# NodeList of a job that ends are the nodes that are not done with it. The others are free:
	# somebody else may have them before the last one is done.
	held = hosts(f.get('NodeList', '')) if job.state == 'COMPLETING' else None
	for names, ids in SHARE.findall(line) if job.runs else ():
		for name in (n for n in hosts(names) if held is None or n in held):
			job.where[name] = job.where.get(name, 0) + count_ids(ids)
	return job


def records(out):
	"""The lines of scontrol -o that are records: what it says of munge, for one, has a = in it, too"""
	return [line for line in out.split('\n') if line.startswith(('JobId=', 'NodeName='))]


@dataclasses.dataclass
class Host:
	name: str
	state: str = 'IDLE'
	free: int = 4			# CPUs
	memory: int = 4000		# free, MB

	@property
	def usable(self):
		return re.fullmatch(r'(IDLE|MIXED|ALLOCATED)(\+PLANNED)?', self.state) is not None


def parse_host(line):
	f = fields(line)
	return Host(f['NodeName'], f['State'], int(f['CPUTot']) - int(f['CPUAlloc']),
		    int(f['RealMemory']) - int(f['AllocMem']))


@dataclasses.dataclass
class Sample:
	"""One look at everything; times are seconds since the epoch"""
	at: float
	jobs: list
	hosts: list = dataclasses.field(default_factory=list)
	published: dict = None
	config: object = None		# in force, or None when that is not sure
	config_since: float = 0
	calm_since: float = 0		# no command was given since
	up_since: float = 0		# slurmctld
	passes: int = 0			# full ones of the main scheduler, so far

	def torn(self, job):
		"""A heterogeneous job that has lost a component: when one's node has failed
		Slurm requeues that one and ends the others. It waits for good."""
		return job.het and job.waits and sum(
			other.het == job.het and other.waits for other in self.jobs) < 2


def parse_published(path):
	try:
		with open(path, encoding='utf-8') as file:
			return json.load(file)
	except FileNotFoundError:
		return None


# ---- slurmctld.log ----

JOB = r'JobId=(\d+)(?:[_+](?:\d+|\*|\[[^\]]*\]))?(?:\((\d+)\))?'
STAMP = re.compile(r'^\[(\d+-\d+-\d+T\d+:\d+:\d+)(?:\.(\d+))?\]')
EVICT = re.compile(r'slurm-cohort: evict: ' + JOB + r' \((\S+)\) for ' + JOB +
		   r' \((\S+)\), rule (\w+), (.*)$')
HELD = re.compile(r'(\S+) held (\d+) of (\d+) ')
RAN = re.compile(r'ran (-?\d+) s(?:, saved \d+ s)?, preemption \d+(?:, turns \d+)?, counted (\d+)(?: of (\d+))?')
STARTED = re.compile(r'sched(?:/backfill: _start_job)?: (?:Allocate|Started) ' + JOB)
IN = re.compile(r' Partition=(\S+)| in (\S+) on ')
AT_ONCE = re.compile(r'_slurm_rpc_allocate_resources ' + JOB + r' NodeList=[^(]')
PASS = re.compile(r'Running job scheduler|_attempt_backfill: beginning')
FULL = 'Running job scheduler for full queue'
REVOKED = re.compile(r'slurm-cohort: evict: ' + JOB + ' goes on')
LATE = re.compile(r'slurm-cohort: ' + JOB + ' did not start in time')
BAD = re.compile(r'fatal:|error: slurm-cohort|Possible corrupt|Assertion|double free|corrupted')
UP = re.compile('Running as (primary|backup) controller')


@dataclasses.dataclass
class Event:
	kind: str		# evict start pass full revoked late bad up
	at: str			# as the log has it, to the second
	line: str = ''
	job: int = 0
	family: int = 0
	victim_queue: str = ''
	preemptor: int = 0
	preemptor_family: int = 0
	preemptor_queue: str = ''
	rule: str = ''
	rest: str = ''
	partition: str = None	# in which it starts


def _ids(base, own):
	return int(own or base), int(base)


def parse_event(line):
	"""What a line of the log says, or None"""
	stamp = STAMP.match(line)
	at = stamp[1] if stamp else ''
	if found := EVICT.search(line):
		job, family = _ids(found[1], found[2])
		other, other_family = _ids(found[4], found[5])
		return Event('evict', at, line, job, family, found[3], other, other_family, found[6],
			     found[7], found[8])
	if 'slurm-cohort: evict: ' in line and not REVOKED.search(line):
		return Event('bad', at, 'not understood: ' + line)
	for kind, pattern in (('start', STARTED), ('start', AT_ONCE), ('revoked', REVOKED), ('late', LATE)):
		if found := pattern.search(line):
			part = IN.search(line)
			return Event(kind, at, line, *_ids(found[1], found[2]),
				     partition=part and (part[1] or part[2]))
	if PASS.search(line):
		return Event('full' if FULL in line else 'pass', at, line)
	if UP.search(line):
		return Event('up', at, line)
	if BAD.search(line):
		return Event('bad', at, line)
	return None


class Follower:
	"""New lines of a file that grows, whole ones"""

	def __init__(self, path):
		self.path, self.offset, self.rest = path, 0, b''

	def lines(self):
		try:
			with open(self.path, 'rb') as file:
				file.seek(self.offset)
				text = file.read()
		except FileNotFoundError:
			return []
		self.offset += len(text)
		*lines, self.rest = (self.rest + text).split(b'\n')
		return [line.decode('utf-8', 'replace') for line in lines]
