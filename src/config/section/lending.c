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

#include "section/lending.h"
#include "section/sections.h"
#include "value/tres.h"

enum side { LENDER, BORROWER };

/* One quota of one node */
struct entry {
	const struct spec_quota *quota;
	int node;		/* index of the queue or cohort */
	bool cohort;
	bool lonely[2];		/* by side: there is nobody on the other one */
	size_t number;		/* in the order of the spec */
};

struct market {
	const struct spec *spec;
	struct entry *entries;
	size_t n;
	/* for the flavor and resource at hand, by cohort */
	int *counts[2];		/* by side */
	const struct spec_quota **limits;
};

static int64_t lending_amount(const struct spec_quota *q)
{
	if (q->lending_limit != SPEC_NO_LIMIT && q->lending_limit < q->nominal)
		return q->lending_limit;
	return q->nominal;
}

static bool takes_part(const struct entry *e, enum side side)
{
	if (side == LENDER)
		return lending_amount(e->quota) > 0;
	return !e->cohort && e->quota->borrowing_limit != 0;
}

/* The first cohort that the node's quota goes to */
static int entry_cohort(const struct market *m, const struct entry *e)
{
	return e->cohort ? e->node : m->spec->queues[e->node].cohort;
}

/* Where to go on from cohort c; a limit of 0 there ends the way. */
static int up(const struct market *m, int c, enum side side)
{
	const struct spec_quota *q = m->limits[c];

	if (q && (side == LENDER ? q->lending_limit : q->borrowing_limit) == 0)
		return SPEC_NONE;
	return m->spec->cohorts[c].parent;
}

/* Does the entry meet one of the other side that is not itself? `self` is the
 * cohort that its own other side has come to. */
static bool entry_meets(const struct market *m, const struct entry *e,
			enum side side)
{
	enum side other = side == LENDER ? BORROWER : LENDER;
	int c = entry_cohort(m, e);
	int self = takes_part(e, other) ? c : SPEC_NONE;

	for (; c != SPEC_NONE; c = up(m, c, side)) {
		if (m->counts[other][c] > (self == c))
			return true;
		if (self == c)
			self = up(m, c, other);
	}
	return false;
}

/* Without a borrowing limit, nobody has said that the queue is to borrow. */
static void entry_judge(struct market *m, struct entry *e)
{
	e->lonely[LENDER] = takes_part(e, LENDER) &&
			    entry_cohort(m, e) != SPEC_NONE &&
			    !entry_meets(m, e, LENDER);
	e->lonely[BORROWER] = takes_part(e, BORROWER) &&
			      e->quota->borrowing_limit > 0 &&
			      !entry_meets(m, e, BORROWER);
}

/* Counts the entry in its cohorts (by: 1), or takes it out of them (-1). */
static void entry_count(struct market *m, const struct entry *e, int by)
{
	for (enum side side = LENDER; side <= BORROWER; side++)
		for (int c = entry_cohort(m, e);
		     c != SPEC_NONE && takes_part(e, side);
		     c = up(m, c, side))
			m->counts[side][c] += by;
}

/* All entries of one flavor and resource */
static void row_judge(struct market *m, struct entry *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (row[i].cohort)
			m->limits[row[i].node] = row[i].quota;
	for (size_t i = 0; i < n; i++)
		entry_count(m, &row[i], 1);
	for (size_t i = 0; i < n; i++)
		entry_judge(m, &row[i]);
	for (size_t i = 0; i < n; i++)
		entry_count(m, &row[i], -1);
	for (size_t i = 0; i < n; i++)
		if (row[i].cohort)
			m->limits[row[i].node] = NULL;
}

static int row_compare(const void *a, const void *b)
{
	const struct spec_quota *x = ((const struct entry *) a)->quota;
	const struct spec_quota *y = ((const struct entry *) b)->quota;

	if (x->flavor != y->flavor)
		return x->flavor < y->flavor ? -1 : 1;
	return (x->resource > y->resource) - (x->resource < y->resource);
}

static int number_compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static void market_judge(struct market *m)
{
	size_t end;

	qsort(m->entries, m->n, sizeof(*m->entries), row_compare);
	for (size_t i = 0; i < m->n; i = end) {
		for (end = i + 1; end < m->n; end++)
			if (row_compare(&m->entries[i], &m->entries[end]))
				break;
		row_judge(m, m->entries + i, end - i);
	}
	qsort(m->entries, m->n, sizeof(*m->entries), number_compare);
}

static void entries_add(struct market *m, const struct spec_quota *quotas,
			size_t n, int node, bool cohort)
{
	for (size_t i = 0; i < n; i++, m->n++)
		m->entries[m->n] = (struct entry) {
			.quota = &quotas[i], .node = node, .cohort = cohort,
			.number = m->n,
		};
}

