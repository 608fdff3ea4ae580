/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.c - what a plan says of a workload
 */
#include "plan/plan.h"

/* Ranks of one tree leave room for those of the others, so that they compare
 * however often each has been planned. */
uint64_t rank_last(const struct plan *p)
{
	return p->decisions * p->e->ntrees
	       + (uint64_t) (p->tree - p->e->trees);
}

static uint64_t rank_next(struct plan *p)
{
	p->decisions++;
	return rank_last(p);
}

static void promised_list(struct tree *tree, struct workload *w)
{
	if (w->promised == tree->plan)
		return;
	w->promised = tree->plan;
	w->next_promised = tree->promised;
	tree->promised = w;
}

void verdict_set(struct plan *p, struct workload *w,
			enum verdict_kind kind, bool borrowing)
{
	promised_list(p->tree, w);
	w->verdict = (struct verdict) {
		.kind = kind,
		.rank = rank_next(p),
		.starts = 1,
		.flavor = SPEC_NONE,
		.resource = SPEC_NONE,
		.borrowing = borrowing,
	};
}

void verdict_wait(struct workload *w, enum wait_reason reason,
			 size_t nvictims)
{
	w->verdict = (struct verdict) {
		.kind = VERDICT_WAIT,
		.reason = reason,
		.flavor = SPEC_NONE,
		.resource = SPEC_NONE,
		.nvictims = nvictims,
	};
}

void verdict_start(struct plan *p, struct workload *w, bool borrowing)
{
	if (w->verdict.kind != VERDICT_START)
		verdict_set(p, w, VERDICT_START, borrowing);
	w->verdict.starts = ++w->starts;
	w->verdict.borrowing |= borrowing;
}

static void expiry_note(struct tree *tree, int64_t at)
{
	if (at && (!tree->next_expiry || at < tree->next_expiry))
		tree->next_expiry = at;
}

void plan_note_expiry(struct plan *p, const struct passed_over *passed)
{
	expiry_note(p->tree, passed->until);
	expiry_note(p->tree, passed->turn);
}
