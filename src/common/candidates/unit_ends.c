/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit_ends.c - when the first unit of a queue may go
 */
#include "candidates/unit_ends.h"
#include "holding/unit.h"

/* So many members of units are looked at in a queue, for the first end */
#define MOST_LOOKS 64

/* When a min-runtime or a turn of a unit of the queue could end first, each unit when
 * the last of its members may go */
struct unit_ends {
	const struct runtimes *r;
	int64_t runtime;		/* the longest one of any member */
	int64_t now;
	int64_t over;			/* a unit whose last member began then, or
					 * before, is free */
	int64_t first;			/* INT64_MAX: none so far */
	int looks;			/* that are left */
};

/* One whose last member began later: it ends no sooner than any of the members. h is not in
 * the preemptor's own queue. Only members in that one have turns, and perhaps no
 * min-runtime. */
static void unit_look(struct unit_ends *u, const struct holding *h)
{
	int64_t end = max64(h->unit_exempt, sat_add(h->unit_from, u->r->of_any));
	bool young = sat_add(h->unit_from, u->runtime) > u->now;

	for_each_in_unit(m, (struct holding *) h) {
		int64_t turn = m->q->spec.min_admit;

		u->looks--;
		if (m->q == h->q) {
			end = max64(end, minruntime_until(m->reserved_at,
							  max64(0, u->r->shortest)));
		} else if (turn != SPEC_NO_TIME) {
			turn = sat_add(sat_add(m->reserved_at, turn), 1);
			if (turn > u->now)
				u->first = min64(u->first, turn);
		}
	}
	if (young)
		u->first = min64(u->first, max64(end, sat_add(u->now, 1)));
}

static void units_below(struct unit_ends *u, const struct rank_node *node)
{
	while (node && u->looks > 0) {
		const struct holding *h = holding_by_start(node);

		if (h->by_start.below.unit_from <= u->over)
			return;
		units_below(u, node->left);
		if (h->unit && !h->left && h->unit_from > u->over)
			unit_look(u, h);
		node = node->right;
	}
}

int64_t first_unit_end(const struct engine *e, const struct rank_node *root,
		       const struct runtimes *r, int64_t now)
{
	int64_t longest = max64(max64(0, e->longest_runtime), r->turn);
	struct unit_ends u = {
		.r = r, .runtime = max64(0, e->longest_runtime), .now = now,
		.over = sat_sub(sat_sub(now, longest), 1),
		.first = INT64_MAX, .looks = MOST_LOOKS,
	};

	units_below(&u, root);
	return u.looks > 0 ? u.first : sat_add(now, 1);
}
