/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advice.c - what is legal in cohort.yaml, but unwise on this cluster
 *
 * slurmctld warns at start of oddities of the file as such
 * (config/section/advice.c). The other warnings are here: some need to know the
 * cluster, some are a question of taste that need not be in a log at each start.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/advice.h"
#include "check/turns.h"
#include "section/sections.h"
#include "text/report.h"
#include "value/tres.h"

/* ---- quota above what the nodes have ---- */

static int64_t quota_sum(const struct spec_quota *quotas, size_t n, int flavor,
			 int resource)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (quotas[i].flavor == flavor && quotas[i].resource == resource)
			sum += quotas[i].nominal;
	return sum;
}

/* Amounts are bounded so that no sum of them overflows (tres.h). */
static int64_t nominal_sum(const struct spec *spec, int flavor, int resource)
{
	int64_t sum = 0;

	for (size_t i = 0; i < spec->nqueues; i++)
		sum += quota_sum(spec->queues[i].quotas,
				 spec->queues[i].nquotas, flavor, resource);
	for (size_t i = 0; i < spec->ncohorts; i++)
		sum += quota_sum(spec->cohorts[i].quotas,
				 spec->cohorts[i].nquotas, flavor, resource);
	return sum;
}

static void total_check(const struct check *c, size_t flavor, size_t resource)
{
	const struct place list = { .key = "flavors" };
	const struct place at = { .up = &list, .index = flavor };
	const struct spec *spec = c->conf->spec;
	int64_t total =
		c->cluster->totals[flavor * spec->nresources + resource];
	int64_t sum = nominal_sum(spec, (int) flavor, (int) resource);
	const char *name = spec->resources[resource];
	char have[32], want[32];

	if (total < 0 || sum <= total)
		return;
	amount_format(name, total, have, sizeof(have));
	amount_format(name, sum, want, sizeof(want));
	report_warning(c->report, &at, c->conf->flavors[flavor].line,
		       "\"%s\" has %s=%s on its nodes, quotas on it sum to %s: "
		       "the quotas promise more than the nodes have",
		       spec->flavors[flavor], name, have, want);
}

static void totals_check(const struct check *c)
{
	const struct spec *spec = c->conf->spec;

	if (!c->cluster->totals)
		return;
	for (size_t f = 0; f < spec->nflavors; f++)
		for (size_t r = 0; r < spec->nresources; r++)
			total_check(c, f, r);
}

/* ---- queues that no job can match ---- */

static bool pattern_hits(const char *pattern, const struct cluster_names *names)
{
	if (!pattern || !names->known)
		return true;
	for (size_t i = 0; i < names->n; i++)
		if (!fnmatch(pattern, names->names[i], 0))
			return true;
	return false;
}

static bool rule_hits(const struct cluster *cluster,
		      const struct conf_match *rule)
{
	return pattern_hits(rule->partition, &cluster->partitions) &&
	       pattern_hits(rule->qos, &cluster->qos) &&
	       pattern_hits(rule->account, &cluster->accounts);
}

static void match_check(const struct check *c, size_t index)
{
	const struct place list = { .key = "clusterQueues" };
	const struct place queue = { .up = &list, .index = index };
	const struct place match = { .up = &queue, .key = "match" };
	const struct conf_queue *q = &c->conf->queues[index];
	size_t dead = 0;

	for (size_t i = 0; i < q->nmatches; i++)
		dead += !rule_hits(c->cluster, &q->matches[i]);
	for (size_t i = 0; i < q->nmatches; i++) {
		struct place at = { .up = &match, .index = i };

		if (!rule_hits(c->cluster, &q->matches[i]))
			report_warning(c->report, &at, q->matches[i].line,
				       "no job can match: the cluster has no "
				       "such partition, QOS or account%s",
				       dead == q->nmatches ? "; no job can "
				       "enter the queue" : "");
	}
}

