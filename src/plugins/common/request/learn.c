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

static uint64_t releases;
static int64_t completing;		/* nodes, when we last looked */

extern void learn_released(void)
{
	releases++;
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
	if (entry->learned)
		entry->job->fingerprint = 0;
	xfree(entry->learned);
}

/* ---- flavors whose nodes are taken ---- */

#define TAKEN_LEAST 2		/* seconds */
#define TAKEN_MOST 60

extern void learn_taken(struct entry *entry, int flavor)
{
	if (!entry->taken)
		entry->taken = xcalloc(ctld.conf->spec->nflavors + 1,
				       sizeof(*entry->taken));
	learn_completed();
	entry->taken[flavor] = true;
	entry->taken_since = time(NULL);
	entry->taken_at = releases;
}

extern bool learn_is_taken(const struct entry *entry, int flavor)
{
	return entry->taken && entry->taken[flavor];
}

extern bool learn_goes_on(struct entry *entry, bool goes_on)
{
	if (!goes_on && !entry->goes_on)
		return false;
	entry->goes_on = goes_on;
	entry->job->fingerprint = 0;
	return true;
}

extern void learn_forget_taken(struct entry *entry)
{
	xfree(entry->taken);
	entry->in_vain = false;
	(void) learn_goes_on(entry, false);
}

extern time_t learn_due(const struct entry *entry)
{
	if (!entry->taken || entry->own_until)
		return 0;
	if (entry->goes_on)	/* what does the plan say to that? */
		return entry->taken_since + 1;
	return entry->taken_since + (entry->taken_at == releases ?
				     TAKEN_MOST : TAKEN_LEAST);
}

/* The plan has nothing for it in other flavors: it waits for nodes of any of
 * them. */
static bool _goes_in_vain(const struct entry *entry)
{
	return entry->goes_on && entry->work &&
		(engine_verdict_kind(ctld.engine, entry->work) ==
		 VERDICT_WAIT);
}

/* Not while quota that it has freed in the next flavor is its own: it would be
 * given away. */
static void _check_taken(struct entry *entry)
{
	time_t since = time(NULL) - entry->taken_since;

	if (!entry->taken || entry->own_until)
		return;
	if (_goes_in_vain(entry)) {
		entry->in_vain = true;
		(void) learn_goes_on(entry, false);
	}
	if ((since >= 0) && (since < TAKEN_MOST) &&
	    ((since < TAKEN_LEAST) || (entry->taken_at == releases)))
		return;
	learn_forget_taken(entry);
}

/* ---- what is out of date ---- */

extern void learn_check(struct entry *entry)
{
	_check_taken(entry);
	if (entry->learned && ((entry->learned_at != releases) ||
			     (entry->learned_from !=
			      fingerprint_of_request(entry->job->job_ptr))))
		learn_forget(entry);
}

/* True if any of it is new */
extern bool learn_amounts(struct entry *entry, const int *flavors,
			  const int64_t *amounts)
{
	size_t n = ctld.conf->spec->nresources;
	bool new = false;

	if (!entry->learned)
		entry->learned = xcalloc(n * ctld.conf->spec->nflavors + 1,
				       sizeof(int64_t));
	for (size_t i = 0; i < n; i++) {
		int64_t *known;

		if (flavors[i] < 0)
			continue;
		known = &entry->learned[flavors[i] * n + i];
		if (*known < amounts[i]) {
			*known = amounts[i];
			new = true;
		}
	}
	learn_completed();
	entry->learned_at = releases;
	entry->learned_from = fingerprint_of_request(entry->job->job_ptr);
	if (new)
		entry->job->fingerprint = 0;
	return new;
}

extern void learn_apply(const struct entry *entry, int flavor, int64_t *amounts)
{
	size_t n = ctld.conf->spec->nresources;

	if (!entry->learned || (flavor < 0))
		return;
	for (size_t i = 0; i < n; i++)
		amounts[i] = MAX(amounts[i], entry->learned[flavor * n + i]);
}
