/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * over_world.c - random trees, most of which use more than their quota
 */
#include "random/over_world.h"

#define MOST_RUNNING 44

/* What tells one kind of them from another */
struct over_world {
	void (*queue_draw)(struct text *t, int i, int cohorts);	/* queue 'a' + i */
	void (*running_draw)(struct text *t, int i, int queues);	/* its job r<i> */
	int runtimes;			/* percent have a min-runtime against reclaim, */
	int owners;			/* have waiting jobs that own quota, */
	int units;			/* and have units */
	int most_cpus;			/* of a job that waits */
	bool fair;			/* a flat cohort with fair sharing */
};

/* ---- half of the queues borrow ---- */

static void queue_draw(struct text *t, int i, int cohorts)
{
	static const char *const policies[] = { "any", "lower", "newer" };

	say(t, "queue %c in c%d within=%s reclaim=%s", 'a' + i, pick(t, cohorts),
	    odds(t, 50) ? "never" : policies[pick(t, 3)], policies[odds(t, 70) ? 0 : pick(t, 3)]);
	if (odds(t, 15))
		say(t, " borrow=lower");
	if (odds(t, 5))
		say(t, " turn=%d", 50 + pick(t, 60));
	if (odds(t, 3))
		say(t, " hold");
	for (int k = 0; k < 2; k++) {
		say(t, " %s=%d", k ? "mem@f" : "cpu@f", i % 2 ? 4 + pick(t, 9) : pick(t, 7));
		if (odds(t, 10))
			say(t, "+%d", pick(t, 9));
		if (odds(t, 12))
			say(t, "-%d", pick(t, 5));
	}
	say(t, "\n");
}

static void any_running_draw(struct text *t, int i, int queues, int evicting)
{
	int queue = pick(t, queues);

	if (queue % 2 && odds(t, 85))
		queue--;
	say(t, "run r%d in %c cpu@f=%d", i, 'a' + queue, 1 + pick(t, 5));
	if (odds(t, 60))
		say(t, " mem@f=%d", pick(t, 5));
	say(t, " prio=%d since=%d", pick(t, 4), 1 + pick(t, 90));
	if (odds(t, 10))
		say(t, " exempt=%d", 80 + pick(t, 50));
	if (odds(t, 2))
		say(t, " elastic=1 needs=1");
	if (odds(t, evicting))
		say(t, " evicting");
	say(t, "\n");
}

static void running_draw(struct text *t, int i, int queues)
{
	any_running_draw(t, i, queues, 12);
}

static void fair_running_draw(struct text *t, int i, int queues)
{
	any_running_draw(t, i, queues, 1);
}

/* ---- all may borrow ---- */

static void borrow_queue_draw(struct text *t, int i, int cohorts)
{
	static const char *const policies[] = { "lower", "any", "newer" };

	say(t, "queue %c in c%d within=%s reclaim=%s", 'a' + i, pick(t, cohorts),
	    odds(t, 50) ? "never" : policies[pick(t, 3)], policies[pick(t, odds(t, 40) ? 3 : 2)]);
	if (odds(t, 70))
		say(t, " borrow=lower");
	if (odds(t, 10))
		say(t, " threshold=%d", pick(t, 4));
	if (odds(t, 6))
		say(t, " turn=%d", 50 + pick(t, 60));
	if (odds(t, 5))
		say(t, " hold");
	for (int k = 0; k < 2; k++) {
		say(t, " %s=%d", k ? "mem@f" : "cpu@f", pick(t, 9));
		if (odds(t, 10))
			say(t, "+%d", pick(t, 9));
		if (odds(t, 20))
			say(t, "-%d", pick(t, 5));
	}
	say(t, "\n");
}

static void borrow_running_draw(struct text *t, int i, int queues)
{
	say(t, "run r%d in %c cpu@f=%d", i, 'a' + pick(t, queues), 1 + pick(t, 5));
	if (odds(t, 60))
		say(t, " mem@f=%d", pick(t, 5));
	say(t, " prio=%d since=%d", pick(t, 4), 1 + pick(t, 90));
	if (odds(t, 15))
		say(t, " exempt=%d", 80 + pick(t, 50));
	if (odds(t, 5))
		say(t, " evicting");
	say(t, "\n");
}

/* ---- a world ---- */

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
			say(t, "own w%d cpu@f=%d mem@f=%d\n", i, 1 + pick(t, 4), pick(t, 3));
	}
}

static void over_world_draw(struct text *t, uint64_t seed, const struct over_world *kind)
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

void over_world_write(struct text *t, uint64_t seed)
{
	static const struct over_world kind = {
		.queue_draw = queue_draw, .running_draw = running_draw,
		.runtimes = 5, .owners = 50, .units = 10, .most_cpus = 4,
	};

	over_world_draw(t, seed, &kind);
}

void over_fair_world_write(struct text *t, uint64_t seed)
{
	static const struct over_world kind = {
		.queue_draw = queue_draw, .running_draw = fair_running_draw,
		.runtimes = 5, .owners = 10, .units = 10, .most_cpus = 4,
		.fair = true,
	};

	over_world_draw(t, seed, &kind);
}

void over_borrow_world_write(struct text *t, uint64_t seed)
{
	static const struct over_world kind = {
		.queue_draw = borrow_queue_draw, .running_draw = borrow_running_draw,
		.runtimes = 10, .units = 30, .most_cpus = 3,
	};

	over_world_draw(t, seed, &kind);
}