/* All quotas of the spec, judged, in the order of the spec; -1 for ENOMEM. The
 * caller frees the entries. */
static int market_read(struct market *m, const struct spec *spec)
{
	size_t n = 1, ncohorts = spec->ncohorts + 1;

	for (size_t i = 0; i < spec->ncohorts; i++)
		n += spec->cohorts[i].nquotas;
	for (size_t i = 0; i < spec->nqueues; i++)
		n += spec->queues[i].nquotas;
	*m = (struct market) {
		.spec = spec, .entries = calloc(n, sizeof(*m->entries)),
		.counts = { calloc(ncohorts, sizeof(int)),
			    calloc(ncohorts, sizeof(int)) },
		.limits = calloc(ncohorts, sizeof(*m->limits)),
	};
	for (size_t i = 0; m->entries && i < spec->ncohorts; i++)
		entries_add(m, spec->cohorts[i].quotas,
			    spec->cohorts[i].nquotas, (int) i, true);
	for (size_t i = 0; m->entries && i < spec->nqueues; i++)
		entries_add(m, spec->queues[i].quotas,
			    spec->queues[i].nquotas, (int) i, false);
	if (m->entries && m->counts[0] && m->counts[1] && m->limits) {
		market_judge(m);
	} else {
		free(m->entries);
		m->entries = NULL;
	}
	free(m->counts[0]);
	free(m->counts[1]);
	free(m->limits);
	return m->entries ? 0 : -1;
}

int lending_lenders(const struct spec *spec, bool *lends)
{
	struct market m;

	if (market_read(&m, spec) < 0)
		return -1;
	for (size_t i = 0; i < m.n; i++) {
		const struct entry *e = &m.entries[i];

		if (!e->cohort && entry_cohort(&m, e) != SPEC_NONE &&
		    takes_part(e, LENDER) && !e->lonely[LENDER])
			lends[e->node] = true;
	}
	free(m.entries);
	return 0;
}

/* ---- warnings ---- */

/* "cpu=4,mem=16G": what is lonely of entries[0..n); "" if nothing is */
static void amounts_format(const struct spec *spec, const struct entry *entries,
			   size_t n, enum side side, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < n && used < size; i++) {
		const struct spec_quota *q = entries[i].quota;
		const char *name = spec->resources[q->resource];
		char amount[32];

		if (!entries[i].lonely[side])
			continue;
		amount_format(name, side == LENDER ? lending_amount(q) :
			      q->borrowing_limit, amount, sizeof(amount));
		used += snprintf(buf + used, size - used, "%s%s=%s",
				 used ? "," : "", name, amount);
	}
}

/* entries[0..n): one flavor of one node */
static void flavor_warn(struct reader *r, const struct node *list,
			const struct entry *e, size_t n, enum side side)
{
	const struct spec *spec = r->conf->spec;
	const struct node *item = node_item(list, e->node);
	const char *flavor = spec->flavors[e->quota->flavor];
	char amounts[256];

	amounts_format(spec, e, n, side, amounts, sizeof(amounts));
	if (*amounts && e->cohort)
		node_warning(r, item, "\"%s\" has %s of flavor %s, but no "
			     "queue in it may borrow it",
			     spec->cohorts[e->node].name, amounts, flavor);
	else if (*amounts)
		node_warning(r, item, "\"%s\" %s %s of flavor %s, but no other "
			     "queue in cohort \"%s\" %s", item_name(item),
			     side == LENDER ? "lends" : "may borrow", amounts,
			     flavor,
			     spec->cohorts[spec->queues[e->node].cohort].name,
			     side == LENDER ? "may borrow it" : "lends any");
}

/* Entries of one flavor of one node follow each other. */
static bool same_flavor(const struct entry *a, const struct entry *b)
{
	return a->node == b->node && a->cohort == b->cohort &&
	       a->quota->flavor == b->quota->flavor;
}

void lending_advise(struct reader *r, const struct node *root)
{
	struct market m;
	size_t end;

	if (market_read(&m, r->conf->spec) < 0) {
		report_nomem(r->report);
		return;
	}
	for (size_t i = 0; i < m.n; i = end) {
		const struct entry *e = &m.entries[i];
		const struct node *list = node_find(root, e->cohort ? "cohorts"
						    : "clusterQueues");

		for (end = i + 1; end < m.n; end++)
			if (!same_flavor(e, &m.entries[end]))
				break;
		flavor_warn(r, list, e, end - i, LENDER);
		flavor_warn(r, list, e, end - i, BORROWER);
	}
	free(m.entries);
}
