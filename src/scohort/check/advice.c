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
#include <time.h>

#include "check/check.h"
#include "lib/sat.h"
#include "must.h"
#include "output/text.h"
#include "section/sections.h"
#include "text/report.h"
#include "value/times.h"
#include "value/tres.h"

struct check {
	const struct conf *conf;
	const struct spec *spec;
	const struct cluster *cluster;
	int *queues;			/* of its jobs */
	struct report *report;
};

static const struct place flavors = { .key = "flavors" };
static const struct place cohorts = { .key = "cohorts" };
static const struct place queues = { .key = "clusterQueues" };

/* ---- rules that no job can match ---- */

static bool pattern_hits(const char *pattern, const struct cluster_names *names)
{
	for (size_t i = 0; pattern && names->known && i < names->n; i++)
		if (!fnmatch(pattern, names->names[i], 0))
			return true;
	return !pattern || !names->known;
}

static bool rule_hits(const struct cluster *cluster, const struct conf_match *rule)
{
	return pattern_hits(rule->partition, &cluster->partitions)
	       && pattern_hits(rule->qos, &cluster->qos)
	       && pattern_hits(rule->account, &cluster->accounts);
}

/* entry: what it means if all of them are dead */
static void rules_check(const struct check *c, const struct place *up,
			const struct conf_rules *rules, const char *entry)
{
	const struct place match = { .up = up, .key = "match" };
	size_t dead = 0;

	for (size_t i = 0; i < rules->n; i++)
		dead += !rule_hits(c->cluster, &rules->list[i]);
	for (size_t i = 0; i < rules->n; i++) {
		struct place at = { .up = &match, .index = i };

		if (!rule_hits(c->cluster, &rules->list[i]))
			report_warning(c->report, &at, rules->list[i].line, "no job can match: the "
				       "cluster has no such partition, QOS or account%s. Correct "
				       "or remove the rule", dead == rules->n ? entry : "");
	}
}

static void match_check(const struct check *c, size_t index)
{
	const struct conf_queue *q = &c->conf->queues[index];
	const struct place queue = { .up = &queues, .index = index };
	const struct place section = { .up = &queue, .key = "nonPreemptible" };

	rules_check(c, &queue, &q->match, "; no job can enter the queue");
	rules_check(c, &section, &q->nonpreemptible.rules, "");
}

/* ---- lending without a way back ---- */

static void reclaim_check(const struct check *c)
{
	bool *lends = must(calloc(c->spec->nqueues + 1, sizeof(*lends)));

	lending_lenders(c->spec, lends);
	for (size_t i = 0; i < c->spec->nqueues; i++) {
		const struct place at = { .up = &queues, .index = i };

		if (lends[i] && c->spec->queues[i].reclaim == POLICY_NEVER)
			report_warning(c->report, &at, c->conf->queues[i].line, "\"%s\" lends "
				       "to other queues, but its reclaimWithinCohort is Never: "
				       "its quota returns only when their jobs end. Any would let "
				       "it reclaim",
				       c->spec->queues[i].name);
	}
	free(lends);
}

/* Slurm takes the nodes of another user out before it asks for victims. Once for all that
 * reclaim: the partition decides. */
static void users_check(const struct check *c)
{
	for (size_t i = 0; c->cluster->user_partition && i < c->spec->nqueues; i++) {
		const struct place at = { .up = &queues, .index = i };

		if (c->spec->queues[i].reclaim == POLICY_NEVER)
			continue;
		report_warning(c->report, &at, c->conf->queues[i].line, "nodes of partition \"%s\" "
			       "do not come back from jobs of other users, whatever "
			       "reclaimWithinCohort says: it has ExclusiveUser=YES, and Slurm "
			       "evicts nobody for a job of another user there. Remove "
			       "ExclusiveUser",
			       c->cluster->user_partition);
		return;
	}
}

/* ---- jobs that can't be evicted, and preemption that ends ---- */

/* evict_terms.c of the plugin logs the same. */
static void modes_check(const struct check *c)
{
	for (size_t i = 0; i < c->cluster->fixed_qos.n; i++)
		report_warning(c->report, NULL, 0, "jobs of QOS %s can't be evicted: its "
			       "PreemptMode is SUSPEND", c->cluster->fixed_qos.names[i]);
	for (size_t i = 0; i < c->cluster->fixed_partitions.n; i++)
		report_warning(c->report, NULL, 0, "jobs of partition %s can't be evicted, unless "
			       "the PreemptMode of their QOS lets them: its own is OFF or SUSPEND",
			       c->cluster->fixed_partitions.names[i]);
}

