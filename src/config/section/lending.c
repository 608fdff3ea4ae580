/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lending.c - warnings: quota that could be lent or borrowed, but has no other
 * side
 *
 * What a queue or cohort lends goes up its cohorts, and what a queue borrows
 * comes down them; a limit of 0 ends the way. The two meet in a cohort that both
 * ways have.
 */
#include <stdio.h>

#include "section/sections.h"
#include "value/tres.h"

/* Queues and cohorts that are looked at in one file. A site's lender finds its
 * borrower soon; a hostile file gets no more warnings. */
#define LOOKS_MAX 20000000

enum side { LENDER, BORROWER };	/* the other one is !side */

struct market {
	const struct spec *spec;
	size_t looks;
};

/* A cohort or queue; the cohorts come first. */
struct member {
	const char *name;
	const struct spec_quota *quotas;
	size_t nquotas;
	int cohort;		/* the first that its quota goes to */
	bool queue;
};

static struct member member_at(const struct spec *spec, size_t i)
{
	const struct spec_queue *queue;

	if (i < spec->ncohorts)
		return (struct member) { spec->cohorts[i].name, spec->cohorts[i].quotas,
					 spec->cohorts[i].nquotas, (int) i, false };
	queue = &spec->queues[i - spec->ncohorts];
	return (struct member) { queue->name, queue->quotas, queue->nquotas, queue->cohort, true };
}

static size_t member_count(const struct spec *spec)
{
	return spec->ncohorts + spec->nqueues;
}

/* The quota of the same flavor and resource, or NULL */
static const struct spec_quota *quota_like(const struct spec_quota *quotas,
					   size_t n, const struct spec_quota *q)
{
	for (size_t i = 0; i < n; i++)
		if (quotas[i].flavor == q->flavor && quotas[i].resource == q->resource)
			return &quotas[i];
	return NULL;
}

/* ---- who meets whom ---- */

static int64_t lending_amount(const struct spec_quota *q)
{
	if (q->lending_limit != SPEC_NO_LIMIT && q->lending_limit < q->nominal)
		return q->lending_limit;
	return q->nominal;
}

static bool takes_part(const struct member *m, const struct spec_quota *q, enum side side)
{
	if (side == LENDER)
		return lending_amount(q) > 0;
	return m->queue && q->borrowing_limit != 0;
}

/* Where the way of such a quota goes on from cohort c */
static int up(const struct spec *spec, int c, const struct spec_quota *q, enum side side)
{
	const struct spec_cohort *cohort = &spec->cohorts[c];
	const struct spec_quota *own = quota_like(cohort->quotas, cohort->nquotas, q);

	if (own && (side == LENDER ? own->lending_limit : own->borrowing_limit) == 0)
		return SPEC_NONE;
	return cohort->parent;
}

static bool ways_meet(const struct spec *spec, const struct member *lender,
		      const struct member *borrower, const struct spec_quota *q)
{
	for (int l = lender->cohort; l != SPEC_NONE; l = up(spec, l, q, LENDER))
		for (int b = borrower->cohort; b != SPEC_NONE; b = up(spec, b, q, BORROWER))
			if (l == b)
				return true;
	return false;
}

/* The quota of the member takes part, and no other one does on the other side. */
static bool is_lonely(struct market *market, const struct member *m, const struct spec_quota *q,
		      enum side side)
{
	const struct spec *spec = market->spec;

	if (!takes_part(m, q, side))
		return false;
	for (size_t i = 0; i < member_count(spec); i++) {
		const struct member other = member_at(spec, i);
		const struct spec_quota *its = quota_like(other.quotas, other.nquotas, q);

		if (market->looks++ > LOOKS_MAX)
			return false;
		if (!its || its == q || !takes_part(&other, its, !side))
			continue;
		if (side == LENDER ? ways_meet(spec, m, &other, q) : ways_meet(spec, &other, m, q))
			return false;
	}
	return true;
}

void lending_lenders(const struct spec *spec, bool *lends)
{
	struct market market = { .spec = spec };

	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct member m = member_at(spec, spec->ncohorts + i);

		for (size_t j = 0; m.cohort != SPEC_NONE && j < m.nquotas; j++)
			if (takes_part(&m, &m.quotas[j], LENDER) &&
			    !is_lonely(&market, &m, &m.quotas[j], LENDER))
				lends[i] = true;
	}
}

/* ---- warnings ---- */

/* "cpu=4,mem=16G": what is lonely of the member's quotas of this flavor; "" if
 * nothing is. A queue without a borrowing limit was not said to borrow. */
static void lonely_format(struct market *market, const struct member *m,
			  int flavor, enum side side, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < m->nquotas && used < size; i++) {
		const struct spec_quota *q = &m->quotas[i];
		const char *name = market->spec->resources[q->resource];
		char amount[32];

		if (q->flavor != flavor || (side == BORROWER && q->borrowing_limit <= 0) ||
		    !is_lonely(market, m, q, side))
			continue;
		amount_format(name, side == LENDER ? lending_amount(q) :
			      q->borrowing_limit, amount, sizeof(amount));
		used += snprintf(buf + used, size - used, "%s%s=%s", used ? "," : "", name, amount);
	}
}

static void flavor_advise(struct reader *r, const struct node *item, struct market *market,
			  const struct member *m, int flavor, enum side side)
{
	const char *name = market->spec->flavors[flavor];
	const char *cohort = market->spec->cohorts[m->cohort].name;
	char amounts[256];

	lonely_format(market, m, flavor, side, amounts, sizeof(amounts));
	if (*amounts && m->queue)
		node_warning(r, item, "\"%s\" %s %s of flavor %s, but no other queue in cohort "
			     "\"%s\" %s", m->name, side == LENDER ? "lends" : "may borrow",
			     amounts, name, cohort, side == LENDER ? "may borrow it" : "lends any");
	else if (*amounts)
		node_warning(r, item, "\"%s\" has %s of flavor %s, but no queue in it may borrow "
			     "it", cohort, amounts, name);
}

void lending_advise(struct reader *r, const struct node *root)
{
	struct market market = { .spec = r->conf->spec };
	const size_t ncohorts = market.spec->ncohorts;

	for (size_t i = 0; i < member_count(market.spec); i++) {
		const struct member m = member_at(market.spec, i);
		const struct node *item = i < ncohorts ? node_item(node_find(root, "cohorts"), i) :
			node_item(node_find(root, "clusterQueues"), i - ncohorts);
		bool seen[FLAVORS_MAX] = { false };

		for (size_t j = 0; m.cohort != SPEC_NONE && j < m.nquotas; j++) {
			int flavor = m.quotas[j].flavor;

			if (seen[flavor])
				continue;
			seen[flavor] = true;
			flavor_advise(r, item, &market, &m, flavor, LENDER);
			flavor_advise(r, item, &market, &m, flavor, BORROWER);
		}
	}
}
