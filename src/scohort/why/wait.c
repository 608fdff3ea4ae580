/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.c - why does it wait, and what will change that?
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/places.h"
#include "output/text.h"
#include "slurm/api.h"
#include "status/queue.h"
#include "story/story.h"

/* Slurm's own reasons: whoever has one of them is not in line. */
static const struct {
	int reason;
	const char *text;
} slurm_reasons[] = {
	{ WAIT_DEPENDENCY, "it depends on other jobs" },
	{ WAIT_TIME, "it is not due yet" },
	{ WAIT_HELD, "an administrator holds it" },
	{ WAIT_HELD_USER, "its user holds it" },
	{ WAIT_PART_NODE_LIMIT, "it asks for more nodes than its partition "
	  "gives" },
	{ WAIT_PART_TIME_LIMIT, "it asks for more time than its partition "
	  "gives" },
	{ WAIT_PART_DOWN, "its partition is down" },
	{ WAIT_PART_INACTIVE, "its partition is inactive" },
	{ WAIT_RESERVATION, "its reservation is not there yet" },
	{ WAIT_NODE_NOT_AVAIL, "a node that it needs is not available" },
	{ WAIT_LICENSES, "licenses are missing" },
	{ WAIT_ARRAY_TASK_LIMIT, "as many tasks of its array run as may" },
	{ WAIT_ASSOC_JOB_LIMIT, "a limit of its association holds it back" },
	{ WAIT_ASSOC_RESOURCE_LIMIT, "a limit of its association holds it "
	  "back" },
	{ WAIT_QOS_JOB_LIMIT, "a limit of its QOS holds it back" },
	{ WAIT_QOS_RESOURCE_LIMIT, "a limit of its QOS holds it back" },
	{ FAIL_BAD_CONSTRAINTS, "no nodes can ever give what it asks for" },
};

static const char *slurm_reason(int reason)
{
	for (size_t i = 0; i < sizeof(slurm_reasons) / sizeof(*slurm_reasons);
	     i++) {
		if (slurm_reasons[i].reason == reason)
			return slurm_reasons[i].text;
	}
	return NULL;
}

/* ---- where it stands ---- */

static void local_text(const struct story *s, const struct reason *r,
		       char *buf, size_t size)
{
	struct places *places = places_create(s->queue);
	bool by_user = !strcmp(json_text(s->p->document, "localQueue"),
			       "user");
	int64_t total = 0, local = places && r->place
				   ? places_local(places, r->place, &total) : 0;
	char nth[TEXT_SIZE];

	buf[0] = '\0';
	places_destroy(places);
	if (!local)
		return;
	json_add_number(s->facts, "localPlace", local);
	json_add_number(s->facts, "localTotal", total);
	snprintf(buf, size, ", %s of %ld of %s %s",
		 text_ordinal(nth, sizeof(nth), local), (long) total,
		 by_user ? "its" : "account", by_user ? "user"
		 : s->v->account ? s->v->account : "(none)");
}

static void place_say(struct story *s, const struct reason *r)
{
	char local[256], place[TEXT_SIZE];

	local_text(s, r, local, sizeof(local));
	if (!r->place)
		snprintf(place, sizeof(place), "beyond place %ld",
			 (long) r->known);
	else if (r->total)
		snprintf(place, sizeof(place), "place %ld of %ld",
			 (long) r->place, (long) r->total);
	else
		snprintf(place, sizeof(place), "place %ld", (long) r->place);
	json_add_number(s->facts, "place", r->place);
	json_add_number(s->facts, "total", r->total);
	say(s, "Job %s waits in cluster queue %s: %s%s.", s->name,
	    s->queue_name, place, local);
}

static void request_say(struct story *s)
{
	char request[1024], class[256];

	request_text(s->v, request, sizeof(request));
	class_text(s->p, s->v, class, sizeof(class));
	say(s, "It asks for %s%s%s%s%s.", *request ? request : "(nothing "
	    "known)", s->v->tasks > 1 ? " for each of its tasks" : "",
	    *class ? ", in class " : "", class,
	    s->v->features ? ", with a constraint on nodes" : "");
}

