# SPDX-License-Identifier: GPL-2.0-or-later
"""scenes.py - a few jobs that get in each other's way, on a cluster with nothing else

Storms seldom bring these together. Each was a defect once; queues, sizes and
quotas are other ones each time, so that they find the like, too.
"""

import time

CONFIGS = ('base', 'tree', 'borrow', 'fair', 'strict', 'flavors', 'fixed', 'fixedorg', 'lately', 'usage')
LONG = 'exec sleep 90'


def clear(driver):
	"""No job is left, all nodes are there"""
	driver.do('scontrol', 'update', 'NodeName=n[1-4]', 'State=RESUME')
	driver.do('scontrol', 'update', 'PartitionName=mid', 'State=UP')
	driver.do('scontrol', 'delete', 'reservation=res')
	end = time.time() + 20
	while time.time() < end:
		left = driver.families()
		if not left:
			return
		driver.cancel(left)
		time.sleep(0.5)


def two_queues(driver):
	return driver.random.sample(('a', 'b', 'c', 'd'), 2)


def together(driver):
	"""They wait for nodes together, one of them with a component in another queue"""
	one, other, third = driver.random.sample(('a', 'b', 'c', 'd'), 3)
	driver.submit(['-A', other, '-p', 'hi', '-w', 'n2', '-n1', '-t2'], LONG)
	time.sleep(1)
	all_nodes = driver.submit(['-A', 'out', '-p', 'hi', '-N4', '-n16', '-t2'], LONG)
	driver.submit(['-A', one, '-p', 'hi', '-N2', '-n4', '-t2', ':', '-A', other, '-p', 'hi', '-n1', '-t2'],
		      LONG)
	driver.submit(['-A', third, '-p', 'lo', '--exclusive', '-N1', '-t2'], LONG)
	driver.submit(['-A', third, '-p', 'lo', '-n2', '-a', '0-1', '-t2'], LONG)
	time.sleep(2)
	driver.cancel([all_nodes])


def two_partitions(driver):
	"""Who may start in either of two partitions, and who wants his node, are let go at once"""
	one, other = two_queues(driver)
	node = driver.one_of(('n1', 'n3'))
	before = driver.submit(['-A', 'out', '-p', 'hi', '-w', node, '-n4', '-t2'], LONG)
	time.sleep(1.5)
	driver.submit(['-A', other, '-p', 'hi,lo', '-w', node, '-N1', '-n4', '-t2'], LONG)
	driver.submit(['-A', one, '-p', 'lo', '-w', node, '-N1', '-n4', '-t2'], LONG)
	time.sleep(1.5)
	driver.cancel([before])


def for_nodes(driver):
	"""Who waits for nodes in a low tier, and who would borrow in a high one"""
	one, other = two_queues(driver)
	driver.submit(['-A', 'out', '-p', 'hi', '-w', 'n3,n4', '-N2', '-n8'], LONG)
	driver.submit(['-A', 'out', '-p', 'hi', '-w', 'n1', '-n2'], LONG)
	time.sleep(1)
	for _ in range(2):
		driver.submit(['-A', other, '-p', 'hi', '-N1', '-n4'], LONG)
		time.sleep(1.5)
	driver.submit(['-A', one, '-p', 'lo', '-N2', '-n2'], LONG)


def reclaim(driver):
	"""One has everything, with all kinds of jobs, and all others want theirs"""
	one = driver.one_of(('a', 'b', 'c', 'd'))
	for words in (['-a', '0-3', '-n2'], ['-N2', '-n4'], ['-n1', ':', '-A', one, '-p', 'lo', '-n2', '-t2'],
		      ['-a', '0-1', '-n1', '--comment=cohort:min-available=1'], ['-p', 'cancel', '-n1']):
		driver.submit(['-A', one, '-p', 'lo', '-t2'] + words, LONG)
	time.sleep(4)
	for queue in 'abcd'.replace(one, ''):
		driver.submit(['-A', queue, '-p', driver.one_of(('lo', 'mid', 'mid,lo')), '-n2', '-a', '0-1', '-t2'],
			      LONG)


def cannot_go(driver):
	"""Some that can't be preempted and some that can borrow all, and their owners come"""
	one = driver.one_of(('a', 'b', 'c', 'd'))
	for i in range(6):
		words = ['--comment=cohort:preemptibility=non-preemptible'] if i % 2 else []
		driver.submit(['-A', one + driver.one_of(('', '1')), '-p', 'lo', '-t2', '-N1', '-n2'] + words, LONG)
	driver.submit(['-A', one, '-p', 'mid', '-t2', '-a', '0-3', '-n1', '--comment=cohort:min-available=2'], LONG)
	time.sleep(4)
	for queue in 'abcd'.replace(one, ''):
		driver.submit(['-A', queue, '-p', driver.one_of(('lo', 'hi')), '-N1', '-n2', '-a', '0-2', '-t2'], LONG)


def limited_array(driver):
	"""A task of an array waits for the limit, as another one runs: others need not wait for that"""
	one, other = two_queues(driver)
	array = driver.submit(['-A', one, '-p', 'lo', '-t2', '-a', '0-1%1', '-N1', '-n4'], LONG)
	if not array:
		return
	time.sleep(2)
	driver.touch(array)
	driver.do('scontrol', 'requeue', '%d_0' % array)
	time.sleep(2)
	driver.do('scontrol', 'update', 'JobId=%d_0' % array, 'StartTime=now')
	driver.submit(['-A', other, '-p', 'lo', '-t2', '-n%d' % driver.random.randint(9, 12)], LONG)


SCENES = (cannot_go, together, two_partitions, for_nodes, reclaim)
NAMED = (limited_array,)	# played only by name, so that a seed gives the commands that it gave before


def play(driver, only=None):
	"""Returns for how many seconds it takes to see what comes of it"""
	clear(driver)
	scene = driver.one_of([s for s in SCENES + NAMED if s.__name__ == only] if only else SCENES)
	driver.configure(driver.one_of({for_nodes: ('narrow', 'base'), cannot_go: ('fixed', 'fixedorg', 'usage')}.get(
		scene, CONFIGS)))
	driver.cluster.trace.add('scene: ' + scene.__name__)
	driver.counts['scenes'] += 1
	scene(driver)
	return 70 if scene is for_nodes else 16
