/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond_together.c - components of one job in several trees: all go, or none
 *
 * doc/how-it-decides.md, section 9, heterogeneous jobs. Components in one tree
 * are tried together: plan/components.c.
 */
#include "core/engine_state.h"
#include "core/tree_state.h"
#include "trees/bonds.h"
#include "trees/tree_bundle.h"

/* ---- what the last plan says of the members ---- */

/* How far a member is from going: it lacks quota, others come first, or its
 * victims have to leave */
enum lack { LACKS_NOTHING, LACKS_VICTIMS, LACKS_TURN, LACKS_QUOTA };

static enum lack lack_of(const struct engine *e, const struct workload *w)
{
	const struct verdict *v = engine_verdict(e, w);

	if (member_goes(e, w))
		return LACKS_NOTHING;
	if (v->kind == VERDICT_WAIT && v->reason == WAIT_IS_PREEMPTING)
		return LACKS_VICTIMS;
	return v->kind == VERDICT_WAIT && v->reason == WAIT_IS_ORDER
	       ? LACKS_TURN : LACKS_QUOTA;
}

/* The plan has tried the member, and for its own sake. */
static bool is_tried(const struct workload *w)
{
	return !w->barred && bond_cause(w) == w;
}

/* The first of those that are farthest from going, or NULL */
static struct workload *find_failing(const struct engine *e,
				     const struct bond *b)
{
	struct workload *failing = NULL;
	enum lack most = LACKS_NOTHING;

	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		enum lack lack = is_tried(m) ? lack_of(e, m) : LACKS_NOTHING;

		if (lack <= most)
			continue;
		most = lack;
		failing = m;
	}
	return failing;
}

/* Its quota is there, or will be when victims have gone: it is kept for all. */
static bool is_secure(const struct engine *e, const struct workload *w)
{
	return lack_of(e, w) <= LACKS_VICTIMS;
}

/* The member that keeps the others from going, or NULL */
static struct workload *find_obstacle(const struct engine *e,
				      const struct bond *b)
{
	struct workload *failing = find_failing(e, b);

	return failing && !is_secure(e, failing) ? failing : NULL;
}

/* Of most bonds none does: this is asked first. */
static bool any_goes(const struct engine *e, const struct bond *b)
{
	for (const struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (member_goes(e, m))
			return true;
	}
	return false;
}

/* One member can't go, and some of the others would. */
static bool is_torn(const struct engine *e, const struct bond *b)
{
	bool torn = false;

	if (!any_goes(e, b) || !find_obstacle(e, b))
		return false;
	for (const struct workload *m = b->members; m; m = m->rare->bond_next)
		torn |= is_tried(m) && member_goes(e, m);
	return torn;
}

/* The member that failed no longer fails, and the others are barred. */
static bool is_halved(const struct engine *e, const struct bond *b)
{
	bool barred = false;

	for (const struct workload *m = b->members; m; m = m->rare->bond_next)
		barred |= m->barred;
	return barred && !find_obstacle(e, b);
}

static bool is_all_secure(const struct engine *e, const struct bond *b)
{
	bool all = true;

	for (const struct workload *m = b->members; m; m = m->rare->bond_next)
		all &= !m->barred && is_secure(e, m);
	return all;
}

/* ---- what the plan of bonds does about it ---- */

/* Bars the others for the sake of the member that fails. Members in its tree
 * that do not go are tried with it. True if any was not barred before. */
static bool others_bar(struct engine *e, struct bond *b,
		       const struct workload *failing)
{
	bool any = false;

	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (m == failing || m->barred
		    || (tree_of(m) == tree_of(failing) && !member_goes(e, m)))
			continue;
		member_bar(e, m);
		m->rare->because = failing;
		any = true;
	}
	return any;
}

/* No member is planned any more. True if that is new. */
static bool bond_drop(struct engine *e, struct bond *b)
{
	bool any = false;

	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		m->rare->because = NULL;
		if (m->barred)
			continue;
		member_bar(e, m);
		any = true;
	}
	return any;
}

/* Is this bond to be barred in this pass? The bond of the highest priority is
 * always barred, as it may be the reason why the others fail. */
