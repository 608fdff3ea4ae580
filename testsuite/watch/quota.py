# SPDX-License-Identifier: GPL-2.0-or-later
"""quota.py - the configurations of a soak, and what they allow

An implementation of its own, and the simplest there is: quota of CPUs, usage by
adding up what squeue shows. So what it says does not depend on the engine.
"""

import dataclasses

WORD = 'cohort:preemptibility='
FIXED_PARTITION = 'mid'		# whose jobs can't be preempted, where a configuration has such jobs
NODES_OF = {	# flavor: its nodes
	'any': ('n1', 'n2', 'n3', 'n4'),
	'left': ('n1', 'n2'),
	'right': ('n3', 'n4'),
}


@dataclasses.dataclass(frozen=True)
class Node:
	"""A cluster queue, or a cohort; amounts are CPUs of each flavor."""
	name: str
	parent: str = ''
	nominal: object = 0		# or {flavor: CPUs}
	borrow: int = None
	lend: int = None
	pmin: int = None		# preemptMinRuntime, in seconds
	rmin: int = None		# reclaimMinRuntime
	within: str = 'LowerPriority'
	reclaim: str = 'Any'
	threshold: bool = False		# borrowWithinCohort
	strategy: str = 'BestEffortFIFO'
	stop: str = 'None'
	max: int = 0			# maxPreemptions
	gpus: int = None		# of left; nobody looks whether that holds

	def owns(self, flavor):
		return self.nominal.get(flavor, 0) if isinstance(self.nominal, dict) else self.nominal


