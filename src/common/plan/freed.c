/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * freed.c - what the victims of a plan use, summed by queue
 *
 * With its victims a queue would use more, so it would withhold less of its quota:
 * that is what it yields. Both are summed for the cohorts above, and what a queue
 * yields is only asked again after something was booked for it.
 */
#include "core/cap.h"
#include "core/tree_state.h"
#include "holding/trial.h"
#include "core/withheld.h"
#include "plan/freed.h"
#include "holding/unit.h"

/* Of a queue, or of a cohort: the sum of the queues below it */
struct freed {
	struct freed *next;
	struct queue *q;		/* NULL: a cohort */
	struct use *uses;
	size_t nuses;
	int64_t *yields;		/* of uses[]: how much less is withheld
					 * then; 0 where it is apart. A cohort: the
					 * sum, less what queues that keep quota
					 * pass on */
	size_t *place;			/* by pair: in uses[], from 1; 0: none */
	bool *apart;			/* of uses[]: not in the sums of cohorts,
					 * as some cohort on the way up keeps quota
					 * to itself */
	bool *kept;			/* so does the queue, and no cohort: then it
					 * passes on less than it uses, by its
					 * usage */
	bool keeps;			/* some is kept */
	int64_t *passes;		/* kept: how much more that would be */
};

static struct freed *freed_create(struct plan *p, struct queue *q)
{
	struct arena *arena = &p->tree->arena;
	size_t npairs = p->e->books->npairs;
	struct freed *f = arena_alloc(arena, 1, sizeof(*f));
	struct use *uses = arena_alloc(arena, npairs, sizeof(*uses));
	int64_t *yields = arena_alloc(arena, npairs, sizeof(*yields));
	size_t *place = arena_alloc(arena, npairs, sizeof(*place));
	bool *apart = arena_alloc(arena, npairs, sizeof(*apart));
	bool *kept = arena_alloc(arena, npairs, sizeof(*kept));
	int64_t *passes = arena_alloc(arena, npairs, sizeof(*passes));

	if (!f || !uses || !yields || !place || !apart || !kept || !passes) {
		p->e->no_memory = true;
		return NULL;
	}
	*f = (struct freed) {
		.q = q, .uses = uses, .yields = yields, .place = place,
		.apart = apart, .kept = kept, .passes = passes,
	};
	return f;
}

/* Cohorts that have no victims below have none; they are made with the first
 * queue that has. */
static bool cohorts_create(struct plan *p, const struct queue *q)
{
	const struct books *b = p->e->books;

	if (!p->freed_below)
		p->freed_below = arena_alloc(&p->tree->arena, b->ncohorts,
					     sizeof(*p->freed_below));
	if (!p->freed_below) {
		p->e->no_memory = true;
		return false;
	}
	for (int n = b->nodes[q->node].parent; n != SPEC_NONE;
	     n = b->nodes[n].parent) {
		if (!p->freed_below[n])
			p->freed_below[n] = freed_create(p, NULL);
		if (!p->freed_below[n])
			return false;
	}
	return true;
}

static struct freed *queue_create(struct plan *p, struct queue *q)
{
	struct freed *f = cohorts_create(p, q) ? freed_create(p, q) : NULL;

	if (!f)
		return NULL;
	f->next = p->freed;
	p->freed = f;
	q->freed = f;
	return f;
}

/* Does any cohort above the queue keep quota of the pair to itself? Then what is used
 * above depends on what else is used below. */
static bool cohort_keeps(const struct books *b, int queue, int pair)
{
	int node = b->nodes[queue].parent;

	for (; node != SPEC_NONE && b->nodes[node].parent != SPEC_NONE;
	     node = b->nodes[node].parent) {
		if (books_quota(b, node, pair)->local > 0)
			return true;
	}
	return false;
}

static void place_begin(struct plan *p, struct freed *f, size_t i, int pair)
{
	const struct books *b = p->e->books;

	f->uses[i] = (struct use) { pair, 0 };
	f->place[pair] = i + 1;
	if (!f->q || b->nodes[f->q->node].parent == SPEC_NONE)
		return;
	f->apart[i] = cohort_keeps(b, f->q->node, pair);
	f->kept[i] = !f->apart[i]
		     && books_quota(b, f->q->node, pair)->local > 0;
	f->keeps |= f->kept[i];
	p->freed_apart |= f->apart[i];
}

static size_t use_add(struct plan *p, struct freed *f, const struct use *u)
{
	size_t *place = &f->place[u->pair];
	struct use *sum;

	if (!*place)
		place_begin(p, f, f->nuses++, u->pair);
	sum = &f->uses[*place - 1];
	sum->amount = sat_add(sum->amount, u->amount);
	return *place - 1;
}

static void uses_add(struct plan *p, struct freed *f, const struct holding *h)
{
	const struct books *b = p->e->books;

	for (size_t i = 0; i < h->nuses; i++) {
		size_t place = use_add(p, f, &h->uses[i]);
		struct use u = h->uses[i];

		if (f->apart[place])
			continue;
		if (f->kept[place])
			u.amount = 0;
		for (int n = b->nodes[h->q->node].parent; n != SPEC_NONE;
		     n = b->nodes[n].parent)
			use_add(p, p->freed_below[n], &u);
	}
	freed_follow(h->q);
}

