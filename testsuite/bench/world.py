# SPDX-License-Identifier: GPL-2.0-or-later
"""world.py - the jobs of the bench, and how each side is configured for them

All sides have the same jobs, nodes and partitions. The cluster is full to the last
CPU. Half of the running jobs are in the partition owners, half in scavenger, those
with one CPU each; all that wait are in scavenger. Jobs are of 199 teams: t001 ...
t199. Team t000 owns a third of what the others of its cohort use, and uses nothing,
until its jobs come and take it back.

Those that wait are alike but for their size. Options make them harder: each asks for
memory that no other asks for, names several partitions, or is an array. Some are held, have
a begin time far away, depend on a job, or have two components. Queues may have several flavors. More quota
than there are CPUs lets more of them go, which find no nodes then.

For Slurm's partition_prio its jobs are those in owners, which preempt scavengers.
"""

import collections

TEAMS = 200
TEAMS_OF_COHORT = 10
OWNER = 't000'
NODE_CPUS = 8
NODE_GPUS = 2		# the devices that the cluster makes

# Memory of a node: enough for any, where each job that waits asks for another amount
NODE_MB = 500 * NODE_CPUS
SHAPES_NODE_MB = 1000000

# 0 MB: what is the default; 0 tasks: an allocation and not an array; kind: one of KINDS
Job = collections.namedtuple('Job', 'account partition cpus minutes mb tasks kind gpus',
	defaults=(0, 0, 'plain', 0))
Sizes = collections.namedtuple('Sizes',
	'nodes running pending shapes partitions arrays quota flavors wide gpus kinds',
	defaults=(False, 1, 0, 1, 1, 1, 0, ()))

# What some of those that wait are: held, with a begin time far away, dependent on a job that
# runs, or heterogeneous jobs of two components
KINDS = ('held', 'later', 'behind', 'het')

# What a side is compared with is the stock side that does the same work
Side = collections.namedtuple('Side', 'stock_of plugins preempt tiers cohort what')

SIDES = {
	'none': Side('none', False, 'none', False, None,
		'Slurm without preemption'),
	'prio': Side('prio', False, 'partition_prio', True, None,
		'Slurm with preempt/partition_prio, owners above scavenger'),
	'ten': Side('prio', True, 'cohort', False, 'ten',
		'10 cluster queues in one cohort'),
	'many': Side('prio', True, 'cohort', False, 'many',
		'200 cluster queues in 20 cohorts'),
	'nobody': Side('none', True, 'cohort', False, 'nobody',
		'10 cluster queues that match no job'),
	'outside': Side('prio', True, 'cohort', True, 'outside',
		'the same, with unmanaged.preemption: partition_prio'),
	'idle': Side('none', False, 'partition_prio', False, None,
		'Slurm with preempt/partition_prio, where no partition is above another'),
	'forward': Side('none', True, 'cohort', False, None,
		'two plugins that hand each call on; compared with none'),
	'planned': Side('ten', True, 'cohort', False, 'planned',
		'as ten, with plannedJobs: 16; compared with ten'),
}
# Only by their name
NAMED_SIDES = ('idle', 'forward', 'planned')


def team(number):
	return 't%03d' % (1 + number % (TEAMS - 1))


def running_jobs(sizes):
	"""They fill the cluster: those in owners share what the scavengers leave"""
	scavengers = sizes.running // 2
	owners = sizes.running - scavengers
	cpus = sizes.nodes * NODE_CPUS - scavengers
	for i in range(sizes.running):
		k = i // 2
		if i % 2:
			yield Job(team(i), 'scavenger', 1, minutes(i))
		else:
			yield Job(team(i), 'owners', (k + 1) * cpus // owners - k * cpus // owners,
				minutes(i))


