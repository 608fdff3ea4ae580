/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  learn.c - what selecting nodes for a job has taught
 *
 *  A job may get an offer that is more than its request said, and more than
 *  quota allowed. It then waits for the amounts of that offer, in that flavor and
 *  partition, and so do all jobs that ask for the same.
 *  On other nodes they may be less: the job is tried anew when any nodes are
 *  released, and of course when the job or the nodes have changed.
\*****************************************************************************/
#include "request/learn.h"

#include "state/job.h"
#include "match/fingerprint.h"
#include "query.h"

#include "lib/hash.h"

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

/* ---- flavors whose nodes are taken ---- */

#define TAKEN_LEAST 2		/* seconds */
#define TAKEN_MOST 60

extern void learn_taken(struct entry *entry, int flavor)
{
	struct lessons *lessons = &entry->lessons;
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
	return entry->lessons.taken && entry->lessons.taken->flavors[flavor];
}

extern bool learn_goes_on(struct entry *entry, bool goes_on)
{
	if (!entry->lessons.taken || (!goes_on && !entry_goes_on(entry)))
		return false;
	entry->lessons.taken->goes_on = goes_on;
	entry->job->fingerprint = 0;
	return true;
}

extern bool learn_went_on_in_vain(const struct entry *entry)
{
	return entry->lessons.taken && entry->lessons.taken->in_vain;
}

extern void learn_forget_taken(struct entry *entry)
{
	(void) learn_goes_on(entry, false);
	xfree(entry->lessons.taken);
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

	if (!entry->lessons.taken || entry->own_until)
		return;
	taken = entry->lessons.taken;
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

/* ---- amounts ---- */

/* Plans have to come to it where nodes are released all the time. */
#define LESSON_LEAST 10			/* seconds */
#define MOST_LESSONS 10000

/* What a job was offered that asks for this in a partition and a flavor */
struct lesson {
	struct hash_link link;		/* first: where it is, the lesson is */
	struct lesson *next;
	uint64_t at;			/* how much was released till then */
	time_t since;
	int64_t amounts[];		/* by resource */
};

static struct {
	struct hash by_request;
	struct lesson *list;
} lessons;

static bool _holds(uint64_t at, time_t since)
{
	time_t age = time(NULL) - since;

	return (at == releases) || ((age >= 0) && (age < LESSON_LEAST));
}

extern void learn_flush(void)
{
	while (lessons.list) {
		struct lesson *next = lessons.list->next;

		xfree(lessons.list);
		lessons.list = next;
	}
	hash_destroy(&lessons.by_request);
}

static uint64_t _key(const struct entry *entry, int flavor)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	uint64_t key = fingerprint_mix(fingerprint_of_request(job_ptr), flavor);

	return fingerprint_mix_text(key, job_ptr->part_ptr ? job_ptr->part_ptr->name : NULL);
}

static struct lesson *_find(const struct entry *entry, int flavor)
{
	return (struct lesson *) hash_first(&lessons.by_request, _key(entry, flavor));
}

static struct lesson *_find_or_add(const struct entry *entry, int flavor)
{
	struct lesson *lesson = _find(entry, flavor);

	if (lesson)
		return lesson;
	if (lessons.by_request.n >= MOST_LESSONS)
		learn_flush();
	lesson = xmalloc(sizeof(*lesson) +
			 ctld.conf->spec->nresources * sizeof(lesson->amounts[0]));
	if (hash_insert(&lessons.by_request, &lesson->link, _key(entry, flavor)))
		fatal(PREFIX "what jobs were offered: %m");
	lesson->next = lessons.list;
	lessons.list = lesson;
	return lesson;
}

extern bool learn_raise(const struct entry *entry, int flavor, int64_t *amounts)
{
	const struct lesson *lesson = flavor < 0 ? NULL : _find(entry, flavor);
	bool more = false;

	if (!lesson || !_holds(lesson->at, lesson->since))
		return false;
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		more = more || (amounts[i] < lesson->amounts[i]);
		amounts[i] = MAX(amounts[i], lesson->amounts[i]);
	}
	return more;
}

extern void learn_apply(struct entry *entry, int flavor, int64_t *amounts)
{
	const struct lesson *lesson;
	struct lessons *known;

	if (!learn_raise(entry, flavor, amounts))
		return;
	lesson = _find(entry, flavor);
	known = &entry->lessons;
	if (known->learned && (known->learned <= lesson->since))
		return;
	known->learned = lesson->since;
	known->learned_at = lesson->at;
}

extern bool learn_anew(struct entry *entry)
{
	if (entry->lessons.learned)
		return false;
	entry->job->fingerprint = 0;
	return true;
}

/* A lesson that does not hold any more counts for nothing. */
static bool _learn(const struct entry *entry, int flavor, size_t i, int64_t amount)
{
	struct lesson *lesson = _find_or_add(entry, flavor);

	if (lesson->since && !_holds(lesson->at, lesson->since))
		memset(lesson->amounts, 0,
		       ctld.conf->spec->nresources * sizeof(lesson->amounts[0]));
	lesson->at = releases;
	lesson->since = time(NULL);
	if (lesson->amounts[i] >= amount)
		return false;
	lesson->amounts[i] = amount;
	return true;
}

extern bool learn_amounts(struct entry *entry, const int *flavors,
			  const int64_t *amounts)
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

/* Not while quota that it has freed is its own: it would ask for less. */
static void _check_amounts(struct entry *entry)
{
	const struct lessons *known;

	if (!entry->lessons.learned || entry->own_until)
		return;
	known = &entry->lessons;
	if (!_holds(known->learned_at, known->learned))
		learn_forget(entry);
}

extern void learn_check(struct entry *entry)
{
	_check_taken(entry);
	_check_amounts(entry);
}

extern void learn_move(struct entry *to, struct entry *from)
{
	xfree(to->lessons.taken);
	learn_forget(to);
	learn_forget(from);
}
