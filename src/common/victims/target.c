/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.c - the victims that a search has chosen: what both algorithms share
 */
#include <string.h>

#include "candidates/candidate.h"
#include "core/tree_state.h"
#include "quota/fixed.h"
#include "holding/holding.h"
#include "core/withheld.h"
#include "victims/target.h"

bool demand_is_over_nominal(const struct search *s)
{
	return books_is_over_with(s->e->books, s->q->node, s->demand, s->ndemand);
}

bool search_fits(const struct search *s, bool allow_borrow)
{
	if (!allow_borrow && demand_is_over_nominal(s))
		return false;
	return kept_fit(s->e, s->q, s->demand, s->ndemand);
}

/* So many cohorts above a victim take about as long as a look at a candidate. */
#define COHORTS_LOOK 4

void target_remove(struct engine *e, struct holding *h)
{
	for_each_in_unit(m, h) {
		e->searches->looks += (uint64_t) e->books->nodes[m->q->node].depth / COHORTS_LOOK;
		books_charge(e->books, m->q->node, m->uses, m->nuses, m->fixed, -1);
		withheld_renew(e, m->q);
	}
}

void target_restore(struct engine *e, struct holding *h)
{
	for_each_in_unit(m, h) {
		books_charge(e->books, m->q->node, m->uses, m->nuses, m->fixed, 1);
		withheld_renew(e, m->q);
	}
}

struct target target_take(struct search *s, const struct candidate *c, enum victim_reason reason)
{
	if (!s->alone) {
		target_remove(s->e, c->h);
		elastic_count(c->h, -1);
	}
	unit_mark(c->h, attempt, s->attempt);
	return (struct target) { c->h, reason, c->list };
}

void targets_give(const struct target *targets, size_t n)
{
	while (n)
		elastic_count(targets[--n].h, 1);
}

struct target *targets_reserve(struct search *s)
{
	return scratch_reserve(s->e, SCRATCH_TARGETS, s->q->tree->nholdings, sizeof(struct target));
}

size_t targets_fill_back(struct search *s, struct target *targets, size_t n, bool allow_borrow)
{
	size_t kept = n - 1;

	/* those that stay are moved to the end */
	for (size_t i = n - 1; i-- > 0; ) {
		target_restore(s->e, targets[i].h);
		if (search_fits(s, allow_borrow)) {
			elastic_count(targets[i].h, 1);
			continue;
		}
		target_remove(s->e, targets[i].h);
		targets[--kept] = targets[i];
	}
	n -= kept;
	memmove(targets, targets + kept, n * sizeof(*targets));
	return n;
}
