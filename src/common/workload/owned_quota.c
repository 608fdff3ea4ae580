/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owned_quota.c - freed quota that belongs to the preemptor that freed it
 */
#include <errno.h>
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/workload_state.h"
#include "core/tree.h"
#include "core/cap.h"
#include "core/tree_state.h"
#include "core/uses.h"
#include "workload/owned_quota.h"
#include "workload/pending.h"
#include "workload/progress.h"
#include "holding/settled.h"

static struct workload **owner_link(struct workload *w)
{
	struct workload **at = &w->shape->q->tree->owners;

	while (*at && *at != w)
		at = &(*at)->rare->claim->next_owner;
	return at;
}

void owned_quota_drop(struct engine *e, struct workload *w)
{
	struct claim *claim = workload_claim(w);

	if (!claim)
		return;
	*owner_link(w) = claim->next_owner;
	claim_release(e, w);
	pending_remove(e, w);
	w->rare->claim = NULL;
	pending_add(e, w);
	free(claim->uses);
	free(claim);
	rare_drop_empty(w);
	tree_request_plan(e, w->shape->q->tree);
}

/* The first claim of a workload puts it behind all that own quota already. */
static int owner_enter(struct engine *e, struct workload *w)
{
	struct claim *claim = rare_get(w) ? calloc(1, sizeof(*claim)) : NULL;

	if (!claim) {
		rare_drop_empty(w);
		return -1;
	}
	*owner_link(w) = w;
	pending_remove(e, w);
	w->rare->claim = claim;
	pending_add(e, w);
	return 0;
}

/* Frees the old claim, and takes it out of the books */
static void claim_empty(struct engine *e, struct workload *w)
{
	claim_release(e, w);
	free(w->rare->claim->uses);
}

int engine_own(struct engine *e, struct workload *w,
	       const struct charge *charges, size_t n)
{
	struct use *uses;
	size_t nuses;

	if (w->runs) {
		errno = EINVAL;
		return -1;
	}
	uses = uses_create(e, charges, n, &nuses);
	if (!uses)
		return -1;
	if (workload_claim(w)) {
		claim_empty(e, w);
	} else if (owner_enter(e, w) < 0) {
		free(uses);
		return -1;
	}
	w->rare->claim->uses = uses;
	w->rare->claim->nuses = nuses;
	w->rare->claim->fixed = workload_is_capped(w);
	claim_charge(e, w);
	claim_settle(e, w);
	tree_request_plan(e, w->shape->q->tree);
	return 0;
}

void engine_disown(struct engine *e, struct workload *w)
{
	owned_quota_drop(e, w);
}

bool owned_quota_is_void(const struct workload *w)
{
	const struct decision *d = workload_decision(w);

	return d && d->claim_void;
}

void owned_quota_lift(struct engine *e, const struct workload *w)
{
	bool later = false;

	if (!workload_claim(w) && !w->shape->q->tree->has_void)
		return;
	for (const struct workload *o = w->shape->q->tree->owners; o;
	     o = o->rare->claim->next_owner) {
		later |= o == w;
		if (later || owned_quota_is_void(o))
			claim_release(e, o);
	}
}

size_t engine_owned(const struct engine *e, const struct workload *w,
		    struct charge *charges)
{
	const struct claim *claim = workload_claim(w);

	for (size_t i = 0; claim && i < claim->nuses; i++) {
		const struct use *use = &claim->uses[i];
		const struct pair *pair = &e->books->pairs[use->pair];

		charges[i] = (struct charge) { pair->flavor, pair->resource,
					       use->amount };
	}
	return claim ? claim->nuses : 0;
}
