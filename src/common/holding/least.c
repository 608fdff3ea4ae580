/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * least.c - what all holdings of a queue use, at the least
 */
#include <stdlib.h>

#include "core/queue_state.h"
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

static int64_t amount_of(const struct holding *h, int pair)
{
	int64_t sum = 0;

	for (size_t i = 0; i < h->nuses; i++) {
		if (h->uses[i].pair == pair)
			sum = sat_add(sum, h->uses[i].amount);
	}
	return sum;
}

/* Pairs that h does not use are left out. */
static void least_lower(struct queue *q, const struct holding *h)
{
	size_t n = 0;

	for (size_t i = 0; i < q->nleast; i++) {
		int pair = q->least[i].pair;
		int64_t amount = min64(q->least[i].amount, amount_of(h, pair));

		if (amount > 0)
			q->least[n++] = (struct use) { pair, amount };
	}
	q->nleast = n;
}

/* What the first holding uses, which is more than all of them do */
static bool least_begin(struct queue *q)
{
	const struct holding *first = q->holdings;
	struct use *least = q->least;

	q->nleast = 0;
	if (!first || !first->nuses)
		return true;
	if (q->least_room < first->nuses) {
		least = realloc(least, first->nuses * sizeof(*least));
		if (!least)
			return false;
		q->least = least;
		q->least_room = first->nuses;
	}
	q->nleast = uses_merge(first, least);
	return true;
}

void queue_least_lower(struct queue *q, const struct holding *h)
{
	if (!q->nholdings)
		q->least_known = false;
	if (q->least_known)
		least_lower(q, h);
}

const struct use *queue_least(struct queue *q, size_t *n)
{
	*n = 0;
	if (!q->least_known) {
		if (!least_begin(q))
			return NULL;
		for (struct holding *h = q->holdings; h && q->nleast;
		     h = h->next)
			least_lower(q, h);
		q->least_known = true;
	}
	*n = q->nleast;
	return q->least;
}
