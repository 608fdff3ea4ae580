/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.c - life of a conf, and which cluster queue a job has by it
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

struct conf *conf_create(const char *file, const char *text, size_t len)
{
	struct conf *conf = calloc(1, sizeof(*conf));

	if (!conf)
		return NULL;
	conf->spec = spec_create();
	conf->file = strdup(file);
	conf->source = malloc(len + 1);
	if (!conf->spec || !conf->file || !conf->source) {
		conf_destroy(conf);
		return NULL;
	}
	memcpy(conf->source, text, len);
	conf->source[len] = '\0';
	return conf;
}

static void flavor_free(struct conf_flavor *flavor)
{
	free(flavor->features);
	free(flavor->nodes);
	free(flavor->partitions);
}

static void rules_free(struct conf_rules *rules)
{
	for (size_t i = 0; i < rules->n; i++) {
		free(rules->list[i].partition);
		free(rules->list[i].qos);
		free(rules->list[i].account);
		free(rules->list[i].user);
	}
	free(rules->list);
}

static void queue_free(struct conf_queue *queue)
{
	for (size_t i = 0; i < queue->nlocals; i++)
		free(queue->locals[i].name);
	free(queue->locals);
	rules_free(&queue->match);
	rules_free(&queue->nonpreemptible.rules);
}

struct conf *conf_share(struct conf *conf)
{
	atomic_fetch_add(&conf->shares, 1);
	return conf;
}

void conf_destroy(struct conf *conf)
{
	int saved = errno;

	if (!conf || atomic_fetch_sub(&conf->shares, 1))
		return;
	for (size_t i = 0; conf->flavors && i < conf->spec->nflavors; i++)
		flavor_free(&conf->flavors[i]);
	for (size_t i = 0; conf->queues && i < conf->spec->nqueues; i++)
		queue_free(&conf->queues[i]);
	free(conf->flavors);
	free(conf->queues);
	free(conf->temporaries);
	free(conf->loss_weights);
	spec_destroy(conf->spec);
	free(conf->publish);
	free(conf->events.file);
	free(conf->notify.program);
	free(conf->source);
	free(conf->file);
	free(conf);
	errno = saved;
}

/* ---- rules ---- */

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

static bool any_matches(const struct conf_rules *rules, const struct conf_job *job)
{
	for (size_t i = 0; i < rules->n; i++)
		if (rule_matches(&rules->list[i], job))
			return true;
	return false;
}

int conf_match_queue(const struct conf *conf, const char *partition,
		     const char *qos, const char *account, const char *user)
{
	const struct conf_job job = { partition, qos, account, user };

	for (size_t i = 0; i < conf->spec->nqueues; i++)
		if (any_matches(&conf->queues[i].match, &job))
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
	return any_matches(&by->rules, job);
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
