/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test allow.c - what time keeps from being evicted, and when that ends
 */
#include "world.h"

#define TURNS "queue a within=newer turn=60 pmin=100 cpu@f=4\n"

static const char *const stories[] = {
	/* its turn ends while it is protected: nothing changes before that does */
	TURNS "run r in a cpu@f=4 since=90\nwait x in a cpu=4 at=9\n"
	"plan 100 x=protected(190)\nexpiry 190\nplan 189 x=protected(190)\nplan 190 x=preempt#1(1)",
	/* on its way out it is never protected, whatever the terms are */
	TURNS "run r in a cpu@f=4 since=90 evicting\nwait x in a cpu=4 at=9\n"
	"plan 100 x=protected(151)\nexpiry 151\nplan 150 x=protected(151)\nplan 151 x=preempt#1(1)",
	TURNS "run r in a cpu@f=4 since=90 exempt=-1 evicting\nwait x in a cpu=4 at=9\n"
	"plan 100 x=protected(151)\nexpiry 151\nplan 150 x=protected(151)\nplan 151 x=preempt#1(1)",
	"queue a within=newer turn=60 max=1 cpu@f=4\n"
	"run r in a cpu@f=4 since=90 times=1 evicting\nwait x in a cpu=4 at=9\n"
	"plan 100 x=protected(151)\nexpiry 151\nplan 150 x=protected(151)\nplan 151 x=preempt#1(1)",
	/* else it stays for good */
	TURNS "run r in a cpu@f=4 since=90 exempt=-1\nwait x in a cpu=4 at=9\n"
	"plan 100 x=quota(cpu@f,need=4,free=0)\nexpiry 0",
	/* a turn that ends gives a candidate another place: r is the one that has run for longest
	 * then */
	"queue a within=newer turn=60 cpu@f=4\nrun r in a cpu@f=2 at=5 since=70\n"
	"run s in a cpu@f=2 at=6 since=90\nwait x in a cpu=2 at=1\n"
	"plan 100 x=preempt#1(1)\nexpiry 131\nvictims x s/InClusterQueue\n"
	"plan 130 x=preempt#1(1)\nplan 131 x=preempt#1(1)\nvictims x r/InClusterQueueTimeBased",
	/* a member of an elastic group may be evicted while it is protected, once its turn is
	 * over: the end of the turn is an event */
	TURNS "run r in a cpu@f=2 since=90\nrun s in a cpu@f=2 since=91\nwait x in a cpu=2 at=9\n"
	"elastic r 1 1\nelastic s 1 1\nplan 100 x=protected(190)\nexpiry 151\n"
	"plan 150 x=protected(190)\nplan 151 x=preempt#1(1)",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories))