def pending_jobs(sizes, first=0):
	"""Without end: four sizes, fifty limits. Who comes later is plain, and no array."""
	i = first
	while True:
		first_ones = i < sizes.pending
		yield Job(team(i), ','.join(scavengers(sizes)), (1 + i % 4) * sizes.wide,
			minutes(i),
			1 + i if sizes.shapes else 0, sizes.arrays if first_ones else 0,
			kind(sizes, i) if first_ones else 'plain', min(sizes.gpus, 1))
		i += 1


def kind(sizes, i):
	"""Of the jobs that wait the first to ask is the first kind that has a turn"""
	turn, share = i % 100, 0
	for name, percent in sizes.kinds:
		share += percent
		if turn < share:
			return name
	return 'plain'


def waiting_records(sizes):
	"""A component has a record of its own"""
	return sizes.pending + sum(kind(sizes, i) == 'het' for i in range(sizes.pending))


def scavengers(sizes):
	"""The partitions of those that wait"""
	return ['scavenger'] + ['scavenger%d' % n for n in range(2, sizes.partitions + 1)]


def minutes(i):
	"""Days: no job reaches its limit as long as the bench takes"""
	return 5000 + 60 * (i % 50)


def owner_job(cpus):
	return Job(OWNER, 'owners', cpus, minutes(0))


# ---- cohort.yaml ----

def team_number(account):
	return int(account[1:])


def queue_ten(account):
	number = team_number(account)
	return 'owner' if number == 0 else 'q%d' % max(1, number % 10)


def queue_many(account):
	return 'q%03d' % team_number(account)


def used_by_queue(sizes, queue_of):
	used = collections.Counter()
	for job in running_jobs(sizes):
		used[queue_of(job.account)] += job.cpus
	return used


