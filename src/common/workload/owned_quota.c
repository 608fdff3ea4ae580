/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owned_quota.c - freed quota that belongs to the preemptor that freed it
 */
#include <errno.h>
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree.h"
#include "core/cap.h"
#include "core/tree_state.h"
#include "core/uses.h"
#include "workload/owned_quota.h"
#include "workload/pending.h"

static struct workload **owner_link(struct workload *w)
{
	struct workload **at = &w->shape->q->tree->owners;

	while (*at && *at != w)
		at = &(*at)->next_owner;
	return at;
}

void owned_quota_drop(struct engine *e, struct workload *w)
{
	if (!w->claim)
		return;
	*owner_link(w) = w->next_owner;
	w->next_owner = NULL;
	claim_release(e, w);
	pending_remove(e, w);
	free(w->claim);
	w->claim = NULL;
	w->nclaim = 0;
	pending_add(e, w);
	tree_request_plan(e, w->shape->q->tree);
}

/* The first claim of a workload puts it behind all that own quota already. */
static void owner_enter(struct engine *e, struct workload *w, struct use *claim)
{
	*owner_link(w) = w;
	w->claimed = ++e->claims;
	pending_remove(e, w);
	w->claim = claim;
	pending_add(e, w);
}

/* Frees the old claim, and takes it out of the books */
static void claim_replace(struct engine *e, struct workload *w,
			  struct use *claim)
{
	claim_release(e, w);
	free(w->claim);
	w->claim = claim;
}

int engine_own(struct engine *e, struct workload *w,
	       const struct charge *charges, size_t n)
{
	struct use *claim;
	size_t nclaim;

	if (w->held) {
		errno = EINVAL;
		return -1;
	}
	claim = uses_create(e, charges, n, &nclaim);
	if (!claim)
		return -1;
	if (w->claim)
		claim_replace(e, w, claim);
	else
		owner_enter(e, w, claim);
	w->nclaim = nclaim;
	w->claim_fixed = workload_is_capped(w);
	claim_charge(e, w);
	tree_request_plan(e, w->shape->q->tree);
	return 0;
}

void engine_disown(struct engine *e, struct workload *w)
{
	owned_quota_drop(e, w);
}

bool owned_quota_is_void(const struct workload *w)
{
	return w->claim_void && w->plan == w->shape->q->tree->plan;
}

void owned_quota_lift(struct engine *e, const struct workload *w)
{
	bool later = false;

	for (const struct workload *o = w->shape->q->tree->owners; o;
	     o = o->next_owner) {
		later |= o == w;
		if (later || owned_quota_is_void(o))
			claim_release(e, o);
	}
}

size_t engine_owned(const struct engine *e, const struct workload *w,
		    struct charge *charges)
{
	for (size_t i = 0; i < w->nclaim; i++) {
		const struct pair *pair = &e->books->pairs[w->claim[i].pair];

		charges[i] = (struct charge) { pair->flavor, pair->resource,
					       w->claim[i].amount };
	}
	return w->claim ? w->nclaim : 0;
}
