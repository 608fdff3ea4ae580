/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * freed.c - what the victims of a plan use, summed by queue
 *
 * A start counts as one of now only if it fits beside all victims of the plan. There can
 * be as many starts as victims, so the victims are put back queue by queue.
 */
#include "core/cap.h"
#include "holding/holding.h"
#include "plan/plan.h"

int freed_add(struct plan *p, struct holding *h)
{
	size_t npairs = p->e->books->npairs;

	if (!p->freed)
		p->freed = engine_alloc(p->e, &p->trees->arena, p->e->nqueues * npairs,
				      sizeof(*p->freed));
	if (!p->freed)
		return -1;
	for_each_in_unit(m, h) {
		int64_t *sums = &p->freed[(size_t) m->q->index * npairs];

		for (size_t i = 0; i < m->nuses; i++)
			sums[m->uses[i].pair] = sat_add(sums[m->uses[i].pair], m->uses[i].amount);
	}
	return 0;
}

static void queue_restore(struct engine *e, struct queue *q, const int64_t *sums)
{
	for (size_t pair = 0; pair < e->books->npairs; pair++) {
		if (sums[pair])
			books_add(e->books, q->node, (int) pair, sums[pair]);
	}
	withheld_renew(e, q);
}

/* Non-preemptible victims were on their way out before the plan: there are few. */
static void fixed_restore(const struct plan *p)
{
	for (size_t i = 0; i < p->ngone; i++) {
		for_each_in_unit(m, p->gone[i]) {
			if (m->fixed && !m->tentative)
				fixed_change(p->e->books, m->q->node, m->uses, m->nuses, 1);
		}
	}
}

bool freed_fit_beside(struct plan *p, const struct workload *w, const struct use *uses, size_t n)
{
	size_t mark = trial_begin(p->e), npairs = p->e->books->npairs;
	const struct queue *q = w->shape->q;
	bool capped = workload_is_capped(w), fit;

	for (size_t i = 0; p->freed && i < p->e->nqueues; i++)
		queue_restore(p->e, &p->e->queues[i], &p->freed[i * npairs]);
	if (capped)
		fixed_restore(p);
	fit = books_fit(p->e->books, q->node, uses, n)
	      && (!capped || cap_admits(p->e, q, uses, n));
	trial_end(p->e, mark);
	return fit;
}