def queue_yaml(sizes, name, cohort, match, cpus):
	cpus = int(cpus * sizes.quota)
	memory = ',mem=%d' % (cpus * SHAPES_NODE_MB // NODE_CPUS // sizes.flavors) if sizes.shapes else ''
	memory += ',gres/gpu=%d' % (cpus * sizes.gpus // NODE_CPUS // sizes.flavors) if sizes.gpus else ''
	return '\n'.join((
		'  - name: %s' % name,
		'    cohort: %s' % cohort,
		'    match: [%s]' % ', '.join('{account: "%s"}' % m for m in match),
		'    preemption: {reclaimWithinCohort: Any}',
		'    resourceGroups:',
		'      - coveredResources: [%s]' % ', '.join(
			['cpu'] + ['mem'] * sizes.shapes + ['gres/gpu'] * (sizes.gpus > 0)),
		'        flavors: [%s]' % ', '.join(
			'{name: %s, nominalQuota: "cpu=%d%s"}' % (flavor, cpus // sizes.flavors, memory)
			for flavor in flavors(sizes))))


def flavors(sizes):
	return ['all'] if sizes.flavors == 1 else ['f%d' % n for n in range(sizes.flavors)]


def flavors_yaml(sizes):
	"""Several: each has as many nodes as the others"""
	if sizes.flavors == 1:
		return '{name: all}'
	ends = [n * sizes.nodes // sizes.flavors for n in range(sizes.flavors + 1)]
	return ', '.join('{name: %s, nodes: "n[%d-%d]"}' % (flavor, ends[n] + 1, ends[n + 1])
		for n, flavor in enumerate(flavors(sizes)))


def owned(sizes, queue_of, members):
	"""[(queue, CPUs)]: the first owns a third of what the others use, and uses none"""
	used = used_by_queue(sizes, queue_of)
	lent = {queue: used[queue] // 3 for queue in members[1:]}
	return [(members[0], sum(lent.values()))] + \
		[(queue, used[queue] - lent[queue]) for queue in members[1:]]


def owned_ten(sizes):
	return owned(sizes, queue_ten, ['owner'] + ['q%d' % i for i in range(1, 10)])


def owned_many(sizes):
	"""In the owner's cohort"""
	return owned(sizes, queue_many, [queue_many('t%03d' % t) for t in range(TEAMS_OF_COHORT)])


def owner_cpus(cohort, sizes):
	"""The owner's quota; where there is no cohort it takes as much as with ten queues"""
	return (owned_many if cohort == 'many' else owned_ten)(sizes)[0][1]


def cohort_ten(sizes):
	for name, cpus in owned_ten(sizes):
		match = [OWNER] if name == 'owner' else ['t??' + name[1]]
		yield queue_yaml(sizes, name, 'org', match + (['t??0'] if name == 'q1' else []), cpus)


def cohort_many(sizes):
	used = used_by_queue(sizes, queue_many)
	for first in range(0, TEAMS, TEAMS_OF_COHORT):
		teams = ['t%03d' % t for t in range(first, first + TEAMS_OF_COHORT)]
		queues = [queue_many(t) for t in teams]
		if first == 0:
			shares = owned_many(sizes)
		else:
			shares = [(queue, used[queue]) for queue in queues]
		for account, (name, cpus) in zip(teams, shares):
			yield queue_yaml(sizes, name, 'c%02d' % (first // TEAMS_OF_COHORT), [account], cpus)


def cohort_nobody(sizes):
	for i in range(10):
		yield queue_yaml(sizes, 'q%d' % i, 'org', ['nobody%d' % i],
			sizes.nodes * NODE_CPUS // 10)


def cohort_yaml(name, sizes):
	queues = {'ten': cohort_ten, 'planned': cohort_ten, 'many': cohort_many}.get(
		name, cohort_nobody)(sizes)
	cohorts = ['c%02d' % i for i in range(TEAMS // TEAMS_OF_COHORT)] if name == 'many' else ['org']
	head = ['flavors: [%s]' % flavors_yaml(sizes),
		'cohorts: [%s]' % ', '.join('{name: %s}' % c for c in cohorts)]
	if name == 'outside':
		head.append('unmanaged: {preemption: partition_prio}')
	if name == 'planned':
		head.append('plannedJobs: 16')
	return '\n'.join(head + ['clusterQueues:'] + list(queues)) + '\n'


# ---- slurm.conf ----

def slurm_conf(sizes):
	"""What is the same on all sides; @PORT@ is filled in by the cluster"""
	return {
		'TreeWidth': '65533',
		'SlurmdTimeout': '0',
		'MessageTimeout': '60',
		'MaxJobCount': '1000000',
		'SlurmctldDebug': 'info',
		'NodeName': 'n[1-%d] Port=@PORT@ CPUs=%d RealMemory=%d%s' %
			(sizes.nodes, NODE_CPUS, SHAPES_NODE_MB if sizes.shapes else NODE_MB,
			' Gres=gpu:%d' % sizes.gpus if sizes.gpus else ''),
		**({'GresTypes': 'gpu'} if sizes.gpus else {}),
	}


def gres_conf(sizes):
	return 'NodeName=n[1-%d] Name=gpu File=@DIR@/dev/gpu[0-%d]\n' % (sizes.nodes, sizes.gpus - 1) if sizes.gpus else ''


def side_conf(side, sizes):
	"""[line]: what a side has beside that"""
	every = 'Nodes=n[1-%d] State=UP MaxTime=INFINITE' % sizes.nodes
	owners, scavenger = '', ''
	if side.tiers:
		owners = ' PriorityTier=10 PreemptMode=OFF'
		scavenger = ' PriorityTier=1 PreemptMode=REQUEUE'
	return [
		'PreemptType=preempt/' + side.preempt,
		'PreemptMode=' + ('OFF' if side.preempt == 'none' else 'REQUEUE'),
		'PartitionName=owners %s%s' % (every, owners),
		'PartitionName=scavenger %s Default=YES%s' % (every, scavenger),
	] + ['PartitionName=%s %s%s' % (name, every, scavenger) for name in scavengers(sizes)[1:]]
