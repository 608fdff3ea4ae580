/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_all.c - the plan of all trees
 *
 * Trees are independent of each other, except for the bonds between them. Only
 * trees that an event or the clock has made stale are planned anew.
 */
#include <errno.h>

#include "core/tree.h"
#include "core/tree_state.h"
#include "plan/plan.h"
#include "quota/calendar.h"
#include "trees/bonds.h"
#include "holding/settled.h"

/* Plans the tree anew, or keeps its plan if nothing has changed that the plan
 * depends on */
static int tree_renew(struct engine *e, struct tree *tree, int64_t now)
{
	if (tree->needs_plan && plan_make(e, tree, now) < 0)
		return -1;
	tree->needs_plan = false;
	tree->covered = ++e->plans;
	return 0;
}

static void expired_touch(struct engine *e, int64_t now)
{
	if (!e->next_expiry || now < e->next_expiry)
		return;
	for (size_t i = 0; i < e->ntrees; i++) {
		if (e->trees[i].next_expiry && now >= e->trees[i].next_expiry)
			tree_request_plan(e, &e->trees[i]);
	}
}

static void next_expiry_set(struct engine *e)
{
	e->next_expiry = 0;
	for (size_t i = 0; i < e->ntrees; i++) {
		int64_t next = e->trees[i].next_expiry;

		if (next && (!e->next_expiry || next < e->next_expiry))
			e->next_expiry = next;
	}
}

/* -1: no memory for some of the trees, which stay stale */
static int trees_plan(struct engine *e, int64_t now)
{
	struct tree *failed = NULL;

	while (e->to_renew) {
		struct tree *tree = e->to_renew;

		e->to_renew = tree->next_to_renew;
		tree->needs_renewal = false;
		if (tree_renew(e, tree, now) < 0) {
			tree->needs_renewal = true;
			tree->next_to_renew = failed;
			failed = tree;
		}
	}
	e->to_renew = failed;
	return failed ? -1 : 0;
}

int engine_plan(struct engine *e, int64_t now)
{
	int pass = 0, rc;

	trees_date(e, now);
	settled_follow(e);
	expired_touch(e, now);
	if (!e->to_renew)
		return 0;
	if (bonds_begin(e, now) < 0) {
		errno = ENOMEM;
		return -1;
	}
	rc = trees_plan(e, now);
	while (rc == 0 && bonds_resolve(e, pass++))
		rc = trees_plan(e, now);
	bonds_end(e);
	next_expiry_set(e);
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

	return e->to_renew || (next && now >= next);
}

int64_t engine_next_expiry(const struct engine *e)
{
	int64_t change = calendar_next(e->books);

	if (!change || !e->next_expiry)
		return change ? change : e->next_expiry;
	return min64(change, e->next_expiry);
}