/* Slurm has one preempt plugin. Which one this cluster had is known only before
 * it has ours: then QOS that name others are a sign. */
static void unmanaged_check(const struct check *c)
{
	const struct controller *controller = c->cluster->controller;
	const char *type = controller ? controller->preempt_type : "", *had = NULL;

	if (c->conf->unmanaged != CONF_UNMANAGED_NONE || !*type)
		return;
	if (!strcmp(type, "preempt/qos") || !strcmp(type, "preempt/partition_prio"))
		had = strchr(type, '/') + 1;
	else if (c->conf->observe && c->cluster->qos_preempt)
		had = "qos";
	if (had)
		report_warning(c->report, NULL, 0, "preempt/%s does not work beside slurm-cohort, "
			       "not even with enforcement: observe: unmanaged: {preemption: %s} "
			       "keeps it, with observe for all jobs, else for those outside all "
			       "queues", had, had);
}

/* ---- flavors that contain others ---- */

static bool has_all_nodes(const struct conf *conf, int flavor)
{
	const struct conf_flavor *f = &conf->flavors[flavor];

	return !f->features && !f->nodes && !f->partitions;
}

/* A flavor in the same group as this one that does not have all nodes */
static int smaller_beside(const struct conf *conf, int flavor, const struct spec_group *group)
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

/* Once for a flavor that has all nodes */
static void overlap_check(const struct check *c, int flavor)
{
	const struct place at = { .up = &flavors, .index = (size_t) flavor };
	const char *name = c->spec->flavors[flavor];

	for (size_t i = 0; i < c->spec->nqueues; i++) {
		const struct spec_queue *q = &c->spec->queues[i];

		for (size_t g = 0; g < q->ngroups; g++) {
			int other = smaller_beside(c->conf, flavor, &q->groups[g]);

			if (other == SPEC_NONE)
				continue;
			report_warning(c->report, &at, c->conf->flavors[flavor].line, "\"%s\" has "
				       "all nodes, including those of \"%s\", and \"%s\" uses "
				       "both: a job with quota in \"%s\" waits for nodes, and does "
				       "not reclaim quota in \"%s\". Give \"%s\" nodes or "
				       "features of its own", name, c->spec->flavors[other],
				       q->name, name, c->spec->flavors[other], name);
			return;
		}
	}
}

/* ---- flavors that differ by owner only ---- */

static bool owns(const struct spec_quota *quotas, size_t n, int flavor)
{
	for (size_t i = 0; i < n; i++)
		if (quotas[i].flavor == flavor && quotas[i].nominal)
			return true;
	return false;
}

/* The queue, or the cohort behind all queues, that alone owns quota of the flavor; SPEC_NONE:
 * none does, or several do */
static int sole_owner(const struct spec *spec, int flavor)
{
	int owner = SPEC_NONE;

	for (size_t i = 0; i < spec->nqueues + spec->ncohorts; i++) {
		size_t k = i - spec->nqueues;

		if (!(i < spec->nqueues ? owns(spec->queues[i].quotas, spec->queues[i].nquotas, flavor)
		      : owns(spec->cohorts[k].quotas, spec->cohorts[k].nquotas, flavor)))
			continue;
		if (owner != SPEC_NONE)
			return SPEC_NONE;
		owner = (int) i;
	}
	return owner;
}

static bool may_only_borrow(const struct spec_queue *q, int flavor)
{
	bool may = false;

	for (size_t i = 0; i < q->nquotas; i++)
		may |= q->quotas[i].flavor == flavor && q->quotas[i].borrowing_limit;
	return may && !owns(q->quotas, q->nquotas, flavor);
}

/* Jobs on several nodes, which scavengers often are: of whom can they have nodes? Features say
 * that the nodes differ by more than their owner. */