/* Members in other trees are none of this plan's business. */
int freed_add(struct plan *p, struct holding *h)
{
	for_each_in_unit(m, h) {
		struct freed *f = m->q->freed;

		if (m->q->tree != p->tree)
			continue;
		if (!f)
			f = queue_create(p, m->q);
		if (!f)
			return -1;
		uses_add(p, f, m);
		p->fixed_gone |= m->fixed;
	}
	return 0;
}

/* The cohorts above have more of what a queue yields, or less of what it passes on. */
static void yields_sum(struct plan *p, const struct queue *q, int pair,
		       int64_t more)
{
	const struct node *nodes = p->e->books->nodes;

	for (int n = nodes[q->node].parent; n != SPEC_NONE; n = nodes[n].parent) {
		struct freed *below = p->freed_below[n];
		int64_t *sum = &below->yields[below->place[pair] - 1];

		if (__builtin_add_overflow(*sum, more, sum))
			p->yields_lost = true;
	}
}

void freed_follow(struct queue *q)
{
	if (q->freed && q->freed->keeps)
		withheld_note(q);
}

/* How much more of the pair would the queue pass on if it used so much more? */
static int64_t passes_of(struct plan *p, const struct queue *q, int pair,
			 int64_t more)
{
	const struct cell *c = books_cell(p->e->books, q->node, pair);
	int64_t local = cell_quota(p->e->books, c)->local, sum;

	if (c->usage == INT64_MAX || __builtin_add_overflow(c->usage, more, &sum)) {
		p->yields_lost = true;
		return 0;
	}
	return sat_sub(max64(sum, local), max64(c->usage, local));
}

static void yields_renew(struct plan *p, struct freed *f)
{
	for (size_t i = 0; i < f->nuses; i++) {
		const struct use *u = &f->uses[i];
		int64_t yields = 0, passes = 0;

		if (f->apart[i])
			continue;
		if (f->q->nwithheld)
			yields = withheld_yields(p->e, f->q, u->pair,
						 u->amount);
		if (f->kept[i]) {
			passes = passes_of(p, f->q, u->pair,
					   sat_sub(u->amount, yields));
			yields_sum(p, f->q, u->pair, f->passes[i] - passes);
		} else if (yields != f->yields[i]) {
			yields_sum(p, f->q, u->pair, yields - f->yields[i]);
		}
		f->yields[i] = yields;
		f->passes[i] = passes;
	}
}

static void yields_follow(struct plan *p)
{
	struct queue *q;

	while ((q = withheld_next_rebooked(p->tree))) {
		if (q->freed)
			yields_renew(p, q->freed);
	}
}

/* It is in no sum that counts. */
static bool is_apart(const struct plan *p, const struct freed *f, size_t i)
{
	return f->apart[i] || (p->yields_lost && f->kept[i]);
}

static void apart_restore(const struct plan *p)
{
	const struct freed *f = p->freed_apart || p->yields_lost ? p->freed
								  : NULL;

	for (; f; f = f->next) {
		for (size_t i = 0; i < f->nuses; i++) {
			if (is_apart(p, f, i))
				books_add(p->e->books, f->q->node,
					  f->uses[i].pair, f->uses[i].amount);
		}
	}
}

/* What was restored apart is in the usage of its queue already. */
static void apart_yield(const struct plan *p)
{
	const struct freed *f = p->freed_apart || p->yields_lost ? p->freed
								  : NULL;
	struct books *b = p->e->books;

	for (; f; f = f->next) {
		for (size_t i = 0; f->q->nwithheld && i < f->nuses; i++) {
			int pair = f->uses[i].pair;
			int64_t more = is_apart(p, f, i) ? 0
							 : f->uses[i].amount;

			if (f->apart[i] || p->yields_lost)
				books_remove(b, f->q->node, pair,
					     withheld_yields(p->e, f->q, pair,
							     more));
		}
	}
}

/* Adds the sum of a node, less what is yielded, but for what was restored apart */
static void sum_restore(const struct plan *p, int node, const struct freed *f,
			const struct use *uses, size_t n)
{
	for (size_t i = 0; f && i < n; i++) {
		size_t place = f->place[uses[i].pair];
		int64_t yields;

		if (!place || is_apart(p, f, place - 1))
			continue;
		yields = p->yields_lost ? 0 : f->yields[place - 1];
		books_add_here(p->e->books, node, uses[i].pair,
			       sat_sub(f->uses[place - 1].amount, yields));
	}
}

bool freed_fit_beside(struct plan *p, const struct queue *q,
		      const struct use *uses, size_t n)
{
	struct engine *e = p->e;
	size_t mark = trial_begin(e);
	bool fit;

	if (p->freed) {
		yields_follow(p);
		apart_restore(p);
		apart_yield(p);
		sum_restore(p, q->node, q->freed, uses, n);
		for (int k = e->books->nodes[q->node].parent; k != SPEC_NONE;
		     k = e->books->nodes[k].parent)
			sum_restore(p, k, p->freed_below[k], uses, n);
	}
	fit = books_fit(e->books, q->node, uses, n);
	trial_end(e, mark);
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
			if (m->fixed && m->q->tree == p->tree)
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
