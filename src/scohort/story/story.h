/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story.h - what there is to say of one job: facts, and sentences about them
 */
#ifndef SCOHORT_STORY_H
#define SCOHORT_STORY_H

#include "ledger/job_texts.h"
#include "ledger/published.h"

struct story {
	const struct published *p;	/* perhaps without a document */
	const struct view *v;
	int64_t now;
	struct json_object *facts;	/* the document */
	struct json_object *sentences;	/* a list, in it */
	struct json_object *queue;	/* published, or NULL */
	const char *queue_name;		/* "" if not known */
	char name[128];			/* of the job */
};

/* All of it about one job; the caller's. */
struct json_object *story_tell(const struct published *p,
			       const struct view *v, int64_t now);

/* ---- parts ---- */

__attribute__((format(printf, 2, 3)))
void say(struct story *s, const char *format, ...);

/* wait.c: what keeps it waiting, by a text of the plugin */
struct reason;
void story_wait_for(struct story *s, const struct reason *r);

/* past.c: what a rule is, in words; "" if it is none */
const char *story_rule(const char *rule);

/* wait.c, run.c, past.c */
void story_wait(struct story *s);
void story_run(struct story *s);
void story_preempted(struct story *s);
void story_ended(struct story *s);

/* quota.c: how much the queue has of this pair, who holds the rest, what
 * could be had back */
void story_quota(struct story *s, const char *flavor, const char *resource);

#endif /* SCOHORT_STORY_H */
