/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  learn.c - what selecting nodes for a job has taught
 *
 *  A job may get an offer that is more than its request said, and more than
 *  quota allowed. It then waits for the amounts of that offer, in that flavor and
 *  partition, and so do all jobs that ask for the same.
 *  On other nodes they may be less: the job is tried anew when any nodes are
 *  released, and of course when the job or the nodes have changed.
 *
 *  A try that finds no nodes tells that those of its flavors are taken; and
 *  cons_tres is asked, once, whether any of them is large enough.
\*****************************************************************************/
#include "request/request.h"

#include "match/match.h"
#include "query.h"

static int64_t completing;		/* nodes, when we last looked */

/* A job releases its nodes when its end begins; others can use them when its end is over. */
extern void learn_completed(void)
{
	int64_t now = cg_node_bitmap ? bit_set_count(cg_node_bitmap) : 0;

	ctld.releases += now < completing;
	completing = now;
}

/* ---- flavors whose nodes are taken ---- */

#define TAKEN_LEAST 2		/* seconds */
#define TAKEN_MOST 60

static void _set_goes_on(struct entry *entry, bool goes_on)
{
	if (!entry->lessons.taken || (!goes_on && !entry_goes_on(entry)))
		return;
	entry->lessons.taken->goes_on = goes_on;
	entry->job->fingerprint = 0;
}

extern void learn_taken(struct entry *entry, const bool *flavor_ok, bool goes_on)
{
	struct taken **taken = &entry->lessons.taken;

	if (!*taken)
		*taken = xmalloc(sizeof(**taken) + ctld.conf->spec->nflavors);
	learn_completed();
	for (size_t i = 0; i < ctld.conf->spec->nflavors; i++)
		(*taken)->flavors[i] |= !flavor_ok[i];
	(*taken)->since = time(NULL);
	(*taken)->at = ctld.releases;
	_set_goes_on(entry, goes_on);
}

extern void learn_forget_taken(struct entry *entry)
{
	_set_goes_on(entry, false);
	xfree(entry->lessons.taken);
}

/* Not while quota that was freed for it in the next flavor is its own: that would be given
 * away. */
static void _check_taken(struct entry *entry)
{
	struct taken *taken = entry->lessons.taken;
	time_t since;

	if (!taken || entry->own_until)
		return;
	if (taken->goes_on && entry->work &&
	    (engine_verdict_kind(ctld.engine, entry->work) == VERDICT_WAIT)) {
		/* the plan has nothing in other flavors: the job waits for nodes of any */
		taken->in_vain = true;
		_set_goes_on(entry, false);
	}
	since = time(NULL) - taken->since;
	if ((since < 0) || (since >= (taken->at == ctld.releases ? TAKEN_MOST : TAKEN_LEAST)))
		learn_forget_taken(entry);
}

/* ---- flavors with no node that is large enough ---- */

enum { FIT_UNKNOWN, FIT_EVER, FIT_NEVER };

/* For this request and these nodes */
static uint64_t _validity(const struct entry *entry)
{
	return fingerprint_of_request(entry->job->job_ptr) + ctld.node_sets;
}

extern bool learn_never_fits(const struct entry *entry, int flavor)
{
	const struct lessons *known = &entry->lessons;

	return known->fits && (known->fits[flavor] == FIT_NEVER) &&
		(known->fits_for == _validity(entry));
}

extern bool learn_fit(struct entry *entry, int flavor,
		      bool (*could_ever)(bitstr_t *nodes, void *arg), void *arg)
{
	struct lessons *known = &entry->lessons;
	uint64_t valid = _validity(entry);
	bitstr_t *nodes;
	bool can;

	if (!known->fits || (known->fits_for != valid)) {
		xfree(known->fits);
		known->fits = xcalloc(ctld.conf->spec->nflavors + 1, sizeof(*known->fits));
		known->fits_for = valid;
	}
	if (known->fits[flavor] != FIT_UNKNOWN)
		return false;
	nodes = flavor_nodes_up(flavor, entry->job->job_ptr);
	can = could_ever(nodes, arg);
	FREE_NULL_BITMAP(nodes);
	known->fits[flavor] = can ? FIT_EVER : FIT_NEVER;
	if (!can)
		entry->job->fingerprint = 0;
	return !can;
}