static void owners_check(const struct check *c, size_t index)
{
	const struct spec_queue *q = &c->spec->queues[index];
	const struct place at = { .up = &queues, .index = index };

	for (size_t g = 0; q->cohort != SPEC_NONE && g < q->ngroups; g++) {
		int first = SPEC_NONE;

		for (size_t i = 0; i < q->groups[g].nflavors; i++) {
			int f = q->groups[g].flavors[i], owner = sole_owner(c->spec, f);

			if (owner == SPEC_NONE || !may_only_borrow(q, f) || c->conf->flavors[f].features)
				continue;
			if (first == SPEC_NONE)
				first = f;
			if (owner == sole_owner(c->spec, first))
				continue;
			report_warning(c->report, &at, c->conf->queues[index].line, "\"%s\" only "
				       "borrows in \"%s\" and \"%s\", each of which has one owner: "
				       "no job of it gets nodes of both, as a job is charged in one "
				       "flavor. If these nodes are alike, make them one flavor with a "
				       "quota for each owner", q->name, c->spec->flavors[first],
				       c->spec->flavors[f]);
			return;
		}
	}
}

/* ---- quotas that promise more than the nodes of their flavor have ---- */

#define AS_WRITTEN INT64_MIN	/* no time: without any temporaryQuota */

static int64_t quota_sum(const struct spec *spec, bool is_cohort, size_t node, int flavor,
			 int resource, int64_t at)
{
	const struct spec_quota *of = is_cohort ? spec->cohorts[node].quotas
						: spec->queues[node].quotas;
	size_t n = is_cohort ? spec->cohorts[node].nquotas : spec->queues[node].nquotas;
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (of[i].flavor == flavor && of[i].resource == resource)
			sum += at == AS_WRITTEN ? of[i].nominal
			       : spec_nominal_at(spec, is_cohort, (int) node, &of[i], at, NULL);
	return sum;
}

/* Amounts are bounded so that no sum of them overflows (tres.h). */
int64_t nominal_sum(const struct spec *spec, int flavor, int resource, int64_t at)
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
	return c->cluster->totals[(size_t) flavor * c->spec->nresources + (size_t) resource];
}

/* when: "" or " at TIME" */
static void excess_warn(const struct check *c, const struct place *at, int line, int flavor,
			int resource, int64_t sum, const char *when)
{
	const char *name = c->spec->resources[resource];
	char have[TEXT_SIZE], want[TEXT_SIZE];

	amount_format(name, total_of(c, flavor, resource), have, sizeof(have));
	amount_format(name, sum, want, sizeof(want));
	report_warning(c->report, at, line, "\"%s\" has %s=%s on its nodes, quotas on it sum to "
		       "%s%s: the quotas promise more than the nodes have. Lower them",
		       c->spec->flavors[flavor], name, have, want, when);
}

static bool promises_too_much(const struct check *c, int flavor, int resource)
{
	int64_t total = total_of(c, flavor, resource);

	return total >= 0 && nominal_sum(c->spec, flavor, resource, AS_WRITTEN) > total;
}

/* Is this one in force then? */
static bool is_in_force(const struct spec *spec, const struct conf_temporary *t, int64_t at)
{
	const struct spec_quota quota = { .flavor = t->flavor, .resource = t->resource };
	const struct spec_period *p = spec_find_period(spec, t->is_cohort, t->node, &quota, at);

	return p && p->from <= at && p->nominal == t->nominal;
}

/* When do quotas promise too much with this one for the first time? In seconds; 0: never. *sum:
 * what they sum to then. Sums change where a quota for a time begins or ends. */
static int64_t excess_find(const struct check *c, const struct conf_temporary *t, int64_t *sum)
{
	const struct spec *spec = c->spec;
	int64_t now = (int64_t) time(NULL) * SPEC_SEC, first = INT64_MAX;

	for (size_t i = 0; i < 2 * spec->nperiods; i++) {
		const struct spec_period *p = &spec->periods[i / 2];
		int64_t at = i % 2 ? p->until : p->from > now ? p->from : now, then;

		if (p->flavor != t->flavor || p->resource != t->resource || p->until <= now
		    || at >= first || !is_in_force(spec, t, at))
			continue;
		then = nominal_sum(spec, t->flavor, t->resource, at);
		if (then <= total_of(c, t->flavor, t->resource))
			continue;
		first = at;
		*sum = then;
	}
	return first == INT64_MAX ? 0 : first / SPEC_SEC;
}

