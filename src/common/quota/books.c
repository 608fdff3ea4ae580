/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * books.c - usage in the quota tree: adding, removing, asking, undoing
 */
#include <stdlib.h>

#include "quota/books.h"
#include "quota/derive.h"
#include "quota/history.h"

static bool log_grow(struct books *b)
{
	size_t size = b->log_size ? 2 * b->log_size : 256;
	struct undo *log = realloc(b->log, size * sizeof(*log));

	if (!log) {
		b->log_lost = true;
		return false;
	}
	b->log = log;
	b->log_size = size;
	return true;
}

static inline void log_push(struct books *b, int64_t *number, int node,
			    int borrowed)
{
	if (b->nlog < b->log_size || log_grow(b))
		b->log[b->nlog++] = (struct undo) {
			number, *number, node, borrowed,
		};
}

void books_write(struct books *b, int64_t *number, int64_t value)
{
	if (b->trials)
		log_push(b, number, SPEC_NONE, 0);
	*number = value;
}

static inline void usage_put(struct books *b, int node, struct cell *c,
			     int64_t usage, int borrowed)
{
	b->nodes[node].borrowed += borrowed;
	books_forget_share(b, node);
	c->usage = usage;
}

/* Rare: it is kept out of the way of trials. */
static __attribute__((noinline)) void usage_put_for_good(struct books *b, int node,
							 struct cell *c,
							 int64_t usage,
							 int borrowed)
{
	if (b->history)
		history_fold(b, node);
	usage_put(b, node, c, usage, borrowed);
	if (b->watch)
		b->watch->changed(b->watch, node,
				  (int) ((size_t) (c - b->cells) % b->npairs));
}

static inline void usage_write(struct books *b, int node, struct cell *c,
			       int64_t usage)
{
	int64_t subtree = cell_quota(b, c)->subtree;
	int borrowed = (usage > subtree) - (c->usage > subtree);

	if (!b->trials) {
		usage_put_for_good(b, node, c, usage, borrowed);
		return;
	}
	log_push(b, &c->usage, node, borrowed);
	usage_put(b, node, c, usage, borrowed);
}

/* ---- usage above INT64_MAX: only absurd amounts get there ---- */

static __int128 usage_exact(const struct books *b, const struct cell *c)
{
	const struct excess *x = &b->excess[c - b->cells];

	return c->usage + ((__int128) x->high << 63) + x->low;
}

static void usage_set(struct books *b, int node, struct cell *c,
		      __int128 usage)
{
	struct excess *x = &b->excess[c - b->cells];
	__int128 above = usage > INT64_MAX ? usage - INT64_MAX : 0;

	books_write(b, &x->high, (int64_t) (above >> 63));
	books_write(b, &x->low, (int64_t) (above & INT64_MAX));
	usage_write(b, node, c,
		    usage < INT64_MIN ? INT64_MIN : (int64_t) (usage - above));
}

/* The part of the usage that is above the node's local quota, and so is in the
 * usage of its parent; INT64_MAX if it is more than that */
static int64_t usage_above_local(const struct books *b, const struct cell *c)
{
	int64_t local = cell_quota(b, c)->local;
	__int128 over;

	if (c->usage != INT64_MAX)
		return sat_sub(c->usage, local);
	if (local == INT64_MAX)		/* usage is never above it */
		return 0;
	over = usage_exact(b, c) - local;
	return over < INT64_MAX ? (int64_t) over : INT64_MAX;
}

/* ---- adding and removing ---- */

static inline void usage_add(struct books *b, int node, struct cell *c,
			     int64_t amount)
{
	int64_t sum;

	if (c->usage == INT64_MAX
	    || __builtin_add_overflow(c->usage, amount, &sum))
		usage_set(b, node, c, usage_exact(b, c) + amount);
	else
		usage_write(b, node, c, sum);
}

void books_add(struct books *b, int node, int pair, int64_t amount)
{
	while (amount) {
		struct cell *c = books_cell(b, node, pair);
		int64_t before = cell_idle_local(b, c);

		usage_add(b, node, c, amount);
		node = b->nodes[node].parent;
		if (node == SPEC_NONE || amount <= before)
			return;
		amount -= before;
	}
}

