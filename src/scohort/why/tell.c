/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tell.c - all facts about one job; what has happened to it: preemption, the end
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/lookup.h"
#include "lib/sat.h"
#include "output/text.h"
#include "story/evictors.h"
#include "why/why.h"

/* ---- what has happened to it ---- */

static void facts_add(struct story *s, const struct provenance *p)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(s->facts, "preempted", o);
	if (p->at)
		json_add_number(o, "at", p->at);
	json_add_number(o, "byJob", p->by);
	json_add_text(o, "byClusterQueue", p->queue);
	json_add_text(o, "rule", p->rule);
	json_add_text(o, "numbers", p->numbers);
	json_add_number(o, "ranSeconds", p->ran);
	json_add_number(o, "savedSeconds", p->saved);
	json_add_number(o, "count", p->count);
	json_add_number(o, "counted", p->counted);
	if (p->max)
		json_add_number(o, "maxPreemptions", p->max);
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
		snprintf(buf, size, "quota of cohort %s, which %s is in, was reclaimed",
			 json_text(owner, "name"), p->queue);
}

static void preempted_say(struct story *s)
{
	struct provenance p;
	char of[2 * TEXT_SIZE] = "", saved[2 * TEXT_SIZE] = "", owner[512];
	const char *why;

	if (!provenance_parse(s->v->system_comment, &p))
		return;
	facts_add(s, &p);
	owner_text(s, &p, owner, sizeof(owner));
	why = *owner ? owner : rule_text(p.rule);
	say(s, "It was preempted at %s by job %ld of cluster queue %s, rule %s%s%s: %s.", p.when,
	    (long) p.by, p.queue, p.rule, *why ? ", that is, " : "", why, p.numbers);
	if (p.max)
		snprintf(of, sizeof(of), " Others than owners have evicted it %ld of at most %ld "
			 "times.", (long) p.counted, (long) p.max);
	if (p.saved)
		snprintf(saved, sizeof(saved), ", %s of that before its last checkpoint",
			 text_duration(TEXT_BUF, p.saved));
	say(s, "It had run for %s%s. This was its %s preemption.%s",
	    text_duration(TEXT_BUF, p.ran), saved, text_ordinal(TEXT_BUF, p.count), of);
	if (s->v->state == VIEW_PENDING && s->v->eligible > s->now)
		say(s, "It can start again from %s.", text_time(TEXT_BUF, s->v->eligible, s->now));
	else if (s->v->state == VIEW_PENDING)
		say(s, "It is back in the queue.");
}

static void ended_say(struct story *s)
{
	say(s, "Job %s ended at %s: %s, after %s.", s->name, text_time(TEXT_BUF, s->v->end, s->now),
	    s->v->state_name, text_duration(TEXT_BUF, s->v->start ? s->v->end - s->v->start : 0));
}

/* ---- the job ---- */

static void facts_begin(struct story *s)
{
	const struct view *v = s->v;
	char text[1024];

	json_add_text(s->facts, "jobId", s->name);
	json_add_text(s->facts, "state", v->state_name);
	json_add_text(s->facts, "clusterQueue", *s->queue_name ? s->queue_name : NULL);
	json_add_text(s->facts, "account", v->account);
	json_add_text(s->facts, "partition", v->partition);
	json_add_text(s->facts, "qos", v->qos);
	json_add_text(s->facts, "class", class_text(s->p, v, text, sizeof(text)));
	json_add_text(s->facts, "request", request_text(v, text, sizeof(text)));
	json_add_time(s->facts, "submitted", v->submitted);
	json_add_time(s->facts, "eligible", v->eligible);
	json_add_time(s->facts, "start", v->start);
	json_add_time(s->facts, "end", v->end);
}

/* By the job's own text (it waits), or else by the rules */
static bool queue_set(struct story *s, struct reason *r)
{
	bool sure = true;

	s->queue_name = "";
	if (reason_parse(s->v->text, r)) {
		s->queue_name = r->queue;
		s->queue = published_queue(s->p, r->queue);
	} else {
		s->queue = published_match(s->p, s->v, &sure);
		if (!sure)
			s->queue = published_match_by_conf(s->p, s->v, &sure);
	}
	if (s->queue)
		s->queue_name = json_text(s->queue, "name");
	return sure;
}

static void outside_say(struct story *s, bool sure)
{
	if (!s->p->document)
		say(s, "Job %s is %s. Its cluster queue is unknown, because the published file is "
		    "missing.", s->name, s->v->state_name);
	else if (!sure)
		say(s, "Job %s is %s. Its cluster queue depends on its user. See cohort.yaml.",
		    s->name, s->v->state_name);
	else
		say(s, "Job %s is %s and outside all cluster queues: no rule matches its "
		    "partition, QOS and account. Quota does not apply to it.", s->name,
		    s->v->state_name);
}

static void body_tell(struct story *s, bool sure)
{
	if (s->v->state == VIEW_DONE)
		ended_say(s);
	else if (!s->queue && !*s->queue_name)
		outside_say(s, sure);
	else if (s->v->state == VIEW_PENDING)
		why_wait(s);
	else
		why_run(s);
}

struct json_object *why_tell(const struct published *p, const struct view *v, int64_t now)
{
	struct story s = { .p = p, .v = v, .now = now };
	struct reason reason;
	bool sure;

	s.facts = json_object_new_object();
	s.sentences = json_object_new_array();
	view_name(v, s.name, sizeof(s.name));
	sure = queue_set(&s, &reason);
	facts_begin(&s);
	body_tell(&s, sure);
	if (v->system_comment)
		preempted_say(&s);
	json_object_object_add(s.facts, "sentences", s.sentences);
	return s.facts;
}
