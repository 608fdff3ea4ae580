/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.c - what keeps a job waiting, and what will change that
 *
 * Of quota: how much the queue has of the pair, which queues hold the rest, and how much
 * of it can be reclaimed.
 */
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/text.h"
#include "story/story.h"
#include "value/tres.h"

struct pair {
	struct story *s;
	struct json_object *quota;	/* the queue's */
	const char *flavor, *resource;
};

/* An amount of the pair that the quota tells, in a TEXT_BUF of the caller's */
static const char *amount(char *buf, size_t size, const struct pair *p, const char *key)
{
	return text_amount(buf, size, p->resource, json_number(p->quota, key));
}

static void own_say(const struct pair *p)
{
	const char *owns = text_amount_of(TEXT_BUF, p->resource, json_number(p->quota, "nominal"));
	const char *used = amount(TEXT_BUF, p, "used"), *most = amount(TEXT_BUF, p, "potential");

	if (json_number(p->quota, "borrowed"))
		say(p->s, "%s owns %s of flavor %s and uses %s (%s borrowed). It can never use "
		    "more than %s.", p->s->queue_name, owns, p->flavor, used,
		    amount(TEXT_BUF, p, "borrowed"), most);
	else
		say(p->s, "%s owns %s of flavor %s and uses %s. With borrowing it can never use "
		    "more than %s.", p->s->queue_name, owns, p->flavor, used, most);
}

static void temporary_say(const struct pair *p)
{
	char line[512];

	if (json_member(p->quota, "temporary"))
		say(p->s, "%s", temporary_text(line, sizeof(line), p->s->queue_name, p->quota,
					       p->s->now));
}

/* ---- which other queues of the tree hold it ---- */

static void holder_look(const struct pair *p, struct json_object *queue,
			struct json_object *list, struct listing *holders)
{
	struct json_object *quota = published_quota(queue, p->flavor, p->resource), *o;
	int64_t used = json_number(quota, "used"), borrowed = json_number(quota, "borrowed");

	if (!used)
		return;
	listing_add(holders, borrowed ? "%s %s (%s borrowed)" : "%s %s", json_text(queue, "name"),
		    text_amount(TEXT_BUF, p->resource, used),
		    text_amount(TEXT_BUF, p->resource, borrowed));
	o = json_append(list);
	json_add_text(o, "clusterQueue", json_text(queue, "name"));
	json_add_number(o, "used", used);
	json_add_number(o, "borrowed", borrowed);
}

static void holders_say(const struct pair *p)
{
	const struct published *pub = p->s->p;
	const char *root = published_root(pub, p->s->queue);
	struct json_object *list = json_add_list(p->s->facts, "holders");
	struct listing holders = { .n = 0 };

	for (size_t i = 0; *root && i < json_items(pub->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(pub->document, "clusterQueues", i);

		if (queue != p->s->queue && !strcmp(published_root(pub, queue), root))
			holder_look(p, queue, list, &holders);
	}
	if (holders.n)
		say(p->s, "Also in use in %s: %s.", root, listing_end(&holders, ""));
}

/* ---- how much can be reclaimed ---- */

static void delay_say(const struct pair *p)
{
	int64_t delay = json_number(json_member(p->s->queue, "preemption"), "reclaimDelay");

	if (delay)
		say(p->s, "A job of %s that could evict others for that waits %s first.",
		    p->s->queue_name, text_duration(TEXT_BUF, delay));
}

static void reclaim_say(const struct pair *p)
{
	bool now = json_number(p->quota, "reclaimable");
	bool later = json_number(p->quota, "reclaimableLater");
	const char *lent = amount(TEXT_BUF, p, "lent");
	const char *at_once = amount(TEXT_BUF, p, "reclaimable");

	if (!json_number(p->quota, "lent"))
		return;
	if (!now && !later)
		say(p->s, "Other queues borrow %s of its quota. It can't reclaim any of that by "
		    "eviction: the quota returns as those jobs end.", lent);
	else if (!later)
		say(p->s, "Other queues borrow %s of its quota. It can reclaim about %s of that "
		    "now by eviction: which jobs go first decides.", lent, at_once);
	else
		say(p->s, "Other queues borrow %s of its quota. It can reclaim %s%s of that now "
		    "by eviction. Another %s is still protected; the first protection ends at %s.",
		    lent, now ? "about " : "", at_once, amount(TEXT_BUF, p, "reclaimableLater"),
		    text_time(TEXT_BUF, json_number(p->quota, "reclaimableAt"), p->s->now));
	if (now || later)
		delay_say(p);
}

/* After a cut they may use more than the cap. */
static void nonpreemptible_say(const struct pair *p)
{
	int64_t used = json_number(p->quota, "nonPreemptible");

	if (used)
		say(p->s, "Jobs that can't be preempted use %s of it; their limit is %s%s.",
		    amount(TEXT_BUF, p, "nonPreemptible"), amount(TEXT_BUF, p, "nonPreemptibleCap"),
		    used > json_number(p->quota, "nonPreemptibleCap") ? ". The quota was cut while "
		    "they ran: the excess returns only when they end" : "");
}

/* No sentence if the queue has no such quota. "" stands for the first flavor or resource
 * there is. */
static void quota_say(struct story *s, const char *flavor, const char *resource)
{
	struct pair p = { .s = s, .quota = published_quota(s->queue, flavor, resource) };

	if (!p.quota)
		return;
	p.flavor = json_text(p.quota, "flavor");
	p.resource = json_text(p.quota, "resource");
	json_object_object_add(s->facts, "quota", json_object_get(p.quota));
	own_say(&p);
	temporary_say(&p);
	nonpreemptible_say(&p);
	holders_say(&p);
	reclaim_say(&p);
}

/* ---- what keeps it waiting ---- */

/* It asks for 3 CPUs and needs 12: why? Memory has units, and is left out. */
static void more_say(struct story *s, const struct reason *r)
{
	struct tres asked;

	if (s->v && !s->v->het_id && strcmp(r->resource, "mem")
	    && tres_find(s->v->tres_asked, r->resource, &asked)
	    && strtoll(asked.value, NULL, 10) < r->numbers[REASON_NEED])
		say(s, "That is more than it asks for, because whole nodes, sockets, cores or GPUs "
		    "are charged in full.");
}

/* The components of a heterogeneous job start together. */
static void het_never_say(struct story *s, const struct reason *r)
{
	say(s, "It can never start as submitted: its components start together, they need %s of "
	    "flavor %s, and they can never get more than %s. Request less, or use other cluster "
	    "queues.", text_amount_of(TEXT_BUF, r->resource, r->numbers[REASON_NEED]), r->flavor,
	    text_amount(TEXT_BUF, r->resource, r->numbers[REASON_MAX]));
}

void story_say_wait(struct story *s, const struct reason *r)
{
	bool pair = r->kind == REASON_QUOTA || r->kind == REASON_NONPREEMPTIBLE;
	char text[SENTENCE_SIZE];

	if (r->kind == REASON_NEVER && s->v && s->v->het_id) {
		het_never_say(s, r);
		return;
	}
	reason_sentence(r, s->queue_name, s->queue, text, sizeof(text));
	say(s, "%s", text);
	if (pair || r->kind == REASON_NEVER)
		more_say(s, r);
	if (pair)
		quota_say(s, r->flavor, r->resource);
	else if (reason_is(r, "protected") || r->kind == REASON_DELAYED || r->kind == REASON_YIELDS)
		quota_say(s, "", "");
	else if (reason_is(r, "nodes"))
		story_say_nodes(s);
}