/* Returns how much of its usage was above the node's local quota, as
 * usage_above_local() does. */
static inline int64_t usage_remove(struct books *b, int node, struct cell *c,
				   int64_t amount)
{
	int64_t over = c->usage, usage;

	if (over == INT64_MAX || cell_quota(b, c)->local)
		over = usage_above_local(b, c);
	if (c->usage == INT64_MAX
	    || __builtin_sub_overflow(c->usage, amount, &usage))
		usage_set(b, node, c, usage_exact(b, c) - amount);
	else
		usage_write(b, node, c, usage);
	return over;
}

void books_remove(struct books *b, int node, int pair, int64_t amount)
{
	while (amount) {
		int64_t over = usage_remove(b, node, books_cell(b, node, pair),
					    amount);

		node = b->nodes[node].parent;
		if (node == SPEC_NONE || over <= 0)
			return;
		amount = min64(amount, over);
	}
}

void books_add_all(struct books *b, int node, const struct use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++)
		books_add(b, node, uses[i].pair, uses[i].amount);
}

void books_remove_all(struct books *b, int node, const struct use *uses,
		      size_t n)
{
	for (size_t i = 0; i < n; i++)
		books_remove(b, node, uses[i].pair, uses[i].amount);
}

int64_t books_removable(const struct books *b, int queue, int node, int pair,
			int64_t amount)
{
	for (int n = queue; n != node; n = b->nodes[n].parent) {
		const struct cell *c = books_cell(b, n, pair);

		amount = min64(amount,
			       max64(0, sat_sub(c->usage,
						cell_quota(b, c)->local)));
	}
	return amount;
}

void books_clear(struct books *b)
{
	for (size_t i = 0; i < b->nnodes * b->npairs; i++) {
		b->cells[i].usage = 0;
		b->excess[i] = (struct excess) { 0 };
		b->fixed[i] = (struct excess) { 0 };
	}
	for (size_t i = 0; i < b->nnodes; i++) {
		books_forget_share(b, (int) i);
		b->nodes[i].borrowed = 0;
	}
	b->nlog = 0;
	b->log_lost = false;
}

static void fixed_vacate(struct books *b, const struct cell *c)
{
	struct excess *x = &b->fixed[c - b->cells];

	if (!x->high && !x->low)
		return;
	books_write(b, &x->high, 0);
	books_write(b, &x->low, 0);
}

void books_vacate(struct books *b, int root)
{
	for (size_t n = 0; n < b->nnodes; n++) {
		for (size_t p = 0; b->nodes[n].root == root && p < b->npairs;
		     p++) {
			struct cell *c = books_cell(b, (int) n, (int) p);

			if (c->usage)
				usage_set(b, (int) n, c, 0);
			fixed_vacate(b, c);
		}
	}
}

/* ---- another nominal quota ---- */

/* What of the node's usage is in the usage of its parent */
static __int128 passed_on(const struct books *b, const struct cell *c)
{
	int64_t local = cell_quota(b, c)->local;
	__int128 over = usage_exact(b, c) - local;

	return over > 0 && local < INT64_MAX ? over : 0;
}

__int128 books_follow(struct books *b, int node, int pair, __int128 more)
{
	const struct span one = { pair, pair + 1 };
	struct cell *c = books_cell(b, node, pair);
	__int128 before = passed_on(b, c);
	bool borrowed;

	if (more)
		usage_set(b, node, c, usage_exact(b, c) + more);
	borrowed = c->usage > cell_quota(b, c)->subtree;
	derive_quota(b, node, one);
	b->nodes[node].borrowed += (c->usage > cell_quota(b, c)->subtree)
				   - borrowed;
	return passed_on(b, c) - before;
}

size_t books_try(struct books *b)
{
	b->trials++;
	return b->nlog;
}

bool books_undo(struct books *b, size_t mark)
{
	b->trials--;
	while (b->nlog > mark) {
		const struct undo *u = &b->log[--b->nlog];

		*u->number = u->old;
		if (u->node == SPEC_NONE)
			continue;
		b->nodes[u->node].borrowed -= u->borrowed;
		books_forget_share(b, u->node);
	}
	return !b->log_lost;
}

