/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - which jobs come before this one because of usage history
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "why/why.h"

#define QUEUES_MAX 4		/* named; the others are counted */

/* In such a queue smaller usage comes before priority: so each job of another
 * local queue that is before this one comes first by it. */
static void locals_say(struct story *s)
{
	bool by_user = !strcmp(json_text(s->p->document, "localQueue"),
			       "user");
	const char *mode = json_text(s->queue, "admissionMode");
	int64_t others = json_number(s->facts, "place")
			 - json_number(s->facts, "localPlace");

	if (!*mode || !json_number(s->facts, "localPlace") || others <= 0)
		return;
	json_add_number(s->facts, "firstByUsage", others);
	say(s, "In %s the %s that used less lately comes first, whatever the "
	    "priority: %ld job%s or task%s of other %ss %s before it.",
	    s->queue_name, by_user ? "user" : "account", (long) others,
	    text_s(others), text_s(others), by_user ? "user" : "account",
	    others == 1 ? "is" : "are");
}

/* A share as it is published: null is larger than all others */
static bool is_smaller(struct json_object *a, struct json_object *b,
		       const char *key)
{
	if (!json_member(a, key) || !json_member(b, key))
		return json_member(a, key) != NULL
		       && json_member(b, key) == NULL;
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
		size_t used = strlen(text);

		if (o == s->queue || strcmp(json_text(o, "cohort"), cohort) != 0
		    || !json_number(o, "waiting")
		    || !is_smaller(o, s->queue, "share")
		    || is_smaller(o, s->queue, "shareNow") || n++ >= QUEUES_MAX)
			continue;
		snprintf(text + used, sizeof(text) - used, "%s%s",
			 used ? ", " : "", json_text(o, "name"));
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
