/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * withheld.c - quota of a queue that a plan keeps from other queues
 *
 * q->withheld[pair].wanted is what the workloads ask for. No more than what is
 * free of the nominal quota goes into the books (booked).
 */
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "core/withheld.h"
#include "core/workload_state.h"
#include "lib/sat.h"

void withheld_want(struct engine *e, struct queue *q, const struct use *uses, size_t n)
{
	for (; q->nwithheld < e->books->npairs; q->nwithheld++)
		q->withheld[q->nwithheld] = (struct withheld) { 0 };
	for (size_t i = 0; i < n; i++) {
		int64_t *wanted = &q->withheld[uses[i].pair].wanted;

		*wanted = sat_add(*wanted, uses[i].amount);
	}
}

void withheld_reset(struct queue *q)
{
	q->nwithheld = 0;
	q->withheld_booked = 0;
}

static void booked_set(struct engine *e, struct queue *q, size_t pair, int64_t amount)
{
	struct withheld *withheld = &q->withheld[pair];

	if (withheld->booked == amount)
		return;
	books_remove(e->books, q->node, (int) pair, (int64_t) withheld->booked);
	books_write(e->books, &withheld->booked, amount);
	books_add(e->books, q->node, (int) pair, amount);
}

void withheld_lift(struct engine *e, struct queue *q)
{
	if (!q->nwithheld || !q->withheld_booked)
		return;
	for (size_t p = 0; p < q->nwithheld; p++)
		booked_set(e, q, p, 0);
	books_write(e->books, &q->withheld_booked, 0);
}

/* By the usage without what is booked. No more than the nominal quota leaves
 * free. Most often nothing has changed: then nothing is written. */
void withheld_book(struct engine *e, struct queue *q)
{
	for (size_t p = 0; p < q->nwithheld; p++) {
		const struct withheld *withheld = &q->withheld[p];
		struct cell others = *books_cell(e->books, q->node, (int) p);
		int64_t free;

		others.used -= withheld->booked;
		free = sat_sub(books_quota(e->books, q->node, (int) p)->nominal,
			       cell_usage(&others));
		booked_set(e, q, p, max64(0, min64(withheld->wanted, free)));
	}
	if (q->nwithheld && !q->withheld_booked)
		books_write(e->books, &q->withheld_booked, 1);
}

void withheld_renew(struct engine *e, struct queue *q)
{
	if (q->nwithheld && q->withheld_booked)
		withheld_book(e, q);
}

/* ---- for shapes ---- */

void kept_give_up(struct shape *s)
{
	struct keeper *keeper = &s->keeper;

	if (!keeper->n)
		return;
	*keeper->link = keeper->next;
	if (keeper->next)
		keeper->next->keeper.link = keeper->link;
	keeper->n = 0;
}

void kept_reset(struct tree *tree)
{
	while (tree->keepers)
		kept_give_up(tree->keepers);
	tree->kept_before = UINT64_MAX;
}

/* How much more the node could use within its quota, and each cohort above it */
static int64_t own_room(const struct books *b, int node, int pair)
{
	int64_t room = sat_sub(books_quota(b, node, pair)->subtree, books_usage(b, node, pair));
	int parent = b->nodes[node].parent;

	if (parent != SPEC_NONE)
		room = min64(room, sat_add(books_idle_local(b, node, pair),
					 own_room(b, parent, pair)));
	return max64(0, room);
}

static void keeper_book(struct engine *e, const struct shape *s)
{
	for (size_t i = 0; i < s->keeper.n; i++) {
		const struct use *use = &s->keeper.uses[i];
		int64_t room = own_room(e->books, s->q->node, use->pair);

		books_add(e->books, s->q->node, use->pair, min64(use->amount, room));
	}
}

static void kept_book(struct engine *e, const struct queue *q)
{
	const struct tree *tree = q->tree;

	for (const struct shape *s = tree->keepers; s; s = s->keeper.next) {
		if (s->q != q && s->keeper.rank < tree->kept_before)
			keeper_book(e, s);
	}
}

/* Sets the uses to what is free of them beside what is kept already, and returns how many
 * are left */
static size_t uses_trim(struct engine *e, const struct queue *q, struct use *uses, size_t n)
{
	size_t mark = books_try(e->books), left = 0;

	for (const struct shape *s = q->tree->keepers; s; s = s->keeper.next)
		keeper_book(e, s);
	for (size_t i = 0; i < n; i++) {
		struct use use = uses[i];

		use.amount = min64(use.amount, own_room(e->books, q->node, use.pair));
		if (use.amount > 0)
			uses[left++] = use;
	}
	(void) books_undo(e->books, mark);
	return left;
}

void kept_add(struct engine *e, struct shape *s, struct use *uses, size_t n, uint64_t rank)
{
	struct tree *tree = s->q->tree;

	n = uses_trim(e, s->q, uses, n);
	if (!n)
		return;
	s->keeper = (struct keeper) {
		.uses = uses, .n = n, .rank = rank,
		.next = tree->keepers, .link = &tree->keepers,
	};
	if (tree->keepers)
		tree->keepers->keeper.link = &s->keeper.next;
	tree->keepers = s;
}

int64_t kept_available(struct engine *e, const struct queue *q, int pair)
{
	struct books *b = e->books;
	int64_t available = books_available(b, q->node, pair), own;
	size_t mark;

	if (!q->tree->keepers)
		return available;
	own = min64(available, sat_sub(0, books_over_nominal(b, q->node, pair, 0)));
	mark = books_try(b);
	kept_book(e, q);
	available = books_available(b, q->node, pair);
	(void) books_undo(b, mark);
	return max64(own, available);
}

bool kept_fit(struct engine *e, const struct queue *q, const struct use *uses, size_t n)
{
	if (!q->tree->keepers)
		return books_fit(e->books, q->node, uses, n);
	for (size_t i = 0; i < n; i++) {
		if (uses[i].amount > max64(0, kept_available(e, q, uses[i].pair)))
			return false;
	}
	return true;
}
