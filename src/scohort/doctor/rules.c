/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.c - rules of cohort.yaml that never act on this cluster, or never stop to
 *
 * What else the file shows, slurmctld and scohort check say (config/section/advice.c,
 * check/advice.c).
 */
#define _GNU_SOURCE	/* strcasestr */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "lib/sat.h"
#include "output/text.h"

/* The plugin logs the same at start (request/demand.c). */
void look_memory(struct doctor *d)
{
	char value[256];

	if (spec_find_resource(d->file.conf->spec, "mem") != SPEC_NONE
	    && !d->file.cluster.memory_allocated
	    && controller_setting(&d->controller, "SelectTypeParameters", value, sizeof(value))
	    && !strcasestr(value, "MEMORY"))
		found(d, SEVERITY_WARNING, "SelectTypeParameters", "quota for mem has no effect: "
		      "SelectTypeParameters does not allocate memory (CR_Core_Memory, for "
		      "example, does)");
}

/* ---- names in rules ---- */

static bool has_database(const struct doctor *d)
{
	char value[256];

	return controller_setting(&d->controller, "AccountingStorageType", value, sizeof(value))
	       && strstr(value, "slurmdbd");
}

/* Else there are no QOS, and no names of users. */
static bool needs_database(const struct conf_match *rule)
{
	return rule->qos || (rule->user && !strchr("*?[0123456789", *rule->user));
}

void look_accounts(struct doctor *d)
{
	const struct conf *conf = d->file.conf;
	bool database = has_database(d), accounts = false;

	for (size_t i = 0; i < conf->spec->nqueues; i++) {
		for (size_t k = 0; k < conf->queues[i].match.n; k++) {
			const struct conf_match *rule = &conf->queues[i].match.list[k];

			accounts |= rule->account != NULL;
			if (!database && needs_database(rule))
				found(d, SEVERITY_WARNING, found_line(d, rule->line),
				      "clusterQueues[%zu].match[%zu]: no job can match: without "
				      "slurmdbd there are no QOS, and a user has to be the numeric "
				      "id", i, k);
		}
	}
	if (accounts && !d->controller.accounts_needed)
		found(d, SEVERITY_NOTE, "AccountingStorageEnforce", "rules ask for accounts, and "
		      "users may write any account behind --account. With slurmdbd, set "
		      "AccountingStorageEnforce=associations");
	if (!d->root && d->controller.accounts_needed)
		found_unknown(d, "do the accounts and QOS of rules exist?",
			      "only root may ask slurmctld");
	if (!d->root && d->controller.private_jobs)
		found_unknown(d, "which queues match the jobs of others?", "PrivateData has jobs");
}

/* ---- policies without anybody to act on ---- */

static void reclaim_look(struct doctor *d, size_t i)
{
	const struct spec *spec = d->file.conf->spec;
	const struct spec_queue *q = &spec->queues[i];
	const char *where = found_line(d, d->file.conf->queues[i].line);

	if (q->reclaim == POLICY_NEVER || q->cohort == SPEC_NONE)
		return;
	if (queue_owns_nothing_to_reclaim(spec, q))
		found(d, SEVERITY_WARNING, where, "clusterQueues[%zu].preemption."
		      "reclaimWithinCohort: never acts: \"%s\" owns no quota to reclaim, and its "
		      "borrowing jobs can't evict others. Give it quota or borrowWithinCohort, or "
		      "remove the key", i, q->name);
	if (q->borrow_set && q->borrow != POLICY_NEVER && spec->fair_sharing)
		found(d, SEVERITY_WARNING, where, "clusterQueues[%zu].preemption."
		      "borrowWithinCohort: never acts: with fairSharing shares decide instead. "
		      "Remove one of the two", i);
}

/* The QOS or partition whose priority all jobs of the queue have; NULL: there may be several */
static const char *only_class(const struct doctor *d, size_t queue)
{
	const struct conf_rules *rules = &d->file.conf->queues[queue].match;
	enum conf_priority by = d->file.conf->priority;
	const char *only = NULL;

	if (by == CONF_PRIORITY_DEFAULT)
		by = has_database(d) ? CONF_PRIORITY_QOS : CONF_PRIORITY_PARTITION;
	for (size_t i = 0; by != CONF_PRIORITY_JOB && i < rules->n; i++) {
		const char *name = by == CONF_PRIORITY_QOS ? rules->list[i].qos
							   : rules->list[i].partition;

		if (!name || strpbrk(name, "*?[\\") || (only && strcmp(only, name) != 0))
			return NULL;
		only = name;
	}
	return only;
}

void look_policies(struct doctor *d)
{
	for (size_t i = 0; i < d->file.conf->spec->nqueues; i++) {
		const struct spec_queue *q = &d->file.conf->spec->queues[i];
		const char *only = only_class(d, i);

		reclaim_look(d, i);
		if (q->within == POLICY_LOWER_PRIORITY && only)
			found(d, SEVERITY_WARNING, found_line(d, d->file.conf->queues[i].line),
			      "clusterQueues[%zu].preemption.withinClusterQueue: never acts: all "
			      "jobs of \"%s\" have the priority of %s. LowerOrNewerEqualPriority "
			      "would act, or priority: job", i, q->name, only);
	}
}

