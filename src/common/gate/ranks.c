/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranks.c - in which order the rules take candidates, leaving starts aside
 *
 * The keys are those of candidate_before(), but for the start and the number.
 */
#include <errno.h>
#include <stdlib.h>

#include "core/workload_state.h"
#include "holding/holding.h"
#include "candidates/candidate.h"

struct ranked {
	size_t i;		/* in the caller's list */
	bool stays;		/* not on the way out yet */
	int list;
	int64_t priority;
	bool expired;
	int64_t cost;
};

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_priority(const struct ranked *a, const struct ranked *b)
{
	int order = order_of(a->stays, b->stays);

	if (!order && a->stays)
		order = order_of(a->list, b->list);
	if (!order && a->stays)
		order = order_of(a->priority, b->priority);
	return order;
}

static int by_rank(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	int order = by_priority(a, b);

	if (!order && a->stays)
		order = order_of(b->expired, a->expired);
	if (!order && a->stays)
		order = order_of(a->cost, b->cost);
	return order;
}

/* Returns how many ranks there are */
static int ranks_number(struct ranked *all, size_t n, int *ranks)
{
	int rank = 0;

	qsort(all, n, sizeof(*all), by_rank);
	for (size_t k = 0; k < n; k++) {
		if (k && all[k - 1].stays && by_rank(&all[k - 1], &all[k]))
			rank++;
		ranks[all[k].i] = rank;
	}
	return n ? rank + 1 : 0;
}

/* How many priorities one list has, of those that are sorted from k on; their
 * end is *end */
static int64_t priorities_count(const struct ranked *all, size_t n, size_t k,
				size_t *end)
{
	int64_t count = 1;

	for (*end = k + 1; *end < n && all[*end].stays == all[k].stays
			   && all[*end].list == all[k].list; (*end)++)
		count += by_priority(&all[*end - 1], &all[*end]) != 0;
	return count;
}

/* Of each list's priorities, the lower and the upper half count as one each, so
 * that 3 lists, 2 halves, turns and costs make RANKS_MOST ranks. Costs are 0 for
 * those that are requeued. */
static void priorities_halve(struct ranked *all, size_t n)
{
	size_t k = 0, end;

	for (; k < n; k = end) {
		int64_t count = priorities_count(all, n, k, &end), nth = 0;

		for (size_t i = k; i < end; i++) {
			int64_t priority = all[i].priority;

			all[i].priority = 2 * nth >= count;
			all[i].cost = all[i].cost > 0;
			nth += i + 1 < end && all[i].stays
			       && all[i + 1].priority != priority;
		}
	}
}

int engine_rank_candidates(const struct victim *list, size_t n, int *ranks)
{
	struct ranked *all = calloc(n + 1, sizeof(*all));

	if (!all) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		const struct holding *h = holding_of(list[i].workload);

		all[i].i = i;
		if (!h || h->evicting)
			continue;
		all[i].stays = true;
		all[i].list = list[i].list;
		all[i].priority = h->priority;
		all[i].expired = list[i].reason == VICTIM_TIME_BASED;
		all[i].cost = h->cost;
	}
	if (ranks_number(all, n, ranks) > RANKS_MOST) {
		priorities_halve(all, n);
		(void) ranks_number(all, n, ranks);
	}
	free(all);
	return 0;
}