static void temporary_check(const struct check *c, const struct conf_temporary *t)
{
	const struct place node = { .up = t->is_cohort ? &cohorts : &queues,
				    .index = (size_t) t->node };
	const struct place at = { .up = &node, .key = "temporaryQuota" };
	char text[TEXT_SIZE + 8];
	int64_t sum, when;

	if (total_of(c, t->flavor, t->resource) < 0
	    || promises_too_much(c, t->flavor, t->resource))	/* said of the flavor */
		return;
	when = excess_find(c, t, &sum);
	snprintf(text, sizeof(text), " at %s", text_date(TEXT_BUF, when));
	if (when)
		excess_warn(c, &at, t->line, t->flavor, t->resource, sum, text);
}

static void totals_check(const struct check *c)
{
	for (int f = 0; f < (int) c->spec->nflavors; f++) {
		const struct place at = { .up = &flavors, .index = (size_t) f };

		for (int r = 0; r < (int) c->spec->nresources; r++)
			if (promises_too_much(c, f, r))
				excess_warn(c, &at, c->conf->flavors[f].line, f, r,
					    nominal_sum(c->spec, f, r, AS_WRITTEN), "");
	}
	for (size_t i = 0; i < c->conf->ntemporaries; i++)
		temporary_check(c, &c->conf->temporaries[i]);
}

/* ---- turns (minAdmitDuration) that never end, or end too soon ---- */

#define JOBS_ENOUGH 10		/* as many jobs as it takes to tell what is usual */

/* A job that would borrow evicts nobody, but for borrowWithinCohort, and with
 * fair sharing reclaimWithinCohort (doc/how-it-decides.md, section 4). What a
 * cohort below the top owns counts as its members' own. */
bool queue_owns_nothing_to_reclaim(const struct spec *spec, const struct spec_queue *q)
{
	for (size_t i = 0; i < q->nquotas; i++)
		if (q->quotas[i].nominal
		    || spec_find_period(spec, false, (int) (q - spec->queues), &q->quotas[i],
					INT64_MIN))
			return false;
	return q->cohort != SPEC_NONE && !(q->borrow_set && q->borrow != POLICY_NEVER)
	       && !(spec->fair_sharing && q->reclaim != POLICY_NEVER)
	       && spec->cohorts[q->cohort].parent == SPEC_NONE;
}

static int limit_compare(const void *a, const void *b)
{
	return compare64(*(const int64_t *) a, *(const int64_t *) b);
}

/* The median of the time limits of the queue's jobs; 0: there are too few */
static int64_t usual_limit(const struct check *c, size_t queue)
{
	const struct view_list *jobs = &c->cluster->jobs;
	int64_t *limits = must(calloc(jobs->n + 1, sizeof(*limits))), usual;
	size_t n = 0;

	for (size_t i = 0; i < jobs->n; i++) {
		int64_t limit = jobs->views[i].time_limit;

		if (limit && c->queues[i] == (int) queue)
			limits[n++] = sat_mul(limit, SPEC_SEC);
	}
	qsort(limits, n, sizeof(*limits), limit_compare);
	usual = n >= JOBS_ENOUGH ? limits[n / 2] : 0;
	free(limits);
	return usual;
}

static void turns_check(const struct check *c, size_t index)
{
	const struct spec_queue *q = &c->spec->queues[index];
	const struct place queue = { .up = &queues, .index = index };
	const struct place preemption = { .up = &queue, .key = "preemption" };
	const struct place config = { .up = &preemption, .key = "withinClusterQueueConfig" };
	const struct place at = { .up = &config, .key = "minAdmitDuration" };
	int line = c->conf->queues[index].line;
	int64_t usual;
	char turn[32], limit[32];

	if (q->min_admit == SPEC_NO_TIME)
		return;
	if (queue_owns_nothing_to_reclaim(c->spec, q)) {
		report_warning(c->report, &at, line, "no turn of \"%s\" ever ends: it owns no "
			       "quota, and its borrowing jobs can't evict others. Set "
			       "borrowWithinCohort.policy: LowerPriority (and "
			       "reclaimWithinCohort: LowerPriority)", q->name);
		return;
	}
	usual = usual_limit(c, index);
	duration_format(q->min_admit, turn, sizeof(turn));
	duration_format(usual, limit, sizeof(limit));
	if (usual > q->min_admit)
		report_warning(c->report, &at, line, "a turn of %s is shorter than most jobs of "
			       "\"%s\": half of its jobs request %s or more. Make it longer",
			       turn, q->name, limit);
}

