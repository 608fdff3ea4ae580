/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bonds.c - bonds between trees
 *
 * Trees are planned without a look at each other. So a plan is made as if there
 * were no bonds between them; then those who may not keep what they got are
 * barred, and their trees are planned once more without them. Who was barred
 * for the sake of another one has a second chance when that one can go, one
 * bond after the other; if that fails for others, those with the higher
 * priority stay. In the end of each bond all go, or all are barred that would,
 * and no plan counts on one that does not go.
 */
#include "state/tree.h"
#include "workload/bond.h"
#include "plan/tree_bundle.h"

/* In so many plans those of the bonds that fail for others are barred one by
 * one, as one may be the reason why the next one fails; then all that fail. */
#define BARRED_ONE_BY_ONE 6

/* A bond that failed has so many more chances; */
#define MOST_CHANCES 2

/* ... but after so many plans none, and every bond of which not all can go is
 * barred, whether or not anybody of it would; */
#define LAST_CHANCE 12

/* ... and after these, every bond of the bundle. */
#define NO_CHANCE 24

/* ---- members ---- */

static bool is_kind(const struct engine *e, const struct workload *w,
		    enum verdict_kind kind)
{
	return engine_verdict(e, w)->kind == kind;
}

static bool goes(const struct engine *e, const struct workload *w)
{
	return is_kind(e, w, VERDICT_START) || is_kind(e, w, VERDICT_PREEMPT);
}

static void tree_renew(struct engine *e, struct tree *tree)
{
	tree_touch(e, tree);
	tree->resolved = true;
}

static void bar(struct engine *e, struct workload *w)
{
	w->barred = true;
	tree_renew(e, tree_of(w));
}

static void unbar(struct engine *e, struct workload *w)
{
	w->barred = false;
	w->because = NULL;
	tree_renew(e, tree_of(w));
}

/* ---- one of them ---- */

/* The first one that can start; else the one whose victims are on their way
 * out; else the first one that can evict. One that has found no nodes does
 * not stand in the way of the others. */
static struct workload *either_choose(const struct engine *e,
				      const struct bond *b)
{
	struct workload *owner = NULL, *preemptor = NULL;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (is_kind(e, m, VERDICT_START) && !m->blocked)
			return m;
		if (!owner && m->claim)
			owner = m;
		if (!preemptor && is_kind(e, m, VERDICT_PREEMPT))
			preemptor = m;
	}
	return owner ? owner : preemptor;
}

/* The one that was chosen has lost its turn since then */
static bool either_unbar(struct engine *e, struct bond *b)
{
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (goes(e, m))
			return false;
	}
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (!m->barred)
			continue;
		unbar(e, m);
		return true;
	}
	return false;
}

static bool either_bar(struct engine *e, struct bond *b,
		       const struct workload *chosen)
{
	bool starts = is_kind(e, chosen, VERDICT_START) && !chosen->blocked;
	bool barred = false;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m == chosen || m->barred || !goes(e, m)
		    || (!starts && is_kind(e, m, VERDICT_START)))
			continue;
		bar(e, m);
		barred = true;
	}
	return barred;
}

static bool either_resolve(struct engine *e, struct bond *b, int pass)
{
	const struct workload *chosen = either_choose(e, b);

	if (chosen)
		return either_bar(e, b, chosen);
	return pass < LAST_CHANCE && either_unbar(e, b);
}

/* ---- all of them ---- */

/* How far one is from going: it is short of quota, others come first, victims
 * have to go */
enum lack { LACKS_NOTHING, LACKS_VICTIMS, LACKS_TURN, LACKS_QUOTA };

static enum lack lack_of(const struct engine *e, const struct workload *w)
{
	const struct verdict *v = engine_verdict(e, w);

	if (goes(e, w))
		return LACKS_NOTHING;
	if (v->kind == VERDICT_WAIT && v->reason == WAIT_IS_PREEMPTING)
		return LACKS_VICTIMS;
	return v->kind == VERDICT_WAIT && v->reason == WAIT_IS_ORDER
	       ? LACKS_TURN : LACKS_QUOTA;
}

/* Looked at, and for itself */
static bool is_tried(const struct workload *w)
{
	return !w->barred && bond_cause(w) == w;
}

/* The first one of those that are farthest from going, or NULL */
static struct workload *together_failing(const struct engine *e,
					 const struct bond *b)
{
	struct workload *failing = NULL;
	enum lack most = LACKS_NOTHING;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		enum lack lack = is_tried(m) ? lack_of(e, m) : LACKS_NOTHING;

		if (lack <= most)
			continue;
		most = lack;
		failing = m;
	}
	return failing;
}

/* Quota is there, or will be when victims have gone: it is kept for them all */
static bool is_secure(const struct engine *e, const struct workload *w)
{
	return lack_of(e, w) <= LACKS_VICTIMS;
}

/* The one because of which the others can't go, or NULL */
static struct workload *together_obstacle(const struct engine *e,
					  const struct bond *b)
{
	struct workload *failing = together_failing(e, b);

	return failing && !is_secure(e, failing) ? failing : NULL;
}

/* One of them can't go, and some of the others would */
static bool together_is_torn(const struct engine *e, const struct bond *b)
{
	bool torn = false;

	if (!together_obstacle(e, b))
		return false;
	for (const struct workload *m = b->members; m; m = m->bond_next)
		torn |= is_tried(m) && goes(e, m);
	return torn;
}

/* Those in the tree of the one that fails are tried with it: components.c. True
 * if anybody was not barred before */
