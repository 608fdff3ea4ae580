/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - quota is there, nodes are not: what is missing, and where it is
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/text.h"
#include "story/evictors.h"
#include "story/story.h"

#define NEAR 3			/* seconds between an end and a start by it */

/* ---- what is missing in a flavor ---- */

static void lack_append(const struct room_lack *lack, char *buf, size_t size)
{
	long n = (long) lack->nodes;

	text_append(buf, size, "%s", *buf ? "; " : "");
	if (!strcmp(lack->resource, "node"))
		text_append(buf, size, "%ld node%s without other jobs", n, text_s(n));
	else
		text_append(buf, size, "%ld node%s with %s free (the most on one is %s)", n, text_s(n),
		       text_amount_of(TEXT_BUF, lack->resource, lack->need),
		       text_amount(TEXT_BUF, lack->resource, lack->largest));
}

static void lacks_say(struct story *s, const char *flavor, int64_t together,
		      struct json_object *list, const struct room_lack *lacks, size_t n)
{
	char text[2048] = "";

	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_append(list);

		json_add_text(o, "resource", lacks[i].resource);
		json_add_number(o, "need", lacks[i].need);
		json_add_number(o, "largestFree", lacks[i].largest);
		json_add_number(o, "nodes", lacks[i].nodes);
		lack_append(&lacks[i], text, sizeof(text));
	}
	if (n)
		say(s, "Flavor %s has %s.", flavor, text);
	else if (together < s->want.nodes)
		say(s, "Flavor %s has enough of each, and %ld node%s with all of it.", flavor,
		    (long) together, text_s(together));
	else
		say(s, "Flavor %s has %ld node%s with all of that free: they are kept for others "
		    "or reserved, or do not fit in other ways.", flavor, (long) together,
		    text_s(together));
}

/* Slurm takes such nodes out before it asks for victims. */
static void owned_say(struct story *s, const char *flavor, int64_t owned)
{
	if (owned)
		say(s, "%ld node%s of flavor %s %s for one other user alone (--exclusive=user or "
		    "ExclusiveUser): Slurm lets no job of yours on, and evicts none there for it.",
		    (long) owned, text_s(owned), flavor, owned > 1 ? "are each" : "is");
}

/* ---- which queues have it ---- */

/* From when the first of these jobs may go for one of the story's queue; 0: never. The
 * file tells when protections end, and of queues that borrow only. */
static int64_t goes_from(const struct story *s, const char *flavor, struct json_object *held)
{
	struct json_object *queue = published_queue(s->p, json_text(held, "clusterQueue"));

	return queue && queue_gives(s->p, queue, s->queue, flavor)
	       ? json_number(held, "goesFrom") : 0;
}

static void times_text(const struct story *s, const char *flavor, struct json_object *held,
		       char *buf, size_t size)
{
	int64_t goes = goes_from(s, flavor, held), ends = json_number(held, "ends");
	bool first = json_number(held, "running") > 1;

	*buf = '\0';
	if (goes > s->now)
		text_append(buf, size, "; %s may be evicted from %s on", first ? "the first" : "it",
		       text_time(TEXT_BUF, goes, s->now));
	else if (goes)
		text_append(buf, size, "; %s may be evicted", first ? "some" : "it");
	if (ends)
		text_append(buf, size, "; %sends by its limit at %s", first ? "the first " : "",
		       text_time(TEXT_BUF, ends, s->now));
	else if (!goes)
		text_append(buf, size, "; no time limit");
}

static void holders_say(struct story *s, struct json_object *flavor)
{
	struct listing holders = { .n = 0 };

	for (size_t i = 0; i < json_items(flavor, "held"); i++) {
		struct json_object *held = json_item(flavor, "held", i);
		const char *queue = json_text(held, "clusterQueue");
		int64_t jobs = json_number(held, "running");
		char times[256];

		times_text(s, json_text(flavor, "name"), held, times, sizeof(times));
		listing_add(&holders, "%s (%ld job%s%s)", *queue ? queue : "no cluster queue",
			    (long) jobs, text_s(jobs), times);
	}
	if (holders.n)
		say(s, "On nodes of flavor %s run jobs of %s.", json_text(flavor, "name"),
		    listing_end(&holders, " queues"));
}

/* ---- flavor by flavor ---- */

static void flavor_say(struct story *s, const struct node_view_list *nodes,
		       struct json_object *list, struct json_object *flavor)
{
	const char *name = json_text(flavor, "name"), *among = json_text(flavor, "nodes");
	struct json_object *o = json_append(list), *missing;
	struct room_lack lacks[ROOM_MAX];
	int64_t together, owned;
	size_t n;

	json_add_text(o, "flavor", name);
	missing = json_object_new_array();
	if (nodes->n) {		/* PrivateData=nodes may hide them */
		together = room_look(&s->want, nodes, *among ? among : NULL, lacks, &n, &owned);
		if (n || together || !owned)
			lacks_say(s, name, together, missing, lacks, n);
		owned_say(s, name, owned);
		json_add_number(o, "nodesThatFit", together);
		json_add_number(o, "nodesOfOtherUsers", owned);
	}
	json_object_object_add(o, "lacks", missing);
	json_object_object_add(o, "held", json_object_get(json_member(flavor, "held")));
	holders_say(s, flavor);
}

static bool queue_has(const struct story *s, struct json_object *flavor)
{
	return published_quota(s->queue, json_text(flavor, "name"), "") != NULL;
}

/* "2 whole nodes with 4 cpu, 1G of mem on each" */
static void want_say(struct story *s)
{
	const struct room_want *want = &s->want;
	char text[512];

	snprintf(text, sizeof(text), "%ld %snode%s", (long) want->nodes,
		 want->whole ? "whole " : "", text_s(want->nodes));
	for (size_t i = 0; i < want->n; i++)
		text_append(text, sizeof(text), "%s%s", i ? ", " : " with ",
		       text_amount_of(TEXT_BUF, want->list[i].resource, want->list[i].amount));
	if (want->nodes > 1 && want->n)
		text_append(text, sizeof(text), " on each");
	say(s, "It wants %s.", text);
	json_add_number(s->facts, "wantsNodes", want->nodes);
}

void story_say_nodes(struct story *s)
{
	struct json_object *document = s->p->document, *list;
	struct node_view_list nodes = { .n = 0 };
	char err[256];

	if (!s->want.nodes)
		return;
	want_say(s);
	list = json_add_list(s->facts, "missing");
	(void) node_views_load(&nodes, s->partition, err, sizeof(err));
	for (size_t i = 0; i < json_items(document, "flavors"); i++) {
		struct json_object *flavor = json_item(document, "flavors", i);

		if (queue_has(s, flavor))
			flavor_say(s, &nodes, list, flavor);
	}
	node_views_free(&nodes);
}

/* ---- when ---- */

const char *story_nodes_when(const struct story *s, int64_t start)
{
	struct json_object *document = s->p->document;

	for (size_t i = 0; i < json_items(document, "flavors"); i++) {
		struct json_object *flavor = json_item(document, "flavors", i);

		for (size_t k = 0; queue_has(s, flavor) && k < json_items(flavor, "held"); k++) {
			int64_t at = goes_from(s, json_text(flavor, "name"),
					       json_item(flavor, "held", k));

			if (at && at <= start && start <= at + NEAR)
				return ", when those who are protected so far may be evicted";
		}
	}
	return ", when enough of those on its nodes have ended";
}