/* ---- amounts ---- */

/* Plans have to come to it where nodes are released all the time. */
#define LESSON_LEAST 10			/* seconds */
#define LESSONS 4096			/* a newer one may take the place of an older one */

/* What a job was offered that asks for this in a partition and a flavor */
static struct lesson {
	uint64_t key;			/* of all that, or 0 */
	uint64_t at;			/* how much was released till then */
	time_t since;
	int64_t *amounts;		/* by resource */
} *lessons[LESSONS];

static bool _holds(uint64_t at, time_t since)
{
	time_t age = time(NULL) - since;

	return (at == ctld.releases) || ((age >= 0) && (age < LESSON_LEAST));
}

static void _free_lesson(struct lesson **lesson)
{
	if (*lesson)
		xfree((*lesson)->amounts);
	xfree(*lesson);
}

extern void learn_flush(void)
{
	for (size_t i = 0; i < LESSONS; i++)
		_free_lesson(&lessons[i]);
}

static uint64_t _key(const struct entry *entry, int flavor)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	uint64_t key = hash_u64(fingerprint_of_request(job_ptr), flavor);

	return fingerprint_mix_text(key, job_ptr->part_ptr ? job_ptr->part_ptr->name : NULL);
}

/* What is known, and holds; or NULL */
static const struct lesson *_find(const struct entry *entry, int flavor)
{
	uint64_t key = _key(entry, flavor);
	const struct lesson *lesson = lessons[hash_place(key, LESSONS)];

	return lesson && (lesson->key == key) && _holds(lesson->at, lesson->since) ? lesson : NULL;
}

extern bool learn_raise(struct entry *entry, int flavor, int64_t *amounts, bool remember)
{
	const struct lesson *lesson = flavor < 0 ? NULL : _find(entry, flavor);
	struct lessons *known = &entry->lessons;
	bool more = false;

	for (size_t i = 0; lesson && (i < ctld.conf->spec->nresources); i++) {
		more |= amounts[i] < lesson->amounts[i];
		amounts[i] = MAX(amounts[i], lesson->amounts[i]);
	}
	if (more && remember && (!known->learned || (known->learned > lesson->since))) {
		known->learned = lesson->since;
		known->learned_at = lesson->at;
	}
	return more;
}

extern bool learn_anew(struct entry *entry)
{
	if (entry->lessons.learned)
		return false;
	entry->job->fingerprint = 0;
	return true;
}

/* What does not hold any more counts for nothing. Is the amount news? */
static bool _learn(const struct entry *entry, int flavor, size_t i, int64_t amount)
{
	uint64_t key = _key(entry, flavor);
	struct lesson **lesson = &lessons[hash_place(key, LESSONS)];

	if (!_find(entry, flavor)) {
		_free_lesson(lesson);
		*lesson = xmalloc(sizeof(**lesson));
		(*lesson)->key = key;
		(*lesson)->amounts = xcalloc(ctld.conf->spec->nresources + 1, sizeof(int64_t));
	}
	(*lesson)->at = ctld.releases;
	(*lesson)->since = time(NULL);
	if ((*lesson)->amounts[i] >= amount)
		return false;
	(*lesson)->amounts[i] = amount;
	return true;
}

extern bool learn_amounts(struct entry *entry, const int *flavors, const int64_t *amounts)
{
	bool new = false;

	learn_completed();
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		if (flavors[i] >= 0)
			new |= _learn(entry, flavors[i], i, amounts[i]);
	}
	if (new)
		entry->job->fingerprint = 0;
	return learn_anew(entry) || new;
}

/* ---- what is out of date ---- */

extern void learn_forget(struct entry *entry)
{
	if (!entry->lessons.learned)
		return;
	entry->job->fingerprint = 0;
	entry->lessons.learned = 0;
}

/* Amounts do not change while quota that was freed for it is its own: it would ask for less. */
extern void learn_check(struct entry *entry)
{
	const struct lessons *known = &entry->lessons;

	_check_taken(entry);
	if (known->learned && !entry->own_until && !_holds(known->learned_at, known->learned))
		learn_forget(entry);
}

extern void learn_move(struct entry *to, struct entry *from)
{
	xfree(to->lessons.taken);
	learn_forget(to);
	learn_forget(from);
}