/* Nodes on the way that limit nothing are passed over. */
int64_t books_available(const struct books *b, int node, int pair)
{
	const struct cell *c = books_cell(b, node, pair);
	const struct quota *quota = cell_quota(b, c);
	int64_t lent, above;

	if (c->limiter == SPEC_NONE)
		return sat_sub(quota->subtree, c->usage);
	above = books_available(b, c->limiter, pair);
	if (quota->borrowing_limit != SPEC_NO_LIMIT) {
		lent = sat_sub(sat_sub(quota->subtree, quota->local),
			       max64(0, sat_sub(c->usage, quota->local)));
		above = min64(above, sat_add(lent, quota->borrowing_limit));
	}
	return sat_add(cell_idle_local(b, c), above);
}

int64_t books_quiet_room(const struct books *b, int queue, int pair,
			 bool hidden)
{
	const struct cell *own = books_cell(b, queue, pair);
	int64_t room = min64(books_available(b, queue, pair),
			     sat_sub(cell_quota(b, own)->subtree,
				     own->usage));
	int64_t above = hidden ? 0 : room;

	for (int n = b->nodes[queue].parent; n != SPEC_NONE;
	     n = b->nodes[n].parent) {
		const struct cell *c = books_cell(b, n, pair);

		above = min64(above, sat_sub(cell_quota(b, c)->subtree,
					     c->usage));
	}
	return max64(0, min64(room, max64(above, cell_idle_local(b, own))));
}

int books_borrow_level(const struct books *b, int queue, int pair,
		       int64_t amount, bool *may_reclaim)
{
	int node = b->nodes[queue].parent, below = queue;
	int level = 0;

	*may_reclaim = node != SPEC_NONE;
	if (node == SPEC_NONE
	    || !books_is_over_nominal(b, queue, pair, amount))
		return 0;
	for (; node != SPEC_NONE; node = b->nodes[node].parent) {
		int64_t idle = cell_idle_local(b, books_cell(b, below,
							       pair));

		if (idle)
			amount = sat_sub(amount, idle);
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

bool books_fit(const struct books *b, int queue, const struct use *uses,
	       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (uses[i].amount
		    > max64(0, books_available(b, queue, uses[i].pair)))
			return false;
	}
	return true;
}

/* The sum of all borrow levels: when more is in use, none of them is lower. -1:
 * the uses do not fit once they were added so often. */
static int64_t levels_after(struct books *b, int queue, const struct use *uses,
			    size_t n, int64_t times)
{
	size_t mark = books_try(b);
	int64_t sum = -1;
	bool ignored;

	for (size_t i = 0; i < n; i++)
		books_add(b, queue, uses[i].pair, times * uses[i].amount);
	if (books_fit(b, queue, uses, n))
		sum = 0;
	for (size_t i = 0; i < n && sum >= 0; i++)
		sum += books_borrow_level(b, queue, uses[i].pair,
					  uses[i].amount, &ignored);
	books_undo(b, mark);
	return sum;
}

int64_t books_repeats(struct books *b, int queue, const struct use *uses,
		      size_t n, int64_t most)
{
	int64_t first = levels_after(b, queue, uses, n, 0), low = 0;

	if (first < 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (uses[i].amount > 0)
			most = min64(most, INT64_MAX / uses[i].amount);
	}
	while (low < most) {
		int64_t middle = most - (most - low) / 2;

		if (levels_after(b, queue, uses, n, middle - 1) == first)
			low = middle;
		else
			most = middle - 1;
	}
	return low;
}

void books_branches(const struct books *b, int p, int t, int *of_p, int *of_t)
{
	int child = p;

	for (int n = b->nodes[p].parent; !books_is_below(b, t, n);
	     n = b->nodes[n].parent)
		child = n;
	*of_p = child;
	child = t;
	for (int n = b->nodes[t].parent; !books_is_below(b, p, n);
	     n = b->nodes[n].parent)
		child = n;
	*of_t = child;
}
