/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.c - what keeps a job waiting, and what will change that
 */
#include <stdlib.h>
#include <string.h>

#include "output/text.h"
#include "story/story.h"

/* It asks for 3 CPUs and needs 12: why? Memory has units, and is left out. */
static void more_say(struct story *s, const struct reason *r)
{
	const char *at = s->v && !s->v->het_id ? s->v->tres_asked : NULL;
	size_t n = strlen(r->resource);

	while (at && n && strcmp(r->resource, "mem")) {
		if (!strncmp(at, r->resource, n) && at[n] == '='
		    && strtoll(at + n + 1, NULL, 10) < r->numbers[REASON_NEED]) {
			say(s, "That is more than it asks for, because whole "
			    "nodes, sockets, cores or GPUs are charged in "
			    "full.");
			return;
		}
		at = strchr(at, ',');
		at = at ? at + 1 : NULL;
	}
}

/* The components of a heterogeneous job start together. */
static void het_never_say(struct story *s, const struct reason *r)
{
	char need[TEXT_SIZE], max[TEXT_SIZE];

	say(s, "It can never start as submitted: its components start together, they need %s "
	    "of flavor %s, and they can never get more than %s. Request less, or use other "
	    "cluster queues.",
	    text_amount_of(need, sizeof(need), r->resource, r->numbers[REASON_NEED]), r->flavor,
	    text_amount(max, sizeof(max), r->resource, r->numbers[REASON_MAX]));
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
		story_say_quota(s, r->flavor, r->resource);
	else if (reason_is(r, "protected") || r->kind == REASON_YIELDS)
		story_say_quota(s, "", "");
	else if (reason_is(r, "nodes"))
		story_say_nodes(s);
}