/* ---- jobs that there are, and that no cluster queue matches ---- */

#define KINDS_MAX 10		/* that are listed; the others are counted */

/* Jobs with the same account, QOS and partition, and user, if rules ask for users */
struct kind {
	char *names;
	size_t n;
};

bool job_is_in_queue(const struct conf *conf, const struct view *job)
{
	const char *rest = job->partition ? job->partition : "";
	char name[256];

	do {
		size_t n = strcspn(rest, ",");

		snprintf(name, sizeof(name), "%.*s", (int) n, rest);
		if (conf_match_queue(conf, *name ? name : NULL, job->qos, job->account,
				     view_user(job)) != SPEC_NONE)
			return true;
		rest += n + !!rest[n];
	} while (*rest);
	return false;
}

static const char *or_none(const char *name)
{
	return name ? name : "(none)";
}

static bool rules_name_users(const struct conf *conf)
{
	for (size_t i = 0; i < conf->spec->nqueues; i++)
		for (size_t k = 0; k < conf->queues[i].match.n; k++)
			if (conf->queues[i].match.list[k].user)
				return true;
	return false;
}

/* Returns how many kinds there are. */
static size_t kinds_find(const struct check *c, struct kind *kinds)
{
	bool users = rules_name_users(c->conf);
	size_t n = 0;

	for (size_t i = 0; i < c->cluster->jobs.n; i++) {
		const struct view *job = &c->cluster->jobs.views[i];
		size_t k = 0;

		if (job->state == VIEW_DONE || job_is_in_queue(c->conf, job))
			continue;
		kinds[n].names = must_format("account %s, QOS %s, partition %s%s%s",
					     or_none(job->account), or_none(job->qos),
					     or_none(job->partition), users ? ", user " : "",
					     users ? view_user(job) : "");
		while (strcmp(kinds[k].names, kinds[n].names))
			k++;
		kinds[k].n++;
		if (k == n)
			n++;
		else
			free(kinds[n].names);
	}
	return n;
}

static int kind_compare(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	return compare64((int64_t) y->n, (int64_t) x->n);
}

static void outside_check(const struct check *c)
{
	struct kind *kinds = must(calloc(c->cluster->jobs.n + 1, sizeof(*kinds)));
	size_t n = kinds_find(c, kinds);

	qsort(kinds, n, sizeof(*kinds), kind_compare);
	for (size_t i = 0; i < n && i < KINDS_MAX; i++)
		report_warning(c->report, NULL, 0, "no cluster queue matches %s, which %zu "
			       "job%s: Slurm alone schedules such jobs. A rule of a queue could "
			       "match them", kinds[i].names, kinds[i].n,
			       kinds[i].n == 1 ? " has" : "s have");
	if (n > KINDS_MAX)
		report_warning(c->report, NULL, 0, "no cluster queue matches %zu more combinations "
			       "of account, QOS, partition and user that jobs have", n - KINDS_MAX);
	for (size_t i = 0; i < n; i++)
		free(kinds[i].names);
	free(kinds);
}

size_t cluster_advise(const struct conf *conf, const struct cluster *cluster,
		      conf_report_f report, void *arg)
{
	struct check c = { .conf = conf, .spec = conf->spec, .cluster = cluster,
			   .queues = must(calloc(cluster->jobs.n + 1, sizeof(int))),
			   .report = must(report_create(conf->file)) };
	size_t n;

	for (size_t i = 0; i < cluster->jobs.n; i++) {
		const struct view *job = &cluster->jobs.views[i];

		c.queues[i] = conf_match_queue(conf, job->partition, job->qos, job->account,
					       view_user(job));
	}
	if (cluster->totals)
		totals_check(&c);
	for (size_t f = 0; f < conf->spec->nflavors; f++)
		if (has_all_nodes(conf, (int) f))
			overlap_check(&c, (int) f);
	users_check(&c);
	modes_check(&c);
	unmanaged_check(&c);
	outside_check(&c);
	reclaim_check(&c);
	for (size_t i = 0; i < conf->spec->nqueues; i++) {
		match_check(&c, i);
		owners_check(&c, i);
		turns_check(&c, i);
	}
	n = report_warnings(c.report);
	report_emit(c.report, report, arg);
	report_destroy(c.report);
	free(c.queues);
	return n;
}
