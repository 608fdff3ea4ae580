/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - a job of a trace in the terms of a configuration
 *
 * The same questions that the plugin answers from job records (match/ and
 * request/ there): which queue, which local queue, which priority, what the job
 * asks for, which flavors it can use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/container.h"
#include "sim.h"
#include "replay/replay.h"

/* What rules compare. partition: room for the name of the first one */
static struct conf_job names_of(const struct trace_job *job, char *partition,
				size_t size)
{
	if (job->partition)
		snprintf(partition, size, "%.*s",
			 (int) strcspn(job->partition, ","), job->partition);
	return (struct conf_job) {
		.partition = job->partition ? partition : NULL,
		.qos = job->qos, .account = job->account, .user = job->user,
	};
}

int replay_queue_of(const struct replay_ask *ask, const struct trace_job *job)
{
	char partition[256];
	struct conf_job names = names_of(job, partition, sizeof(partition));

	if (job->queue)
		return spec_find_queue(ask->conf->spec, job->queue);
	return conf_match_queue(ask->conf, names.partition, names.qos,
				names.account, names.user);
}

static bool number_read(const char *text, int64_t *number)
{
	char *end;

	*number = strtoll(text, &end, 10);
	return *text && !*end;
}

/* "high=100,low=10" */
static bool class_find(const char *classes, const char *name, int64_t *priority)
{
	size_t len = name ? strlen(name) : 0;

	while (len && classes && *classes) {
		size_t n = strcspn(classes, ",");

		if (n > len && !strncmp(classes, name, len) &&
		    classes[len] == '=') {
			*priority = strtoll(classes + len + 1, NULL, 10);
			return true;
		}
		classes += n + !!classes[n];
	}
	return false;
}

/* sacct shows the job's own priority, which is its class only if the
 * configuration says so; of the other classes it shows the names. */
const char *replay_class_of(const struct replay_ask *ask,
			    const struct trace_job *job)
{
	if (job->class && (!ask->sacct ||
			   ask->conf->priority == CONF_PRIORITY_JOB))
		return job->class;
	return ask->conf->priority == CONF_PRIORITY_PARTITION ?
		job->partition : job->qos;
}

bool replay_priority_of(const struct replay_ask *ask,
			const struct trace_job *job, int64_t *priority)
{
	const char *name = replay_class_of(ask, job);

	*priority = 0;
	if (!name || number_read(name, priority))
		return true;
	return class_find(ask->options->classes, name, priority);
}

struct local {
	struct hash_link link;
	int queue, number;
	const char *name;	/* of the trace, which has each once */
};

static int local_weigh(const struct replay_ask *ask, const struct local *local)
{
	double weight = conf_local_weight(ask->conf, local->queue, local->name);

	return ask->sim && weight != 1
	       ? sim_weigh_local(ask->sim, local->queue, local->number, weight)
	       : 0;
}

int replay_local_queue(struct replay_ask *ask, int queue,
		       const struct trace_job *job)
{
	const char *name = ask->conf->local_queue == CONF_LOCAL_USER ?
		job->user : job->account;
	uint64_t hash = hash_u64(hash_u64(HASH_INIT, (uint64_t) queue),
				 (uintptr_t) name);
	struct hash_link *link = hash_first(&ask->locals, hash);
	struct local *local;

	for (; link; link = hash_next(link)) {
		local = container_of(link, struct local, link);
		if (local->queue == queue && local->name == name)
			return local->number;
	}
	local = malloc(sizeof(*local));
	if (!local)
		return -1;
	*local = (struct local) { .queue = queue, .name = name,
				  .number = (int) ask->locals.n };
	if (hash_insert(&ask->locals, &local->link, hash) < 0) {
		free(local);
		return -1;
	}
	return local_weigh(ask, local) < 0 ? -1 : local->number;
}

