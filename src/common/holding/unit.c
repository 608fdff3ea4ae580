/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.c - running workloads that are evicted together, or not at all
 */
#include "core/tree.h"
#include "core/workload_state.h"
#include "holding/elastic.h"
#include "holding/holding.h"
#include "holding/unit.h"

void unit_touch(struct engine *e, struct holding *h)
{
	for_each_in_unit(m, h)
		tree_request_plan(e, m->q->tree);
}

void unit_renew(struct holding *h)
{
	for_each_in_unit(m, h)
		holding_renew(m);
}

void unit_join(struct holding *h, struct holding *other)
{
	struct holding *next = h->unit ? h->unit : h;

	h->unit = other->unit ? other->unit : other;
	other->unit = next;
	unit_renew(h);
}

void unit_join_running(struct engine *e, struct holding *h,
		       struct holding *other)
{
	for_each_in_unit(m, h) {
		if (m == other)
			return;
	}
	unit_join(h, other);
	unit_touch(e, h);
}

void unit_leave(struct holding *h)
{
	struct holding *before = h;

	if (!h->unit)
		return;
	while (before->unit != h)
		before = before->unit;
	before->unit = h->unit == before ? NULL : h->unit;
	unit_renew(before);
	h->unit = NULL;
}

void unit_set_gone(struct holding *h, bool gone)
{
	for_each_in_unit(m, h) {
		if (m->gone == gone)
			continue;
		m->gone = gone;
		if (gone)
			elastic_take(m);
		else
			elastic_give(m);
	}
}

void unit_set_left(struct holding *h, bool left)
{
	unit_set_gone(h, left);
	for_each_in_unit(m, h)
		m->left = left;
	unit_renew(h);
}

void unit_set_taken(struct holding *h, bool taken)
{
	for_each_in_unit(m, h)
		m->taken = taken;
}

void unit_set_picked(struct holding *h, bool picked)
{
	for_each_in_unit(m, h)
		m->picked = picked;
}

void unit_set_barred(struct holding *h, bool barred)
{
	for_each_in_unit(m, h)
		m->barred = barred;
}