/* A rule for jobs that can't be preempted, and none of the jobs can be one */
static void nonpreemptible_check(const struct check *c, size_t index)
{
	const struct place list = { .key = "clusterQueues" };
	const struct place queue = { .up = &list, .index = index };
	const struct place section = { .up = &queue, .key = "nonPreemptible" };
	const struct place match = { .up = &section, .key = "match" };
	const struct conf_rules *rules =
		&c->conf->queues[index].nonpreemptible.rules;

	for (size_t i = 0; i < rules->n; i++) {
		struct place at = { .up = &match, .index = i };

		if (!rule_hits(c->cluster, &rules->list[i]))
			report_warning(c->report, &at, rules->list[i].line,
				       "no job can match: the cluster has no "
				       "such partition, QOS or account");
	}
}

/* ---- lending without a way back ---- */

static void reclaim_check(const struct check *c, const bool *lends,
			  size_t index)
{
	const struct place list = { .key = "clusterQueues" };
	const struct place at = { .up = &list, .index = index };
	const struct spec_queue *queue = &c->conf->spec->queues[index];

	if (lends[index] && queue->reclaim == POLICY_NEVER)
		report_warning(c->report, &at, c->conf->queues[index].line,
			       "\"%s\" lends to other queues, but its "
			       "reclaimWithinCohort is Never: its quota "
			       "returns only when their jobs end",
			       queue->name);
}

/* ---- flavors that contain others ---- */

static bool has_all_nodes(const struct conf *conf, int flavor)
{
	const struct conf_flavor *f = &conf->flavors[flavor];

	return !f->features && !f->nodes && !f->partitions;
}

/* A flavor in the same group as this one that does not have all nodes */
static int smaller_beside(const struct conf *conf, int flavor,
			  const struct spec_group *group)
{
	bool there = false;
	int smaller = SPEC_NONE;

	for (size_t i = 0; i < group->nflavors; i++) {
		there |= group->flavors[i] == flavor;
		if (!has_all_nodes(conf, group->flavors[i]))
			smaller = group->flavors[i];
	}
	return there ? smaller : SPEC_NONE;
}

static void overlap_check(const struct check *c, int flavor)
{
	const struct place list = { .key = "flavors" };
	const struct place at = { .up = &list, .index = (size_t) flavor };
	const struct spec *spec = c->conf->spec;

	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct spec_queue *q = &spec->queues[i];

		for (size_t g = 0; g < q->ngroups; g++) {
			int smaller = smaller_beside(c->conf, flavor,
						     &q->groups[g]);

			if (smaller == SPEC_NONE)
				continue;
			report_warning(c->report, &at,
				       c->conf->flavors[flavor].line,
				       "\"%s\" has all nodes, including those of "
				       "\"%s\", and \"%s\" uses both: a job "
				       "with quota in \"%s\" waits for nodes, "
				       "and does not reclaim quota in \"%s\"",
				       spec->flavors[flavor],
				       spec->flavors[smaller], q->name,
				       spec->flavors[flavor],
				       spec->flavors[smaller]);
			return;
		}
	}
}

static void overlaps_check(const struct check *c)
{
	for (size_t f = 0; f < c->conf->spec->nflavors; f++) {
		if (has_all_nodes(c->conf, (int) f))
			overlap_check(c, (int) f);
	}
}

size_t cluster_advise(const struct conf *conf, const struct cluster *cluster,
		      conf_report_f report, void *arg)
{
	struct check c = { .conf = conf, .cluster = cluster,
			   .report = report_create(conf->file) };
	bool *lends = calloc(conf->spec->nqueues + 1, sizeof(*lends));
	size_t n = 0;

	if (c.report && lends) {
		lending_lenders(conf->spec, lends);
		totals_check(&c);
		overlaps_check(&c);
		for (size_t i = 0; i < conf->spec->nqueues; i++) {
			match_check(&c, i);
			nonpreemptible_check(&c, i);
			reclaim_check(&c, lends, i);
			turns_advise(&c, i);
		}
		n = report_warnings(c.report);
		report_emit(c.report, report, arg);
	} else {
		report(arg, false, "out of memory");
	}
	report_destroy(c.report);
	free(lends);
	return n;
}