void replay_ask_free(struct replay_ask *ask)
{
	for (size_t i = 0; i < ask->locals.nbuckets; i++) {
		struct hash_link *link = ask->locals.buckets[i];

		while (link) {
			struct local *local = container_of(link, struct local,
							   link);

			link = link->next;
			free(local);
		}
	}
	hash_destroy(&ask->locals);
	free(ask->requests);
	free(ask->ineligible);
}

/* ---- what it asks for ---- */

static const struct trace_amount *amount_find(const struct trace_job *job,
					      const char *resource)
{
	for (size_t i = 0; i < job->request->n; i++)
		if (!strcmp(job->request->amounts[i].resource, resource))
			return &job->request->amounts[i];
	return NULL;
}

static bool queue_covers(const struct spec_queue *queue, int resource)
{
	for (size_t i = 0; i < queue->ngroups; i++)
		for (size_t j = 0; j < queue->groups[i].nresources; j++)
			if (queue->groups[i].resources[j] == resource)
				return true;
	return false;
}

bool replay_covers(const struct spec *spec, int queue, const char *resource)
{
	int r = spec_find_resource(spec, resource);

	return r != SPEC_NONE && queue_covers(&spec->queues[queue], r);
}

static size_t requests_fill(struct replay_ask *ask,
			    const struct trace_job *job, int queue)
{
	const struct spec *spec = ask->conf->spec;
	size_t n = 0;

	for (size_t r = 0; r < spec->nresources; r++) {
		const struct trace_amount *a =
			amount_find(job, spec->resources[r]);

		if (!a || !a->amount ||
		    !queue_covers(&spec->queues[queue], (int) r))
			continue;
		ask->requests[n].resource = (int) r;
		ask->requests[n++].amount = a->amount;
	}
	return n;
}

/* Does the text have it as a word of its own? */
static bool word_in(const char *text, const char *word, size_t len)
{
	static const char between[] = "&|,[]()*: ";

	while (text && *text) {
		size_t n = strcspn(text, between);

		if (n == len && !strncmp(text, word, n))
			return true;
		text += n + !!text[n];
	}
	return false;
}

static bool any_word_in(const char *text, const char *words)
{
	while (words && *words) {
		size_t n = strcspn(words, "&|,");

		if (n && word_in(text, words, n))
			return true;
		words += n + !!words[n];
	}
	return false;
}

/* A job that names features which differ between flavors can use those flavors
 * only; the same with partitions. */
static void flavors_judge(struct replay_ask *ask, const struct trace_job *job)
{
	const struct spec *spec = ask->conf->spec;
	bool asks = false;

	for (size_t f = 0; f < spec->nflavors; f++)
		asks |= any_word_in(job->features,
				    ask->conf->flavors[f].features);
	for (size_t f = 0; f < spec->nflavors; f++) {
		const struct conf_flavor *flavor = &ask->conf->flavors[f];

		ask->ineligible[f] =
			(asks && flavor->features &&
			 !any_word_in(job->features, flavor->features)) ||
			(flavor->partitions && job->partition &&
			 !any_word_in(job->partition, flavor->partitions));
	}
}

int replay_desc(struct replay_ask *ask, const struct trace_job *job, int queue,
		struct workload_desc *desc, struct podset_desc *podset)
{
	struct conf_job names;
	char partition[256];

	flavors_judge(ask, job);
	*podset = (struct podset_desc) {
		.name = "main", .count = 1, .group = -1,
		.requests = ask->requests,
		.nrequests = requests_fill(ask, job, queue),
		.ineligible = ask->ineligible,
	};
	*desc = (struct workload_desc) {
		.queue = queue,
		.local_queue = replay_local_queue(ask, queue, job),
		.queue_order_at = job->submit,
		.tasks = job->tasks, .podsets = podset, .npodsets = 1,
	};
	replay_priority_of(ask, job, &desc->priority);
	names = names_of(job, partition, sizeof(partition));
	desc->nonpreemptible =
		conf_is_nonpreemptible(ask->conf, queue, &names, desc->priority,
				       job->preemptibility);
	return desc->local_queue < 0 ? -1 : 0;
}
