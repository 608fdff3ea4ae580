/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advice.c - warnings: settings that are legal, but hardly meant
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"
#include "value/tres.h"

/* Each rule is compared with at most this many earlier ones: to compare all
 * with all would take too long in a huge file. */
#define RULES_COMPARED 1024

/* Queues and cohorts that are looked at in one file. A site's lender finds its
 * borrower soon; a hostile file gets no more warnings. */
#define LOOKS_MAX 20000000

static void queues_advise(struct reader *r, const struct node *list)
{
	const struct spec *spec = r->conf->spec;

	if (!spec->nqueues)
		node_warning(r, list, "is empty: no job is managed");
	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct node *item = node_item(list, i);

		if (!r->conf->queues[i].match.n)
			node_warning(r, item, "\"%s\" has no match rules: no job can enter it",
				     spec->queues[i].name);
		if (!spec->queues[i].ngroups)
			node_warning(r, item, "\"%s\" has no resourceGroups: it limits nothing",
				     spec->queues[i].name);
	}
}

static void flavors_mark(const struct spec_quota *quotas, size_t n, bool *used)
{
	for (size_t i = 0; i < n; i++)
		used[quotas[i].flavor] = true;
}

static void flavors_advise(struct reader *r, const struct node *list)
{
	const struct spec *spec = r->conf->spec;
	bool used[FLAVORS_MAX] = { false };

	for (size_t i = 0; i < spec->ncohorts; i++)
		flavors_mark(spec->cohorts[i].quotas, spec->cohorts[i].nquotas, used);
	for (size_t i = 0; i < spec->nqueues; i++)
		flavors_mark(spec->queues[i].quotas, spec->queues[i].nquotas, used);
	for (size_t i = 0; i < spec->nflavors; i++)
		if (!used[i])
			node_warning(r, node_item(list, i), "\"%s\" has no quota anywhere",
				     spec->flavors[i]);
}

static void cohorts_advise(struct reader *r, const struct node *list)
{
	const struct spec *spec = r->conf->spec;
	bool *used = calloc(spec->ncohorts + 1, sizeof(*used));

	if (!used) {
		report_nomem(r->report);
		return;
	}
	for (size_t i = 0; i < spec->nqueues; i++)
		for (int c = spec->queues[i].cohort;
		     c != SPEC_NONE && !used[c]; c = spec->cohorts[c].parent)
			used[c] = true;
	for (size_t i = 0; i < spec->ncohorts; i++)
		if (!used[i])
			node_warning(r, node_item(list, i), "\"%s\" has no cluster queues",
				     spec->cohorts[i].name);
	free(used);
}

/* ---- rules that can never match ---- */

static bool key_covers(const char *pattern, const char *other)
{
	return !pattern || (other && (!strcmp(pattern, "*") || !strcmp(pattern, other)));
}

/* Does the first rule match all that the second one matches, as far as the texts show? */
static bool rule_covers(const struct conf_match *a, const struct conf_match *b)
{
	return key_covers(a->partition, b->partition) && key_covers(a->qos, b->qos) &&
	       key_covers(a->account, b->account) && key_covers(a->user, b->user);
}

static void rule_advise(struct reader *r, const struct node *n, size_t queue)
{
	const struct conf_queue *queues = r->conf->queues;
	const struct conf_match *rule = &queues[queue].match.list[n->at.index];
	size_t left = RULES_COMPARED;

	for (size_t q = 0; q <= queue; q++) {
		for (size_t i = 0; i < queues[q].match.n; i++) {
			const struct conf_match *earlier = &queues[q].match.list[i];

			if (earlier == rule || !left--)
				return;
			if (!rule_covers(earlier, rule))
				continue;
			node_warning(r, n, "has no effect: clusterQueues[%zu].match[%zu] on line "
				     "%d comes first and takes all its jobs", q, i, earlier->line);
			return;
		}
	}
}

static void rules_advise(struct reader *r, const struct node *list)
{
	for (size_t i = 0; i < node_length(list); i++) {
		const struct node *rules = node_find(node_item(list, i), "match");

		for (size_t j = 0; j < node_length(rules); j++)
			rule_advise(r, node_item(rules, j), i);
	}
}

/* ---- fair sharing that is not turned on ---- */

static void fair_warn(struct reader *r, const struct node *map, const char *key)
{
	const struct node *n = node_find(node_find(map, "fairSharing"), key);

	if (n)
		node_warning(r, n, "has no effect unless fairSharing.enable is true");
}

static void fair_advise(struct reader *r, const struct node *root)
{
	static const char *const sections[] = { "cohorts", "clusterQueues" };

	if (r->conf->spec->fair_sharing)
		return;
	fair_warn(r, root, "preemptionStrategies");
	fair_warn(r, root, "usageHalfLifeTime");
	for (int s = 0; s < 2; s++) {
		const struct node *list = node_find(root, sections[s]);

		for (size_t i = 0; i < node_length(list); i++)
			fair_warn(r, node_item(list, i), "weight");
	}
}

/* ---- local queues ---- */

/* Without a half-life all local queues are equal: the queue is as any. */
static void usage_advise(struct reader *r, const struct node *map, struct spec_queue *queue)
{
	const struct node *mode = node_find(node_find(map, "admissionScope"), "admissionMode");
	const struct node *locals = node_find(map, "localQueues");

	if (!queue->by_usage) {
		if (node_length(locals))
			node_warning(r, locals, "has no effect unless admissionScope.admissionMode "
				     "is UsageBasedAdmissionFairSharing");
	} else if (!r->conf->spec->history.local_half_life) {
		queue->by_usage = false;
		node_warning(r, mode, "has no effect unless admissionFairSharing.usageHalfLifeTime "
			     "is set");
	}
}

/* ---- quota that could be lent or borrowed, but has no other side ----
 *
 * What a queue or cohort lends goes up its cohorts, and what a queue borrows
 * comes down them; a limit of 0 ends the way. The two meet in a cohort that both
 * ways have. */

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

static void lending_advise(struct reader *r, const struct node *root)
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

/* ---- all of them ---- */

void advice_give(struct reader *r, const struct node *root)
{
	const struct node *queues = node_find(root, "clusterQueues");

	queues_advise(r, queues);
	flavors_advise(r, node_find(root, "flavors"));
	cohorts_advise(r, node_find(root, "cohorts"));
	rules_advise(r, queues);
	lending_advise(r, root);
	fair_advise(r, root);
	for (size_t i = 0; i < node_length(queues); i++)
		usage_advise(r, node_item(queues, i), &r->conf->spec->queues[i]);
}
