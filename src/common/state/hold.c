/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hold.c - quota of a queue that a plan keeps out of reach of other queues
 *
 * For workloads that have quota but no nodes, and for those whose victims are
 * protected for a while. q->hold[pair].amount is what they ask for; no more
 * than what is free of the nominal quota goes into the books.
 */
#include "state/hold.h"

void hold_change(struct engine *e, struct queue *q, const struct use *uses,
		 size_t n, bool take)
{
	bool empty = !q->nhold;

	hold_lift(e, q);
	if (empty) {
		q->nhold = e->books->npairs;
		for (size_t p = 0; p < q->nhold; p++)
			q->hold[p] = (struct hold) { 0 };
	}
	for (size_t i = 0; i < n; i++) {
		struct hold *hold = &q->hold[uses[i].pair];

		hold->wanted = take ? sat_add(hold->wanted, uses[i].amount)
				    : sat_sub(hold->wanted, uses[i].amount);
	}
	hold_put(e, q);
}

void hold_forget(struct shape *s)
{
	struct queue *q = s->q;

	for (size_t i = 0; q->nhold && shape_inadmissible(s) && i < s->nkept;
	     i++) {
		struct hold *hold = &q->hold[s->kept[i].pair];

		hold->wanted = sat_sub(hold->wanted, s->kept[i].amount);
	}
	s->nkept = 0;
}

void hold_rewind(struct engine *e, struct queue *q, uint64_t rank)
{
	if (!q->nhold)
		return;
	for (const struct shape *s = q->shapes; s; s = s->next) {
		if (!shape_inadmissible(s) || s->kept_rank < rank)
			continue;
		for (size_t i = 0; i < s->nkept; i++) {
			int64_t *wanted = &q->hold[s->kept[i].pair].wanted;

			books_write(e->books, wanted,
				    sat_sub(*wanted, s->kept[i].amount));
		}
	}
}

void hold_lift(struct engine *e, struct queue *q)
{
	if (!q->nhold)
		return;
	for (size_t p = 0; p < q->nhold; p++) {
		books_remove(e->books, q->node, p, q->hold[p].booked);
		books_write(e->books, &q->hold[p].booked, 0);
	}
	books_write(e->books, &q->holds, 0);
}

void hold_put(struct engine *e, struct queue *q)
{
	if (!q->nhold)
		return;
	hold_lift(e, q);
	for (size_t p = 0; p < q->nhold; p++) {
		const struct cell *c = books_cell(e->books, q->node, p);
		struct hold *hold = &q->hold[p];
		int64_t amount = max64(0, min64(hold->wanted,
						sat_sub(c->nominal, c->usage)));

		books_write(e->books, &hold->booked, amount);
		books_add(e->books, q->node, p, amount);
	}
	books_write(e->books, &q->holds, 1);
}

void hold_follow(struct engine *e, struct queue *q)
{
	if (q->nhold && q->holds)
		hold_put(e, q);
}
