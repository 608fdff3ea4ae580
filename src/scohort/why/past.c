/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.c - what has happened to the job: preemption, the end
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "ledger/provenance.h"
#include "lib/sat.h"
#include "output/text.h"
#include "story/evictors.h"
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

/* "QUEUE held USED of NOMINAL RESOURCE@FLAVOR, QUEUE held USED of NOMINAL, needed N,
 * ...": who owns what was reclaimed? "": it is not known */
static void owner_text(const struct story *s, const struct provenance *p, char *buf, size_t size)
{
	long used = 0, nominal = 0, needed = 0;
	char resource[64], flavor[64];
	const char *by = strstr(p->numbers, ", ");
	struct json_object *owner;

	buf[0] = '\0';
	if (strcmp(p->rule, "InCohortReclamation") != 0 || !by
	    || sscanf(p->numbers, "%*s held %*d of %*d %63[^@]@%63[^,]", resource, flavor) != 2
	    || sscanf(by, ", %*s held %ld of %ld, needed %ld", &used, &nominal, &needed) != 3)
		return;
	if (sat_add(used, needed) <= nominal) {
		snprintf(buf, size, "%s reclaimed its own quota", p->queue);
		return;
	}
	owner = owner_above(s->p, published_queue(s->p, p->queue), s->queue, flavor, resource,
			    sat_add(used, needed));
	if (owner)
		snprintf(buf, size,
			 "quota of cohort %s, which %s is in, was "
			 "reclaimed",
			 json_text(owner, "name"), p->queue);
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
	char ran[TEXT_SIZE], nth[TEXT_SIZE], of[TEXT_SIZE] = "", owner[512];
	struct provenance p;
	const char *why;

	if (!provenance_parse(s->v->system_comment, &p))
		return;
	facts_add(s, &p);
	owner_text(s, &p, owner, sizeof(owner));
	why = *owner ? owner : rule_text(p.rule);
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
	    text_time(when, sizeof(when), s->v->end, s->now), s->v->state_name,
	    text_duration(ran, sizeof(ran), s->v->start ? s->v->end - s->v->start : 0));
}
