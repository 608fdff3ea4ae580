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

#define LIST_SIZE 2048
#define NEAR 3			/* seconds between an end and a start by it */

/* ---- what the job wants ---- */

static void want_text(const struct room_want *want, char *buf, size_t size)
{
	char amount[TEXT_SIZE];

	snprintf(buf, size, "%ld %snode%s", (long) want->nodes,
		 want->whole ? "whole " : "", text_s(want->nodes));
	for (size_t i = 0; i < want->n; i++)
		append(buf, size, "%s%s", i ? ", " : " with ",
		       text_amount_of(amount, sizeof(amount), want->list[i].resource,
				      want->list[i].amount));
	if (want->nodes > 1 && want->n)
		append(buf, size, " on each");
}

/* ---- what is missing in a flavor ---- */

static void lack_text(const struct room_lack *lack, char *buf, size_t size)
{
	char need[TEXT_SIZE], largest[TEXT_SIZE];

	if (!strcmp(lack->resource, "node")) {
		snprintf(buf, size, "%ld node%s without other jobs",
			 (long) lack->nodes, text_s(lack->nodes));
		return;
	}
	text_amount_of(need, sizeof(need), lack->resource, lack->need);
	text_amount(largest, sizeof(largest), lack->resource, lack->largest);
	snprintf(buf, size, "%ld node%s with %s free (the most on one is %s)",
		 (long) lack->nodes, text_s(lack->nodes), need, largest);
}

static void lack_add(struct json_object *list, const struct room_lack *lack)
{
	struct json_object *o = json_append(list);

	json_add_text(o, "resource", lack->resource);
	json_add_number(o, "need", lack->need);
	json_add_number(o, "largestFree", lack->largest);
	json_add_number(o, "nodes", lack->nodes);
}

static void lacks_say(struct story *s, const char *flavor, int64_t together,
		      struct json_object *list, const struct room_lack *lacks,
		      size_t n)
{
	char text[LIST_SIZE] = "", one[256];

	for (size_t i = 0; i < n; i++) {
		lack_text(&lacks[i], one, sizeof(one));
		append(text, sizeof(text), "%s%s", i ? "; " : "", one);
		lack_add(list, &lacks[i]);
	}
	if (n)
		say(s, "Flavor %s has %s.", flavor, text);
	else if (together < s->want.nodes)
		say(s, "Flavor %s has enough of each, and %ld node%s with all "
		    "of it.", flavor, (long) together, text_s(together));
	else
		say(s, "Flavor %s has %ld node%s with all of that free: they "
		    "are kept for others or reserved, or do not fit in other "
		    "ways.", flavor, (long) together, text_s(together));
}

/* Slurm takes such nodes out before it asks for victims. */
static void owned_say(struct story *s, const char *flavor, int64_t owned)
{
	if (owned)
		say(s, "%ld node%s of flavor %s %s for one other user alone "
		    "(--exclusive=user or ExclusiveUser): Slurm lets no job of "
		    "yours on, and evicts none there for it.", (long) owned,
		    text_s(owned), flavor, owned > 1 ? "are each" : "is");
}

/* ---- which queues have it ---- */

/* From when the first of these jobs may go for one of the story's queue; 0: never. The
 * file tells when protections end, and of queues that borrow only. */
static int64_t goes_from(const struct story *s, const char *flavor,
			 struct json_object *held)
{
	struct json_object *queue = published_queue(
		s->p, json_text(held, "clusterQueue"));

	return queue && queue_gives(s->p, queue, s->queue, flavor)
	       ? json_number(held, "goesFrom") : 0;
}

static void times_text(const struct story *s, const char *flavor,
		       struct json_object *held, char *buf, size_t size)
{
	int64_t goes = goes_from(s, flavor, held);
	int64_t ends = json_number(held, "ends");
	bool first = json_number(held, "running") > 1;
	char when[TEXT_SIZE], end[TEXT_SIZE] = "";

