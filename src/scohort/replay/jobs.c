/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - a trace and the options in the terms of a configuration
 *
 * The same questions that the plugin answers from job records (match/ and
 * request/ there): which queue, which local queue, which priority, what the job
 * asks for, which flavors it can use. And what the nodes of flavors have.
 */
#define _DEFAULT_SOURCE	/* strsep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/container.h"
#include "must.h"
#include "output/output.h"
#include "replay/replay.h"

/* What rules compare. partition: room for the name of the first one */
static struct conf_job names_of(const struct trace_job *job, char *partition, size_t size)
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
	return conf_match_queue(ask->conf, names.partition, names.qos, names.account, names.user);
}

/* sacct shows the job's own priority, which is its class only if the
 * configuration says so; of the other classes it shows the names. */
const char *replay_class_of(const struct replay_ask *ask, const struct trace_job *job)
{
	if (job->class && (!ask->sacct || ask->conf->priority == CONF_PRIORITY_JOB))
		return job->class;
	return ask->conf->priority == CONF_PRIORITY_PARTITION ? job->partition : job->qos;
}

static bool whole_number(const char *text, int64_t *number)
{
	char *end;

	*number = strtoll(text, &end, 10);
	return *text && !*end;
}

bool replay_priority_of(const struct replay_ask *ask, const struct trace_job *job,
			int64_t *priority)
{
	const char *name = replay_class_of(ask, job);

	*priority = 0;
	return !name || whole_number(name, priority)
	       || by_class_find(&ask->options->classes, name, priority);
}

struct local {
	struct hash_link link;
	int queue, number;
	const char *name;	/* of the trace, which has each once */
};

/* From 0 on, the same for the same name */
static int local_queue_of(struct replay_ask *ask, int queue, const struct trace_job *job)
{
	const char *name = ask->conf->local_queue == CONF_LOCAL_USER ? job->user : job->account;
	uint64_t hash = hash_u64(hash_u64(HASH_INIT, (uint64_t) queue), (uintptr_t) name);
	struct local *local;
	double weight;

	for (struct hash_link *link = hash_first(&ask->locals, hash); link;
	     link = hash_next(link)) {
		local = container_of(link, struct local, link);
		if (local->queue == queue && local->name == name)
			return local->number;
	}
	local = must(calloc(1, sizeof(*local)));
	local->queue = queue;
	local->name = name;
	local->number = (int) ask->locals.n;
	must(hash_insert(&ask->locals, &local->link, hash) < 0 ? NULL : local);
	weight = conf_local_weight(ask->conf, queue, name);
	if (weight != 1)
		must(sim_weigh_local(ask->sim, queue, local->number, weight) < 0 ? NULL : local);
	return local->number;
}

/* ---- what it asks for ---- */

static const struct trace_amount *amount_find(const struct trace_job *job, const char *resource)
{
	for (size_t i = 0; i < job->request->n; i++)
		if (!strcmp(job->request->amounts[i].resource, resource))
			return &job->request->amounts[i];
	return NULL;
}

bool replay_covers(const struct spec *spec, int queue, const char *resource)
{
	const struct spec_queue *q = &spec->queues[queue];
	int r = spec_find_resource(spec, resource);

	for (size_t i = 0; i < q->ngroups; i++)
		for (size_t j = 0; j < q->groups[i].nresources; j++)
			if (q->groups[i].resources[j] == r)
				return true;
	return false;
}

