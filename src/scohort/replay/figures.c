/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.c - the waits of a queue, and queues taken together
 */
#include <stdlib.h>
#include <string.h>

#include "replay/replay.h"

static int wait_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return x < y ? -1 : x > y;
}

void replay_waits_sort(struct replay_queue *q)
{
	qsort(q->waits, q->nwaits, sizeof(*q->waits), wait_compare);
}

void replay_queue_add(struct replay_queue *all, const struct replay_queue *q)
{
	all->jobs += q->jobs;
	all->started += q->started;
	all->ended += q->ended;
	all->owners += q->owners;
	all->owner_wait += q->owner_wait;
	all->borrower_wait += q->borrower_wait;
	all->evictions += q->evictions;
	all->lost += q->lost;
	memcpy(all->waits + all->nwaits, q->waits,
	       q->nwaits * sizeof(*q->waits));
	all->nwaits += q->nwaits;
	memcpy(all->uses + all->nuses, q->uses, q->nuses * sizeof(*q->uses));
	all->nuses += q->nuses;
}

int64_t replay_wait(const struct replay_queue *q, int p)
{
	size_t i = q->nwaits * (size_t) p / 100;

	if (!q->nwaits)
		return 0;
	return q->waits[i < q->nwaits ? i : q->nwaits - 1];
}

double replay_wait_mean(const struct replay_queue *q)
{
	double sum = 0;

	for (size_t i = 0; i < q->nwaits; i++)
		sum += (double) q->waits[i] / SPEC_SEC;
	return q->nwaits ? sum / (double) q->nwaits : 0;
}
