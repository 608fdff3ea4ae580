#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""selftest.py - the watcher catches what it is there for, and cries for nothing else

Each rule is shown observations that are right, and the same with one thing wrong.
"""

import contextlib
import io
import os
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
import driver		# noqa: E402
import evidence		# noqa: E402
import evictions	# noqa: E402
import quota		# noqa: E402
import rules		# noqa: E402
import slurm		# noqa: E402
import watcher		# noqa: E402
import world		# noqa: E402

NOW = 1000000
BASE = quota.CONFIGS['base']


def stamp(at):
	import time
	return time.strftime('%Y-%m-%dT%H:%M:%S', time.localtime(at))


def runs(number, account, cpus, at=NOW - 50, node='n1', **more):
	return slurm.Job(number, more.pop('state', 'RUNNING'), account, cpus=cpus, where={node: cpus},
			 start=stamp(at), **more)


def waits(number, account, text, cpus=1, **more):
	return slurm.Job(number, 'PENDING', account, cpus=cpus, reason=text, **more)


def hosts(*free):
	return [slurm.Host('n%d' % (i + 1), free=n) for i, n in enumerate(free or (4, 4, 4, 4))]


def published(name='a', used=0, waiting=0, running=0, lines=None, free=4, nominal=4):
	pair = {'flavor': 'any', 'resource': 'cpu', 'used': used, 'free': free, 'nominal': nominal}
	queues = [{'name': n, 'waiting': 0, 'running': 0, 'localQueues': [],
		   'quota': [dict(pair, used=0)]} for n in BASE.queues if n != name]
	lines = lines if lines is not None else ['1-%d' % waiting] if waiting else []
	queues.append({'name': name, 'waiting': waiting, 'running': running, 'localQueues': lines,
		       'quota': [pair]})
	return {'clusterQueues': queues}


def sample(jobs=(), at=NOW, **more):
	words = {'hosts': hosts(), 'published': published(), 'config': BASE, 'config_since': NOW - 100,
		 'calm_since': NOW - 90, 'up_since': NOW - 200, 'passes': int(at - NOW)}
	words.update(more)
	return slurm.Sample(at, list(jobs), **words)


def over_time(rule, jobs=(), seconds=70, step=1, **more):
	"""What the rule says when it sees the same, each second (or every few)"""
	told = []
	for i in range(0, seconds + 1, step):
		told += rule.look(sample(jobs, NOW + i, **more))
	return told


class World:
	def __init__(self, *jobs, config=BASE):
		self.jobs = {job.id: job for job in jobs}
		self.config = config
		self.accepted, self.changed, self.touched = {}, set(), set()
		self.since = NOW - 100
		self.lost_from = None
		self.was_asked = False

	def job(self, number):
		return self.jobs.get(number)

	def config_at(self, _stamp):
		return self.config

	def config_since(self, _stamp):
		return self.since

	def may_be_lost(self, at):
		return self.lost_from is not None and at >= self.lost_from

	def asked(self, _job):
		return self.was_asked


class Records(unittest.TestCase):
	def test_planned_nodes(self):
		record = 'JobId=16 JobState=PENDING NodeList=%s NumNodes=2'
		self.assertEqual(slurm.parse_job(record % '').planned, ())
		self.assertEqual(slurm.parse_job(record % ' SchedNodeList=n[2-3]').planned, ('n2', 'n3'))

	def test_job(self):
		job = slurm.parse_job(
			'JobId=15 ArrayJobId=12 ArrayTaskId=3 JobName=x UserId=root(0) Priority=5 Account=a '
			'JobState=RUNNING Reason=None StartTime=2026-01-02T03:04:05 Partition=lo,hi '
			'NumNodes=2 NumCPUs=5 OverSubscribe=OK '
			'Nodes=n[1-2] CPU_IDs=0-1 Mem=1000 GRES= Nodes=n4 CPU_IDs=3 Mem=500 GRES= '
			'Features=(null) Comment=cohort:min-available=1 '
			'SystemComment=preempted at 1 by job 2, rule X, a held 5 of 4 cpu@any')
		self.assertEqual((job.id, job.family, job.state), (15, 12, 'RUNNING'))
		self.assertEqual(job.where, {'n1': 2, 'n2': 2, 'n4': 1})
		self.assertEqual(job.partitions, ('lo', 'hi'))
		self.assertEqual(job.comment, 'cohort:min-available=1')

	def test_records(self):
		words = ('scontrol: error: If munged is up, restart with --num-threads=10\n'
			 'JobId=1 JobState=PENDING\nNodeName=n1 State=IDLE\nNo jobs in the system')
		self.assertEqual(len(slurm.records(words)), 2)

	def test_completing(self):
		"""A node that is done with it is free for others, though the record has all it had"""
		words = ('JobId=15 Account=a JobState=%s NodeList=%s NumNodes=1 NumCPUs=5 '
			 'Nodes=n[1-2] CPU_IDs=0-1 Mem=1000 GRES= Nodes=n4 CPU_IDs=3 Mem=500 GRES=')
		self.assertEqual(slurm.parse_job(words % ('COMPLETING', 'n[2,4]')).where, {'n2': 2, 'n4': 1})
		self.assertEqual(slurm.parse_job(words % ('COMPLETING', '')).where, {})
		self.assertEqual(slurm.parse_job(words % ('RUNNING', 'n[1-2,4]')).where,
				 {'n1': 2, 'n2': 2, 'n4': 1})

	def test_too_small(self):
		words = 'JobId=61 JobState=PENDING Account=d OverSubscribe=OK NumNodes=1-1 NumCPUs=%d NumTasks=4'
		self.assertTrue(slurm.parse_job(words % 4).simple)
		self.assertFalse(slurm.parse_job(words % 1).simple)

	def test_array(self):
		job = slurm.parse_job('JobId=12 ArrayJobId=12 ArrayTaskId=0-2,5%1 JobState=PENDING '
				      'Reason=Cohort:pos=2/9,wait=order,cq=a Account=a')
		self.assertEqual(job.tasks, 4)
		self.assertEqual(job.text, (2, 9, 'order', '', 'a'))
		self.assertEqual(list(evictions.tasks_of(job.task)), [0, 1, 2, 5])

	def test_text(self):
		job = waits(1, 'a', 'Cohort:pos=1/1,wait=quota(cpu@any),need=2,free=0,cq=a')
		self.assertEqual(job.wait, 'quota')
		self.assertIsNone(waits(1, 'a', 'Resources').text)

	def test_log(self):
		line = ('[2026-01-02T03:04:05.678] slurm-cohort: evict: JobId=12_3(15) (a) for JobId=20+1(21) '
			'(b), rule InCohortReclamation, a held 6 of 4 cpu@any, b held 0 of 6, needed 2, '
			'free 0, ran 7 s, preemption 1, counted 1 of 2')
		event = slurm.parse_event(line)
		self.assertEqual((event.kind, event.job, event.family, event.preemptor,
				  event.preemptor_family), ('evict', 15, 12, 21, 20))
		self.assertEqual(event.at, '2026-01-02T03:04:05')
		for text, kind in (('sched: Allocate JobId=12_3(15) NodeList=n1', 'start'),
				   ('sched/backfill: _start_job: Started JobId=9 in lo on n1', 'start'),
				   ('sched: _slurm_rpc_allocate_resources JobId=9 NodeList=n1 usec=1', 'start'),
				   ('debug:  sched: Running job scheduler for full queue.', 'full'),
				   ('debug:  sched/backfill: _attempt_backfill: beginning', 'pass'),
				   ('slurm-cohort: JobId=9 did not start in time: the quota', 'late')):
			self.assertEqual(slurm.parse_event(text).kind, kind)
		self.assertIsNone(slurm.parse_event(
			'sched: _slurm_rpc_allocate_resources JobId=9 NodeList=(null) usec=1'))


class Quota(unittest.TestCase):
	def test_own_and_borrowed(self):
		self.assertEqual(list(BASE.excesses({'a': 16})), [])
		self.assertEqual(list(BASE.excesses({'a': 10, 'c': 7})), [('org', 17, 16)])

	def test_limits(self):
		limits = quota.CONFIGS['limits']
		self.assertEqual(list(limits.excesses({'a': 8})), [])
		self.assertEqual(list(limits.excesses({'a': 9})), [('a', 9, 8)])
		# of a's 4 the others may have 2
		self.assertEqual([name for name, _, _ in limits.excesses({'b': 8, 'c': 8, 'd': 0})], ['org'])

	def test_room(self):
		self.assertEqual(BASE.room('a', {'a': 1}), 3)
		self.assertEqual(BASE.room('a', {'a': 1, 'b': 14}), 1)
		self.assertEqual(BASE.room('a', {'a': 6}), 0)

	def test_owed(self):
		protect = quota.CONFIGS['protect']
		self.assertEqual(protect.owed('a', 'a'), 2)
		self.assertEqual(protect.owed('a', 'b'), 3)
		self.assertEqual(protect.owed('c', 'a'), 5)
		self.assertEqual(protect.owed('c', 'd'), 3)


class UsageRule(unittest.TestCase):
	def test_within(self):
		self.assertFalse(over_time(rules.Usage(), [runs(1, 'a', 16)], 1))

	def test_more_than_the_cohort_has(self):
		jobs = [runs(1, 'a', 12), runs(2, 'c', 5, node='n3')]
		self.assertIn('org uses 17 of 16', over_time(rules.Usage(), jobs, 0)[0])

	def test_on_the_way_out(self):
		rule, last = rules.Usage(), runs(2, 'c', 5)
		self.assertFalse(list(rule.look(sample([runs(1, 'a', 12)]))))
		self.assertTrue(list(rule.look(sample([runs(1, 'a', 12, state='COMPLETING'), last], NOW + 1))))

	def test_requeued(self):
		"""Until its nodes are done with it, a job that was requeued has the start that is expected: now"""
		rule, other = rules.Usage(), runs(2, 'c', 5, NOW - 160)
		self.assertFalse(list(rule.look(sample([runs(1, 'a', 12, NOW - 150), other]))))
		self.assertFalse(list(rule.look(sample(
			[runs(1, 'a', 12, NOW, state='COMPLETING'), other]))))

	def test_ended_and_requeued(self):
		"""Of a job that has ended, slurmctld waits for its nodes once more if it was restarted since"""
		rule, other = rules.Usage(), runs(2, 'c', 5)
		for state in ('RUNNING', 'PREEMPTED', 'COMPLETING', 'COMPLETING'):
			jobs = [runs(1, 'a', 12, state=state)] + ([] if state == 'RUNNING' else [other])
			self.assertFalse(list(rule.look(sample(jobs))))

	def test_by_flavor(self):
		jobs = [runs(1, 'a', 5, node='n1'), runs(2, 'c', 4, node='n2')]
		told = over_time(rules.Usage(), jobs, 0, config=quota.CONFIGS['flavors'])
		self.assertIn('CPUs of left', told[0])

	def test_flavors_were_others(self):
		jobs = [runs(1, 'a', 5, node='n1'), runs(2, 'c', 4, node='n2')]
		jobs[1].where['n3'] = 1
		self.assertFalse(over_time(rules.Usage(), jobs, 0, config=quota.CONFIGS['flavors']))

	def test_less_quota_since(self):
		jobs = [runs(1, 'a', 12, NOW - 150), runs(2, 'c', 5, NOW - 160)]
		self.assertFalse(over_time(rules.Usage(), jobs, 1))


FIRST = 'Cohort:pos=1/1,wait=order,cq=a'
SHORT = 'Cohort:pos=1/1,wait=quota(cpu@any),need=2,free=0,cq=a'


class WaitingRule(unittest.TestCase):
	def test_stalled(self):
		jobs = [runs(1, 'b', 4), waits(2, 'a', SHORT, 2)]
		told = over_time(rules.Waiting(), jobs, hosts=hosts(0, 4, 4, 4))
		self.assertEqual(len(told), 1)
		self.assertIn('job 2 (a) waits', told[0])

	def test_not_for_long_or_without_passes(self):
		jobs = [runs(1, 'b', 4), waits(2, 'a', FIRST, 2)]
		self.assertFalse(over_time(rules.Waiting(), jobs, 7))
		self.assertFalse(over_time(rules.Waiting(), jobs, passes=3))

	def test_somebody_does_something(self):
		rule, jobs = rules.Waiting(), [runs(1, 'b', 4), waits(2, 'a', FIRST, 2)]
		for i in range(60):
			self.assertFalse(list(rule.look(sample(jobs, NOW + i, calm_since=NOW + i - i % 5))))

	def test_no_quota(self):
		jobs = [runs(1, 'b', 16), waits(2, 'a', SHORT, 2)]
		self.assertFalse(over_time(rules.Waiting(), jobs))
		owned = published(used=3)
		self.assertFalse(over_time(rules.Waiting(), [runs(1, 'b', 4), waits(2, 'a', SHORT, 2)],
					   published=owned))

	def test_no_nodes(self):
		jobs = [runs(1, 'out', 4), waits(2, 'a', SHORT, 2)]
		self.assertFalse(over_time(rules.Waiting(), jobs, hosts=hosts(1, 1, 1, 1)))

	def test_somebody_waits_for_nodes(self):
		jobs = [runs(1, 'out', 4), waits(2, 'a', FIRST, 2), waits(3, 'out', 'Resources', 16)]
		self.assertFalse(over_time(rules.Waiting(), jobs, hosts=hosts(0, 4, 4, 4)))

	def test_nodes_are_kept_for_a_planned_job(self):
		text = 'Cohort:pos=1/1,wait=quota(cpu@any),need=8,free=0,cq=d'
		jobs = [runs(1, 'b', 4), waits(2, 'a', FIRST, 2), waits(3, 'd', text, 8, planned=('n2', 'n3'))]
		config, free = quota.CONFIGS['planned'], hosts(0, 4, 4, 0)
		self.assertFalse(over_time(rules.Waiting(), jobs, hosts=free, config=config))
		self.assertTrue(over_time(rules.Waiting(), jobs, hosts=hosts(0, 4, 4, 2), config=config))
		self.assertTrue(over_time(rules.Waiting(), jobs, hosts=free))	# nobody is planned by this one

	def test_a_plan_that_never_comes_true(self):
		jobs = [runs(1, 'b', 4), waits(2, 'a', FIRST, 2), waits(3, 'd', SHORT, 8, planned=('n2', 'n3'))]
		words = {'hosts': hosts(0, 4, 4, 0), 'config': quota.CONFIGS['planned']}
		self.assertFalse(over_time(rules.Waiting(), jobs, rules.PLANNED, **words))
		self.assertIn('job 2 (a) waits', over_time(rules.Waiting(), jobs, rules.PLANNED + 20, **words)[0])

	def test_all_wait_for_order(self):
		jobs = [runs(1, 'out', 4), waits(2, 'a', FIRST, 8, het=2, simple=False),
			waits(3, 'c', 'Cohort:pos=1/1,wait=order,cq=c', 8, het=2, simple=False)]
		self.assertIn('all wait for order', over_time(rules.Waiting(), jobs)[0])
		for text in ('quota(cpu@any),need=8,free=0', 'nodes', 'protected(until=01:02:03)'):
			other = waits(4, 'b', 'Cohort:pos=1/1,wait=%s,cq=b' % text, 8)
			self.assertFalse(over_time(rules.Waiting(), jobs + [other]))

	def test_all_is_idle(self):
		jobs = [waits(2, 'a', 'Cohort:pos=1/1,wait=nodes,cq=a', 5, het=2),
			waits(3, 'out', 'Resources', 16)]
		planned = hosts(4, 4, 4) + [slurm.Host('n4', state='IDLE+PLANNED')]
		self.assertTrue(over_time(rules.Waiting(), jobs, hosts=planned))
		self.assertFalse(over_time(rules.Waiting(), jobs[:1]))	# its other component is gone
		self.assertIn('all nodes are idle', over_time(rules.Waiting(), jobs)[0])
		self.assertFalse(over_time(rules.Waiting(), jobs, hosts=hosts(4, 4) + [
			slurm.Host('n3', state='IDLE+DRAIN')]))
		self.assertFalse(over_time(rules.Waiting(), [waits(2, 'a', 'JobHeldUser')]))


FIXED = 'cohort:preemptibility=non-preemptible'


class FixedRule(unittest.TestCase):
	def told(self, *jobs, touched=(), config='fixed', **more):
		return over_time(rules.Fixed(set(touched)), jobs, 0, config=quota.CONFIGS[config], **more)

	def test_covered(self):
		self.assertFalse(self.told(runs(1, 'a', 3, comment=FIXED), runs(2, 'a', 9),
					   runs(3, 'a', 1, partitions=('mid',))))

	def test_not_covered(self):
		for more in {'comment': FIXED}, {'partitions': ('mid',)}:
			told = self.told(runs(1, 'a', 3, comment=FIXED), runs(2, 'a', 2, **more))
			self.assertIn("a has 5 CPUs of any that can't be preempted, and 4", told[0])

	def test_not_sure(self):
		first = runs(1, 'a', 3, comment=FIXED)
		for other in (runs(2, 'a', 2, comment=FIXED + ' cohort:min-available=2'),
			      runs(2, 'a', 2, NOW - 150, comment=FIXED),
			      runs(2, 'a', 2, comment='cohort:preemptibility=preemptible', partitions=('mid',)),
			      runs(2, 'a', 2, state='COMPLETING', comment=FIXED)):
			self.assertFalse(self.told(first, other))
		self.assertFalse(self.told(first, runs(2, 'a', 2, comment=FIXED), touched=[2]))
		self.assertFalse(self.told(first, runs(2, 'a', 2, comment=FIXED), config='base'))

	def test_covered_by_cohorts(self):
		jobs = [runs(1, 'a', 8, comment=FIXED), runs(2, 'd', 4, node='n3', comment=FIXED)]
		self.assertFalse(self.told(*jobs, config='fixedorg'))
		jobs.append(runs(3, 'd', 1, node='n4', comment=FIXED))
		self.assertIn('org has 1 CPUs', self.told(*jobs, config='fixedorg')[0])
		self.assertIn('c has 5 CPUs', self.told(runs(1, 'c', 7, comment=FIXED), config='fixedorg')[0])

	def test_honest(self):
		text = 'Cohort:pos=1/1,wait=nonpreemptible(cpu@any),cap=4,used=%d,need=2,cq=a'
		self.assertFalse(self.told(waits(1, 'a', text % 3, 2)))
		self.assertIn('would be covered', self.told(waits(1, 'a', text % 2, 2))[0])


class HistoryRule(unittest.TestCase):
	def told(self, **words):
		document = published(waiting=2, lines=['1', '2'])
		document['clusterQueues'][-1].update(words)
		return over_time(rules.History(), [waits(1, 'a', FIRST)], 10, published=document)

	def test_right(self):
		self.assertFalse(self.told(history={'cpu': 15.5}, share=0.0, localUsage=[
			{'score': 1}, {'score': 2.5}, {'score': 0}]))

	def test_wrong(self):
		self.assertIn('history of 17', self.told(history={'cpu': 17.0})[0])
		self.assertIn('share 0.5', self.told(share=0.5)[0])
		self.assertIn('scores in the line of a', self.told(localUsage=[{'score': None}, {'score': 2}])[0])


class CompletingRule(unittest.TestCase):
	def test_for_good(self):
		jobs = [runs(1, 'a', 4, state='COMPLETING')]
		self.assertIn('job 1 is COMPLETING', over_time(rules.Completing(), jobs)[0])
		self.assertFalse(over_time(rules.Completing(), jobs, 50))

	def test_after_a_restart_it_counts_anew(self):
		rule, jobs = rules.Completing(), [runs(1, 'a', 4, state='COMPLETING')]
		for i in range(100):
			self.assertFalse(list(rule.look(sample(jobs, NOW + i, up_since=NOW + i // 50 * 50))))


class PlacesRule(unittest.TestCase):
	def told(self, *places, **more):
		jobs = [waits(i, 'a', 'Cohort:pos=%s,wait=order,cq=a' % p) for i, p in enumerate(places)]
		return over_time(rules.Places(), jobs + more.pop('others', []), **more)

	def test_right(self):
		self.assertFalse(self.told('1/3', '3/3', '2/3'))

	def test_wrong(self):
		self.assertIn('same place', self.told('1/3', '2/3', '2/3')[0])
		self.assertIn('nobody has', self.told('1/3', '2/3')[0])
		self.assertIn('beyond', self.told('2/2', '3/2')[0])
		self.assertIn('totals', self.told('1/2', '2/3')[0])

	def test_in_motion(self):
		self.assertFalse(self.told('1/3', '2/3', '2/3', seconds=4))

	def test_no_time_to_look(self):
		self.assertFalse(self.told('1/3', '2/3', '2/3', seconds=18, step=6))
		self.assertIn('same place', self.told('1/3', '2/3', '2/3', step=6)[0])

	def test_hidden(self):
		for other in ('ReqNodeNotAvail', 'Cohort:pos=1/1,wait=order,cq=b'):
			self.assertFalse(self.told('1/3', '2/3', others=[waits(9, 'a', other)]))

	def test_array(self):
		array = waits(9, 'a', 'Cohort:pos=2/4,wait=order,cq=a', array=9, task='0-2')
		self.assertFalse(self.told('1/4', others=[array]))
		self.assertIn('same place', self.told('1/4', '3/4', others=[array])[0])

	def test_published(self):
		self.assertFalse(self.told(published=published(waiting=3, lines=['1,3', '2'])))
		for lines in (['1-2'], ['1-3', '3'], ['2-4'], ['1', '1-2']):
			self.assertIn('places of a', self.told(published=published(waiting=3, lines=lines),
							       seconds=0)[0])


class PublishedRule(unittest.TestCase):
	jobs = [runs(1, 'a', 2), runs(2, 'a', 1, state='COMPLETING'), waits(3, 'a', FIRST)]

	def test_right(self):
		for running in (1, 2):
			self.assertFalse(over_time(rules.Published(), self.jobs, published=published(
				used=3, waiting=1, running=running)))

	def test_wrong(self):
		for words, text in (({'used': 2}, 'uses 2 CPUs'), ({'waiting': 2}, '2 wait as'),
				    ({'waiting': 0}, '0 wait as'), ({'running': 3}, '3 run as'),
				    ({'running': 0}, '0 run as')):
			right = {'used': 3, 'waiting': 1, 'running': 1}
			right.update(words)
			self.assertIn(text, over_time(rules.Published(), self.jobs,
						      published=published(**right))[0])

	def test_owned(self):
		self.assertFalse(over_time(rules.Published(), self.jobs, published=published(
			used=5, waiting=1, running=1)))
		self.assertIn('uses 5', over_time(rules.Published(), self.jobs[:2], published=published(
			used=5, running=1))[0])

	def test_queue_is_missing(self):
		told = over_time(rules.Published(), published={'clusterQueues': []})
		self.assertIn('not published', told[0])


def heard(rule, world, *lines):
	told = []
	for line in lines:
		told += rule.hear(slurm.parse_event('[%s.000] %s' % (stamp(NOW), line)), world)
	return told


def evict(victim=1, preemptor=9, held='6 of 4', ran=30, queue='a', count='1', rule='InCohortReclamation'):
	return ('slurm-cohort: evict: JobId=%s (%s) for JobId=%s (b), rule %s, %s held %s cpu@any, '
		'b held 0 of 6, needed 2, free 0, ran %d s, preemption 4, counted %s' % (
			victim, queue, preemptor, rule, queue, held, ran, count))


class Watching(unittest.TestCase):
	def test_that_fails_is_told(self):
		it, told = watcher.Watcher.__new__(watcher.Watcher), []
		it.tell, it.over = told.append, threading.Event()
		it.look = lambda: 1 // 0
		it.run()
		self.assertIn('ZeroDivisionError', told[0])


class Kills(unittest.TestCase):
	def test_lost_from_the_kill_on(self):
		it = driver.Driver.__new__(driver.Driver)
		it.world, seen = world.World(BASE, None), []
		it.saved_at = lambda: NOW
		it.manage = lambda how: seen.append((how, it.world.may_be_lost(time.time() + 9)))
		self.assertFalse(it.world.may_be_lost(NOW + 1))
		it.lose_control('kill-ctld')
		self.assertEqual(seen, [('kill-ctld', True)])
		self.assertTrue(it.world.may_be_lost(NOW + 1))
		self.assertFalse(it.world.may_be_lost(time.time() + 9))


class Configurations(unittest.TestCase):
	def test_which_was_in_force(self):
		base, fair = quota.CONFIGS['base'], quota.CONFIGS['fair']
		it = world.World(base, None)
		it.configs = [(0, NOW, base), (NOW + 60, None, fair)]
		stamps = [time.strftime('%Y-%m-%dT%H:%M:%S', time.localtime(NOW + s)) for s in (30, 60, 90)]
		self.assertEqual([it.config_at(stamp) for stamp in stamps], [base, None, None])
		it.configs[-1] = NOW + 60, NOW + 61, fair
		self.assertEqual(it.config_at(stamps[2]), fair)

	def test_the_same_before_and_after_another(self):
		base, fair = quota.CONFIGS['base'], quota.CONFIGS['fair']
		it = world.World(base, None)
		stamp = time.strftime('%Y-%m-%dT%H:%M:%S', time.localtime(NOW))
		it.configs = [(0, NOW - 3, base), (NOW - 2, NOW - 1, fair), (NOW + 1, None, base)]
		self.assertIsNone(it.config_at(stamp))
		# only read again
		it.configs[1] = NOW - 2, NOW - 1, base
		self.assertEqual(it.config_at(stamp), base)


class Yaml(unittest.TestCase):
	def test_limits_of_a_cohort_without_quota(self):
		self.assertIn('{name: any, nominalQuota: "cpu=0", borrowingLimit: "cpu=4"}',
			      quota.CONFIGS['limits'].yaml())


class VictimsRule(unittest.TestCase):
	def told(self, *lines, **more):
		return heard(evictions.Victims(more.pop('exempt', 0)), World(runs(1, 'a', 4), **more), *lines)

	def test_right(self):
		self.assertFalse(self.told(evict()))

	def test_within_nominal_quota(self):
		self.assertIn('nominal quota', self.told(evict(held='4 of 4'))[0])
		self.assertFalse(self.told(evict(held='4 of 4', rule='InClusterQueue', queue='b')))

	def test_protected(self):
		protect = quota.CONFIGS['protect']
		self.assertIn('protected for 3 s', self.told(evict(ran=2), config=protect)[0])
		self.assertFalse(self.told(evict(ran=3), config=protect))

	def test_exempt(self):
		self.assertIn('PreemptExemptTime', self.told(evict(ran=4), exempt=5)[0])

	def test_in_a_partition_that_is_safe(self):
		world = World(runs(1, 'a', 4, partitions=('lo', 'safe')))
		self.assertIn('PreemptMode=OFF', heard(evictions.Victims(), world, evict())[0])
		for start in ('sched: Allocate JobId=1 NodeList=n1 #CPUs=1 Partition=%s',
			      'sched/backfill: _start_job: Started JobId=1 in %s on n1'):
			for partition, told in (('lo', 0), ('safe', 1)):
				lines = start % partition, 'sched: Running job scheduler for full queue.', evict()
				self.assertEqual(len(heard(evictions.Victims(), world, *lines)), told, lines)

	def test_that_can_not_be_preempted(self):
		for comment, partition, wrong in ((FIXED, 'lo', 1), ('', 'mid', 1), ('', 'lo', 0), (
				FIXED + ' cohort:min-available=1', 'lo', 0), (quota.WORD + 'preemptible', 'mid', 0)):
			it = World(runs(1, 'a', 4, comment=comment, partitions=(partition,)),
				   config=quota.CONFIGS['fixed'])
			told = heard(evictions.Victims(), it, evict())
			self.assertEqual(len(told), wrong, (comment, partition))
			it.touched = {1}
			self.assertFalse(heard(evictions.Victims(), it, evict()))
			it.touched, it.since = set(), NOW - 10
			self.assertFalse(heard(evictions.Victims(), it, evict()))

	def test_too_often(self):
		self.assertIn('maxPreemptions', self.told(evict(count='3 of 2'))[0])
		self.assertFalse(self.told(evict(count='2 of 2')))

	def test_in_the_pass_that_started_it(self):
		start, begin = 'sched: Allocate JobId=1 NodeList=n1', 'sched: Running job scheduler for full queue.'
		self.assertIn('in the pass', self.told(begin, start, evict())[0])
		self.assertFalse(self.told(begin, start, begin, evict()))

	def test_for_itself(self):
		self.assertIn('for itself', self.told(evict(preemptor=1))[0])

	def test_for_a_task_in_another_partition(self):
		line = evict('1_0(7)', '1_1(1)', rule='InClusterQueue', queue='b')
		for partitions, wrong in (('lo',), 1), (('mid', 'lo'), 0):
			world = World(runs(7, 'b', 4, partitions=('lo',)), runs(1, 'b', 4, partitions=partitions))
			self.assertEqual(len(heard(evictions.Victims(), world, line)), wrong)
			world.changed = {1}	# by the driver: its partitions may be others
			self.assertFalse(heard(evictions.Victims(), world, line))


class PreemptorsRule(unittest.TestCase):
	def told(self, reason, *lines, **more):
		rule = evictions.Preemptors()
		told = heard(rule, World(), evict(), *lines)
		return told + over_time(rule, [waits(9, 'b', reason)], **more)

	def test_forgotten(self):
		for reason in ('None', 'Cohort:pos=1/1,wait=preempting(1),cq=b'):
			self.assertIn('others were evicted', self.told(reason)[0])

	def test_samples_come_late(self):
		self.assertFalse(self.told('None', seconds=200, step=10))
		self.assertTrue(self.told('None', seconds=400, step=10))

	def test_only_for_a_moment(self):
		"""Slurm takes its reason back and gives one again, in one pass"""
		rule = evictions.Preemptors()
		heard(rule, World(), evict())
		over_time(rule, [waits(9, 'b', FIRST)], 38)
		told = [list(rule.look(sample([waits(9, 'b', reason)], NOW + at))) for at, reason in (
			(39, FIRST), (41, 'None'), (42, 'None'), (43, 'Cohort:pos=1/1,wait=nodes,cq=b'), (90, 'None'))]
		self.assertFalse(any(told))

	def test_said_once_is_not_enough(self):
		"""A reason that shows for a moment is no answer; one that stays is"""
		for reasons, times in (([FIRST] + ['None'] * 4, 1), ([FIRST, 'None', 'None'] * 2, 0),
				       ([FIRST] * 4 + ['None'] * 9, 0)):
			rule, told = evictions.Preemptors(seconds=0), []
			heard(rule, World(), evict())
			for i, reason in enumerate(reasons):
				told += rule.look(sample([waits(9, 'b', reason)], NOW + 60 + i))
			self.assertEqual(len(told), times)

	def test_started_or_said(self):
		self.assertFalse(self.told('None', 'sched: Allocate JobId=9 NodeList=n1'))
		self.assertFalse(self.told('None', 'slurm-cohort: JobId=9 did not start in time: the quota'))
		self.assertFalse(self.told('Cohort:pos=1/1,wait=nodes,cq=b'))

	def test_again_and_again(self):
		for pause, times in ((12, 1), (40, 0)):
			rule, told = evictions.Preemptors(), []
			for i in range(4):
				line = '[%s.000] %s' % (stamp(NOW + pause * i), evict(i + 1))
				told += rule.hear(slurm.parse_event(line), World())
			self.assertEqual(len(told), times)


class FatesRule(unittest.TestCase):
	def told(self, world, *looks):
		rule, told = evictions.Fates(), []
		for i, jobs in enumerate(looks):
			told += rule.look(sample(jobs, NOW + i), world)
		return told

	def test_ends(self):
		done = slurm.Job(1, 'COMPLETED', 'a')
		self.assertFalse(self.told(World(), [waits(1, 'a', FIRST)], [done], []))

	def test_lost(self):
		world = World()
		looks = [waits(1, 'a', FIRST), runs(2, 'a', 1)], []
		self.assertEqual(len(self.told(world, *looks)), 2)
		world.lost_from = NOW
		self.assertFalse(self.told(world, *looks))
		world.lost_from = NOW + 1
		self.assertEqual(len(self.told(world, *looks)), 2)

	def test_lost_task(self):
		array = waits(5, 'a', FIRST, array=5, task='0-2')
		fewer = waits(5, 'a', FIRST, array=5, task='0,2')
		self.assertIn('job 5_1 is lost', self.told(World(), [array], [fewer])[0])
		started = runs(6, 'a', 1, array=5, task='1')
		self.assertFalse(self.told(World(), [array], [fewer, started]))

	def test_never_there(self):
		world = World()
		world.accepted[7] = NOW - 1
		self.assertIn('accepted', self.told(world, [])[0])
		world.accepted[7] = NOW - 1
		self.assertFalse(self.told(world, [runs(8, 'a', 1, array=7, task='1')]))

	def test_cancelled_by_nobody(self):
		world, jobs = World(), [slurm.Job(1, 'CANCELLED', 'a')]
		self.assertIn('nobody asked', self.told(world, jobs, jobs)[0])
		world.was_asked = True
		self.assertFalse(self.told(world, jobs))

	def test_judged_once(self):
		"""What excuses an end, a kill for instance, holds for a while; its record is longer there"""
		world, rule, end = World(), evictions.Fates(), [slurm.Job(1, 'CANCELLED', 'a')]
		world.was_asked = True
		self.assertFalse(list(rule.look(sample(end, NOW), world)))
		world.was_asked = False
		self.assertFalse(list(rule.look(sample(end, NOW + 1), world)))
		self.assertFalse(list(rule.look(sample([runs(1, 'a', 1)], NOW + 2), world)))
		self.assertIn('nobody asked', list(rule.look(sample(end, NOW + 3), world))[0])


class Says:
	"""A cluster that has a waiting job and one that has ended"""
	RECORD = ('JobId=%d JobName=x JobState=%s Reason=Cohort:pos=1/1,wait=order,cq=a Dependency=(null) Account=a '
		  'Command=(null) StdOut=/dev/null')

	def __init__(self, folder):
		self.folder, self.asked = folder, []
		self.published, self.log = folder + '/none', folder + '/log'
		with open(self.log, 'w', encoding='utf-8') as file:
			file.write('[x] _slurm_rpc_submit_batch_job: JobId=1\n' + '[x] of interest\n' * 100)

	def run(self, command, limit):
		self.asked.append(' '.join(command))
		assert limit <= 10
		if command[:2] == ['scontrol', '-o'] and command[-1] == 'job':
			return 0, self.RECORD % (1, 'PENDING') + '\n' + self.RECORD % (2, 'COMPLETED')
		return 0, 'x' * 100000


class EvidenceTest(unittest.TestCase):
	def shown(self, seconds=60):
		with tempfile.TemporaryDirectory() as folder:
			self.cluster = Says(folder)
			found = evidence.Evidence(self.cluster, folder)
			evidence.SECONDS = seconds
			found.take()
			found.take()
			self.kept = os.path.getsize(found.path)
			with contextlib.redirect_stdout(io.StringIO()) as out:
				found.show()
			return out.getvalue()

	def test_what_is_shown(self):
		text = self.shown()
		self.assertIn('JobId=1 JobName=x Account=a JobState=PENDING Reason=Cohort:pos=1/1,wait=order,cq=a\n', text)
		self.assertNotIn('JobId=2', text)
		self.assertEqual(self.cluster.asked.count('scohort why --json 1'), 1)
		self.assertIn('(40 more lines)', text)
		self.assertNotIn('_slurm_rpc_', text)

	def test_bounds(self):
		self.assertLess(len(self.shown()), 60000)
		self.assertGreater(self.kept, 400000)
		self.assertIn('not asked', self.shown(0))
		self.assertFalse(self.cluster.asked)


class LogRule(unittest.TestCase):
	def test_errors(self):
		for line in ('error: slurm-cohort: can\'t write x', 'fatal: x', 'error: Possible corrupt y'):
			self.assertTrue(heard(evictions.Log(), World(), line))
		self.assertTrue(heard(evictions.Log(), World(), 'slurm-cohort: evict: of another form'))

	def test_others(self):
		self.assertIsNone(slurm.parse_event('error: something of Slurm\'s'))
		self.assertFalse(heard(evictions.Log(), World(), 'error: slurm-cohort: cohort.yaml has errors'))


if __name__ == '__main__':
	unittest.main()
