/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.c - what keeps a job waiting, and what will change that
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "story/story.h"

/* It asks for 3 CPUs and needs 12: why? Memory has units, and is left out. */
static void more_say(struct story *s, const struct reason *r)
{
	const char *at = s->v && !s->v->het_id ? s->v->tres_asked : NULL;
	size_t n = strlen(r->resource);

	while (at && n && strcmp(r->resource, "mem")) {
		if (!strncmp(at, r->resource, n) && at[n] == '='
		    && strtoll(at + n + 1, NULL, 10) < r->need) {
			say(s, "That is more than it asks for: all that comes "
			    "with whole nodes, sockets, cores or GPUs counts.");
			return;
		}
		at = strchr(at, ',');
		at = at ? at + 1 : NULL;
	}
}

static void quota_say(struct story *s, const struct reason *r)
{
	char need[TEXT_SIZE], free[TEXT_SIZE];

	text_amount_of(need, sizeof(need), r->resource, r->need);
	text_amount(free, sizeof(free), r->resource, r->free);
	say(s, "It lacks quota: it needs %s of flavor %s, and %s could have %s "
	    "now.", need, r->flavor, s->queue_name, free);
	more_say(s, r);
	story_say_quota(s, r->flavor, r->resource);
}

static void never_say(struct story *s, const struct reason *r)
{
	char need[TEXT_SIZE], max[TEXT_SIZE];

	if (r->need < 0 || r->max < 0) {
		say(s, "It will never start as it is (%s): none of the flavors "
		    "of %s has nodes that could give what it asks for.",
		    r->wait, s->queue_name);
		return;
	}
	text_amount_of(need, sizeof(need), r->resource, r->need);
	text_amount(max, sizeof(max), r->resource, r->max);
	if (s->v && s->v->het_id) {
		say(s, "It will never start as it is: all components start or "
		    "none, they need %s of flavor %s, and the most that could "
		    "ever be had for them is %s. It has to ask for less, or "
		    "for other cluster queues.", need, r->flavor, max);
		return;
	}
	say(s, "It will never start as it is: it needs %s of flavor %s, and "
	    "the most that %s could ever have is %s. It has to ask for less, "
	    "or for another cluster queue.", need, r->flavor, s->queue_name,
	    max);
	more_say(s, r);
}

static void held_say(struct story *s)
{
	const char *stop = json_text(s->queue, "stopPolicy");

	say(s, "The cluster queue is stopped%s%s%s: nothing starts in it until "
	    "an administrator changes that.",
	    *stop ? " (stopPolicy " : "", stop, *stop ? ")" : "");
}

static void protected_say(struct story *s, const struct reason *r)
{
	bool known = *r->until && strcmp(r->until, "unknown") != 0;

	if (known)
		say(s, "It could have its quota by eviction, but those who "
		    "would have to go are protected by a minimum run time or "
		    "a turn, the first of them until %s.", r->until);
	else if (strstr(r->wait, "nonpreemptible"))
		say(s, "It could have its quota by eviction, but those who "
		    "hold it can't be preempted: they run to their end.");
	else if (strstr(r->wait, "maxPreemptions"))
		say(s, "It could have its quota by eviction, but those who "
		    "would have to go have been evicted as often as "
		    "maxPreemptions allows: they run to their end.");
	else
		say(s, "It could have its quota by eviction, but those who "
		    "would have to go are protected.");
}

static void nonpreemptible_say(struct story *s, const struct reason *r)
{
	char need[TEXT_SIZE], cap[TEXT_SIZE], used[TEXT_SIZE];

	text_amount_of(need, sizeof(need), r->resource, r->need);
	text_amount(cap, sizeof(cap), r->resource, r->cap);
	text_amount(used, sizeof(used), r->resource, r->used);
	say(s, "It can't be preempted once it runs, and nominal quota caps such "
	    "jobs of %s: of flavor %s it needs %s, %s is the most that they "
	    "may use together, and they use %s. It starts when others of them "
	    "have ended.", s->queue_name, r->flavor, need, cap, used);
	more_say(s, r);
	story_say_quota(s, r->flavor, r->resource);
}

void story_say_wait(struct story *s, const struct reason *r)
{
	switch (r->kind) {
	case REASON_QUOTA:
		quota_say(s, r);
		break;
	case REASON_NEVER:
		never_say(s, r);
		break;
	case REASON_NONPREEMPTIBLE:
		nonpreemptible_say(s, r);
		break;
	case REASON_HELD:
		held_say(s);
		break;
	case REASON_PROTECTED:
		protected_say(s, r);
		story_say_quota(s, "", "");
		break;
	case REASON_PREEMPTING:
		say(s, "%ld job%s on the way out for it; it starts when their "
		    "nodes are free.", (long) r->victims,
		    r->victims == 1 ? " is" : "s are");
		break;
	case REASON_ORDER:
		say(s, "What it asks for is there, but others come first: those "
		    "before it in line, or a job that waits for it in another "
		    "cluster queue of the cohort.");
		break;
	case REASON_NODES:
		say(s, "It has quota. What is missing are nodes: none of its "
		    "flavors has enough that are free and fit.");
		if (*r->until)
			say(s, "Jobs were evicted for it, and it did not start. "
			    "No other job is evicted for it before %s.",
			    r->until);
		break;
	default:
		say(s, "It waits for %s.", r->wait);
	}
}