static bool together_bar(struct engine *e, struct bond *b,
			 const struct workload *failing)
{
	bool any = false;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m == failing || m->barred
		    || (tree_of(m) == tree_of(failing) && !goes(e, m)))
			continue;
		bar(e, m);
		m->because = failing;
		any = true;
	}
	return any;
}

/* For some of them victims have to go first: the others wait for that. */
static void together_wait(struct engine *e, struct bond *b)
{
	const struct workload *failing = together_failing(e, b);

	if (!failing || !is_secure(e, failing))
		return;
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m != failing && is_kind(e, m, VERDICT_START))
			m->because = failing;
	}
}

/* What failed does so no longer, and the others are barred. */
static bool is_halved(const struct engine *e, const struct bond *b)
{
	bool barred = false;

	for (const struct workload *m = b->members; m; m = m->bond_next)
		barred |= m->barred;
	return barred && !together_obstacle(e, b);
}

/* Nobody of it is looked at any more. */
static bool together_drop(struct engine *e, struct bond *b)
{
	bool any = false;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		m->because = NULL;
		if (m->barred)
			continue;
		bar(e, m);
		any = true;
	}
	return any;
}

/* Some bond of the bundle is torn */
static bool torn_resolve(struct engine *e, struct bond *b, int pass)
{
	struct workload *failing = together_obstacle(e, b);

	if (pass >= NO_CHANCE)
		return together_drop(e, b);
	if (!failing || b->never)
		return false;
	if (pass >= LAST_CHANCE || b == bond_bundle(b)->bundle_first
	    || (pass >= BARRED_ONE_BY_ONE ? together_is_torn(e, b)
		: lack_of(e, failing) == LACKS_QUOTA))
		return together_bar(e, b, failing);
	return false;
}

/* The chance of a bond is over: true if it was too bad for one that comes first */
static bool trial_ends(struct engine *e, struct tree *bundle)
{
	struct bond *trial = bundle->bundle_trial, *first = bundle->bundle_first;

	bundle->bundle_trial = NULL;
	if (!trial || !first || !bond_comes_first(first, trial))
		return false;
	trial->chances = MOST_CHANCES;
	return together_drop(e, trial);
}

static bool is_at_issue(const struct bond *b, enum bond_kind kind)
{
	return b->kind == kind && bond_bundle(b)->bundle_outdated;
}

static bool all_torn_resolve(struct engine *e, int pass)
{
	bool any = false;

	bundles_forget_first(e);
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (is_at_issue(b, BOND_TOGETHER) && together_is_torn(e, b))
			bundle_note_first(b);
	}
	for (size_t i = 0; i < e->ntrees; i++) {
		struct tree *bundle = &e->trees[i];

		bundle->bundle_again = trial_ends(e, bundle);
		any |= bundle->bundle_again;
	}
	for (struct bond *b = e->bonds; b; b = b->next) {
		const struct tree *bundle = bond_bundle(b);

		if (is_at_issue(b, BOND_TOGETHER) && bundle->bundle_first
		    && !bundle->bundle_again)
			any |= torn_resolve(e, b, pass);
	}
	for (size_t i = 0; i < e->ntrees; i++)
		e->trees[i].bundle_again |= !!e->trees[i].bundle_first;
	return any;
}

/* One bond, of those in the bundle that are halved, gets what is left of it
 * back */
static void chance_give(struct engine *e, struct bond *b)
{
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m->barred)
			unbar(e, m);
	}
	b->chances++;
	bond_bundle(b)->bundle_trial = b;
}

/* In bundles where nothing else is to be done. Those that have no chance any
 * more are not to take what others can have. */
static bool chances_give(struct engine *e, int pass)
{
	bool any = false;

	bundles_forget_first(e);
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (!is_at_issue(b, BOND_TOGETHER) || !is_halved(e, b)
		    || bond_bundle(b)->bundle_again)
			continue;
		if (pass < LAST_CHANCE && b->chances < MOST_CHANCES)
			bundle_note_first(b);
		else
			any |= together_drop(e, b);
	}
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b != bond_bundle(b)->bundle_first)
			continue;
		chance_give(e, b);
		any = true;
	}
	return any;
}

bool bonds_resolve(struct engine *e, int pass)
{
	bool any;

	if (!e->bonds)
		return false;
	any = all_torn_resolve(e, pass);
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (!is_at_issue(b, BOND_EITHER)
		    || !either_resolve(e, b, pass))
			continue;
		bond_bundle(b)->bundle_again = true;
		any = true;
	}
	return chances_give(e, pass) || any;
}

/* No memory for a plan: who may not go by what is known waits. */
static void either_end(const struct engine *e, struct bond *b)
{
	const struct workload *chosen = either_choose(e, b);
	bool starts = chosen && is_kind(e, chosen, VERDICT_START)
		      && !chosen->blocked;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m != chosen && goes(e, m)
		    && (starts || is_kind(e, m, VERDICT_PREEMPT)))
			m->barred = true;
	}
}

static void together_end(struct engine *e, struct bond *b)
{
	bool all = true;

	together_wait(e, b);
	for (struct workload *m = b->members; m; m = m->bond_next)
		all &= !m->barred && is_secure(e, m);
	for (struct workload *m = b->members; m && !all; m = m->bond_next) {
		if (!goes(e, m))
			continue;
		m->barred = true;
		m->because = NULL;
	}
}

void bonds_end(struct engine *e)
{
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b->kind == BOND_EITHER)
			either_end(e, b);
		else
			together_end(e, b);
	}
}
