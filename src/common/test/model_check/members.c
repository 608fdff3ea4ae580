/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * members.c - elastic groups of which only some members are non-preemptible
 *
 * The rule in its own words, from the records: of the members as many are
 * non-preemptible as were told last, those that started first; a later one takes
 * the place of one that ends, if the cap admits it.
 */
#include "model_check/model.h"

bool model_same_members(const struct model_job *a, const struct model_job *b)
{
	return a->w && b->w && a->desc.queue == b->desc.queue
	       && a->desc.nonpreemptible && b->desc.nonpreemptible
	       && a->desc.fixed_members && b->desc.fixed_members && a->desc.group == b->desc.group;
}

static bool counts(const struct model_job *job)
{
	return job->running ? job->fixed : job->owns && job->claim_fixed;
}

static int64_t members_count(const struct model *m, const struct model_job *of)
{
	int64_t n = 0;

	for (size_t i = 0; i < MODEL_JOBS; i++)
		n += model_same_members(&m->jobs[i], of) && counts(&m->jobs[i]);
	return n;
}

bool model_is_capped(const struct model *m, const struct model_job *job)
{
	if (!job->desc.nonpreemptible)
		return false;
	return !job->desc.fixed_members
	       || members_count(m, job) - counts(job) < job->desc.fixed_members;
}

void model_tell_members(struct model *m, const struct model_job *job)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		if (model_same_members(&m->jobs[i], job))
			m->jobs[i].desc.fixed_members = job->desc.fixed_members;
	}
}

static bool starts_before(const struct model_job *a, const struct model_job *b)
{
	return a->since != b->since ? a->since < b->since : a->desc.tiebreak < b->desc.tiebreak;
}

/* The first of those that may take a place, or the last of those that have one */
static struct model_job *member_find(struct model *m, const struct model_job *of, bool fixed)
{
	struct model_job *found = NULL;

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		struct model_job *job = &m->jobs[i];

		if (!model_same_members(job, of) || !job->running
		    || job->evicting || job->fixed != fixed
		    || (!fixed && !model_cap_admits(m, job)))
			continue;
		if (!found || starts_before(found, job) == fixed)
			found = job;
	}
	return found;
}

void model_settle_members(struct model *m, const struct model_job *of)
{
	int64_t most = of->desc.fixed_members, n;

	while (of->desc.nonpreemptible && most && (n = members_count(m, of)) != most) {
		struct model_job *job = member_find(m, of, n > most);

		if (!job)
			return;
		model_note(m, job, "member fix %d", n < most);
		job->fixed = n < most;
	}
}

bool model_members_own(const struct model *m)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		if (m->jobs[i].owns && m->jobs[i].desc.fixed_members)
			return true;
	}
	return false;
}
