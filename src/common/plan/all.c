/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * all.c - the plan of all trees
 *
 * Trees are independent of each other, except for the bonds between them. Only
 * trees that an event or the clock has made stale are planned anew, and those that bonds
 * tie to them.
 */
#include <errno.h>

#include "plan/plan.h"
#include "quota/calendar.h"
#include "holding/settled.h"

static struct tree *leader_of(struct tree *tree)
{
	while (tree->leader != tree) {
		tree->leader = tree->leader->leader;
		tree = tree->leader;
	}
	return tree;
}

/* The first one of the spec leads. */
static void trees_tie(struct tree *a, struct tree *b)
{
	a = leader_of(a);
	b = leader_of(b);
	if (a < b)
		b->leader = a;
	else
		a->leader = b;
}

/* Trees that bonds tie together, directly or through others, are planned in one. */
static void groups_find(struct engine *e)
{
	for (size_t i = 0; i < e->ntrees; i++) {
		e->trees[i].leader = &e->trees[i];
		e->trees[i].next_in_group = NULL;
	}
	for (const struct bond *b = e->bonds; b; b = b->next) {
		for_each_member(m, b)
			trees_tie(b->members->shape->q->tree, m->shape->q->tree);
	}
	for (size_t i = e->ntrees; i-- > 0; ) {
		struct tree *tree = &e->trees[i], *leader = leader_of(tree);

		if (tree == leader)
			continue;
		tree->next_in_group = leader->next_in_group;
		leader->next_in_group = tree;
	}
}

/* Plans the trees of the group anew if one of them needs that. -1: no memory; they stay
 * stale. */
static int group_renew(struct engine *e, struct tree *leader, int64_t now)
{
	bool plan = false;
	int rc;

	for (struct tree *t = leader; t; t = t->next_in_group)
		plan |= t->needs_plan;
	if (!plan)
		return 0;
	rc = plan_make(e, leader, now);
	for (struct tree *t = leader; t; t = t->next_in_group) {
		if (rc < 0) {
			tree_request_plan(e, t);
			continue;
		}
		t->needs_plan = false;
		t->covered = ++e->plans;
	}
	return rc;
}

static void expired_touch(struct engine *e, int64_t now)
{
	for (size_t i = 0; i < e->ntrees; i++) {
		if (e->trees[i].next_expiry && now >= e->trees[i].next_expiry)
			tree_request_plan(e, &e->trees[i]);
	}
}

int engine_plan(struct engine *e, int64_t now)
{
	int rc = 0;

	trees_date(e, now);
	settled_follow(e);
	expired_touch(e, now);
	if (!e->stale)
		return 0;
	e->stale = false;
	groups_find(e);
	for (size_t i = 0; i < e->ntrees; i++) {
		if (e->trees[i].leader == &e->trees[i]
		    && group_renew(e, &e->trees[i], now) < 0)
			rc = -1;
	}
	if (rc < 0) {
		errno = ENOMEM;
		return -1;
	}
	return 1;
}

void engine_set_plan_budget(struct engine *e, uint64_t looks)
{
	e->plan_budget = looks;
}

uint64_t engine_cut_plans(const struct engine *e)
{
	return e->cut_plans;
}

bool engine_stale(const struct engine *e, int64_t now)
{
	int64_t next = engine_next_expiry(e);

	return e->stale || (next && now >= next);
}

int64_t engine_next_expiry(const struct engine *e)
{
	int64_t first = calendar_next(e->books);

	for (size_t i = 0; i < e->ntrees; i++)
		earliest_note(&first, e->trees[i].next_expiry);
	return first;
}