/* ---- what is missing ---- */

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
	story_quota(s, r->flavor, r->resource);
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
	else if (strstr(r->wait, "maxPreemptions"))
		say(s, "It could have its quota by eviction, but those who "
		    "would have to go have been evicted as often as "
		    "maxPreemptions allows: they run to their end.");
	else
		say(s, "It could have its quota by eviction, but those who "
		    "would have to go are protected.");
}

void story_wait_for(struct story *s, const struct reason *r)
{
	switch (r->word) {
	case WORD_QUOTA:
		quota_say(s, r);
		break;
	case WORD_NEVER:
		never_say(s, r);
		break;
	case WORD_HELD:
		held_say(s);
		break;
	case WORD_PROTECTED:
		protected_say(s, r);
		story_quota(s, "", "");
		break;
	case WORD_PREEMPTING:
		say(s, "%ld job%s on the way out for it; it starts when their "
		    "nodes are free.", (long) r->victims,
		    r->victims == 1 ? " is" : "s are");
		break;
	case WORD_ORDER:
		say(s, "What it asks for is there, but others come first: those "
		    "before it in line, or a job that waits for it in another "
		    "cluster queue of the cohort.");
		break;
	case WORD_NODES:
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

static void order_say(struct story *s, const struct reason *r)
{
	int64_t before = r->place - 1;

	if (before > 0)
		say(s, "%ld waiting job%s or task%s %s before it.",
		    (long) before, text_s(before), text_s(before),
		    before == 1 ? "stands" : "stand");
}

static void estimate_say(struct story *s, const struct reason *r)
{
	char when[TEXT_SIZE];

	if (s->v->start > s->now)
		say(s, "Expected start: %s%s, or earlier if jobs end before "
		    "their time limits.",
		    text_time(when, sizeof(when), s->v->start, s->now),
		    r->word == WORD_PROTECTED ? ", when they have gone" : "");
	else if (r->word == WORD_QUOTA || r->word == WORD_PROTECTED
		 || r->word == WORD_ORDER)
		say(s, "There is no estimate of its start.");
}

/* ---- not in line ---- */

static void out_of_line_say(struct story *s)
{
	const char *why = slurm_reason(s->v->reason);
	char when[TEXT_SIZE];

	if (s->v->eligible > s->now)
		say(s, "Job %s of cluster queue %s is not in line: it may start "
		    "from %s on, and takes its place then.", s->name,
		    s->queue_name, text_time(when, sizeof(when),
					     s->v->eligible, s->now));
	else if (why)
		say(s, "Job %s of cluster queue %s is not in line: %s.",
		    s->name, s->queue_name, why);
	else if (!s->v->priority)
		say(s, "Job %s of cluster queue %s is not in line: it is held.",
		    s->name, s->queue_name);
	else if (!strcmp(json_text(s->p->document, "enforcement"), "observe"))
		say(s, "Job %s of cluster queue %s waits as Slurm has it: "
		    "quota is observed only, not enforced.", s->name,
		    s->queue_name);
	else
		say(s, "Job %s of cluster queue %s has quota and is about to "
		    "start; the scheduler has not come to it yet.", s->name,
		    s->queue_name);
}

void story_wait(struct story *s)
{
	struct reason r;

	if (!reason_parse(s->v->text, &r)) {
		out_of_line_say(s);
		request_say(s);
		return;
	}
	json_add_text(s->facts, "verdict", r.wait);
	if (*r.resource) {
		json_add_text(s->facts, "resource", r.resource);
		json_add_text(s->facts, "flavor", r.flavor);
	}
	if (r.need >= 0)
		json_add_number(s->facts, "need", r.need);
	if (r.free >= 0)
		json_add_number(s->facts, "free", r.free);
	place_say(s, &r);
	request_say(s);
	story_wait_for(s, &r);
	order_say(s, &r);
	estimate_say(s, &r);
}
