/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  learn.c - what selecting nodes for a job has taught
 *
 *  A job may get an offer that is more than its request said, and more than
 *  quota allowed. It then waits for the amounts of that offer, in that flavor.
 *  On other nodes they may be less: the job is tried anew when any nodes are
 *  released, and of course when the job or the nodes have changed.
\*****************************************************************************/
#include "request/learn.h"

#include "state/job.h"
#include "match/fingerprint.h"
#include "query.h"

static uint64_t releases = 1;
static int64_t completing;		/* nodes, when we last looked */

extern void learn_released(void)
{
	releases++;
}

extern uint64_t learn_releases(void)
{
	return releases;
}

/* A job releases its nodes when its end begins; others can use them when its
 * end is over. */
extern void learn_completed(void)
{
	int64_t now = cg_node_bitmap ? bit_set_count(cg_node_bitmap) : 0;

	if (now < completing)
		releases++;
	completing = now;
}

extern void learn_forget(struct entry *entry)
{
	if (!entry_has_amounts(entry))
		return;
	entry->job->fingerprint = 0;
	xfree(entry->parts->lessons->learned);
	entry_drop_empty_lessons(entry);
}

/* ---- flavors whose nodes are taken ---- */

#define TAKEN_LEAST 2		/* seconds */
#define TAKEN_MOST 60

extern void learn_taken(struct entry *entry, int flavor)
{
	struct lessons *lessons = entry_get_lessons(entry);
	struct taken *taken = lessons->taken;

	if (!taken) {
		taken = xmalloc(sizeof(*taken) + ctld.conf->spec->nflavors *
				sizeof(taken->flavors[0]));
		lessons->taken = taken;
	}
	learn_completed();
	taken->flavors[flavor] = true;
	taken->since = time(NULL);
	taken->at = releases;
}

extern bool learn_is_taken(const struct entry *entry, int flavor)
{
	return entry_has_taken(entry) && entry->parts->lessons->taken->flavors[flavor];
}

extern bool learn_goes_on(struct entry *entry, bool goes_on)
{
	if (!entry_has_taken(entry) || (!goes_on && !entry_goes_on(entry)))
		return false;
	entry->parts->lessons->taken->goes_on = goes_on;
	entry->job->fingerprint = 0;
	return true;
}

extern bool learn_went_on_in_vain(const struct entry *entry)
{
	return entry_has_taken(entry) && entry->parts->lessons->taken->in_vain;
}

extern void learn_forget_taken(struct entry *entry)
{
	(void) learn_goes_on(entry, false);
	if (entry_has_taken(entry))
		xfree(entry->parts->lessons->taken);
	entry_drop_empty_lessons(entry);
}

extern time_t learn_due(const struct entry *entry)
{
	const struct taken *taken;

	if (!entry_has_taken(entry) || parts_of(entry)->owned)
		return 0;
	taken = entry->parts->lessons->taken;
	if (taken->goes_on)	/* what does the plan say to that? */
		return taken->since + 1;
	return taken->since + (taken->at == releases ? TAKEN_MOST : TAKEN_LEAST);
}

/* The plan has nothing for it in other flavors: it waits for nodes of any of
 * them. */
static bool _goes_in_vain(const struct entry *entry)
{
	return entry_goes_on(entry) && entry->work &&
		(engine_verdict_kind(ctld.engine, entry->work) ==
		 VERDICT_WAIT);
}

/* Not while quota that it has freed in the next flavor is its own: it would be
 * given away. */
static void _check_taken(struct entry *entry)
{
	struct taken *taken;
	time_t since;

	if (!entry_has_taken(entry) || parts_of(entry)->owned)
		return;
	taken = entry->parts->lessons->taken;
	if (_goes_in_vain(entry)) {
		taken->in_vain = true;
		(void) learn_goes_on(entry, false);
	}
	since = time(NULL) - taken->since;
	if ((since >= 0) && (since < TAKEN_MOST) &&
	    ((since < TAKEN_LEAST) || (taken->at == releases)))
		return;
	learn_forget_taken(entry);
}

/* ---- what is out of date ---- */

extern void learn_check(struct entry *entry)
{
	_check_taken(entry);
	if (entry_has_amounts(entry) &&
	    ((entry->parts->lessons->learned_at != releases) ||
	     (entry->parts->lessons->learned_from !=
	      fingerprint_of_request(entry->job->job_ptr))))
		learn_forget(entry);
}

/* True if any of it is new */
extern bool learn_amounts(struct entry *entry, const int *flavors,
			  const int64_t *amounts)
{
	size_t n = ctld.conf->spec->nresources;
	struct lessons *lessons = entry_get_lessons(entry);
	bool new = false;

	if (!lessons->learned)
		lessons->learned = xcalloc(n * ctld.conf->spec->nflavors + 1,
					   sizeof(int64_t));
	for (size_t i = 0; i < n; i++) {
		int64_t *known;

		if (flavors[i] < 0)
			continue;
		known = &lessons->learned[flavors[i] * n + i];
		if (*known < amounts[i]) {
			*known = amounts[i];
			new = true;
		}
	}
	learn_completed();
	lessons->learned_at = releases;
	lessons->learned_from = fingerprint_of_request(entry->job->job_ptr);
	if (new)
		entry->job->fingerprint = 0;
	return new;
}

extern void learn_apply(const struct entry *entry, int flavor, int64_t *amounts)
{
	size_t n = ctld.conf->spec->nresources;

	if (!entry_has_amounts(entry) || (flavor < 0))
		return;
	for (size_t i = 0; i < n; i++)
		amounts[i] = MAX(amounts[i],
				 entry->parts->lessons->learned[flavor * n + i]);
}

extern void learn_move(struct entry *to, struct entry *from)
{
	struct lessons *lessons;

	if (parts_of(to)->lessons) {
		xfree(to->parts->lessons->learned);
		xfree(to->parts->lessons->taken);
	}
	if (entry_has_amounts(from)) {
		lessons = entry_get_lessons(to);
		lessons->learned = from->parts->lessons->learned;
		lessons->learned_from = from->parts->lessons->learned_from;
		lessons->learned_at = from->parts->lessons->learned_at;
		from->parts->lessons->learned = NULL;
	}
	entry_drop_empty_lessons(to);
	entry_drop_empty_lessons(from);
}
