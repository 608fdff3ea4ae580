/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story.h - sentences about one job, and the facts that they tell
 */
#ifndef SCOHORT_STORY_H
#define SCOHORT_STORY_H

#include "ledger/reason.h"
#include "ledger/published.h"
#include "output/output.h"
#include "story/room.h"
#include "slurm/job_views.h"

struct story {
	const struct published *p;	/* perhaps without a document */
	const struct view *v;
	int64_t now;
	struct json_object *facts;	/* the document */
	struct json_object *sentences;	/* a list, in it */
	struct json_object *queue;	/* published, or NULL */
	const char *queue_name;		/* "" if not known */
	char name[128];			/* of the job */
	struct room_want want;		/* of nodes; nodes = 0: not known */
	const char *partition;		/* NULL: not known, or several */
};

/* Adds a sentence; unprintable characters in it become '?'. */
__attribute__((format(printf, 2, 3)))
void say(struct story *s, const char *format, ...);

/* Prints the sentences of a document: the first one at the margin, the others below it */
void story_print(const struct output *out, struct json_object *document);

/* A list in a sentence: "a, b and 3 more"; the first LISTED_MAX items are named */
#define LISTED_MAX 6
struct listing {
	char text[2048];
	size_t n;
};
__attribute__((format(printf, 2, 3)))
void listing_add(struct listing *l, const char *format, ...);
/* After the last item; what: " queues" or "". Returns the text. */
const char *listing_end(struct listing *l, const char *what);

/* The meaning of a rule of preemption, in words; "" if it is none */
const char *rule_text(const char *rule);

/* Of a quota for a time: "vision has 24 gres/gpu of flavor a100 until 2026-12-15T00:00:00,
 * then 16." or "vision gets 24 ... from ... until ...; until then 16." quota: a published
 * quota that has "temporary". Returns buf. */
char *temporary_text(char *buf, size_t size, const char *name,
		     struct json_object *quota, int64_t now);

/* What jobs outside all cluster queues have, only of that resource; NULL: of all. "" if they
 * have nothing. Returns buf. */
char *outside_text(char *buf, size_t size, const struct published *p, const char *resource);

/* What keeps the job waiting, by a text of the plugin. s->v may be NULL: a job
 * that is not submitted. */
void story_say_wait(struct story *s, const struct reason *r);

/* Quota is there and nodes are not: what is missing, in each flavor of the
 * queue, and which queues have it. s->want says what the job wants. */
void story_say_nodes(struct story *s);

/* Why does it start at that time, and not before? ", when ...", or "" */
const char *story_nodes_when(const struct story *s, int64_t start);

#endif /* SCOHORT_STORY_H */
