/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lending.c - quota that could be lent, but to nobody; or borrowed, from nobody
 *
 * For each flavor and resource, everyone who may borrow (or lend) is counted
 * in each cohort that he can borrow from (lend to): upwards until a limit of
 * 0 ends the way. Lender and borrower meet where both are counted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "section/lending.h"
#include "value/tres.h"

/* One quota of one node */
struct entry {
	const struct spec_quota *quota;
	int node;		/* index of the queue or cohort */
	bool cohort;
	bool lonely_lender;
	bool lonely_borrower;
};

struct market {
	const struct spec *spec;
	struct entry *entries;	/* in the order of the spec */
	size_t n;
	struct entry **sorted;	/* by flavor and resource */
	/* for the flavor and resource at hand, by cohort */
	int *lenders;
	int *borrowers;
	const struct spec_quota **limits;
};

static int64_t lendable(const struct entry *e)
{
	const struct spec_quota *q = e->quota;

	if (q->lending_limit != SPEC_NO_LIMIT && q->lending_limit < q->nominal)
		return q->lending_limit;
	return q->nominal;
}

static bool may_borrow(const struct entry *e)
{
	return !e->cohort && e->quota->borrowing_limit != 0;
}

/* The first cohort that the node's quota goes to */
static int entry_cohort(const struct market *m, const struct entry *e)
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

static void entry_count(struct market *m, const struct entry *e)
{
	int c = entry_cohort(m, e);

	if (lendable(e) > 0)
		for (int i = c; i != SPEC_NONE; i = up(m, i, true))
			m->lenders[i]++;
	if (may_borrow(e))
		for (int i = c; i != SPEC_NONE; i = up(m, i, false))
			m->borrowers[i]++;
}

/* Does the entry, lending or borrowing, meet one of the other kind that is
 * not itself? `self` is the cohort that its own other kind has come to. */
static bool entry_meets(const struct market *m, const struct entry *e,
			bool lending)
{
	const int *others = lending ? m->borrowers : m->lenders;
	bool both = lendable(e) > 0 && may_borrow(e);
	int c = entry_cohort(m, e), self = both ? c : SPEC_NONE;

	for (; c != SPEC_NONE; c = up(m, c, lending)) {
		if (others[c] > (self == c))
			return true;
		if (self == c)
			self = up(m, c, !lending);
	}
	return false;
}

static void entry_judge(struct market *m, struct entry *e)
{
	e->lonely_lender = lendable(e) > 0 && entry_cohort(m, e) != SPEC_NONE &&
			   !entry_meets(m, e, true);
	e->lonely_borrower = may_borrow(e) && e->quota->borrowing_limit > 0 &&
			     !entry_meets(m, e, false);
}

static void entry_forget(struct market *m, const struct entry *e)
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
static void row_judge(struct market *m, struct entry **row, size_t n)
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
	const struct spec_quota *x = (*(struct entry *const *) a)->quota;
	const struct spec_quota *y = (*(struct entry *const *) b)->quota;

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

/* ---- messages ---- */

/* "cpu=4,mem=16G": those of entries[0..n) that are lonely */
static bool amounts_format(const struct market *m, const struct entry *entries,
			   size_t n, bool lending, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < n && used < size; i++) {
		const struct entry *e = &entries[i];
		const char *name = m->spec->resources[e->quota->resource];
		char amount[32];

		if (!(lending ? e->lonely_lender : e->lonely_borrower))
			continue;
		amount_format(name, lending ? lendable(e) :
			      e->quota->borrowing_limit, amount,
			      sizeof(amount));
		used += snprintf(buf + used, size - used, "%s%s=%s",
				 used ? "," : "", name, amount);
	}
	return used > 0;
}

static void queue_warn(struct reader *r, const struct market *m,
		       const struct entry *e, bool lending,
		       const char *amounts)
{
	const struct place list = { .key = "clusterQueues" };
	const struct place at = { .up = &list, .index = e->node };
	const struct spec_queue *queue = &m->spec->queues[e->node];

	report_warning(r->report, &at, r->conf->queues[e->node].line,
		       "\"%s\" %s %s of flavor %s, but nobody else in cohort "
		       "\"%s\" %s", queue->name,
		       lending ? "lends" : "may borrow", amounts,
		       m->spec->flavors[e->quota->flavor],
		       m->spec->cohorts[queue->cohort].name,
		       lending ? "may borrow it" : "lends any");
}

static void cohort_warn(struct reader *r, const struct market *m,
			const struct node *root, const struct entry *e,
			const char *amounts)
{
	const struct place list = { .key = "cohorts" };
	const struct place at = { .up = &list, .index = e->node };
	const struct node *n = node_find(root, list.key)->items[e->node];

	report_warning(r->report, &at, n->line, "\"%s\" has %s of flavor %s, "
		       "but nobody in it may borrow it",
		       m->spec->cohorts[e->node].name, amounts,
		       m->spec->flavors[e->quota->flavor]);
}

/* entries[0..n): one flavor of one node */
static void flavor_warn(struct reader *r, const struct market *m,
			const struct node *root, const struct entry *entries,
			size_t n)
{
	char amounts[256];

	if (amounts_format(m, entries, n, true, amounts, sizeof(amounts))) {
		if (entries->cohort)
			cohort_warn(r, m, root, entries, amounts);
		else
			queue_warn(r, m, entries, true, amounts);
	}
	if (amounts_format(m, entries, n, false, amounts, sizeof(amounts)))
		queue_warn(r, m, entries, false, amounts);
}

static void market_warn(struct reader *r, const struct market *m,
			const struct node *root)
{
	const struct entry *e = m->entries;
	size_t end;

	for (size_t i = 0; i < m->n; i = end) {
		end = i + 1;
		while (end < m->n && e[end].node == e[i].node &&
		       e[end].cohort == e[i].cohort &&
		       e[end].quota->flavor == e[i].quota->flavor)
			end++;
		flavor_warn(r, m, root, e + i, end - i);
	}
}

/* ---- the whole ---- */

static void entries_add(struct market *m, const struct spec_quota *quotas,
			size_t n, int node, bool cohort)
{
	for (size_t i = 0; i < n; i++) {
		struct entry *e = &m->entries[m->n];

		*e = (struct entry) {
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

void lending_advise(struct reader *r, const struct node *root)
{
	struct market m = { .n = 0 };

	if (market_open(&m, r->conf->spec) < 0) {
		report_nomem(r->report);
	} else {
		market_judge(&m);
		market_warn(r, &m, root);
	}
	market_close(&m);
}

int lending_lenders(const struct spec *spec, bool *lends)
{
	struct market m = { .n = 0 };
	int rc = market_open(&m, spec);

	if (!rc)
		market_judge(&m);
	for (size_t i = 0; !rc && i < m.n; i++) {
		const struct entry *e = &m.entries[i];

		if (!e->cohort && entry_cohort(&m, e) != SPEC_NONE &&
		    lendable(e) > 0 && !e->lonely_lender)
			lends[e->node] = true;
	}
	market_close(&m);
	return rc;
}
