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

void queue_least_lower(struct queue *q, const struct holding *h)
{
	struct least *both[] = { &q->least, &q->least_unsafe };

	for (size_t i = 0; i < 2; i++) {
		if (both[i]->known && counts(both[i], h))
			least_lower(both[i], h);
	}
}

void queue_least_forget(struct queue *q, const struct holding *h)
{
	q->least.known = false;
	q->least_unsafe.known &= !counts(&q->least_unsafe, h);
}

void queue_least_forget_unsafe(struct queue *q)
{
	q->least_unsafe.known = false;
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
		least_lower(l, h);
	}
}

const struct use *queue_least(struct queue *q, int64_t safe_after, size_t *n)
{
	struct least *l = safe_after < INT64_MAX ? &q->least_unsafe : &q->least;

	if (!l->known || safe_after < l->safe_after
	    || (safe_after > l->safe_after
		&& q->spec.min_admit != SPEC_NO_TIME))
		least_find(l, q, safe_after);
	else if (safe_after > l->safe_after)
		least_follow(l, q, safe_after);
	*n = l->known ? l->n : 0;
	return l->uses;
}
