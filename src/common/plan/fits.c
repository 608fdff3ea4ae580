/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fits.c - who fits as another one of the queue did
 *
 * One that fits, with all its pods, in the flavors that its queue tries first, and
 * borrows nothing, had nobody to evict and no choice. Who asks for the same, on the same
 * books, gets the same.
 */
#include "core/queue_state.h"
#include "core/workload_state.h"
#include "plan/plan.h"
#include "workload/shape.h"

static size_t fit_slot(const struct workload *w)
{
	const struct podset_desc *first = w->shape->podsets;
	uint64_t amount = w->shape->npodsets && first->nrequests ?
		(uint64_t) first->requests[0].amount : 0;

	return hash_place(amount, FITS);
}

/* Priorities tell whom they may evict, and nobody has to go. */
static bool fits_like(const struct engine *e, const struct workload *a,
		      const struct workload *b)
{
	return !workload_avoids(a) && !workload_avoids(b)
	       && a->shape->group == b->shape->group
	       && a->shape->nonpreemptible == b->shape->nonpreemptible
	       && a->shape->local == b->shape->local
	       && shape_asks_same(e, a->shape, b->shape);
}

const struct fit *fit_find(const struct engine *e, const struct fits *fits,
			   const struct workload *w)
{
	const struct fit *fit = &fits->all[fit_slot(w)];

	return fit->w && fits_like(e, fit->w, w) ? fit : NULL;
}

/* It may do with fewer pods: it fits with these where another one, of a higher priority,
 * evicts to have more. */
static bool takes_fewer(const struct shape *s)
{
	for (size_t i = 0; i < s->npodsets; i++) {
		if (s->podsets[i].min_count > 0)
			return true;
	}
	return false;
}

/* Does it fit in the first flavor of each resource, without borrowing? Then no other
 * flavor was looked at, and nobody whom it might evict. */
static bool fits_at_once(const struct queue *q, const struct draft *d)
{
	const struct assignment *a = &d->public;

	if (a->mode != MODE_FIT || a->borrow)
		return false;
	for (size_t i = 0; i < a->nusage; i++) {
		const struct spec_group *group
			= queue_group(q, a->usage[i].resource);

		if (group && group->flavors[0] != a->usage[i].flavor)
			return false;
	}
	return true;
}

struct fit *fit_note(struct fits *fits, const struct workload *w,
		     const struct draft *d)
{
	struct fit *fit = &fits->all[fit_slot(w)];

	if (workload_avoids(w) || takes_fewer(w->shape)
	    || !fits_at_once(w->shape->q, d))
		return NULL;
	*fit = (struct fit) { .w = w, .nuses = d->public.nusage };
	return fit;
}
