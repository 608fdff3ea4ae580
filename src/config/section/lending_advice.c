/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lending_advice.c - warnings: quota lent or borrowed that has no other side
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/lending.h"
#include "section/sections.h"
#include "value/tres.h"

/* "cpu=4,mem=16G": the entries of [0..n) that are lonely */
static bool amounts_format(const struct spec *spec,
			   const struct lending_quota *entries, size_t n,
			   bool lending, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < n && used < size; i++) {
		const struct lending_quota *e = &entries[i];
		const char *name = spec->resources[e->quota->resource];
		char amount[32];

		if (!(lending ? e->lonely_lender : e->lonely_borrower))
			continue;
		amount_format(name, lending ? lending_amount(e) :
			      e->quota->borrowing_limit, amount,
			      sizeof(amount));
		used += snprintf(buf + used, size - used, "%s%s=%s",
				 used ? "," : "", name, amount);
	}
	return used > 0;
}

static void queue_warn(struct reader *r, const struct spec *spec,
		       const struct lending_quota *e, bool lending,
		       const char *amounts)
{
	const struct place list = { .key = "clusterQueues" };
	const struct place at = { .up = &list, .index = e->node };
	const struct spec_queue *queue = &spec->queues[e->node];

	report_warning(r->report, &at, r->conf->queues[e->node].line,
		       "\"%s\" %s %s of flavor %s, but no other queue in "
		       "cohort \"%s\" %s", queue->name,
		       lending ? "lends" : "may borrow", amounts,
		       spec->flavors[e->quota->flavor],
		       spec->cohorts[queue->cohort].name,
		       lending ? "may borrow it" : "lends any");
}

static void cohort_warn(struct reader *r, const struct spec *spec,
			const struct node *root, const struct lending_quota *e,
			const char *amounts)
{
	const struct place list = { .key = "cohorts" };
	const struct place at = { .up = &list, .index = e->node };
	const struct node *n = node_find(root, list.key)->items[e->node];

	report_warning(r->report, &at, n->line, "\"%s\" has %s of flavor %s, "
		       "but no queue in it may borrow it",
		       spec->cohorts[e->node].name, amounts,
		       spec->flavors[e->quota->flavor]);
}

/* entries[0..n): one flavor of one node */
static void flavor_warn(struct reader *r, const struct spec *spec,
			const struct node *root,
			const struct lending_quota *entries, size_t n)
{
	char amounts[256];

	if (amounts_format(spec, entries, n, true, amounts, sizeof(amounts))) {
		if (entries->cohort)
			cohort_warn(r, spec, root, entries, amounts);
		else
			queue_warn(r, spec, entries, true, amounts);
	}
	if (amounts_format(spec, entries, n, false, amounts, sizeof(amounts)))
		queue_warn(r, spec, entries, false, amounts);
}

/* Entries of one flavor of one node follow each other. */
static bool same_flavor(const struct lending_quota *a,
			const struct lending_quota *b)
{
	return a->node == b->node && a->cohort == b->cohort &&
	       a->quota->flavor == b->quota->flavor;
}

void lending_advise(struct reader *r, const struct node *root)
{
	const struct spec *spec = r->conf->spec;
	struct lending_quota *quotas;
	size_t n, end;

	if (lending_judge(spec, &quotas, &n) < 0) {
		report_nomem(r->report);
		return;
	}
	for (size_t i = 0; i < n; i = end) {
		end = i + 1;
		while (end < n && same_flavor(&quotas[end], &quotas[i]))
			end++;
		flavor_warn(r, spec, root, quotas + i, end - i);
	}
	free(quotas);
}
