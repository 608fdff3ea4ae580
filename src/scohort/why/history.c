/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - which jobs come before this one because of usage history
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/places.h"
#include "lib/sat.h"
#include "output/text.h"
#include "why/why.h"

#define QUEUES_MAX 4		/* named; the others are counted */

/* Its local queue, as published; NULL: not known */
static struct json_object *usage_of(const struct story *s)
{
	struct places *places = places_create(s->queue);
	int i = places ? places_local_queue(places, json_number(s->facts, "place")) : -1;

	places_destroy(places);
	return i < 0 ? NULL : json_item(s->queue, "localUsage", (size_t) i);
}

static void score_text(char *buf, size_t size, struct json_object *usage)
{
	if (json_member(usage, "score"))
		snprintf(buf, size, "%.4g", json_real(usage, "score"));
	else
		snprintf(buf, size, "beyond all others");
}

/* What puts its local queue where it is: the first one in line has the smallest
 * score. */
static void usage_say(struct story *s, const char *what)
{
	struct json_object *usage = usage_of(s);
	struct json_object *first = json_item(s->queue, "localUsage", 0);
	char own[32], least[32];

	if (!usage)
		return;
	score_text(own, sizeof(own), usage);
	score_text(least, sizeof(least), first);
	json_object_object_add(s->facts, "usageScore", json_object_get(
		json_member(usage, "score")));
	json_object_object_add(s->facts, "usageWeight", json_object_get(
		json_member(usage, "weight")));
	if (usage != first)
		say(s, "The usage score of its %s is %s (weight %g), that of the "
		    "first in line %s (weight %g).", what, own,
		    json_real(usage, "weight"), least,
		    json_real(first, "weight"));
}

/* In such a queue smaller usage comes before priority: so each job of another
 * local queue that is before this one comes first by it. */
static void locals_say(struct story *s)
{
	bool by_user = !strcmp(json_text(s->p->document, "localQueue"),
			       "user");
	const char *what = by_user ? "user" : "account";
	const char *mode = json_text(s->queue, "admissionMode");
	int64_t others = sat_sub(json_number(s->facts, "place"),
				 json_number(s->facts, "localPlace"));

	if (!*mode || !json_number(s->facts, "localPlace"))
		return;
	if (others > 0) {
		json_add_number(s->facts, "firstByUsage", others);
		say(s, "In %s the %s that used less lately comes first, whatever "
		    "the priority: %ld job%s or task%s of other %ss %s before "
		    "it.", s->queue_name, what, (long) others, text_s(others),
		    text_s(others), what, others == 1 ? "is" : "are");
	}
	usage_say(s, what);
}

/* A share as it is published: null is larger than all others */
static bool is_smaller(struct json_object *a, struct json_object *b, const char *key)
{
	if (!json_member(a, key) || !json_member(b, key))
		return json_member(a, key) != NULL && json_member(b, key) == NULL;
	return json_real(a, key) < json_real(b, key);
}

/* Queues of the same cohort with a smaller share, which without history would
 * not have one. Larger cohorts compare cohorts, and are left out. */
static void queues_say(struct story *s)
{
	const char *cohort = json_text(s->queue, "cohort");
	struct json_object *all = s->p->document;
	char text[1024] = "";
	size_t n = 0;

	for (size_t i = 0; i < json_items(all, "clusterQueues"); i++) {
		struct json_object *o = json_item(all, "clusterQueues", i);

		if (o == s->queue || strcmp(json_text(o, "cohort"), cohort) != 0
		    || !json_number(o, "waiting")
		    || !is_smaller(o, s->queue, "share")
		    || is_smaller(o, s->queue, "shareNow") || n++ >= QUEUES_MAX)
			continue;
		text_join(text, sizeof(text), "%s", json_text(o, "name"));
	}
	if (n > QUEUES_MAX)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 " and %zu more", n - QUEUES_MAX);
	if (n)
		say(s, "%s borrowed more lately, so by usage history these "
		    "cluster queues come first: %s.", s->queue_name, text);
}

void why_history(struct story *s)
{
	if (!s->queue)
		return;
	locals_say(s);
	if (json_member(s->queue, "history") && json_member(s->queue, "cohort"))
		queues_say(s);
}
