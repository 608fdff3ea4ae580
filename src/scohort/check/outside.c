/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outside.c - jobs that there are, and that no cluster queue matches
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/outside.h"

#define KINDS_MAX 10		/* that are listed; the others are counted */

/* Jobs with the same account, QOS and partition */
struct kind {
	const struct cluster_job *job;
	size_t n;
};

/* By any of its partitions */
static bool is_in_queue(const struct conf *conf, const struct cluster_job *job)
{
	const char *rest = job->partition ? job->partition : "";
	char name[256];

	do {
		size_t n = strcspn(rest, ",");

		snprintf(name, sizeof(name), "%.*s", (int) n, rest);
		if (conf_match_queue(conf, *name ? name : NULL, job->qos,
				     job->account, job->user) != SPEC_NONE)
			return true;
		rest += n + !!rest[n];
	} while (*rest);
	return false;
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Returns how many kinds there are. */
static size_t kinds_find(const struct check *c, struct kind *kinds)
{
	size_t n = 0;

	for (size_t i = 0; i < c->cluster->njobs; i++) {
		const struct cluster_job *job = &c->cluster->jobs[i];
		size_t k = 0;

		if (job->over || is_in_queue(c->conf, job))
			continue;
		while (k < n && !(same(kinds[k].job->account, job->account)
				  && same(kinds[k].job->qos, job->qos)
				  && same(kinds[k].job->partition,
					  job->partition)))
			k++;
		if (k == n)
			kinds[n++].job = job;
		kinds[k].n++;
	}
	return n;
}

static int kind_compare(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	return x->n > y->n ? -1 : x->n < y->n;
}

static const char *name_or_none(const char *name)
{
	return name ? name : "(none)";
}

void outside_advise(const struct check *c)
{
	struct kind *kinds = calloc(c->cluster->njobs + 1, sizeof(*kinds));
	size_t n = kinds ? kinds_find(c, kinds) : 0;

	qsort(kinds, n, sizeof(*kinds), kind_compare);
	for (size_t i = 0; i < n && i < KINDS_MAX; i++) {
		const struct cluster_job *job = kinds[i].job;

		report_warning(c->report, NULL, 0, "no cluster queue matches "
			       "account %s, QOS %s, partition %s, which %zu "
			       "job%s: Slurm alone schedules such jobs",
			       name_or_none(job->account),
			       name_or_none(job->qos),
			       name_or_none(job->partition), kinds[i].n,
			       kinds[i].n == 1 ? " has" : "s have");
	}
	if (n > KINDS_MAX)
		report_warning(c->report, NULL, 0, "no cluster queue matches "
			       "%zu more combinations of account, QOS and "
			       "partition that jobs have", n - KINDS_MAX);
	free(kinds);
}
