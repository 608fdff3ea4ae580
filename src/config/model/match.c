/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.c - the cluster queue of a job
 */
#include <fnmatch.h>
#include <string.h>

#include "model/model.h"

/* fnmatch(), but soon done with what is written out: a site has hundreds of
 * queues, and each job is compared with all before its own. */
static bool key_matches(const char *pattern, const char *value)
{
	if (!pattern)
		return true;
	if (!value)
		return false;
	for (; *pattern && !strchr("*?[\\", *pattern); pattern++, value++)
		if (*pattern != *value)
			return false;
	return *pattern ? !fnmatch(pattern, value, 0) : !*value;
}

static bool rule_matches(const struct conf_match *rule, const struct conf_job *job)
{
	return key_matches(rule->partition, job->partition) &&
	       key_matches(rule->qos, job->qos) && key_matches(rule->account, job->account) &&
	       key_matches(rule->user, job->user);
}

static bool any_matches(const struct conf_match *rules, size_t n, const struct conf_job *job)
{
	for (size_t i = 0; i < n; i++)
		if (rule_matches(&rules[i], job))
			return true;
	return false;
}

int conf_match_queue(const struct conf *conf, const char *partition,
		     const char *qos, const char *account, const char *user)
{
	const struct conf_job job = { partition, qos, account, user };

	for (size_t i = 0; i < conf->spec->nqueues; i++)
		if (any_matches(conf->queues[i].matches, conf->queues[i].nmatches, &job))
			return (int) i;
	return SPEC_NONE;
}

bool conf_is_nonpreemptible(const struct conf *conf, int queue,
			    const struct conf_job *job, int64_t priority,
			    enum conf_preemptibility word)
{
	const struct conf_nonpreemptible *by = &conf->queues[queue].nonpreemptible;

	if (by->by_user && word != CONF_PREEMPTIBILITY_OPEN)
		return word == CONF_NONPREEMPTIBLE;
	if (by->priority_set && priority >= by->priority)
		return true;
	return any_matches(by->rules.list, by->rules.n, job);
}

double conf_local_weight(const struct conf *conf, int queue, const char *name)
{
	const struct conf_queue *q = &conf->queues[queue];

	for (size_t i = 0; name && i < q->nlocals; i++) {
		if (!strcmp(q->locals[i].name, name))
			return q->locals[i].weight;
	}
	return 1;
}
