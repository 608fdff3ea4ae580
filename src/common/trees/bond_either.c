/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond_either.c - one job in several queues: one of its entries may go
 *
 * doc/how-it-decides.md, section 9, several partitions.
 */
#include "trees/bonds.h"

/* It starts, and it is not known that there are no nodes for it. */
static bool is_start(const struct engine *e, const struct workload *w)
{
	return member_is(e, w, VERDICT_START) && !w->blocked;
}

/* Bonds may keep each other going round: each time the first member takes the
 * chance of another one, and loses its turn. Then the one that got the last
 * chance comes first of those that start, or of those that evict. */
static bool has_first_choice(const struct bond *b, const struct workload *w)
{
	return w == b->trying && b->chances > MOST_CHANCES;
}

/* The first one that can start; else the one that waits for its victims to leave;
 * else the first one that can evict. A member that has found no nodes does not keep
 * the others from going. */
static struct workload *either_choose(const struct engine *e,
				      const struct bond *b)
{
	struct workload *start = NULL, *owner = NULL, *preemptor = NULL;

	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		bool first = has_first_choice(b, m);

		if ((first || !start) && is_start(e, m))
			start = m;
		if (!owner && workload_claim(m))
			owner = m;
		if ((first || !preemptor) && member_is(e, m, VERDICT_PREEMPT))
			preemptor = m;
	}
	if (start)
		return start;
	return owner ? owner : preemptor;
}

static bool any_goes(const struct engine *e, const struct bond *b)
{
	for (const struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (member_goes(e, m))
			return true;
	}
	return false;
}

static int barred_count(const struct bond *b)
{
	int n = 0;

	for (const struct workload *m = b->members; m; m = m->rare->bond_next)
		n += m->barred;
	return n;
}

/* The member that was chosen has lost its turn since then. True if another one
 * may try: each time the next one, as the one before may lose its turn again. */
static bool either_unbar(struct engine *e, struct bond *b)
{
	int n = any_goes(e, b) ? 0 : barred_count(b);
	int skipped = n ? b->chances++ % n : 0;

	for (struct workload *m = b->members; n && m; m = m->rare->bond_next) {
		if (!m->barred || skipped-- > 0)
			continue;
		member_unbar(e, m);
		b->trying = m;
		return true;
	}
	return false;
}

/* Another member goes, and may not. Beside one that evicts, one that has found no
 * nodes may. */
static bool is_too_much(const struct engine *e, const struct workload *m,
			bool starts)
{
	return member_goes(e, m) && (starts || member_is(e, m, VERDICT_PREEMPT));
}

/* Bars the other members that go. True if any was not barred before */
static bool either_bar(struct engine *e, struct bond *b,
		       const struct workload *chosen)
{
	bool starts = is_start(e, chosen);
	bool barred = false;

	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (m == chosen || m->barred || !is_too_much(e, m, starts))
			continue;
		member_bar(e, m);
		barred = true;
	}
	return barred;
}

bool either_resolve(struct engine *e, struct bond *b, int pass)
{
	const struct workload *chosen = either_choose(e, b);

	if (chosen)
		return pass < NO_CHANCE && either_bar(e, b, chosen);
	return pass < LAST_CHANCE && either_unbar(e, b);
}

void either_settle(struct engine *e, struct bond *b)
{
	const struct workload *chosen = either_choose(e, b);

	if (!chosen || !member_goes(e, chosen))
		return;
	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (m != chosen && !m->barred && !m->blocked && !workload_claim(m))
			member_bar(e, m);
	}
}

/* There may have been no memory for a plan. By what is known, members that may
 * not go wait. */
void either_end(const struct engine *e, struct bond *b)
{
	const struct workload *chosen = either_choose(e, b);
	bool starts = chosen && is_start(e, chosen);

	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (m != chosen && is_too_much(e, m, starts))
			m->barred = true;
	}
}
