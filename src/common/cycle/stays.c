/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stays.c - what the books would be if the victims of a cycle had stayed
 *
 * The usage of a node is that of its children, each less the quota that the child
 * never lends. So the difference which victims make to a child decides the one that
 * they make to its parent.
 */
#include "core/engine_state.h"
#include "core/withheld.h"
#include "cycle/stays.h"
#include "quota/derive.h"
#include "holding/unit.h"

/* A pair of a node */
struct stay {
	struct stay *next;		/* of the same node */
	int pair;
	int64_t taken;			/* a queue: of its victims */
	int64_t more;			/* the node would use more, */
	int64_t passed;			/* and its parent by this child */
};

void stays_begin(struct stays *s, struct engine *e, int root, bool above)
{
	*s = (struct stays) { .e = e, .root = root, .above = above };
}

void stays_end(struct stays *s)
{
	s->any = s->lost = false;
}

static struct stay **stays_of(const struct stays *s, int node)
{
	const struct node *nodes = s->e->books->nodes;

	return &s->first[nodes[node].number - nodes[s->root].number];
}

static struct stay *stay_find(const struct stays *s, int node, int pair)
{
	struct stay *stay = s->any ? *stays_of(s, node) : NULL;

	while (stay && stay->pair != pair)
		stay = stay->next;
	return stay;
}

static struct stay *stay_make(struct stays *s, int node, int pair)
{
	struct stay *stay = stay_find(s, node, pair);

	if (stay)
		return stay;
	stay = arena_alloc(&s->e->arena, 1, sizeof(*stay));
	if (!stay) {
		s->e->no_memory = true;
		return NULL;
	}
	stay->pair = pair;
	stay->next = *stays_of(s, node);
	*stays_of(s, node) = stay;
	return stay;
}

/* What a parent has of a child that uses so much */
static int64_t above_local(const struct quota *quota, int64_t usage)
{
	return max64(0, sat_sub(usage, quota->local));
}

/* What the queue withholds is less with its victims. */
static int64_t queue_more(const struct stays *s, const struct queue *q,
			  const struct stay *stay)
{
	if (!q->nwithheld)
		return stay->taken;
	return sat_sub(stay->taken, withheld_yields(s->e, q, stay->pair,
						    stay->taken));
}

/* How much more the parent has by a child that would use so much more */
static int64_t passes(struct stays *s, int node, int pair, int64_t more)
{
	const struct cell *c = books_cell(s->e->books, node, pair);
	const struct quota *quota = cell_quota(s->e->books, c);
	int64_t sum;

	if (c->usage == INT64_MAX
	    || __builtin_add_overflow(c->usage, more, &sum)
	    || sum == INT64_MAX)
		s->lost = true;
	return above_local(quota, sat_add(c->usage, more))
	       - above_local(quota, c->usage);
}

/* The pair of the queue and of the cohorts above it, by the books as they are */
static void stay_renew(struct stays *s, const struct queue *q, int pair)
{
	struct stay *stay = stay_find(s, q->node, pair), *up;
	int64_t change;

	if (stay)
		stay->more = queue_more(s, q, stay);
	for (int node = q->node, parent = s->e->books->nodes[node].parent;
	     parent != SPEC_NONE;
	     node = parent, parent = s->e->books->nodes[node].parent) {
		change = 0;
		if (stay) {
			change = -stay->passed;
			stay->passed = passes(s, node, pair, stay->more);
			change += stay->passed;
		}
		up = change ? stay_make(s, parent, pair)
			    : stay_find(s, parent, pair);
		if (up)
			up->more = sat_add(up->more, change);
		stay = up;
	}
}

void stays_renew(struct stays *s, const struct queue *q, const struct use *uses,
		 size_t n)
{
	if (!s->any || !s->above)
		return;
	for (size_t i = 0; i < n; i++)
		stay_renew(s, q, uses[i].pair);
}

static bool any_begin(struct stays *s)
{
	const struct node *root = &s->e->books->nodes[s->root];

	if (s->any)
		return true;
	s->first = arena_alloc(&s->e->arena,
			       (size_t) (root->last_below - root->number) + 1,
			       sizeof(struct stay *));
	s->any = s->first != NULL;
	s->e->no_memory |= !s->any;
	return s->any;
}

static void member_add(struct stays *s, const struct holding *m)
{
	for (size_t i = 0; i < m->nuses; i++) {
		struct stay *stay = stay_make(s, m->q->node, m->uses[i].pair);

		if (stay)
			stay->taken = sat_add(stay->taken, m->uses[i].amount);
	}
	stays_renew(s, m->q, m->uses, m->nuses);
}

/* Members of its unit may be in other trees, which do not matter here. */
void stays_add(struct stays *s, const struct holding *h)
{
	if (!any_begin(s))
		return;
	for_each_in_unit(m, (struct holding *) h) {
		if (s->e->books->nodes[m->q->node].root == s->root)
			member_add(s, m);
	}
}

int64_t stays_taken(const struct stays *s, const struct queue *q, int pair)
{
	const struct stay *stay = stay_find(s, q->node, pair);

	return stay ? stay->taken : 0;
}

void stays_restore(const struct stays *s, const struct queue *q, int top)
{
	struct books *b = s->e->books;
	int node = q->node;

	if (!s->any)
		return;
	for (;; node = b->nodes[node].parent) {
		for (const struct stay *stay = *stays_of(s, node); stay;
		     stay = stay->next)
			books_add_here(b, node, stay->pair, stay->more);
		if (node == top)
			return;
	}
}
