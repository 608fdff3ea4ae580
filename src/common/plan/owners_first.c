/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owners_first.c - owners of freed quota come before all heads of a plan
 *
 * doc/how-it-decides.md, section 9, freed quota has an owner: no other workload
 * overtakes the owner while its victims are on their way out.
 */
#include "core/cap.h"
#include "core/tree_state.h"
#include "holding/holding.h"
#include "plan/plan.h"
#include "workload/waiting.h"
#include "usage/local.h"

static bool uses_what_is_claimed(const struct holding *h,
				 const struct workload *owner)
{
	for (size_t i = 0; i < h->nuses; i++) {
		for (size_t k = 0; k < owner->rare->claim->nuses; k++) {
			if (h->uses[i].pair == owner->rare->claim->uses[k].pair)
				return true;
		}
	}
	return false;
}

/* The number of workloads on their way out that use what the owner waits for. They
 * stand before all others of their queue. */
static size_t evicting_count(const struct tree *tree,
			     const struct workload *owner)
{
	size_t n = 0;

	for (size_t i = 0; tree->nevicting && i < tree->nqueues; i++) {
		for (const struct holding *h = tree->queues[i]->holdings;
		     h && h->evicting; h = h->next)
			n += uses_what_is_claimed(h, owner);
	}
	return n;
}

static bool claim_borrows(const struct books *b, const struct workload *w)
{
	for (size_t i = 0; i < w->rare->claim->nuses; i++) {
		const struct use *use = &w->rare->claim->uses[i];

		if (books_is_over_nominal(b, w->shape->q->node, use->pair,
					  use->amount))
			return true;
	}
	return false;
}

/* The owner starts if what it owns fits; else it waits for its victims to
 * leave. If it has none to wait for, it competes like any other workload. */
static void owner_go(struct plan *p, struct tree *tree, struct workload *w)
{
	const struct claim *claim = workload_claim(w);
	size_t evicting;

	workload_renew(w);
	if (queue_held(w->shape->q)) {
		claim_charge(p->e, w);
		return;
	}
	if (workload_fits(p->e, w, claim->uses, claim->nuses)) {
		local_plan_start(p->e, w->shape->local, claim->uses, claim->nuses);
		verdict_start(p, w, claim_borrows(p->e->books, w));
		w->done = true;
		claim_charge(p->e, w);
		return;
	}
	evicting = evicting_count(tree, w);
	decide(p, w)->claim_void = !evicting;
	tree->has_void |= !evicting;
	if (!evicting)
		return;
	verdict_wait(p, w, WAIT_IS_PREEMPTING, evicting);
	local_plan_start(p->e, w->shape->local, claim->uses, claim->nuses);
	claim_charge(p->e, w);
}

void owners_go_first(struct plan *p, struct tree *tree)
{
	tree->has_void = false;
	for (struct workload *w = tree->owners; w; w = w->rare->claim->next_owner)
		claim_release(p->e, w);
	for (struct workload *w = tree->owners; w; w = w->rare->claim->next_owner)
		owner_go(p, tree, w);
}
