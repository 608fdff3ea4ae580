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
			say(s, "That is more than it asks for, because whole "
			    "nodes, sockets, cores or GPUs are charged in "
			    "full.");
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
	say(s, "It waits for quota: it needs %s of flavor %s, and %s can get "
	    "%s now.", need, r->flavor, s->queue_name, free);
	more_say(s, r);
	story_say_quota(s, r->flavor, r->resource);
}

static void never_say(struct story *s, const struct reason *r)
{
	char need[TEXT_SIZE], max[TEXT_SIZE];

	if (r->need < 0 || r->max < 0) {
		say(s, "It can never start as submitted (%s): no flavor of %s "
		    "has nodes that fit its request.",
		    r->wait, s->queue_name);
		return;
	}
	text_amount_of(need, sizeof(need), r->resource, r->need);
	text_amount(max, sizeof(max), r->resource, r->max);
	if (s->v && s->v->het_id) {
		say(s, "It can never start as submitted: its components start "
		    "together, they need %s of flavor %s, and they can never "
		    "get more than %s. Request less, or use other cluster "
		    "queues.", need, r->flavor, max);
		return;
	}
	say(s, "It can never start as submitted: it needs %s of flavor %s, and "
	    "can never get more than %s in %s. Request less, or use another "
	    "cluster queue.", need, r->flavor, max, s->queue_name);
	more_say(s, r);
}

static void held_say(struct story *s)
{
	const char *stop = json_text(s->queue, "stopPolicy");

	say(s, "The cluster queue is stopped%s%s%s: no job starts in it until "
	    "an administrator resumes it.",
	    *stop ? " (stopPolicy " : "", stop, *stop ? ")" : "");
}

static void protected_say(struct story *s, const struct reason *r)
{
	bool known = *r->until && strcmp(r->until, "unknown") != 0;

	if (known)
		say(s, "Jobs that it could evict for quota are protected by a "
		    "minimum run time or a turn. The first protection ends at "
		    "%s. Whether their quota is enough shows then.", r->until);
	else if (strstr(r->wait, "nonpreemptible"))
		say(s, "Jobs that it could evict for quota can't be preempted. "
		    "They hold it until they end.");
	else if (strstr(r->wait, "maxPreemptions"))
		say(s, "Jobs that it could evict for quota have reached "
		    "maxPreemptions. They hold it until they end.");
	else
		say(s, "Jobs that it could evict for quota are protected.");
}

static void nonpreemptible_say(struct story *s, const struct reason *r)
{
	char need[TEXT_SIZE], cap[TEXT_SIZE], used[TEXT_SIZE];

	text_amount_of(need, sizeof(need), r->resource, r->need);
	text_amount(cap, sizeof(cap), r->resource, r->cap);
	text_amount(used, sizeof(used), r->resource, r->used);
	say(s, "Once it runs it can't be preempted. Such jobs of %s are "
	    "limited by nominal quota: of flavor %s it needs %s, the limit for "
	    "all of them together is %s, and they use %s. It can't start in "
	    "that flavor before enough of them have ended.",
	    s->queue_name, r->flavor, need, cap, used);
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
	case REASON_YIELDS:
		say(s, "It was evicted before, so it waits for free quota: it "
		    "evicts other jobs only for the nominal quota of %s, and "
		    "needs more than that.", s->queue_name);
		story_say_quota(s, "", "");
		break;
	case REASON_HELD:
		held_say(s);
		break;
	case REASON_PROTECTED:
		protected_say(s, r);
		story_say_quota(s, "", "");
		break;
	case REASON_PREEMPTING:
		say(s, "%ld job%s the quota that it waits for %s being evicted. "
		    "It starts, at the latest, when their nodes are free.",
		    (long) r->victims, r->victims == 1 ? " in" : "s in",
		    r->victims == 1 ? "is" : "are");
		break;
	case REASON_ORDER:
		say(s, "Other jobs come first: jobs before it in its queue, or a "
		    "job in another cluster queue of the cohort that waits for "
		    "the same quota.");
		break;
	case REASON_NODES:
		say(s, "Quota is available, but no suitable nodes are free.");
		story_say_nodes(s);
		if (*r->until)
			say(s, "Jobs were evicted for it, but it could not "
			    "start. No further job is evicted for it before "
			    "%s.",
			    r->until);
		break;
	default:
		say(s, "It waits for %s.", r->wait);
	}
}
