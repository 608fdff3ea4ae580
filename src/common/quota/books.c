/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * books.c - usage in the quota tree: adding, removing, asking, undoing
 */
#include <stdlib.h>

#include "quota/books.h"
#include "quota/history.h"

static bool log_grow(struct books *b)
{
	size_t size = b->log_size ? 2 * b->log_size : 256;
	struct undo *log = realloc(b->log, size * sizeof(*log));

	if (!log)
		return false;
	b->log = log;
	b->log_size = size;
	return true;
}

/* A number is about to change. False: no memory to undo that, so it must not change */
static bool log_push(struct books *b, __int128 *number, int node)
{
	if (b->nlog == b->log_size && !log_grow(b)) {
		b->log_lost = true;
		return false;
	}
	b->log[b->nlog++] = (struct undo) { number, *number, node };
	return true;
}

void books_write(struct books *b, __int128 *number, __int128 value)
{
	if (!b->trials || log_push(b, number, SPEC_NONE))
		*number = value;
}

static void used_write(struct books *b, int node, struct cell *c, __int128 used)
{
	if (b->trials && !log_push(b, &c->used, node))
		return;
	if (!b->trials && b->history)
		history_fold(b, node);
	b->nodes[node].share_known = false;
	c->used = used;
	if (!b->trials && b->watch)
		b->watch->changed(b->watch, node, (int) ((size_t) (c - b->cells) % b->npairs));
}

/* What of the node's usage is in the usage of its parent */
static __int128 passed_on(const struct books *b, const struct cell *c)
{
	int64_t local = b->quotas[c - b->cells].local;

	return c->used > local && local < INT64_MAX ? c->used - local : 0;
}

static void used_change(struct books *b, int node, int pair, __int128 by)
{
	for (; by && node != SPEC_NONE; node = b->nodes[node].parent) {
		struct cell *c = books_cell(b, node, pair);
		__int128 before = passed_on(b, c);

		used_write(b, node, c, c->used + by);
		by = passed_on(b, c) - before;
	}
}

void books_add(struct books *b, int node, int pair, int64_t amount)
{
	struct cell *c = books_cell(b, node, pair);

	if (amount < 0)
		used_write(b, node, c, c->used + amount);
	else
		used_change(b, node, pair, amount);
}

void books_remove(struct books *b, int node, int pair, int64_t amount)
{
	used_change(b, node, pair, -(__int128) amount);
}

void books_change(struct books *b, int node, const struct use *uses, size_t n, int sign)
{
	for (size_t i = 0; i < n; i++)
		used_change(b, node, uses[i].pair, (__int128) sign * uses[i].amount);
}

int64_t books_removable(const struct books *b, int queue, int node, int pair, int64_t amount)
{
	for (int n = queue; n != node; n = b->nodes[n].parent)
		amount = min64(amount,
			       max64(0, sat_sub(books_usage(b, n, pair),
						books_quota(b, n, pair)->local)));
	return amount;
}

void books_vacate(struct books *b, int root)
{
	for (size_t n = 0; n < b->nnodes; n++) {
		for (size_t p = 0; b->nodes[n].root == root && p < b->npairs; p++) {
			struct cell *c = books_cell(b, (int) n, (int) p);

			if (c->used)
				used_write(b, (int) n, c, 0);
			if (c->fixed)
				books_write(b, &c->fixed, 0);
		}
	}
}

void books_follow(struct books *b, int root, int pair)
{
	int first = b->nodes[root].number, last = b->nodes[root].last_below;

	for (int i = first; i <= last; i++) {
		struct cell *c = books_cell(b, b->order[i], pair);

		if (!b->nodes[b->order[i]].is_queue)
			*c = (struct cell) { 0 };
	}
	for (int i = last; i >= first; i--) {
		int node = b->order[i], parent = b->nodes[node].parent;
		const struct cell *c = books_cell(b, node, pair);

		if (parent != SPEC_NONE) {
			books_cell(b, parent, pair)->used += passed_on(b, c);
			books_cell(b, parent, pair)->fixed
				+= quota_uncovered(books_quota(b, node, pair), c->fixed);
		}
		b->nodes[node].share_known = false;
	}
}

size_t books_try(struct books *b)
{
	b->trials++;
	return b->nlog;
}

bool books_undo(struct books *b, size_t mark)
{
	bool lost = b->log_lost;

	b->trials--;
	if (!b->trials)
		b->log_lost = false;
	while (b->nlog > mark) {
		const struct undo *u = &b->log[--b->nlog];

		*u->number = u->old;
		if (u->node != SPEC_NONE)
			b->nodes[u->node].share_known = false;
	}
	return !lost;
}

int64_t books_available(const struct books *b, int node, int pair)
{
	const struct quota *q = books_quota(b, node, pair);
	int64_t usage = books_usage(b, node, pair), lent, above;

	if (b->nodes[node].parent == SPEC_NONE)
		return sat_sub(q->subtree, usage);
	above = books_available(b, b->nodes[node].parent, pair);
	if (q->borrowing_limit != SPEC_NO_LIMIT) {
		lent = sat_sub(sat_sub(q->subtree, q->local), max64(0, sat_sub(usage, q->local)));
		above = min64(above, sat_add(lent, q->borrowing_limit));
	}
	return sat_add(books_idle_local(b, node, pair), above);
}

int books_borrow_level(const struct books *b, int queue, int pair,
		       int64_t amount, bool *may_reclaim)
{
	int node = b->nodes[queue].parent, below = queue;
	int level = 0;

	*may_reclaim = node != SPEC_NONE;
	if (node == SPEC_NONE || !books_is_over_nominal(b, queue, pair, amount))
		return 0;
	for (; node != SPEC_NONE; node = b->nodes[node].parent) {
		amount = sat_sub(amount, books_idle_local(b, below, pair));
		level = b->nodes[node].height;
		*may_reclaim = b->nodes[node].parent != SPEC_NONE;
		if (!books_is_over_nominal(b, node, pair, amount))
			return level;
		below = node;
	}
	*may_reclaim = false;
	return level;
}

bool books_borrows(const struct books *b, int queue, int lca, int pair)
{
	for (int n = queue; n != lca; n = b->nodes[n].parent) {
		if (!books_is_over_nominal(b, n, pair, 0))
			return false;
	}
	return true;
}

bool books_is_over(const struct books *b, int node, const struct use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (books_is_over_nominal(b, node, uses[i].pair, 0))
			return true;
	}
	return false;
}

bool books_is_over_with(const struct books *b, int node, const struct use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (books_is_over_nominal(b, node, uses[i].pair, uses[i].amount))
			return true;
	}
	return false;
}

bool books_fit(const struct books *b, int queue, const struct use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (uses[i].amount > max64(0, books_available(b, queue, uses[i].pair)))
			return false;
	}
	return true;
}

bool books_find(const struct books *b, bool is_cohort, int *node, int flavor,
		int resource, int *pair)
{
	size_t limit = is_cohort ? b->ncohorts : b->nnodes - b->ncohorts;

	if (*node < 0 || (size_t) *node >= limit
	    || flavor < 0 || (size_t) flavor >= b->nflavors
	    || resource < 0 || (size_t) resource >= b->nresources)
		return false;
	*pair = books_pair(b, flavor, resource);
	if (!is_cohort)
		*node += (int) b->ncohorts;
	return *pair != SPEC_NONE;
}

int books_branch(const struct books *b, int node, int other)
{
	while (!books_is_below(b, other, b->nodes[node].parent))
		node = b->nodes[node].parent;
	return node;
}
