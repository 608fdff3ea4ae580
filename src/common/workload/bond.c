/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond.c - waiting workloads that are decided about together
 *
 * A job with several partitions has an entry in each of its queues, and only
 * one of them may start. Of a heterogeneous job all components start, or none.
 * plan/bonds.c sees to that.
 */
#include <errno.h>
#include <stdlib.h>

#include "workload/workload.h"

static struct bond *bond_create(struct engine *e, struct workload *w,
				enum bond_kind kind)
{
	struct bond *b = rare_get(w) ? calloc(1, sizeof(*b)) : NULL;

	if (!b) {
		rare_drop_empty(w);
		return NULL;
	}
	b->kind = kind;
	b->members = w;
	b->nmembers = 1;
	b->next = e->bonds;
	b->link = &e->bonds;
	if (b->next)
		b->next->link = &b->next;
	e->bonds = b;
	w->rare->bond = b;
	return b;
}

static void bond_free(struct bond *b)
{
	*b->link = b->next;
	if (b->next)
		b->next->link = b->link;
	free(b);
}

static struct workload **bond_end(struct bond *b)
{
	struct workload **at = &b->members;

	while (*at)
		at = &(*at)->rare->bond_next;
	return at;
}

int engine_bond(struct engine *e, struct workload *w, struct workload *with,
		enum bond_kind kind)
{
	struct bond *b = workload_bond(with);

	if (w->runs || with->runs || w == with || workload_bond(w)
	    || (b && b->kind != kind)) {
		errno = EINVAL;
		return -1;
	}
	if (!rare_get(w))
		return -1;
	if (!b)
		b = bond_create(e, with, kind);
	if (!b) {
		rare_drop_empty(w);
		return -1;
	}
	w->rare->bond = b;
	*bond_end(b) = w;
	b->nmembers++;
	memory_share(b);
	bond_change(w);
	tree_request_plan(e, w->shape->q->tree);
	tree_request_plan(e, with->shape->q->tree);
	return 0;
}

void bond_change(struct workload *w)
{
	if (workload_bond(w))
		w->rare->bond->judged = false;
}

/* From now on it is decided about without the others. */
static void member_free(struct engine *e, struct workload *w)
{
	w->rare->because = NULL;
	tree_request_plan(e, w->shape->q->tree);
}

static void member_forget(struct workload *w)
{
	w->rare->bond = NULL;
	w->rare->bond_next = NULL;
	rare_drop_empty(w);
}

void bond_leave(struct engine *e, struct workload *w)
{
	struct bond *b = workload_bond(w);
	struct workload **at;

	if (!b)
		return;
	for (at = &b->members; *at != w; at = &(*at)->rare->bond_next)
		;
	*at = w->rare->bond_next;
	bond_change(w);
	member_free(e, w);
	member_forget(w);
	for (struct workload *m = b->members; m; m = m->rare->bond_next)
		member_free(e, m);
	if (--b->nmembers > 1)
		return;
	if (b->members)
		member_forget(b->members);
	bond_free(b);
}

void engine_unbond(struct engine *e, struct workload *w)
{
	bond_leave(e, w);
}

const struct workload *bond_cause(const struct workload *w)
{
	const struct workload *because = w->rare ? w->rare->because : NULL;

	return because && w->plan == w->shape->q->tree->plan ? because : w;
}

bool bond_blocks(const struct workload *w)
{
	const struct decision *d = workload_decision(w);

	return bond_is_together(w) && !w->rare->bond->gives_way && d && d->failed;
}

const struct workload *engine_waits_for(const struct engine *e,
					const struct workload *w)
{
	(void) e;
	return bond_cause(w);
}
