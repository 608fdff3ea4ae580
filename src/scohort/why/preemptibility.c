/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemptibility.c - can a job be preempted, as far as that can be told?
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "ledger/match.h"
#include "why/preemptibility.h"

#define KEY "cohort:preemptibility="

bool preemptibility_word(const struct view *v, char *word, size_t size,
			 bool *known)
{
	const char *at = v->comment ? strstr(v->comment, KEY) : NULL;

	if (!at)
		return false;
	at += strlen(KEY);
	snprintf(word, size, "%.*s", (int) strcspn(at, " ,;"), at);
	*known = !strcmp(word, "preemptible")
		 || !strcmp(word, "non-preemptible");
	return true;
}

bool preemptibility_by_user(struct json_object *queue)
{
	return json_truth(json_member(queue, "nonPreemptible"), "byUser");
}

/* The number is known only where it is the job's own. */
static enum preemptibility by_priority(const struct published *p,
				       struct json_object *rules,
				       const struct view *v)
{
	if (!json_member(rules, "priority"))
		return JOB_IS_PREEMPTIBLE;
	if (strcmp(json_text(p->document, "priority"), "job") != 0)
		return JOB_MAY_BE_NONPREEMPTIBLE;
	return v->priority >= json_number(rules, "priority")
		? JOB_IS_NONPREEMPTIBLE : JOB_IS_PREEMPTIBLE;
}

enum preemptibility preemptibility_of(const struct published *p,
				      struct json_object *queue,
				      const struct view *v)
{
	struct json_object *rules = json_member(queue, "nonPreemptible");
	enum preemptibility is = by_priority(p, rules, v);
	char word[32];
	bool known;

	if (!rules)
		return JOB_IS_PREEMPTIBLE;
	if (preemptibility_by_user(queue)
	    && preemptibility_word(v, word, sizeof(word), &known) && known)
		return *word == 'n' ? JOB_IS_NONPREEMPTIBLE
				    : JOB_IS_PREEMPTIBLE;
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
