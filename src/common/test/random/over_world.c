/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * over_world.c - random trees, most of which use more than their quota
 */
#include "random/over_world.h"

#define MOST_RUNNING 44

static int cohorts_draw(struct text *t, bool flat)
{
	int cohorts = 1 + (!flat && odds(t, 50) ? pick(t, 4) : 0);

	for (int i = 0; i < cohorts; i++) {
		say(t, "cohort c%d", i);
		if (i)
			say(t, " in c%d", pick(t, i));
		if (odds(t, 20))
			quota_say(t, "cpu@f");
		say(t, "\n");
	}
	return cohorts;
}

static void owners_draw(struct text *t, int queues)
{
	for (int i = 0; i < queues; i++) {
		if (odds(t, 60))
			say(t, "own w%d cpu@f=%d mem@f=%d\n", i, 1 + pick(t, 4),
			    pick(t, 3));
	}
}

void over_world_draw(struct text *t, uint64_t seed, const struct over_world *kind)
{
	int cohorts, queues, running;

	text_begin(t, seed);
	if (odds(t, kind->runtimes))
		say(t, "site reclaim=%d\n", 20 + pick(t, 90));
	if (kind->fair)
		say(t, "site fair\n");
	cohorts = cohorts_draw(t, kind->fair);
	queues = 3 + pick(t, 8);
	for (int i = 0; i < queues; i++)
		kind->queue_draw(t, i, cohorts);
	running = 4 * queues + pick(t, 20);
	if (running > MOST_RUNNING)
		running = MOST_RUNNING;
	for (int i = 0; i < running; i++)
		kind->running_draw(t, i, queues);
	for (int i = 0; i < 2 * queues; i++)
		say(t, "wait w%d in %c cpu=%d mem=%d prio=%d at=%d\n", i,
		    'a' + i % queues, 1 + pick(t, kind->most_cpus), pick(t, 3),
		    pick(t, 5), pick(t, 9));
	if (kind->owners && odds(t, kind->owners))
		owners_draw(t, queues);
	for (int i = odds(t, kind->units) ? 1 + pick(t, 4) : 0; i > 0; i--)
		say(t, "unit r%d r%d\n", i, i + 4 + pick(t, 4));
}
