/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial.c - trying something on the books
 */
#include "account/waits.h"
#include "core/cap.h"
#include "core/engine_state.h"
#include "core/tree_state.h"
#include "holding/holding.h"
#include "holding/trial.h"

/* Outside of trials nothing is withheld in the books. */
static void withheld_forget(struct queue *q)
{
	for (size_t p = 0; p < q->nwithheld; p++)
		q->withheld[p].booked = 0;
	q->withheld_booked = 0;
}

/* Computes the usage from the charges alone */
static void usage_rebuild(struct engine *e)
{
	struct history *history = e->books->history;
	struct books_watch *watch = e->books->watch;

	/* nobody has borrowed what stands there meanwhile */
	e->books->history = NULL;
	e->books->watch = NULL;
	books_clear(e->books);
	fixed_groups_clear(e);
	for (size_t i = 0; i < e->nqueues; i++) {
		struct queue *q = &e->queues[i];

		withheld_forget(q);
		books_add_all(e->books, q->node, q->raw, q->nraw);
		for (struct holding *h = q->holdings; h; h = h->next) {
			books_charge(e->books, q->node, h->uses, h->nuses,
				     h->fixed);
			if (h->fixed)
				fixed_group_count(e, h->w->shape->group, 1);
		}
	}
	for (size_t i = 0; i < e->ntrees; i++) {
		for (struct workload *w = e->trees[i].owners; w;
		     w = w->rare->claim->next_owner)
			claim_charge(e, w);
	}
	e->books->history = history;
	e->books->watch = watch;
	account_renew(e);
}

size_t trial_begin(struct engine *e)
{
	return books_try(e->books);
}

void trial_end(struct engine *e, size_t mark)
{
	if (books_undo(e->books, mark))
		return;
	e->no_memory = true;
	if (!e->books->trials)
		usage_rebuild(e);
}
