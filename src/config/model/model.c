/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.c - life of a conf
 */
#include <errno.h>
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

static void rules_free(struct conf_match *rules, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(rules[i].partition);
		free(rules[i].qos);
		free(rules[i].account);
		free(rules[i].user);
	}
	free(rules);
}

static void queue_free(struct conf_queue *queue)
{
	for (size_t i = 0; i < queue->nlocals; i++)
		free(queue->locals[i].name);
	free(queue->locals);
	rules_free(queue->matches, queue->nmatches);
	rules_free(queue->nonpreemptible.rules.list, queue->nonpreemptible.rules.n);
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
