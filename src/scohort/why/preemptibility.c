/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemptibility.c - can a job be preempted, as far as that can be told?
 *
 * The rules are published, but no names of people and no priorities of QOS and
 * partitions.
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/job.h"
#include "why/why.h"

#define KEY "cohort:preemptibility="

enum preemptibility {
	JOB_IS_PREEMPTIBLE, JOB_IS_NONPREEMPTIBLE, JOB_MAY_BE_NONPREEMPTIBLE,
};

bool preemptibility_word(const struct view *v, char *word, size_t size, bool *known)
{
	const char *at = v->comment ? strstr(v->comment, KEY) : NULL;

	if (!at)
		return false;
	at += strlen(KEY);
	snprintf(word, size, "%.*s", (int) strcspn(at, " ,;"), at);
	*known = !strcmp(word, "preemptible") || !strcmp(word, "non-preemptible");
	return true;
}

/* The queue lets users choose. */
static bool by_user(struct json_object *queue)
{
	return json_truth(json_member(queue, "nonPreemptible"), "byUser");
}

/* The number is known only where it is the job's own. */
static enum preemptibility by_priority(const struct published *p, struct json_object *rules,
				       const struct view *v)
{
	if (!json_member(rules, "priority"))
		return JOB_IS_PREEMPTIBLE;
	if (strcmp(json_text(p->document, "priority"), "job") != 0)
		return JOB_MAY_BE_NONPREEMPTIBLE;
	return v->priority >= json_number(rules, "priority") ? JOB_IS_NONPREEMPTIBLE
							     : JOB_IS_PREEMPTIBLE;
}

/* By the rules of the queue, and by the word where users may choose */
static enum preemptibility preemptibility_of(const struct published *p, struct json_object *queue,
					     const struct view *v)
{
	struct json_object *rules = json_member(queue, "nonPreemptible");
	enum preemptibility is = by_priority(p, rules, v);
	char word[32];
	bool known;

	if (!rules)
		return JOB_IS_PREEMPTIBLE;
	if (by_user(queue) && preemptibility_word(v, word, sizeof(word), &known) && known)
		return *word == 'n' ? JOB_IS_NONPREEMPTIBLE : JOB_IS_PREEMPTIBLE;
	for (size_t i = 0; i < json_items(rules, "match"); i++) {
		struct json_object *rule = json_item(rules, "match", i);

		if (!published_rule_holds(rule, v))
			continue;
		if (!json_truth(rule, "user"))
			return JOB_IS_NONPREEMPTIBLE;
		if (is == JOB_IS_PREEMPTIBLE)
			is = JOB_MAY_BE_NONPREEMPTIBLE;
	}
	return is;
}

/* ---- what is said of it ---- */

/* What the word in the comment does, or that it does nothing: its user counts on it. */
static void word_say(struct story *s)
{
	char word[32];
	bool known;

	if (!s->queue || !preemptibility_word(s->v, word, sizeof(word), &known))
		return;
	if (!known)
		say(s, "Its comment says cohort:preemptibility=%s. That has no effect: the valid "
		    "words are preemptible and non-preemptible.", word);
	else if (!by_user(s->queue))
		say(s, "Its comment says cohort:preemptibility=%s. That has no effect: %s does not "
		    "let users choose (nonPreemptible.byUser).", word, s->queue_name);
	else
		say(s, "Its comment says cohort:preemptibility=%s. %s lets users choose, so that "
		    "decides.", word, s->queue_name);
}

bool why_kind(struct story *s)
{
	enum preemptibility is = preemptibility_of(s->p, s->queue, s->v);
	bool fixed = is == JOB_IS_NONPREEMPTIBLE;

	word_say(s);
	json_object_object_add(s->facts, "nonPreemptible", is == JOB_MAY_BE_NONPREEMPTIBLE
			       ? NULL : json_object_new_boolean(fixed));
	if (fixed && s->v->state != VIEW_PENDING)
		say(s, "No rule can preempt it. It counts against the nominal quota that limits "
		    "such jobs.");
	else if (fixed)
		say(s, "Once it runs it can't be preempted. So it starts only when it fits in the "
		    "nominal quota that limits such jobs.");
	else if (is == JOB_MAY_BE_NONPREEMPTIBLE)
		say(s, "Some jobs of %s can't be preempted. Whether this job is one of them "
		    "depends on its priority or its user, which only slurmctld and cohort.yaml "
		    "know.", s->queue_name);
	return fixed;
}
