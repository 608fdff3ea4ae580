/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals.c - quotas that promise more than the nodes of their flavor have
 */
#include <stdio.h>
#include <time.h>

#include "check/totals.h"
#include "output/text.h"
#include "text/report.h"
#include "value/tres.h"

#define AS_WRITTEN INT64_MIN	/* no time: without any temporaryQuota */

/* What the quotas of one queue or cohort sum to. Amounts are bounded so that no sum of
 * them overflows (tres.h). */
static int64_t quota_sum(const struct spec *spec, bool is_cohort, size_t node,
			 int flavor, int resource, int64_t at)
{
	const struct spec_quota *of = is_cohort ? spec->cohorts[node].quotas
						: spec->queues[node].quotas;
	size_t n = is_cohort ? spec->cohorts[node].nquotas
			     : spec->queues[node].nquotas;
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (of[i].flavor == flavor && of[i].resource == resource)
			sum += at == AS_WRITTEN ? of[i].nominal
			       : spec_nominal_at(spec, is_cohort, (int) node,
						 &of[i], at, NULL);
	return sum;
}

static int64_t nominal_sum(const struct spec *spec, int flavor, int resource,
			   int64_t at)
{
	int64_t sum = 0;

	for (size_t i = 0; i < spec->nqueues; i++)
		sum += quota_sum(spec, false, i, flavor, resource, at);
	for (size_t i = 0; i < spec->ncohorts; i++)
		sum += quota_sum(spec, true, i, flavor, resource, at);
	return sum;
}

/* What the nodes have; -1: not known */
static int64_t total_of(const struct check *c, int flavor, int resource)
{
	return c->cluster->totals[(size_t) flavor * c->conf->spec->nresources
				  + (size_t) resource];
}

static void total_check(const struct check *c, int flavor, int resource)
{
	const struct place list = { .key = "flavors" };
	const struct place at = { .up = &list, .index = (size_t) flavor };
	const struct spec *spec = c->conf->spec;
	int64_t total = total_of(c, flavor, resource);
	int64_t sum = nominal_sum(spec, flavor, resource, AS_WRITTEN);
	const char *name = spec->resources[resource];
	char have[TEXT_SIZE], want[TEXT_SIZE];

	if (total < 0 || sum <= total)
		return;
	amount_format(name, total, have, sizeof(have));
	amount_format(name, sum, want, sizeof(want));
	report_warning(c->report, &at, c->conf->flavors[flavor].line,
		       "\"%s\" has %s=%s on its nodes, quotas on it sum to %s: "
		       "the quotas promise more than the nodes have",
		       spec->flavors[flavor], name, have, want);
}

/* ---- quotas for a time ---- */

/* Is this one in force then? */
static bool is_in_force(const struct spec *spec, const struct conf_temporary *t,
			int64_t at)
{
	const struct spec_quota quota = { .flavor = t->flavor,
					  .resource = t->resource };
	const struct spec_period *p = spec_find_period(spec, t->is_cohort,
						       t->node, &quota, at);

	return p && p->from <= at && p->nominal == t->nominal;
}

/* When do quotas promise too much with this one for the first time? In seconds; 0:
 * never. *sum: what they sum to then. Sums change where a quota for a time begins or
 * ends. */
static int64_t excess_find(const struct check *c,
			   const struct conf_temporary *t, int64_t *sum)
{
	const struct spec *spec = c->conf->spec;
	int64_t now = (int64_t) time(NULL) * SPEC_SEC, first = INT64_MAX;

	for (size_t i = 0; i < 2 * spec->nperiods; i++) {
		const struct spec_period *p = &spec->periods[i / 2];
		int64_t at = i % 2 ? p->until : p->from > now ? p->from : now;
		int64_t then;

		if (p->flavor != t->flavor || p->resource != t->resource
		    || p->until <= now || at >= first
		    || !is_in_force(spec, t, at))
			continue;
		then = nominal_sum(spec, t->flavor, t->resource, at);
		if (then <= total_of(c, t->flavor, t->resource))
			continue;
		first = at;
		*sum = then;
	}
	return first == INT64_MAX ? 0 : first / SPEC_SEC;
}

static void temporary_check(const struct check *c,
			    const struct conf_temporary *t)
{
	const struct spec *spec = c->conf->spec;
	const struct place list = { .key = t->is_cohort ? "cohorts"
							: "clusterQueues" };
	const struct place node = { .up = &list, .index = (size_t) t->node };
	const struct place at = { .up = &node, .key = "temporaryQuota" };
	const char *name = spec->resources[t->resource];
	int64_t total = total_of(c, t->flavor, t->resource), sum, when;
	char have[TEXT_SIZE], want[TEXT_SIZE], from[TEXT_SIZE];

	if (total < 0 || nominal_sum(spec, t->flavor, t->resource, AS_WRITTEN)
			 > total)
		return;		/* said of the flavor */
	when = excess_find(c, t, &sum);
	if (!when)
		return;
	amount_format(name, total, have, sizeof(have));
	amount_format(name, sum, want, sizeof(want));
	report_warning(c->report, &at, t->line, "\"%s\" has %s=%s on its nodes, "
		       "quotas on it sum to %s at %s: the quotas promise more "
		       "than the nodes have", spec->flavors[t->flavor], name,
		       have, want, text_date(from, sizeof(from), when));
}

void totals_advise(const struct check *c)
{
	const struct spec *spec = c->conf->spec;

	if (!c->cluster->totals)
		return;
	for (size_t f = 0; f < spec->nflavors; f++)
		for (size_t r = 0; r < spec->nresources; r++)
			total_check(c, (int) f, (int) r);
	for (size_t i = 0; i < c->conf->ntemporaries; i++)
		temporary_check(c, &c->conf->temporaries[i]);
}
