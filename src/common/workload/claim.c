/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claim.c - what a waiting workload has beyond its place: freed quota that it
 * owns, and trouble to find nodes
 */
#include <errno.h>
#include <stdlib.h>

#include "workload/claim.h"
#include "workload/holding.h"
#include "workload/shape.h"
#include "workload/waiting.h"

static struct workload **owner_link(struct workload *w)
{
	struct workload **at = &w->shape->q->tree->owners;

	while (*at && *at != w)
		at = &(*at)->next_owner;
	return at;
}

void claim_drop(struct engine *e, struct workload *w)
{
	if (!w->claim)
		return;
	*owner_link(w) = w->next_owner;
	w->next_owner = NULL;
	books_remove_all(e->books, w->shape->q->node, w->claim, w->nclaim);
	waiting_unlink(w);
	free(w->claim);
	w->claim = NULL;
	w->nclaim = 0;
	waiting_link(e, w);
	tree_touch(e, w->shape->q->tree);
}

/* The first claim of a workload puts it behind all that own something */
static void owner_enter(struct engine *e, struct workload *w, struct use *claim)
{
	*owner_link(w) = w;
	w->claimed = ++e->claims;
	waiting_unlink(w);
	w->claim = claim;
	waiting_link(e, w);
}

/* Out with the old claim, which is in the books */
static void claim_replace(struct engine *e, struct workload *w,
			  struct use *claim)
{
	books_remove_all(e->books, w->shape->q->node, w->claim, w->nclaim);
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
	books_add_all(e->books, w->shape->q->node, claim, nclaim);
	tree_touch(e, w->shape->q->tree);
	return 0;
}

void engine_disown(struct engine *e, struct workload *w)
{
	claim_drop(e, w);
}

bool claim_is_void(const struct workload *w)
{
	return w->claim_void && w->plan == w->shape->q->tree->plan;
}

void claims_lift(struct engine *e, const struct workload *w)
{
	bool later = false;

	for (const struct workload *o = w->shape->q->tree->owners; o;
	     o = o->next_owner) {
		later |= o == w;
		if (later || claim_is_void(o))
			books_remove_all(e->books, o->shape->q->node, o->claim,
					 o->nclaim);
	}
}

/* Moves a waiting workload to the shape it shares with all that are alike, or
 * to one of its own. */
static void shape_switch(struct engine *e, struct workload *w, bool alone)
{
	uint64_t number = alone ? w->tiebreak + 1 : 0;
	struct shape *shape, *old = w->shape;

	if (old->alone == number)
		return;
	shape = shape_get_like(e, old, number);
	if (!shape)	/* it only goes along with the others a bit too often */
		return;
	waiting_unlink(w);
	w->shape = shape;
	waiting_link(e, w);
	shape_put(e, old);
}

static void blocked_unlink(struct workload *w)
{
	struct workload **at = &w->shape->q->blocked;

	while (*at != w)
		at = &(*at)->next_blocked;
	*at = w->next_blocked;
	w->next_blocked = NULL;
}

void block_drop(struct workload *w)
{
	if (w->blocked)
		blocked_unlink(w);
	w->blocked = false;
}

void block_clear(struct engine *e, struct workload *w)
{
	block_drop(w);
	free(w->avoid);
	w->avoid = NULL;
	shape_switch(e, w, false);
}

void engine_blocked(struct engine *e, struct workload *w, bool blocked)
{
	if (w->held || w->blocked == blocked)
		return;
	tree_touch(e, w->shape->q->tree);
	if (!blocked) {
		block_drop(w);
		shape_switch(e, w, w->avoid);
		return;
	}
	shape_switch(e, w, true);
	w->blocked = true;
	w->next_blocked = w->shape->q->blocked;
	w->shape->q->blocked = w;
}

/* The plan did not know yet that there are no nodes in that flavor. */
static void promise_forget(const struct engine *e, struct workload *w, int f)
{
	for (size_t i = 0; w->plan == w->shape->q->tree->plan
			   && i < w->npromise; i++) {
		if (e->books->pairs[w->promise[i].pair].flavor == f)
			w->npromise = 0;
	}
	if (!w->npromise)
		w->promise = NULL;
}

void engine_avoid_flavor(struct engine *e, struct workload *w, int f)
{
	if (w->held)
		return;
	tree_touch(e, w->shape->q->tree);
	if (f == SPEC_NONE) {
		free(w->avoid);
		w->avoid = NULL;
		shape_switch(e, w, w->blocked);
		return;
	}
	if (f < 0 || (size_t) f >= e->books->nflavors)
		return;
	if (!w->avoid)
		w->avoid = calloc(e->books->nflavors, sizeof(*w->avoid));
	if (w->avoid) {
		w->avoid[f] = true;
		promise_forget(e, w, f);
		shape_switch(e, w, true);
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
