/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond.c - waiting workloads that are decided about together
 *
 * A job with several partitions has an entry in each of its queues, and only
 * one of them may start. Of a heterogeneous job all components start, or none.
 * plan/bonds.c sees to that.
 */
#include <stdlib.h>

#include "workload/workload.h"

static struct bond *bond_create(struct engine *e, struct workload *w, enum bond_kind kind)
{
	struct bond *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->kind = kind;
	b->members = w;
	b->nmembers = 1;
	list_push(&e->bonds, b, next, link);
	w->bond = b;
	return b;
}

static struct workload **bond_end(struct bond *b)
{
	struct workload **at = &b->members;

	while (*at)
		at = &(*at)->bond_next;
	return at;
}

int engine_bond(struct engine *e, struct workload *w, struct workload *with, enum bond_kind kind)
{
	struct bond *b = with->bond;

	if (w->runs || with->runs || w == with || w->bond || (b && b->kind != kind))
		return failed(EINVAL);
	if (!b)
		b = bond_create(e, with, kind);
	if (!b)
		return -1;
	w->bond = b;
	*bond_end(b) = w;
	b->nmembers++;
	bond_change(w);
	tree_request_plan(e, w->shape->q->tree);
	tree_request_plan(e, with->shape->q->tree);
	return 0;
}

void bond_change(struct workload *w)
{
	if (w->bond)
		w->bond->judged = false;
}

/* From now on it is decided about without the others. */
static void member_free(struct engine *e, struct workload *w)
{
	w->because = NULL;
	tree_request_plan(e, w->shape->q->tree);
}

static void member_forget(struct workload *w)
{
	w->bond = NULL;
	w->bond_next = NULL;
}

void engine_unbond(struct engine *e, struct workload *w)
{
	struct bond *b = w->bond;
	struct workload **at;

	if (!b)
		return;
	for (at = &b->members; *at != w; at = &(*at)->bond_next)
		;
	*at = w->bond_next;
	bond_change(w);
	member_free(e, w);
	member_forget(w);
	for (struct workload *m = b->members; m; m = m->bond_next)
		member_free(e, m);
	if (--b->nmembers > 1)
		return;
	if (b->members)
		member_forget(b->members);
	list_drop(b, next, link);
	free(b);
}

const struct workload *bond_cause(const struct workload *w)
{
	return w->because && w->plan == w->shape->q->tree->plan ? w->because : w;
}

bool bond_blocks(const struct workload *w)
{
	const struct decision *d = workload_decision(w);

	return bond_is_together(w) && !w->bond->gives_way && d && d->failed;
}

const struct workload *engine_waits_for(const struct engine *e, const struct workload *w)
{
	(void) e;
	return bond_cause(w);
}
