/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * freed.c - what the victims of a plan use, summed by queue
 */
#include "core/withheld.h"
#include "plan/freed.h"
#include "workload/unit.h"

struct freed {
	struct freed *next;
	struct queue *q;
	struct use *uses;
	size_t nuses;
	size_t *place;			/* by pair: in uses[], from 1; 0: none */
};

static struct freed *freed_create(struct plan *p, struct queue *q)
{
	struct arena *arena = &p->tree->arena;
	size_t npairs = p->e->books->npairs;
	struct freed *f = arena_alloc(arena, 1, sizeof(*f));
	struct use *uses = arena_alloc(arena, npairs, sizeof(*uses));
	size_t *place = arena_alloc(arena, npairs, sizeof(*place));

	if (!f || !uses || !place) {
		p->e->no_memory = true;
		return NULL;
	}
	*f = (struct freed) { p->freed, q, uses, 0, place };
	p->freed = f;
	q->freed = f;
	return f;
}

static void uses_add(struct freed *f, const struct holding *h)
{
	for (size_t i = 0; i < h->nuses; i++) {
		size_t *place = &f->place[h->uses[i].pair];
		struct use *sum;

		if (!*place) {
			f->uses[f->nuses++] = (struct use) { h->uses[i].pair, 0 };
			*place = f->nuses;
		}
		sum = &f->uses[*place - 1];
		sum->amount = sat_add(sum->amount, h->uses[i].amount);
	}
}

/* Members in other trees are none of this plan's business. */
int freed_add(struct plan *p, struct holding *h)
{
	for_each_in_unit(m, h) {
		struct freed *f = m->q->freed;

		if (m->q->tree != p->tree)
			continue;
		if (!f)
			f = freed_create(p, m->q);
		if (!f)
			return -1;
		uses_add(f, m);
	}
	return 0;
}

void freed_restore(const struct plan *p)
{
	for (const struct freed *f = p->freed; f; f = f->next) {
		books_add_all(p->e->books, f->q->node, f->uses, f->nuses);
		withheld_renew(p->e, f->q);
	}
}
