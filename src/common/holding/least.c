/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * least.c - what all holdings of a queue use, at the least
 */
#include <stdlib.h>

#include "core/uses.h"
#include "holding/holding.h"
#include "holding/least.h"

/* Of those that use some pairs */
struct least {
	struct least *next;
	uint64_t pairs;
	struct use *uses;		/* of all so far; NULL: there are none */
	size_t n;
};

/* Pairs that one of them does not use are left out. The first one uses more than all of
 * them do. -1: no memory */
static int least_lower(struct least *l, const struct use *uses, size_t nuses)
{
	size_t n = 0;

	if (!l->uses) {
		l->uses = malloc((nuses + 1) * sizeof(*l->uses));
		l->n = l->uses ? uses_merge(uses, nuses, l->uses) : 0;
		return l->uses ? 0 : -1;
	}
	for (size_t i = 0; i < l->n; i++) {
		int pair = l->uses[i].pair;
		int64_t amount = min64(l->uses[i].amount, uses_of_pair(uses, nuses, pair));

		if (amount > 0)
			l->uses[n++] = (struct use) { pair, amount };
	}
	l->n = n;
	return 0;
}

static int least_find(struct least *l, const struct queue *q)
{
	for (const struct holding *h = q->holdings; h && !(l->uses && !l->n); h = h->next) {
		if ((h->pairs & l->pairs) && least_lower(l, h->uses, h->nuses) < 0)
			return -1;
	}
	return 0;
}

static void least_free(struct least *l)
{
	free(l->uses);
	free(l);
}

static struct least *least_create(struct queue *q, uint64_t pairs)
{
	struct least *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->pairs = pairs;
	if (least_find(l, q) < 0) {
		least_free(l);
		return NULL;
	}
	l->next = q->leasts;
	q->leasts = l;
	return l;
}

const struct use *queue_least(struct queue *q, uint64_t pairs, size_t *n)
{
	struct least *l = q->leasts;

	while (l && l->pairs != pairs)
		l = l->next;
	if (!l)
		l = least_create(q, pairs);
	*n = l ? l->n : 0;
	return l ? l->uses : NULL;
}

void queue_least_lower(struct queue *q, const struct use *uses, size_t n,
		       uint64_t pairs)
{
	for (struct least *l = q->leasts; l; l = l->next) {
		if ((pairs & l->pairs) && least_lower(l, uses, n) < 0) {
			queue_least_forget(q);
			return;
		}
	}
}

void queue_least_forget(struct queue *q)
{
	while (q->leasts) {
		struct least *l = q->leasts;

		q->leasts = l->next;
		least_free(l);
	}
}
