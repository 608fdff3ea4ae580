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
#include <string.h>

#include "check/advice.h"
#include "check/outside.h"
#include "check/totals.h"
#include "check/turns.h"
#include "section/sections.h"
#include "text/report.h"

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

/* Slurm takes the nodes of another user out before it asks for victims. Once for all that
 * reclaim: the partition decides. */
static void users_check(const struct check *c)
{
	const struct place list = { .key = "clusterQueues" };

	for (size_t i = 0; c->cluster->user_partition && i < c->conf->spec->nqueues; i++) {
		const struct place at = { .up = &list, .index = i };

		if (c->conf->spec->queues[i].reclaim == POLICY_NEVER)
			continue;
		report_warning(c->report, &at, c->conf->queues[i].line,
			       "nodes of partition \"%s\" do not come back from jobs "
			       "of other users, whatever reclaimWithinCohort says: "
			       "it has ExclusiveUser=YES, and Slurm evicts nobody "
			       "for a job of another user there",
			       c->cluster->user_partition);
		return;
	}
}

/* ---- jobs that can't be evicted ---- */

/* evict_terms.c of the plugin logs the same. */
static void modes_check(const struct check *c)
{
	for (size_t i = 0; i < c->cluster->fixed_qos.n; i++)
		report_warning(c->report, NULL, 0, "jobs of QOS %s can't be "
			       "evicted: its PreemptMode is SUSPEND",
			       c->cluster->fixed_qos.names[i]);
	for (size_t i = 0; i < c->cluster->fixed_partitions.n; i++)
		report_warning(c->report, NULL, 0, "jobs of partition %s can't "
			       "be evicted, unless the PreemptMode of their QOS "
			       "lets them: its own is OFF or SUSPEND",
			       c->cluster->fixed_partitions.names[i]);
}

/* ---- preemption that ends ---- */

/* Slurm has one preempt plugin. Which one this cluster had is known only before
 * it has ours: then QOS that name others are a sign. */
static void unmanaged_check(const struct check *c)
{
	const char *type = c->cluster->preempt_type, *had = NULL;

	if (c->conf->unmanaged != CONF_UNMANAGED_NONE || !type)
		return;
	if (!strcmp(type, "preempt/qos") || !strcmp(type, "preempt/partition_prio"))
		had = strchr(type, '/') + 1;
	else if (c->conf->observe && c->cluster->qos_preempt)
		had = "qos";
	if (had)
		report_warning(c->report, NULL, 0, "preempt/%s does not work "
			       "beside slurm-cohort, not even with enforcement: "
			       "observe: unmanaged: {preemption: %s} keeps it, "
			       "with observe for all jobs, else for those "
			       "outside all queues", had, had);
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
		totals_advise(&c);
		overlaps_check(&c);
		users_check(&c);
		modes_check(&c);
		unmanaged_check(&c);
		outside_advise(&c);
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
