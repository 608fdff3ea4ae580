/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * needless.c - victims that are not needed in the end
 *
 * doc/how-it-decides.md, section 10: a workload stays if neither quota nor
 * nodes need its eviction.
 */
#include "gate/gate.h"
#include "victims/target.h"
#include "holding/unit.h"

/* Puts back those that are not needed, the last one first. A unit is put back
 * together. The picked ones stay victims. */
static void needless_restore(struct gate *g, const struct victim *victims,
			     size_t n, bool evicting)
{
	for (size_t i = n; i-- > 0; ) {
		struct holding *h = holding_of(victims[i].workload);

		if (!h || !h->gone || h->picked || h->evicting != evicting)
			continue;
		unit_set_gone(h, false);
		target_restore(g->e, h);
		if (gate_fits(g))
			continue;
		unit_set_gone(h, true);
		target_remove(g->e, h);
		unit_set_picked(h, true);
	}
}

/* Drops those that were put back */
static size_t victims_compact(struct victim *victims, const bool *keep,
			      size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct holding *h = holding_of(victims[i].workload);

		if (h ? h->gone : keep && keep[i])
			victims[kept++] = victims[i];
	}
	return kept;
}

static void needless_find(struct gate *g, struct workload *const *gone,
			  const struct victim *victims, const bool *keep,
			  size_t n)
{
	gate_remove_gone(g, gone, n);
	for (size_t i = 0; i < n; i++) {
		if (keep && keep[i] && gone[i]->runs)
			unit_set_picked(gone[i]->held, true);
	}
	if (!gate_fits(g))
		return;
	needless_restore(g, victims, n, false);
	needless_restore(g, victims, n, true);
}

size_t engine_drop_needless(struct engine *e, struct workload *w,
			    const struct charge *charges, size_t ncharges,
			    struct victim *victims, const bool *keep, size_t n)
{
	struct workload **gone;
	size_t kept = n;
	struct gate g;

	gate_open(&g, e, w);
	gone = arena_alloc(&e->arena, n, sizeof(*gone));
	if (!gone || gate_ask(&g, charges, ncharges) < 0) {
		gate_close(&g);
		return n;
	}
	for (size_t i = 0; i < n; i++)
		gone[i] = victims[i].workload;
	needless_find(&g, gone, victims, keep, n);
	kept = victims_compact(victims, keep, n);
	gate_forget_gone(gone, n);
	for (size_t i = 0; i < n; i++) {
		if (gone[i]->runs)
			unit_set_picked(gone[i]->held, false);
	}
	gate_close(&g);
	return kept;
}
