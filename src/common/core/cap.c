/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cap.c - nominal quota caps what non-preemptible workloads use
 */
#include "core/cap.h"
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "core/withheld.h"

/* ---- elastic groups ---- */

struct fixed_group *fixed_group_get(struct engine *e, const struct queue *q,
				    uint64_t key, int64_t most)
{
	struct fixed_group *g = keyed_get(&e->fixed_groups, q->node, key, sizeof(*g));

	if (!g)
		return NULL;
	g->q = q;
	g->users++;
	fixed_group_tell(e, g, most);
	return g;
}

void fixed_group_tell(struct engine *e, struct fixed_group *g, int64_t most)
{
	if (g->most == most)
		return;
	g->most = most;
	tree_request_plan(e, g->q->tree);
}

void fixed_group_put(struct engine *e, struct fixed_group *g)
{
	if (!g || --g->users)
		return;
	keyed_free(&e->fixed_groups, &g->keyed);
}

void fixed_group_count(struct engine *e, struct fixed_group *g, int by)
{
	if (g)
		books_write(e->books, &g->now, g->now + by);
}

/* ---- what the cap admits ---- */

bool cap_admits(const struct engine *e, const struct queue *q, const struct use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (uses[i].amount > 0
		    && uses[i].amount > fixed_room(e->books, q->node,
						   uses[i].pair,
						   q->spec.cap_scope))
			return false;
	}
	return true;
}

bool workload_charge(struct engine *e, const struct workload *w, const struct use *uses, size_t n)
{
	bool fixed = workload_is_capped(w);

	books_charge(e->books, w->shape->q->node, uses, n, fixed, 1);
	if (fixed)
		fixed_group_count(e, w->shape->group, 1);
	return fixed;
}

void claim_charge(struct engine *e, const struct workload *w, int sign)
{
	const struct claim *claim = w->claim;

	books_charge(e->books, w->shape->q->node, claim->uses, claim->nuses, claim->fixed, sign);
	if (claim->fixed)
		fixed_group_count(e, w->shape->group, sign);
}

bool workload_fits(struct engine *e, const struct workload *w, const struct use *uses, size_t n)
{
	const struct queue *q = w->shape->q;

	return kept_fit(e, q, uses, n)
	       && (!workload_is_capped(w) || cap_admits(e, q, uses, n));
}