static size_t requests_fill(struct replay_ask *ask, const struct trace_job *job, int queue)
{
	const struct spec *spec = ask->conf->spec;
	size_t n = 0;

	for (size_t r = 0; r < spec->nresources; r++) {
		const struct trace_amount *a = amount_find(job, spec->resources[r]);

		if (a && a->amount && replay_covers(spec, queue, a->resource))
			ask->requests[n++] = (struct request) { .resource = (int) r,
								.amount = a->amount };
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
		asks |= any_word_in(job->features, ask->conf->flavors[f].features);
	for (size_t f = 0; f < spec->nflavors; f++) {
		const struct conf_flavor *flavor = &ask->conf->flavors[f];

		ask->ineligible[f] = (asks && flavor->features
				      && !any_word_in(job->features, flavor->features))
				     || (flavor->partitions && job->partition
					 && !any_word_in(job->partition, flavor->partitions));
	}
}

void replay_desc(struct replay_ask *ask, const struct trace_job *job, int queue,
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
		.local_queue = local_queue_of(ask, queue, job),
		.queue_order_at = job->submit,
		.tasks = job->tasks, .podsets = podset, .npodsets = 1,
	};
	replay_priority_of(ask, job, &desc->priority);
	names = names_of(job, partition, sizeof(partition));
	desc->nonpreemptible = conf_is_nonpreemptible(ask->conf, queue, &names, desc->priority,
						      job->preemptibility);
}

void replay_ask_open(struct replay_ask *ask, const struct conf *conf,
		     const struct trace *trace, const struct replay_options *options)
{
	*ask = (struct replay_ask) {
		.conf = conf, .options = options, .sacct = trace->kind == TRACE_SACCT,
		.requests = must(calloc(conf->spec->nresources + 1, sizeof(*ask->requests))),
		.ineligible = must(calloc(conf->spec->nflavors + 1, sizeof(*ask->ineligible))),
	};
}

void replay_ask_close(struct replay_ask *ask)
{
	for (size_t i = 0; i < ask->locals.nbuckets; i++) {
		struct hash_link *link = ask->locals.buckets[i];

		while (link) {
			struct local *local = container_of(link, struct local, link);

			link = link->next;
			free(local);
		}
	}
	hash_destroy(&ask->locals);
	free(ask->requests);
	free(ask->ineligible);
}

/* ---- what the flavors' nodes have ---- */

/* "cpu=64,gres/gpu=8": what the nodes of a flavor have */
static bool room_tell(struct sim *sim, const struct conf *conf, int flavor, const char *amounts)
{
	const char *name = conf->spec->flavors[flavor];
	struct trace_names names = { 0 };
	char why[256];
	const struct trace_request *room = trace_request(&names, amounts, why, sizeof(why));
	bool good = room || complain("--nodes: %s: %s", name, why);

	for (size_t i = 0; good && i < room->n; i++) {
		const struct trace_amount *a = &room->amounts[i];
		int resource = spec_find_resource(conf->spec, a->resource);

		if (resource == SPEC_NONE)
			good = complain("--nodes: %s: no queue of %.300s has quota for %s", name,
					conf->file, a->resource);
		else
			sim_room(sim, flavor, resource, a->amount);
	}
	trace_names_free(&names);
	return good;
}

/* "a100:cpu=64,gres/gpu=8". told: by flavor */
static bool flavor_tell(struct sim *sim, const struct conf *conf, char *text, bool *told)
{
	char *colon = strchr(text, ':');
	int flavor = SPEC_NONE;

	if (colon) {
		*colon = '\0';
		flavor = spec_find_flavor(conf->spec, text);
	}
	if (flavor == SPEC_NONE)
		return complain("--nodes: \"%.100s%s%.100s\" is not FLAVOR:RESOURCE=AMOUNT,... "
				"of a flavor in %.300s", text, colon ? ":" : "",
				colon ? colon + 1 : "", conf->file);
	if (told[flavor])
		return complain("--nodes: %s comes twice", text);
	told[flavor] = true;
	return room_tell(sim, conf, flavor, colon + 1);
}

bool replay_nodes_tell(struct sim *sim, const struct conf *conf, const char *nodes)
{
	bool *told = must(calloc(conf->spec->nflavors + 1, sizeof(*told))), good = true;
	char *copy = must(strdup(nodes)), *next = copy, *text;

	while (good && (text = strsep(&next, ";")))
		if (*text || next)
			good = flavor_tell(sim, conf, text, told);
	free(copy);
	free(told);
	return good;
}
