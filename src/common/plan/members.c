/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * members.c - how far the plan has come with the members of bonds
 */
#include "plan/plan.h"

const struct verdict *member_verdict(const struct workload *w)
{
	const struct decision *d = workload_decision(bond_cause(w));

	return d && d->verdict.kind != VERDICT_NONE ? &d->verdict : NULL;
}

bool member_goes(const struct workload *w)
{
	const struct verdict *v = member_verdict(w);

	return v && verdict_goes(v);
}

bool member_waits_for_victims(const struct workload *w)
{
	const struct verdict *v = member_verdict(w);

	return v && v->kind == VERDICT_WAIT && v->reason == WAIT_IS_PREEMPTING;
}

bool member_owns_and_waits(const struct workload *w)
{
	return w->claim && !workload_is_undecided(w) && member_waits_for_victims(w);
}

bool member_is_settled(const struct workload *w)
{
	const struct decision *d = workload_decision(w);

	return d && !d->failed && (w->done || member_owns_and_waits(w));
}

bool member_has_hope(const struct workload *w)
{
	return workload_is_undecided(w) && !queue_held(w->shape->q)
	       && !shape_is_inadmissible(w->shape);
}

bool member_fail(struct plan *p, struct workload *m, const struct workload *because)
{
	struct decision *d = decide(p, m);

	m->done = true;
	d->failed = !d->starts;
	if (d->failed && m != because)
		m->because = because;
	return d->failed;
}

void bond_return(struct bond *b)
{
	for_each_member(m, b) {
		struct decision *d = workload_decision(m);

		if (!d || !d->failed)
			continue;
		m->done = d->failed = false;
		m->because = NULL;
		d->verdict = (struct verdict) { .kind = VERDICT_NONE };
		heads_return(m);
	}
}