class Config:
	"""What one cohort.yaml says"""

	def __init__(self, name, queues, cohorts=(), flavors=('any',), fair=False, broken=False, fixed=None,
		     lately=False, planned=0):
		self.name = name
		self.fixed = fixed		# scope of nonPreemptible
		self.lately = lately		# usage history between queues, and inside them
		self.planned = planned		# jobs without quota that backfill plans, of each tree
		self.queues = {q.name: q for q in queues}
		self.cohorts = {c.name: c for c in cohorts}
		self.flavors = flavors
		self.fair = fair
		self.broken = broken

	# ---- the tree ----

	def node(self, name):
		return self.queues.get(name) or self.cohorts.get(name)

	def above(self, name):
		"""A queue or cohort and all cohorts above it, from below"""
		path = []
		while name:
			path.append(name)
			name = self.node(name).parent
		return path

	def below(self, name):
		"""Names of the queues of a subtree"""
		return [q for q in self.queues if name in self.above(q)]

	def children(self, name):
		every = list(self.queues.values()) + list(self.cohorts.values())
		return [n for n in every if n.parent == name]

	# ---- quota ----

	def subtree(self, name, flavor):
		"""What it owns, together with what its members lend to it"""
		total = self.node(name).owns(flavor)
		for child in self.children(name):
			total += self._lends(child, flavor)
		return total

	def _lends(self, node, flavor):
		own = self.subtree(node.name, flavor)
		return own if node.lend is None else min(own, node.lend)

	def _beyond(self, node, used, flavor):
		"""Of what is used in its subtree, what its cohort gives"""
		keeps = self.subtree(node.name, flavor) - self._lends(node, flavor)
		return max(0, self._usage(node.name, used, flavor) - keeps)

	def _usage(self, name, used, flavor):
		if name in self.queues:
			return used.get(name, 0)
		return sum(self._beyond(child, used, flavor) for child in self.children(name))

	def excesses(self, used, flavor='any'):
		"""Who has more than he may: used is {queue: CPUs} of one flavor; yields (name, has, may)"""
		for node in list(self.queues.values()) + list(self.cohorts.values()):
			has, may = self._usage(node.name, used, flavor), self.subtree(node.name, flavor)
			if node.parent and node.borrow is None:
				continue
			if node.parent:
				may += node.borrow
			if has > may:
				yield node.name, has, may

	def room(self, queue, used, flavor='any'):
		"""How many CPUs more it could have within its nominal quota"""
		own = self.queues[queue].owns(flavor) - used.get(queue, 0)
		while own > 0:
			more = dict(used)
			more[queue] = used.get(queue, 0) + own
			if not any(queue in self.below(name) for name, _, _ in self.excesses(more, flavor)):
				break
			own -= 1
		return max(0, own)

	# ---- jobs that can't be preempted ----

	def is_fixed(self, comment, partition):
		"""By the rules, as long as nobody changes the job"""
		if not self.fixed:
			return False
		if WORD in comment:
			return WORD + 'non-' in comment
		return partition == FIXED_PARTITION

	def fixed_excesses(self, used, flavor='any'):
		"""Whose nominal quota does not cover them: used is {queue: CPUs} of such jobs; yields (name,
		has, may)"""
		for queue in self.queues.values():
			has, may = used.get(queue.name, 0), queue.owns(flavor)
			if self.fixed == 'ClusterQueue' and has > may:
				yield queue.name, has, may
		for node in list(self.queues.values()) + list(self.cohorts.values()):
			has, may = self._uncovered(node, used, flavor), node.borrow if node.parent else 0
			if self.fixed == 'Cohort' and may is not None and has > may:
				yield node.name, has, may

	def _uncovered(self, node, used, flavor):
		if node.name in self.queues:
			return max(0, used.get(node.name, 0) - node.owns(flavor))
		return max(0, sum(self._uncovered(child, used, flavor) for child in self.children(node.name)) -
			   node.owns(flavor))

	# ---- how long a job is protected, in seconds ----

	def owed(self, victim, preemptor):
		"""What a job of one queue is owed towards one of another (or of the same)"""
		if victim == preemptor:
			return self._first(self.above(victim), 'pmin')
		others = self.above(preemptor)
		branch = [n for n in self.above(victim) if n not in others]
		return self._first(self.above(branch[-1]), 'rmin')

	def _first(self, names, key):
		for name in names:
			value = getattr(self.node(name), key)
			if value is not None:
				return value
		return 0

	# ---- as text ----

	def yaml(self):
		if self.broken:
			return 'clusterQueues: [{name: a, cohort: nobody'
		lately = ', usageHalfLifeTime: 1m, kValue: 2, historyMargin: 0.5' if self.lately else ''
		out = ['visibility: {updateInterval: 1s}', 'priority: partition',
		       'preemptorTimeout: 20s', 'fairSharing: {enable: %s%s}' % (str(self.fair).lower(), lately)]
		if self.planned:
			out.append('plannedJobs: %d' % self.planned)
		if self.lately:
			out.append('admissionFairSharing: {usageHalfLifeTime: 1m, usageSamplingInterval: 1s}')
		out.append('flavors:')
		for flavor in self.flavors:
			nodes = ','.join(NODES_OF[flavor])
			out.append('  - {name: %s%s}' % (flavor, '' if flavor == 'any' else ', nodes: "%s"' % nodes))
		if self.cohorts:
			out.append('cohorts:')
			for cohort in self.cohorts.values():
				out += self._node_yaml(cohort, 'parent')
		out.append('clusterQueues:' if self.queues else 'clusterQueues: []')
		for queue in self.queues.values():
			out += [*self._node_yaml(queue, 'cohort'), *self._queue_yaml(queue)]
		return '\n'.join(out) + '\n'

	def _node_yaml(self, node, above):
		yield '  - name: ' + node.name
		if node.parent:
			yield '    %s: %s' % (above, node.parent)
		for key, value in (('preempt', node.pmin), ('reclaim', node.rmin)):
			if value is not None:
				yield '    %sMinRuntime: %ds' % (key, value)
		if node.name in self.cohorts and not node.nominal and node.borrow is node.lend is None:
			return
		gpus = node.gpus is not None
		yield '    resourceGroups:'
		yield '      - coveredResources: [cpu%s]' % (', gres/gpu' if gpus else '')
		yield '        flavors:'
		for flavor in self.flavors:
			quota = 'nominalQuota: "cpu=%d%s"' % (node.owns(flavor), ',gres/gpu=%d' % (
				node.gpus if flavor == 'left' else 0) if gpus else '')
			for key, value in (('borrowing', node.borrow), ('lending', node.lend)):
				if value is not None:
					quota += ', %sLimit: "cpu=%d"' % (key, value)
			yield '          - {name: %s, %s}' % (flavor, quota)

	def _queue_yaml(self, queue):
		yield '    match: [{account: "%s*"}]' % queue.name
		yield '    queueingStrategy: ' + queue.strategy
		yield '    stopPolicy: %s' % queue.stop
		if queue.max:
			yield '    maxPreemptions: %d' % queue.max
		if self.fixed:
			yield '    nonPreemptible: {byUser: true, match: [{partition: %s}], scope: %s}' % (
				FIXED_PARTITION, self.fixed)
		if self.lately:
			yield '    admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}'
			yield '    localQueues: [{name: %s1, fairSharing: {weight: 2}}]' % queue.name
		yield '    preemption:'
		yield '      withinClusterQueue: ' + queue.within
		yield '      reclaimWithinCohort: ' + queue.reclaim
		if queue.threshold:
			yield '      borrowWithinCohort: {policy: LowerPriority}'


