/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota.c - how much a queue has of a pair, which queues hold the rest, how
 * much of it can be reclaimed
 */
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/text.h"
#include "story/story.h"

struct pair {
	struct story *s;
	struct json_object *quota;	/* the queue's */
	const char *flavor, *resource;
};

static const char *amount(const struct pair *p, int64_t n, char *buf,
			  size_t size)
{
	return text_amount(buf, size, p->resource, n);
}

static void own_say(const struct pair *p)
{
	int64_t nominal = json_number(p->quota, "nominal");
	int64_t used = json_number(p->quota, "used");
	int64_t borrowed = json_number(p->quota, "borrowed");
	int64_t potential = json_number(p->quota, "potential");
	char a[TEXT_SIZE], b[TEXT_SIZE], c[TEXT_SIZE], of[TEXT_SIZE];

	text_amount_of(of, sizeof(of), p->resource, nominal);
	amount(p, used, a, sizeof(a));
	amount(p, borrowed, b, sizeof(b));
	amount(p, potential, c, sizeof(c));
	if (borrowed)
		say(p->s, "%s owns %s of flavor %s and uses %s (%s borrowed). "
		    "It can never use more than %s.", p->s->queue_name, of,
		    p->flavor, a, b, c);
	else
		say(p->s, "%s owns %s of flavor %s and uses %s. With borrowing "
		    "it can never use more than %s.",
		    p->s->queue_name, of, p->flavor, a, c);
}

static void temporary_say(const struct pair *p)
{
	struct json_object *t = json_member(p->quota, "temporary");
	char line[512];

	if (t)
		say(p->s, "%s", temporary_text(line, sizeof(line),
					       p->s->queue_name, p->quota,
					       p->s->now));
}

/* ---- which other queues of the tree hold it ---- */

static void holder_look(const struct pair *p, struct json_object *queue,
			struct json_object *list, struct listing *holders)
{
	struct json_object *quota = published_quota(queue, p->flavor,
						    p->resource);
	int64_t used = json_number(quota, "used");
	int64_t borrowed = json_number(quota, "borrowed");
	char a[TEXT_SIZE], b[TEXT_SIZE];
	struct json_object *o;

	if (!used)
		return;
	amount(p, used, a, sizeof(a));
	amount(p, borrowed, b, sizeof(b));
	listing_add(holders, borrowed ? "%s %s (%s borrowed)" : "%s %s",
		    json_text(queue, "name"), a, b);
	o = json_append(list);
	json_add_text(o, "clusterQueue", json_text(queue, "name"));
	json_add_number(o, "used", used);
	json_add_number(o, "borrowed", borrowed);
}

static void holders_say(const struct pair *p)
{
	const struct published *pub = p->s->p;
	const char *root = published_root(pub, p->s->queue);
	struct json_object *list = json_object_new_array();
	struct listing holders = { .n = 0 };

	for (size_t i = 0; *root && i < json_items(pub->document,
						   "clusterQueues"); i++) {
		struct json_object *queue = json_item(pub->document,
						      "clusterQueues", i);

		if (queue != p->s->queue
		    && !strcmp(published_root(pub, queue), root))
			holder_look(p, queue, list, &holders);
	}
	json_object_object_add(p->s->facts, "holders", list);
	if (holders.n)
		say(p->s, "Also in use in %s: %s.", root, listing_end(&holders, ""));
}

/* ---- how much can be reclaimed ---- */

static void reclaim_say(const struct pair *p)
{
	int64_t lent = json_number(p->quota, "lent");
	int64_t now = json_number(p->quota, "reclaimable");
	int64_t later = json_number(p->quota, "reclaimableLater");
	char a[TEXT_SIZE], b[TEXT_SIZE], c[TEXT_SIZE], when[TEXT_SIZE];

	if (!lent)
		return;
	amount(p, lent, a, sizeof(a));
	amount(p, now, b, sizeof(b));
	amount(p, later, c, sizeof(c));
	text_time(when, sizeof(when), json_number(p->quota, "reclaimableAt"),
		  p->s->now);
	if (now + later == 0)
		say(p->s, "Other queues borrow %s of its quota. It can't "
		    "reclaim any of that by eviction: the quota returns as "
		    "those jobs end.", a);
	else if (!later)
		say(p->s, "Other queues borrow %s of its quota. It can reclaim "
		    "about %s of that now by eviction: which jobs go first "
		    "decides.", a, b);
	else
		say(p->s, "Other queues borrow %s of its quota. It can reclaim "
		    "%s%s of that now by eviction. Another %s is still "
		    "protected; the first protection ends at %s.",
		    a, now ? "about " : "", b, c, when);
}

/* After a cut they may use more than the cap. */
static void nonpreemptible_say(const struct pair *p)
{
	int64_t used = json_number(p->quota, "nonPreemptible");
	int64_t cap = json_number(p->quota, "nonPreemptibleCap");
	char a[TEXT_SIZE], b[TEXT_SIZE];

	if (!used)
		return;
	say(p->s, "Jobs that can't be preempted use %s of it; their limit is "
	    "%s%s.", amount(p, used, a, sizeof(a)),
	    amount(p, cap, b, sizeof(b)), used > cap
	    ? ". The quota was cut while they ran: the excess returns only "
	      "when they end" : "");
}

void story_say_quota(struct story *s, const char *flavor, const char *resource)
{
	struct pair p = { .s = s };

	p.quota = published_quota(s->queue, flavor, resource);
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
