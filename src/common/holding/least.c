/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * least.c - what all holdings of a queue use, at the least
 */
#include <stdlib.h>

#include "core/queue_state.h"
#include "core/uses.h"
#include "holding/least.h"

size_t uses_merge(const struct holding *h, struct use *less)
{
	size_t n = 0;

	for (size_t i = 0; i < h->nuses; i++) {
		size_t k = 0;

		while (k < n && less[k].pair != h->uses[i].pair)
			k++;
		if (k == n)
			less[n++] = h->uses[i];
		else
			less[k].amount = sat_add(less[k].amount,
						 h->uses[i].amount);
	}
	return n;
}

static bool counts(const struct least *l, const struct holding *h)
{
	if (l->pairs && !(h->pairs & l->pairs))
		return false;
	return holding_reserved_at(h) <= l->safe_after || h->evicting
	       || h->may_shrink;
}

/* What the first holding uses, which is more than all of them do. Without memory
 * nothing is known. */
static void least_begin(struct least *l, const struct holding *first)
{
	if (l->room < first->nuses) {
		struct use *uses = realloc(l->uses,
					   first->nuses * sizeof(*uses));

		l->known = uses != NULL;
		if (!uses)
			return;
		l->uses = uses;
		l->room = first->nuses;
	}
	l->n = first->nuses ? uses_merge(first, l->uses) : 0;
	l->any = true;
}

/* Pairs that h does not use are left out. */
static void least_lower(struct least *l, const struct holding *h)
{
	size_t n = 0;

	if (!l->any) {
		least_begin(l, h);
		return;
	}
	for (size_t i = 0; i < l->n; i++) {
		int pair = l->uses[i].pair;
		int64_t amount = min64(l->uses[i].amount, uses_of_pair(h->uses, h->nuses, pair));

		if (amount > 0)
			l->uses[n++] = (struct use) { pair, amount };
	}
	l->n = n;
}

static void known_lower(struct least *l, const struct holding *h)
{
	if (l->known && counts(l, h))
		least_lower(l, h);
}

void queue_least_lower(struct queue *q, const struct holding *h)
{
	known_lower(&q->least, h);
	known_lower(&q->least_unsafe, h);
	for (struct pair_leasts *l = q->leasts; l; l = l->next) {
		known_lower(&l->all, h);
		known_lower(&l->unsafe, h);
	}
}

void queue_least_forget(struct queue *q, const struct holding *h)
{
	q->least.known = false;
	q->least_unsafe.known &= !counts(&q->least_unsafe, h);
	for (struct pair_leasts *l = q->leasts; l; l = l->next) {
		l->all.known &= !counts(&l->all, h);
		l->unsafe.known &= !counts(&l->unsafe, h);
	}
}

void queue_least_forget_unsafe(struct queue *q)
{
	q->least_unsafe.known = false;
	for (struct pair_leasts *l = q->leasts; l; l = l->next)
		l->unsafe.known = false;
}

void queue_least_free(struct queue *q)
{
	free(q->least.uses);
	free(q->least_unsafe.uses);
	while (q->leasts) {
		struct pair_leasts *l = q->leasts;

		q->leasts = l->next;
		free(l->all.uses);
		free(l->unsafe.uses);
		free(l);
	}
}

/* So many sets of pairs are told apart. */
#define MOST_PAIRS 16

/* What is known of those that use the pairs. All use as much as the least of all: so that is
 * what counts if there is no memory, or if there are too many sets. */
static struct least *least_of(struct queue *q, bool unsafe, uint64_t pairs)
{
	struct pair_leasts *l = pairs == UINT64_MAX ? NULL : q->leasts;
	int n = 0;

	for (; l && l->all.pairs != pairs; l = l->next)
		n++;
	if (!l && pairs != UINT64_MAX && n < MOST_PAIRS) {
		l = calloc(1, sizeof(*l));
		if (l) {
			l->all.pairs = l->unsafe.pairs = pairs;
			l->next = q->leasts;
			q->leasts = l;
		}
	}
	if (!l)
		return unsafe ? &q->least_unsafe : &q->least;
	return unsafe ? &l->unsafe : &l->all;
}

static void least_find(struct least *l, const struct queue *q,
		       int64_t safe_after)
{
	l->safe_after = safe_after;
	l->n = 0;
	l->any = false;
	l->known = true;
	for (const struct holding *h = q->holdings; h && l->known; h = h->next) {
		if (counts(l, h))
			least_lower(l, h);
		if (l->any && !l->n)
			break;
	}
}

/* The first one that began after that; NULL: none. In a queue with turns they do not
 * stand in that order. */
static const struct rank_node *first_after(struct queue *q, int64_t time)
{
	const struct rank_node *node = holdings_by_start(q), *first = NULL;

	while (node) {
		if (holding_reserved_at(holding_by_start(node)) > time) {
			first = node;
			node = node->left;
		} else {
			node = node->right;
		}
	}
	return first;
}

/* Some are safe no more. */
static void least_follow(struct least *l, struct queue *q, int64_t safe_after)
{
	const struct rank_node *node = first_after(q, l->safe_after);

	l->safe_after = safe_after;
	for (; node && l->known; node = rankset_next(node)) {
		const struct holding *h = holding_by_start(node);

		if (holding_reserved_at(h) > safe_after)
			break;
		known_lower(l, h);
	}
}

const struct use *queue_least(struct queue *q, int64_t safe_after, uint64_t pairs,
			      size_t *n)
{
	struct least *l = least_of(q, safe_after < INT64_MAX, pairs);

	if (!l->known || safe_after < l->safe_after
	    || (safe_after > l->safe_after
		&& q->spec.min_admit != SPEC_NO_TIME))
		least_find(l, q, safe_after);
	else if (safe_after > l->safe_after)
		least_follow(l, q, safe_after);
	*n = l->known ? l->n : 0;
	return l->uses;
}
