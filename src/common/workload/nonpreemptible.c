/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nonpreemptible.c - running workloads become non-preemptible, or preemptible
 */
#include "core/cap.h"
#include "holding/holding.h"
#include "holding/settled.h"
#include "workload/workload.h"

/* A listed holding becomes non-preemptible, or preemptible */
static void holding_fix(struct engine *e, struct holding *h, bool fixed)
{
	int sign = fixed ? 1 : -1;

	if (h->fixed == fixed)
		return;
	h->fixed = fixed;
	holding_renew(h);
	fixed_change(e->books, h->q->node, h->uses, h->nuses, sign);
	fixed_group_count(e, h->w->shape->group, sign);
	unit_touch(e, h);
	if (fixed)
		settled_review(e, h);
}

static bool starts_before(const struct holding *a, const struct holding *b)
{
	if (holding_start(a) != holding_start(b))
		return holding_start(a) < holding_start(b);
	return a->w->tiebreak < b->w->tiebreak;
}

/* Of the members that are (or are not) non-preemptible the first to have
 * started that the cap admits, or the last one; NULL: none */
static struct holding *member_find(const struct engine *e, const struct queue *q,
				   const struct fixed_group *g, bool fixed)
{
	struct holding *found = NULL;

	for_each_holding(h, q) {
		if (h->w->shape->group != g || h->fixed != fixed || h->evicting
		    || (found && starts_before(found, h) != fixed)
		    || (!fixed && !cap_admits(e, q, h->uses, h->nuses)))
			continue;
		found = h;
	}
	return found;
}

void fixed_members_settle(struct engine *e, const struct holding *h)
{
	const struct fixed_group *g = h->w->shape->group;
	struct holding *member;

	while (g && g->now < g->most && (member = member_find(e, h->q, g, false)))
		holding_fix(e, member, true);
	while (g && g->now > g->most && (member = member_find(e, h->q, g, true)))
		holding_fix(e, member, false);
}

bool engine_set_nonpreemptible(struct engine *e, struct workload *w, bool nonpreemptible)
{
	struct holding *h = holding_of(w);

	if (!h)
		return w->shape->nonpreemptible;
	if (!nonpreemptible)
		holding_fix(e, h, false);
	else if (h->fixed && w->shape->group)
		fixed_members_settle(e, h);
	else if (!h->fixed && fixed_group_has_room(w->shape->group)
		 && cap_admits(e, h->q, h->uses, h->nuses))
		holding_fix(e, h, true);
	return h->fixed;
}

void engine_keep_nonpreemptible(struct engine *e, struct workload *w, bool nonpreemptible)
{
	if (w->runs)
		holding_fix(e, w->held, nonpreemptible);
}