	if (ends)
		snprintf(end, sizeof(end), "%sends by its limit at %s",
			 first ? "the first " : "",
			 text_time(when, sizeof(when), ends, s->now));
	if (goes > s->now)
		snprintf(buf, size, "; %s may be evicted from %s on",
			 first ? "the first" : "it",
			 text_time(when, sizeof(when), goes, s->now));
	else if (goes)
		snprintf(buf, size, "; %s may be evicted", first ? "some" : "it");
	else
		snprintf(buf, size, "; %s", *end ? end : "no time limit");
	if (goes && *end)
		append(buf, size, "; %s", end);
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
		listing_add(&holders, "%s (%ld job%s%s)",
			    *queue ? queue : "no cluster queue", (long) jobs,
			    text_s(jobs), times);
	}
	if (holders.n)
		say(s, "On nodes of flavor %s run jobs of %s.",
		    json_text(flavor, "name"), listing_end(&holders, " queues"));
}

/* ---- flavor by flavor ---- */

static void flavor_say(struct story *s, const struct node_view_list *nodes,
		       struct json_object *list, struct json_object *flavor)
{
	const char *name = json_text(flavor, "name");
	const char *among = json_text(flavor, "nodes");
	struct json_object *o = json_object_new_object();
	struct json_object *missing = json_object_new_array();
	struct room_lack lacks[ROOM_MAX];
	size_t n = 0;
	int64_t together = 0, owned = 0;

	json_add_text(o, "flavor", name);
	if (nodes->n) {		/* PrivateData=nodes may hide them */
		together = room_look(&s->want, nodes, *among ? among : NULL,
				     lacks, &n, &owned);
		if (n || together || !owned)
			lacks_say(s, name, together, missing, lacks, n);
		owned_say(s, name, owned);
		json_add_number(o, "nodesThatFit", together);
		json_add_number(o, "nodesOfOtherUsers", owned);
	}
	json_object_object_add(o, "lacks", missing);
	json_object_object_add(o, "held", json_object_get(
				       json_member(flavor, "held")));
	holders_say(s, flavor);
	json_object_array_add(list, o);
}

static bool queue_has(struct json_object *queue, const char *flavor)
{
	return published_quota(queue, flavor, "") != NULL;
}

static void want_tell(struct story *s)
{
	char text[512];

	want_text(&s->want, text, sizeof(text));
	say(s, "It wants %s.", text);
	json_add_number(s->facts, "wantsNodes", s->want.nodes);
}

void story_say_nodes(struct story *s)
{
	struct json_object *document = s->p->document;
	struct node_view_list nodes = { .n = 0 };
	struct json_object *list;
	char err[256];

	if (!s->want.nodes)
		return;
	want_tell(s);
	list = json_object_new_array();
	json_object_object_add(s->facts, "missing", list);
	(void) node_views_load(&nodes, s->partition, err, sizeof(err));
	for (size_t i = 0; i < json_items(document, "flavors"); i++) {
		struct json_object *flavor = json_item(document, "flavors", i);

		if (queue_has(s->queue, json_text(flavor, "name")))
			flavor_say(s, &nodes, list, flavor);
	}
	node_views_free(&nodes);
}

/* ---- when ---- */

static bool is_near(int64_t at, int64_t start)
{
	return at && at <= start && start <= at + NEAR;
}

const char *story_nodes_when(const struct story *s, int64_t start)
{
	struct json_object *document = s->p->document;

	for (size_t i = 0; i < json_items(document, "flavors"); i++) {
		struct json_object *flavor = json_item(document, "flavors", i);
		const char *name = json_text(flavor, "name");

		for (size_t k = 0; queue_has(s->queue, name)
		     && k < json_items(flavor, "held"); k++) {
			if (is_near(goes_from(s, name, json_item(
					flavor, "held", k)), start))
				return ", when those who are protected so far "
				       "may be evicted";
		}
	}
	return ", when enough of those on its nodes have ended";
}
