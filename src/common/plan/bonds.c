/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bonds.c - heads that are decided about with a view to each other
 *
 * doc/how-it-decides.md, section 9. All trees that a bond ties together are planned in
 * one, so all members can be looked at. For heterogeneous jobs see components.c.
 *
 * Several partitions (BOND_EITHER): an entry that would go waits while a better one is
 * undecided. When nothing moves any more the best of those that could go does. Then the
 * others are out of the plan; if its start is taken back, they return.
 */
#include "plan/plan.h"

/* ---- several partitions ---- */

/* An entry that could go, the best first */
enum way { GOES_NO_WAY = -1, STARTS, STARTS_WITHOUT_NODES, EVICTS };

static enum way way_of(const struct entry *entry)
{
	if (!entry || !outcome_goes(entry->outcome) || !workload_is_undecided(entry->w))
		return GOES_NO_WAY;
	if (entry_evicts(entry))
		return EVICTS;
	return entry->w->blocked ? STARTS_WITHOUT_NODES : STARTS;
}

/* Another entry of the job could turn out to be better. */
static bool may_be_worse(const struct entry *entry, enum way way)
{
	bool before = true;

	for_each_member(m, entry->w->bond) {
		before &= m != entry->w;
		if (m != entry->w && (before || way != STARTS) && member_has_hope(m))
			return true;
	}
	return false;
}

/* An entry before it goes the same way. */
static bool is_second(const struct entry *entry, enum way way)
{
	for_each_member(m, entry->w->bond) {
		const struct entry *other = m->shape->q->entry;

		if (m == entry->w)
			break;
		if (other && other->w == m && way_of(other) == way)
			return true;
	}
	return false;
}

/* It goes as an owner, or without nodes. Beside one that evicts, one that has found no nodes
 * may. */
static bool goes_too(const struct workload *m, const struct workload *w)
{
	return member_goes(m)
	       && (!m->blocked || member_verdict(w)->kind == VERDICT_START);
}

/* The others are out of the plan. The reasons of those whose shape was dropped are told. */
static void others_leave(struct plan *p, const struct workload *w)
{
	for_each_member(m, w->bond) {
		if (m == w || (!workload_is_undecided(m) && !goes_too(m, w)))
			continue;
		decide(p, m)->starts = 0;
		(void) member_fail(p, m, m);
		if (!shape_is_inadmissible(m->shape))
			verdict_wait(p, m, WAIT_IS_ORDER, 0);
	}
}

static bool any_waits_as_owner(const struct bond *b)
{
	for_each_member(m, b) {
		if (member_owns_and_waits(m))
			return true;
	}
	return false;
}

static int either_go(struct plan *p, struct entry *entry, enum way way)
{
	int rc;

	if (way == EVICTS && any_waits_as_owner(entry->w->bond)) {
		(void) member_fail(p, entry->w, entry->w);
		verdict_wait(p, entry->w, WAIT_IS_ORDER, 0);
		return 1;
	}
	rc = outcome_apply(p, entry);
	if (rc > 0 && way != STARTS_WITHOUT_NODES && member_goes(entry->w))
		others_leave(p, entry->w);
	return rc;
}

static int either_apply(struct plan *p, struct entry *entry)
{
	enum way way = way_of(entry);

	if (way == GOES_NO_WAY)
		return outcome_apply(p, entry);
	return may_be_worse(entry, way) ? 0 : either_go(p, entry, way);
}

/* When nothing moves: entries that would go that way do. */
static int either_move(struct plan *p, enum way way)
{
	int moved = 0;

	for_each_tree(t, p) {
		for (size_t i = 0; i < t->nturns; i++) {
			struct entry *entry = t->turns[i];
			const struct bond *b = entry->w->bond;
			int rc;

			if (!b || b->kind != BOND_EITHER || way_of(entry) != way
			    || is_second(entry, way))
				continue;
			rc = either_go(p, entry, way);
			if (rc < 0)
				return rc;
			moved |= rc;
		}
	}
	return moved;
}

static void either_begin(struct plan *p, struct bond *b)
{
	for_each_member(m, b) {
		if (m->plan == m->shape->q->tree->plan && member_goes(m) && !m->blocked)
			others_leave(p, m);
	}
}

/* ---- all bonds ---- */

int bonds_begin(struct plan *p)
{
	for (struct bond *b = p->e->bonds; b; b = b->next) {
		if (b->members->shape->q->tree->plan != p->trees->plan)
			continue;
		if (b->kind == BOND_EITHER)
			either_begin(p, b);
		else if (components_begin(p, b) < 0)
			return -1;
	}
	return p->e->no_memory ? -1 : 0;
}

int bond_apply(struct plan *p, struct entry *entry)
{
	/* another head of the cycle took it out */
	if (!workload_is_undecided(entry->w))
		return 1;
	return bond_is_together(entry->w) ? components_apply(p, entry)
					  : either_apply(p, entry);
}

int bonds_move(struct plan *p)
{
	int moved = 0;

	if (!p->e->bonds)
		return 0;
	for (int way = STARTS; way <= EVICTS && !moved; way++)
		moved = either_move(p, way);
	return moved ? moved : components_move(p);
}

void bonds_end(struct plan *p)
{
	for (struct bond *b = p->e->bonds; b; b = b->next) {
		if (b->kind == BOND_TOGETHER
		    && b->members->shape->q->tree->plan == p->trees->plan)
			components_end(b);
	}
}