/* ---- protection that is longer than any job ---- */

/* The longest time limit, in ns, of partitions that rules (NULL: any) match; INT64_MAX: some
 * job may run without end, or it is not known */
static int64_t longest_limit(const struct doctor *d, const struct conf_rules *rules)
{
	const struct cluster *c = &d->file.cluster;
	int64_t longest = 0;

	for (size_t p = 0; p < c->partitions.n; p++) {
		bool hit = !rules;

		for (size_t i = 0; !hit && i < rules->n; i++)
			hit = !rules->list[i].partition
			      || !fnmatch(rules->list[i].partition, c->partitions.names[p], 0);
		if (hit)
			longest = max64(longest, sat_mul(c->longest[p], SPEC_SEC));
	}
	return longest ? longest : INT64_MAX;
}

static void time_look(struct doctor *d, int line, const char *of, const char *key, int64_t set,
		      int64_t limit)
{
	if (set != SPEC_NO_TIME && set >= limit)
		found(d, SEVERITY_WARNING, found_line(d, line), "%s%s%s: %s never ends, as no job "
		      "may run for more than %s: the evictions that it delays never happen. Make "
		      "it shorter", key, *of ? " of " : "", of,
		      text_duration(TEXT_BUF, set / SPEC_SEC),
		      text_duration(TEXT_BUF, limit / SPEC_SEC));
}

void look_times(struct doctor *d)
{
	const struct spec *spec = d->file.conf->spec;
	int64_t limit = longest_limit(d, NULL);

	time_look(d, 0, "", "minRuntime.preempt", spec->preempt_min_runtime, limit);
	time_look(d, 0, "", "minRuntime.reclaim", spec->reclaim_min_runtime, limit);
	for (size_t i = 0; i < spec->ncohorts; i++) {
		const struct spec_cohort *c = &spec->cohorts[i];

		time_look(d, 0, c->name, "preemptMinRuntime", c->preempt_min_runtime, limit);
		time_look(d, 0, c->name, "reclaimMinRuntime", c->reclaim_min_runtime, limit);
	}
	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct spec_queue *q = &spec->queues[i];
		int line = d->file.conf->queues[i].line;

		limit = longest_limit(d, &d->file.conf->queues[i].match);
		time_look(d, line, q->name, "preemptMinRuntime", q->preempt_min_runtime, limit);
		time_look(d, line, q->name, "reclaimMinRuntime", q->reclaim_min_runtime, limit);
		time_look(d, line, q->name, "minAdmitDuration", q->min_admit, limit);
	}
}

#define BF_WINDOW 1440		/* minutes, where slurm.conf does not set it */

void look_window(struct doctor *d)
{
	int64_t limit = longest_limit(d, NULL) / SPEC_SEC, minutes;
	const char *set;
	char list[4096];

	controller_setting(&d->controller, "SchedulerParameters", list, sizeof(list));
	set = strcasestr(list, "bf_window=");
	minutes = set ? atoll(set + strlen("bf_window=")) : BF_WINDOW;
	if (d->file.conf->planned_jobs > 0 && limit > minutes * 60 && limit < INT64_MAX / SPEC_SEC)
		found(d, SEVERITY_NOTE, "SchedulerParameters", "bf_window is %" PRId64 " minutes, "
		      "and jobs may run for %s: plannedJobs plans no job whose quota comes after "
		      "bf_window. Set it to the longest time limit", minutes,
		      text_duration(TEXT_BUF, limit));
}

/* ---- jobs that evict one another ---- */

static int root_of(const struct spec *spec, const struct spec_queue *q)
{
	int cohort = q->cohort;

	while (cohort != SPEC_NONE && spec->cohorts[cohort].parent != SPEC_NONE)
		cohort = spec->cohorts[cohort].parent;
	return cohort;
}

/* Neither of the two rules that end a chain of evictions holds for its jobs, and these may
 * evict jobs of others without quota of their own (doc/how-it-decides.md, section 6). */
static bool is_without_end(const struct spec *spec, const struct spec_queue *q)
{
	return q->cohort != SPEC_NONE && !q->yield_after && !q->max_preemptions
	       && q->reclaim != POLICY_NEVER
	       && (spec->fair_sharing || (q->borrow_set && q->borrow != POLICY_NEVER));
}

/* Each such queue is named with the next one of its tree. */
void look_mutual(struct doctor *d)
{
	const struct spec *spec = d->file.conf->spec;
	const struct spec_queue *end = spec->queues + spec->nqueues;

	for (const struct spec_queue *q = spec->queues; q < end; q++) {
		const struct spec_queue *other = q + 1;

		while (other < end && !(is_without_end(spec, q) && is_without_end(spec, other)
					&& root_of(spec, other) == root_of(spec, q)))
			other++;
		if (other < end)
			found(d, SEVERITY_WARNING,
			      found_line(d, d->file.conf->queues[q - spec->queues].line),
			      "jobs of \"%s\" and \"%s\" may evict one another again and again: "
			      "yieldAfterEvictions and maxPreemptions of both are 0. Set one of "
			      "them", q->name, other->name);
	}
}
