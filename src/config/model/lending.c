/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lending.c - quota that could be lent or borrowed, but has no other side
 *
 * For each flavor and resource, every queue or cohort that may borrow (or lend)
 * is counted in each cohort that it can borrow from (lend to): upwards until a
 * limit of 0 ends the way. Lender and borrower meet where both are counted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/lending.h"

struct market {
	const struct spec *spec;
	struct lending_quota *entries;	/* in the order of the spec */
	size_t n;
	struct lending_quota **sorted;	/* by flavor and resource */
	/* for the flavor and resource at hand, by cohort */
	int *lenders;
	int *borrowers;
	const struct spec_quota **limits;
};

int64_t lending_amount(const struct lending_quota *e)
{
	const struct spec_quota *q = e->quota;

	if (q->lending_limit != SPEC_NO_LIMIT && q->lending_limit < q->nominal)
		return q->lending_limit;
	return q->nominal;
}

static bool may_borrow(const struct lending_quota *e)
{
	return !e->cohort && e->quota->borrowing_limit != 0;
}

/* The first cohort that the node's quota goes to */
static int entry_cohort(const struct market *m, const struct lending_quota *e)
{
	return e->cohort ? e->node : m->spec->queues[e->node].cohort;
}

/* Where to go on from cohort c; a limit of 0 there ends the way. */
static int up(const struct market *m, int c, bool lending)
{
	const struct spec_quota *q = m->limits[c];

	if (q && (lending ? q->lending_limit : q->borrowing_limit) == 0)
		return SPEC_NONE;
	return m->spec->cohorts[c].parent;
}

static void entry_count(struct market *m, const struct lending_quota *e)
{
	int c = entry_cohort(m, e);

	if (lending_amount(e) > 0)
		for (int i = c; i != SPEC_NONE; i = up(m, i, true))
			m->lenders[i]++;
	if (may_borrow(e))
		for (int i = c; i != SPEC_NONE; i = up(m, i, false))
			m->borrowers[i]++;
}

/* Does the entry, lending or borrowing, meet one of the other kind that is
 * not itself? `self` is the cohort that its own other kind has come to. */
static bool entry_meets(const struct market *m, const struct lending_quota *e,
			bool lending)
{
	const int *others = lending ? m->borrowers : m->lenders;
	bool both = lending_amount(e) > 0 && may_borrow(e);
	int c = entry_cohort(m, e), self = both ? c : SPEC_NONE;

	for (; c != SPEC_NONE; c = up(m, c, lending)) {
		if (others[c] > (self == c))
			return true;
		if (self == c)
			self = up(m, c, !lending);
	}
	return false;
}

static void entry_judge(struct market *m, struct lending_quota *e)
{
	e->lonely_lender = lending_amount(e) > 0 &&
			   entry_cohort(m, e) != SPEC_NONE &&
			   !entry_meets(m, e, true);
	e->lonely_borrower = may_borrow(e) && e->quota->borrowing_limit > 0 &&
			     !entry_meets(m, e, false);
}

static void entry_forget(struct market *m, const struct lending_quota *e)
{
	int c = entry_cohort(m, e);

	for (; c != SPEC_NONE; c = m->spec->cohorts[c].parent) {
		m->lenders[c] = 0;
		m->borrowers[c] = 0;
	}
	if (e->cohort)
		m->limits[e->node] = NULL;
}

/* All entries of one flavor and resource */
static void row_judge(struct market *m, struct lending_quota **row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (row[i]->cohort)
			m->limits[row[i]->node] = row[i]->quota;
	for (size_t i = 0; i < n; i++)
		entry_count(m, row[i]);
	for (size_t i = 0; i < n; i++)
		entry_judge(m, row[i]);
	for (size_t i = 0; i < n; i++)
		entry_forget(m, row[i]);
}

static int entry_compare(const void *a, const void *b)
{
	const struct spec_quota *x = (*(struct lending_quota *const *)a)->quota;
	const struct spec_quota *y = (*(struct lending_quota *const *)b)->quota;

	if (x->flavor != y->flavor)
		return x->flavor < y->flavor ? -1 : 1;
	return x->resource < y->resource ? -1 : x->resource > y->resource;
}

static void market_judge(struct market *m)
{
	size_t end;

	qsort(m->sorted, m->n, sizeof(*m->sorted), entry_compare);
	for (size_t i = 0; i < m->n; i = end) {
		end = i + 1;
		while (end < m->n &&
		       !entry_compare(&m->sorted[i], &m->sorted[end]))
			end++;
		row_judge(m, m->sorted + i, end - i);
	}
}

static void entries_add(struct market *m, const struct spec_quota *quotas,
			size_t n, int node, bool cohort)
{
	for (size_t i = 0; i < n; i++) {
		struct lending_quota *e = &m->entries[m->n];

		*e = (struct lending_quota) {
			.quota = &quotas[i], .node = node, .cohort = cohort,
		};
		m->sorted[m->n++] = e;
	}
}

static int market_open(struct market *m, const struct spec *spec)
{
	size_t n = 1;

	m->spec = spec;
	for (size_t i = 0; i < spec->ncohorts; i++)
		n += spec->cohorts[i].nquotas;
	for (size_t i = 0; i < spec->nqueues; i++)
		n += spec->queues[i].nquotas;
	m->entries = calloc(n, sizeof(*m->entries));
	m->sorted = calloc(n, sizeof(*m->sorted));
	m->lenders = calloc(spec->ncohorts + 1, sizeof(*m->lenders));
	m->borrowers = calloc(spec->ncohorts + 1, sizeof(*m->borrowers));
	m->limits = calloc(spec->ncohorts + 1, sizeof(*m->limits));
	if (!m->entries || !m->sorted || !m->lenders || !m->borrowers ||
	    !m->limits)
		return -1;
	for (size_t i = 0; i < spec->ncohorts; i++)
		entries_add(m, spec->cohorts[i].quotas,
			    spec->cohorts[i].nquotas, i, true);
	for (size_t i = 0; i < spec->nqueues; i++)
		entries_add(m, spec->queues[i].quotas,
			    spec->queues[i].nquotas, i, false);
	return 0;
}

static void market_close(struct market *m)
{
	free(m->entries);
	free(m->sorted);
	free(m->lenders);
	free(m->borrowers);
	free(m->limits);
}

int lending_judge(const struct spec *spec, struct lending_quota **quotas,
		  size_t *n)
{
	struct market m = { .n = 0 };
	int rc = market_open(&m, spec);

	if (!rc) {
		market_judge(&m);
		*quotas = m.entries;
		*n = m.n;
		m.entries = NULL;
	}
	market_close(&m);
	return rc;
}

int lending_lenders(const struct spec *spec, bool *lends)
{
	struct lending_quota *quotas;
	size_t n;

	if (lending_judge(spec, &quotas, &n) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct lending_quota *e = &quotas[i];

		if (!e->cohort && spec->queues[e->node].cohort != SPEC_NONE &&
		    lending_amount(e) > 0 && !e->lonely_lender)
			lends[e->node] = true;
	}
	free(quotas);
	return 0;
}
