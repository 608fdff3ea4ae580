/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kind.c - is the job one that can't be preempted?
 */
#include "input/json_members.h"
#include "why/preemptibility.h"
#include "why/why.h"

/* What the word in the comment does, or that it does nothing: its user counts on
 * it. */
static void word_say(struct story *s)
{
	char word[32];
	bool known;

	if (!s->queue
	    || !preemptibility_word(s->v, word, sizeof(word), &known))
		return;
	if (!known)
		say(s, "Its comment says cohort:preemptibility=%s. That has no "
		    "effect: the valid words are preemptible and "
		    "non-preemptible.",
		    word);
	else if (!preemptibility_by_user(s->queue))
		say(s, "Its comment says cohort:preemptibility=%s. That has no "
		    "effect: %s does not let users choose (nonPreemptible."
		    "byUser).", word, s->queue_name);
	else
		say(s, "Its comment says cohort:preemptibility=%s. %s lets users "
		    "choose, so that decides.", word, s->queue_name);
}

bool why_kind(struct story *s)
{
	enum preemptibility is = preemptibility_of(s->p, s->queue, s->v);
	bool runs = s->v->state != VIEW_PENDING;

	word_say(s);
	json_object_object_add(s->facts, "nonPreemptible",
			       is == JOB_MAY_BE_NONPREEMPTIBLE ? NULL
			       : json_object_new_boolean(
				       is == JOB_IS_NONPREEMPTIBLE));
	if (is == JOB_IS_NONPREEMPTIBLE && runs)
		say(s, "No rule can preempt it. It counts against the nominal "
		    "quota that limits such jobs.");
	else if (is == JOB_IS_NONPREEMPTIBLE)
		say(s, "Once it runs it can't be preempted. So it starts only "
		    "when it fits in the nominal quota that limits such jobs.");
	else if (is == JOB_MAY_BE_NONPREEMPTIBLE)
		say(s, "Some jobs of %s can't be preempted. Whether this job "
		    "is one of them depends on its priority or its user, which "
		    "only slurmctld and cohort.yaml know.", s->queue_name);
	return is == JOB_IS_NONPREEMPTIBLE;
}
