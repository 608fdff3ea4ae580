/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * freed.c - what the victims of a plan use, summed by queue
 *
 * A start counts as one of now only if it fits beside all victims of the plan. There can
 * be as many starts as victims, so the victims are put back queue by queue.
 */
#include "core/cap.h"
#include "core/tree_state.h"
#include "core/withheld.h"
#include "holding/trial.h"
#include "holding/unit.h"
#include "plan/plan.h"

/* Of a queue that has victims */
struct freed {
	struct freed *next;
	struct queue *q;
	int64_t sums[];			/* by pair */
};

static struct freed *freed_get(struct plan *p, struct queue *q)
{
	size_t npairs = p->e->books->npairs;
	struct freed *f = p->freed;

	while (f && f->q != q)
		f = f->next;
	if (f)
		return f;
	f = arena_alloc(&p->trees->arena, 1, sizeof(*f) + npairs * sizeof(*f->sums));
	if (!f) {
		p->e->no_memory = true;
		return NULL;
	}
	f->q = q;
	f->next = p->freed;
	p->freed = f;
	return f;
}

/* Members in trees that are not planned now are none of this plan's business. */
int freed_add(struct plan *p, struct holding *h)
{
	for_each_in_unit(m, h) {
		struct freed *f;

		if (m->q->tree->plan != p->trees->plan)
			continue;
		f = freed_get(p, m->q);
		if (!f)
			return -1;
		for (size_t i = 0; i < m->nuses; i++)
			f->sums[m->uses[i].pair] = sat_add(f->sums[m->uses[i].pair],
							   m->uses[i].amount);
		p->fixed_gone |= m->fixed;
	}
	return 0;
}

static void freed_restore(struct engine *e, const struct freed *f)
{
	for (size_t pair = 0; pair < e->books->npairs; pair++) {
		if (f->sums[pair])
			books_add(e->books, f->q->node, (int) pair, f->sums[pair]);
	}
	withheld_renew(e, f->q);
}

bool freed_fit_beside(struct plan *p, const struct queue *q,
		      const struct use *uses, size_t n)
{
	size_t mark = trial_begin(p->e);
	bool fit;

	for (const struct freed *f = p->freed; f; f = f->next)
		freed_restore(p->e, f);
	fit = books_fit(p->e->books, q->node, uses, n);
	trial_end(p->e, mark);
	return fit;
}

/* Non-preemptible victims were on their way out before the plan: there are
 * few. */
static void fixed_restore(const struct plan *p)
{
	for (size_t i = 0; i < p->ngone; i++) {
		if (p->gone[i]->tentative)
			continue;
		for_each_in_unit(m, p->gone[i]) {
			if (m->fixed && m->q->tree->plan == p->trees->plan)
				fixed_add_all(p->e->books, m->q->node,
					      m->uses, m->nuses);
		}
	}
}

bool freed_cap_admits_beside(const struct plan *p, const struct workload *w,
			     const struct use *uses, size_t n)
{
	size_t mark;
	bool admits;

	if (!p->fixed_gone || !workload_is_capped(w))
		return true;
	mark = trial_begin(p->e);
	fixed_restore(p);
	admits = cap_admits(p->e, w->shape->q, uses, n);
	trial_end(p->e, mark);
	return admits;
}
