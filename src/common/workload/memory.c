/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.c - what a workload remembers from one plan to the next
 *
 * Whatever else happens to a workload, what it remembers is told by workload_recall(), and
 * changes by engine_remind() alone.
 */
#include <stdlib.h>
#include <string.h>

#include "core/cap.h"
#include "core/uses.h"
#include "holding/holding.h"
#include "holding/settled.h"
#include "workload/workload.h"

void workload_recall(const struct workload *w, struct workload_memory *m)
{
	const struct claim *claim = w->claim;

	*m = (struct workload_memory) {
		.blocked = w->blocked,
		.had_turn = !w->runs && w->shape->had_turn,
		.settled = workload_settled(w),
		.nonpreemptible = w->runs && w->held->fixed,
	};
	if (!claim)
		return;
	m->owns = true;
	m->owns_since = claim->number;
	m->owned = claim->charges;
	m->nowned = claim->ncharges;
	m->owned_settled = claim->settles;
	m->owned_nonpreemptible = claim->fixed;
}

/* ---- freed quota that belongs to the preemptor that freed it ---- */

struct use *charges_take(const struct engine *e, const struct charge *charges, size_t n,
			 size_t *nuses, struct charge **copy)
{
	struct use *uses = uses_create(e, charges, n, nuses);

	if (!uses)
		return NULL;
	*copy = malloc((n + 1) * sizeof(**copy));
	if (!*copy) {
		free(uses);
		errno = ENOMEM;
		return NULL;
	}
	if (n)
		memcpy(*copy, charges, n * sizeof(**copy));
	return uses;
}

static void claim_free(struct claim *claim)
{
	if (!claim)
		return;
	free(claim->uses);
	free(claim->charges);
	free(claim);
}

/* NULL with errno on error */
static struct claim *claim_create(const struct engine *e, const struct charge *charges, size_t n)
{
	struct claim *claim = calloc(1, sizeof(*claim));

	if (!claim)
		return NULL;
	claim->ncharges = n;
	claim->uses = charges_take(e, charges, n, &claim->nuses, &claim->charges);
	if (claim->uses)
		return claim;
	free(claim);
	return NULL;
}

/* The owner, or the first one that came to own quota after that number, in the list */
static struct workload **owner_link(struct tree *tree, uint64_t number)
{
	struct workload **at = &tree->owners;

	while (*at && (*at)->claim->number < number)
		at = &(*at)->claim->next_owner;
	return at;
}

/* Owners in the order in which they came to own quota: the workload keeps its place if it
 * owns some already. */
static uint64_t claim_number(struct engine *e, const struct workload *w, uint64_t since)
{
	const struct claim *old = w->claim;

	if (since > e->claims)
		e->claims = since;
	return since ? since : old ? old->number : ++e->claims;
}

/* What it owned is not in the books. If nobody remembers whether it is non-preemptible, and
 * the run settled, the books of now tell. */
static void claim_enter(struct engine *e, struct workload *w, const struct workload_memory *m)
{
	struct claim *claim = w->claim;
	struct workload **at = owner_link(w->shape->q->tree, claim->number);

	claim->fixed = m->owns_since ? m->owned_nonpreemptible : workload_is_capped(w);
	claim->settles = m->owned_settled;
	claim->next_owner = *at;
	*at = w;
	claim_charge(e, w, 1);
	if (!m->owns_since)
		claim_settle(e, w);
}

/* From now on the workload owns that, or nothing (NULL). Its place in line depends on whether it
 * does. */
static void claim_change(struct engine *e, struct workload *w, struct claim *claim,
			 const struct workload_memory *m)
{
	struct claim *old = w->claim;
	struct tree *tree = w->shape->q->tree;

	if (old) {
		*owner_link(tree, old->number) = old->next_owner;
		claim_charge(e, w, -1);
	}
	if (!old != !claim)
		pending_remove(e, w);
	w->claim = claim;
	if (!old != !claim)
		pending_add(e, w);
	if (claim)
		claim_enter(e, w, m);
	claim_free(old);
	tree_request_plan(e, tree);
}

/* The memory is of this workload, and as it is now. */
static bool owns_already(const struct workload *w, const struct workload_memory *m)
{
	const struct claim *claim = w->claim;

	return claim && m->owned == claim->charges && m->owns_since == claim->number;
}

static int claim_remind(struct engine *e, struct workload *w, const struct workload_memory *m)
{
	struct claim *claim = NULL;

	if (m->owns ? owns_already(w, m) : !w->claim)
		return 0;
	if (m->owns) {
		claim = claim_create(e, m->owned, m->nowned);
		if (!claim)
			return -1;
		claim->number = claim_number(e, w, m->owns_since);
	}
	claim_change(e, w, claim, m);
	return 0;
}

/* ---- all of it ---- */

static int waiting_remind(struct engine *e, struct workload *w, const struct workload_memory *m)
{
	struct queue *q = w->shape->q;

	if (claim_remind(e, w, m) < 0)
		return -1;
	if (w->blocked != m->blocked)
		tree_request_plan(e, q->tree);
	q->nblocked += (size_t) m->blocked - w->blocked;
	w->blocked = m->blocked;
	if (w->shape->users == 1)
		w->shape->had_turn = m->had_turn && q->tree->goes_on;
	return 0;
}

int engine_remind(struct engine *e, struct workload *w, const struct workload_memory *m)
{
	if (!w->runs)
		return waiting_remind(e, w, m);
	engine_keep_nonpreemptible(e, w, m->nonpreemptible);
	engine_keep_settled(e, w, m->settled);
	return 0;
}

void memory_forget(struct engine *e, struct workload *w)
{
	static const struct workload_memory nothing = { .blocked = false };

	if (!w->runs)
		(void) waiting_remind(e, w, &nothing);
}

/* ---- one thing of it ---- */

void engine_blocked(struct engine *e, struct workload *w, bool blocked)
{
	struct workload_memory m;

	workload_recall(w, &m);
	m.blocked = blocked;
	if (!w->runs)
		(void) waiting_remind(e, w, &m);
}

int engine_own(struct engine *e, struct workload *w, const struct charge *charges, size_t n)
{
	struct workload_memory m;

	if (w->runs)
		return failed(EINVAL);
	workload_recall(w, &m);
	m.owns = true;
	m.owns_since = 0;
	m.owned = charges;
	m.nowned = n;
	return waiting_remind(e, w, &m);
}

void engine_disown(struct engine *e, struct workload *w)
{
	struct workload_memory m;

	workload_recall(w, &m);
	m.owns = false;
	if (!w->runs)
		(void) waiting_remind(e, w, &m);
}