def _teams(own, **words):
	"""Four of them: a and b in cohort org, c and d in sub below it"""
	where = {'a': 'org', 'b': 'org', 'c': 'sub', 'd': 'sub'}
	return [Node(name, cohort, own[name], **words) for name, cohort in where.items()]


ORG = Node('org')
SUB = Node('sub', 'org')
OWN = {'a': 4, 'b': 6, 'c': 4, 'd': 2}
SPLIT = {'a': 2, 'b': 3, 'c': 2, 'd': 1}
NO_OWN = {'a': 0, 'b': 4, 'c': 0, 'd': 0}

CONFIGS = {c.name: c for c in (
	Config('base', _teams(OWN), (ORG, SUB)),
	Config('limits', [Node('a', 'org', 4, borrow=4, lend=2), Node('b', 'org', 6, borrow=2),
			  Node('c', 'sub', 4, lend=3), Node('d', 'sub', 2, borrow=6)],
	       (ORG, dataclasses.replace(SUB, borrow=4))),
	Config('flavors', _teams(SPLIT, within='LowerOrNewerEqualPriority'), (ORG, SUB),
	       flavors=('left', 'right')),
	Config('strict', _teams(OWN, strategy='StrictFIFO', max=2), (ORG, SUB)),
	Config('fair', _teams(NO_OWN), (dataclasses.replace(ORG, nominal=12), SUB), fair=True),
	Config('protect', _teams(OWN, rmin=3, pmin=2, max=3),
	       (dataclasses.replace(ORG, rmin=6), dataclasses.replace(SUB, rmin=5))),
	Config('borrow', _teams(NO_OWN, threshold=True, within='LowerOrNewerEqualPriority'),
	       (dataclasses.replace(ORG, nominal=12), SUB)),
	Config('tree', [Node('a', 'org', 2, borrow=3, gpus=1), Node('b', 'org', 2, gpus=1, threshold=True),
			Node('c', 'sub', {'left': 2, 'right': 1}, borrow=4, max=2, gpus=1),
			Node('d', 'sub', 1, gpus=1, within='LowerOrNewerEqualPriority')],
	       (Node('org', nominal={'right': 1}, gpus=0), SUB), flavors=('left', 'right')),
	Config('fixed', [Node('a', 'org', 4, borrow=6), Node('b', 'org', 6), Node('c', 'sub', 4, lend=3),
			 Node('d', 'sub', 2)], (ORG, SUB), fixed='ClusterQueue'),
	Config('fixedorg', [Node('a', 'org', 4), Node('b', 'org', 2), Node('c', 'sub', 2, borrow=4),
			    Node('d', 'sub', 0)],
	       (dataclasses.replace(ORG, nominal=4), dataclasses.replace(SUB, nominal=4, borrow=4)),
	       fixed='Cohort', fair=True),
	Config('lately', _teams(NO_OWN), (dataclasses.replace(ORG, nominal=12), SUB), fair=True, lately=True),
	Config('usage', _teams(OWN, strategy='StrictFIFO'), (ORG, SUB), lately=True, fixed='ClusterQueue'),
	Config('planned', _teams(OWN, rmin=4), (ORG, SUB), planned=2),
	Config('plannedsplit', _teams(SPLIT, within='LowerOrNewerEqualPriority', rmin=6), (ORG, SUB),
	       flavors=('left', 'right'), planned=16),
	Config('narrow', _teams(dict.fromkeys('abcd', 2)), (ORG, SUB)),
	Config('apart', [Node('a', '', 8), Node('b', '', 4)]),
	Config('broken', [], broken=True),
)}
