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

int conf_match_queue(const struct conf *conf, const char *partition,
		     const char *qos, const char *account, const char *user)
{
	const struct conf_job job = { partition, qos, account, user };

	for (size_t i = 0; i < conf->spec->nqueues; i++) {
		const struct conf_queue *queue = &conf->queues[i];

		for (size_t j = 0; j < queue->nmatches; j++) {
			const struct conf_match *rule = &queue->matches[j];

			if (rule_matches(rule, &job))
				return (int) i;
		}
	}
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
	for (size_t i = 0; i < by->rules.n; i++) {
		if (rule_matches(&by->rules.list[i], job))
			return true;
	}
	return false;
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
