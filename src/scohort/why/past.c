/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.c - what has happened to the job: preemption, the end
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/provenance.h"
#include "output/text.h"
#include "why/why.h"

static void facts_add(struct story *s, const struct provenance *p)
{
	struct json_object *o = json_object_new_object();

	if (p->at)
		json_add_number(o, "at", p->at);
	json_add_number(o, "byJob", p->by);
	json_add_text(o, "byClusterQueue", p->queue);
	json_add_text(o, "rule", p->rule);
	json_add_text(o, "numbers", p->numbers);
	json_add_number(o, "ranSeconds", p->ran);
	json_add_number(o, "count", p->count);
	json_add_number(o, "counted", p->counted);
	if (p->max)
		json_add_number(o, "maxPreemptions", p->max);
	json_object_object_add(s->facts, "preempted", o);
}

static void again_say(struct story *s)
{
	char when[TEXT_SIZE];

	if (s->v->state != VIEW_PENDING)
		return;
	if (s->v->eligible > s->now)
		say(s, "It can start again from %s.",
		    text_time(when, sizeof(when), s->v->eligible, s->now));
	else
		say(s, "It is back in the queue.");
}

void why_preempted(struct story *s)
{
	char ran[TEXT_SIZE], nth[TEXT_SIZE], of[TEXT_SIZE] = "";
	struct provenance p;
	const char *why;

	if (!provenance_parse(s->v->system_comment, &p))
		return;
	facts_add(s, &p);
	why = rule_text(p.rule);
	say(s, "It was preempted at %s by job %ld of cluster queue %s, rule "
	    "%s%s%s: %s.", p.when, (long) p.by, p.queue, p.rule,
	    *why ? ", that is, " : "", why, p.numbers);
	if (p.max)
		snprintf(of, sizeof(of), " Others than owners have evicted it %ld of "
			 "at most %ld times.", (long) p.counted, (long) p.max);
	say(s, "It had run for %s. This was its %s preemption.%s",
	    text_duration(ran, sizeof(ran), p.ran),
	    text_ordinal(nth, sizeof(nth), p.count), of);
	again_say(s);
}

void why_ended(struct story *s)
{
	char when[TEXT_SIZE], ran[TEXT_SIZE];

	say(s, "Job %s ended at %s: %s, after %s.", s->name,
	    text_time(when, sizeof(when), s->v->end, s->now),
	    s->v->state_name,
	    text_duration(ran, sizeof(ran),
			  s->v->start ? s->v->end - s->v->start : 0));
}