static bool is_barred_now(const struct engine *e, const struct bond *b,
			  const struct workload *obstacle, int pass)
{
	if (pass >= LAST_CHANCE || b == bond_bundle(b)->first)
		return true;
	if (pass >= BARRED_ONE_BY_ONE)
		return is_torn(e, b);
	return lack_of(e, obstacle) == LACKS_QUOTA;
}

/* Some bond of the bundle is torn. True if a member of this bond is barred. */
static bool bond_resolve(struct engine *e, struct bond *b, int pass)
{
	struct workload *obstacle = find_obstacle(e, b);

	if (pass >= NO_CHANCE)
		return bond_drop(e, b);
	if (!obstacle || b->never || !is_barred_now(e, b, obstacle, pass))
		return false;
	return others_bar(e, b, obstacle);
}

/* The chance of a bond is over. True if it was bad for a bond that comes first,
 * and the bond is dropped. */
static bool chance_end(struct engine *e, struct bundle *bundle)
{
	struct bond *trial = bundle->trial, *first = bundle->first;

	bundle->trial = NULL;
	if (!trial || !first || !bond_comes_first(first, trial))
		return false;
	trial->chances = MOST_CHANCES;
	return bond_drop(e, trial);
}

/* Notes in each bundle the first of the torn bonds */
static void torn_note_first(struct engine *e)
{
	bundles_forget_first(e);
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (bond_is_at_issue(b, BOND_TOGETHER) && is_torn(e, b))
			bundle_note_first(b);
	}
}

static bool chances_end(struct engine *e)
{
	bool any = false;

	for (size_t i = 0; i < e->ntrees; i++) {
		struct bundle *bundle = &e->bundles[i];

		bundle->again = chance_end(e, bundle);
		any |= bundle->again;
	}
	return any;
}

bool together_resolve_all(struct engine *e, int pass)
{
	bool any;

	torn_note_first(e);
	any = chances_end(e);
	for (struct bond *b = e->bonds; b; b = b->next) {
		const struct bundle *bundle = bond_bundle(b);

		if (bond_is_at_issue(b, BOND_TOGETHER) && bundle->first
		    && !bundle->again)
			any |= bond_resolve(e, b, pass);
	}
	for (size_t i = 0; i < e->ntrees; i++)
		e->bundles[i].again |= !!e->bundles[i].first;
	return any;
}

/* ---- second chances ---- */

/* One of the halved bonds in the bundle gets back what is left of it. */
static void chance_give(struct engine *e, struct bond *b)
{
	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (m->barred)
			member_unbar(e, m);
	}
	b->chances++;
	bond_bundle(b)->trial = b;
}

/* Notes in each bundle that has nothing else to do the first of its halved
 * bonds. Bonds that have no chance any more are dropped: they must not take
 * what others can have. True if any is dropped. */
static bool halved_note_first(struct engine *e, int pass)
{
	bool any = false;

	bundles_forget_first(e);
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (!bond_is_at_issue(b, BOND_TOGETHER) || !is_halved(e, b)
		    || bond_bundle(b)->again)
			continue;
		if (pass < LAST_CHANCE && b->chances < MOST_CHANCES)
			bundle_note_first(b);
		else
			any |= bond_drop(e, b);
	}
	return any;
}

bool together_give_chances(struct engine *e, int pass)
{
	bool any = halved_note_first(e, pass);

	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b != bond_bundle(b)->first)
			continue;
		chance_give(e, b);
		any = true;
	}
	return any;
}

/* ---- after the last plan ---- */

/* Some members need their victims to leave first: the others wait for that. */
static void others_wait(struct engine *e, struct bond *b)
{
	const struct workload *failing = find_failing(e, b);

	if (!failing || !is_secure(e, failing))
		return;
	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (m != failing && member_is(e, m, VERDICT_START))
			m->rare->because = failing;
	}
}

void together_end(struct engine *e, struct bond *b)
{
	if (!any_goes(e, b))
		return;
	others_wait(e, b);
	if (is_all_secure(e, b))
		return;
	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (!member_goes(e, m))
			continue;
		m->barred = true;
		m->rare->because = NULL;
	}
}
