/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - a job of a trace in the terms of a configuration
 *
 * The same questions that the plugin answers from job records (match/ and
 * request/ there): which queue, which local queue, which priority, what the job
 * asks for, which flavors it can use. And the options that say times by class.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/container.h"
#include "must.h"
#include "output/output.h"
#include "replay/replay.h"
#include "value/times.h"

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

static bool number_read(const char *text, int64_t *number)
{
	char *end;

	*number = strtoll(text, &end, 10);
	return *text && !*end;
}

/* An element of "4h,low=10m" or "high=100,low=10" */
struct element {
	const char *text;
	size_t len;
	size_t class;		/* length of its class, with which it begins */
	const char *value;
	bool named;		/* it has a class, which may be "" */
};

/* Takes the next one off *list. False: there is none */
static bool element_next(const char **list, struct element *e)
{
	const char *text = *list, *equals;

	if (!text || !*text)
		return false;
	*e = (struct element) { .text = text, .len = strcspn(text, ","), .value = text };
	equals = memchr(text, '=', e->len);
	e->named = equals;
	if (equals) {
		e->class = (size_t) (equals - text);
		e->value = equals + 1;
	}
	*list = text + e->len + !!text[e->len];
	return true;
}

static bool is_of_class(const struct element *e, const char *name)
{
	return e->named && name && strlen(name) == e->class && !strncmp(e->text, name, e->class);
}

/* sacct shows the job's own priority, which is its class only if the
 * configuration says so; of the other classes it shows the names. */
const char *replay_class_of(const struct replay_ask *ask, const struct trace_job *job)
{
	if (job->class && (!ask->sacct || ask->conf->priority == CONF_PRIORITY_JOB))
		return job->class;
	return ask->conf->priority == CONF_PRIORITY_PARTITION ? job->partition : job->qos;
}

bool replay_priority_of(const struct replay_ask *ask,
			const struct trace_job *job, int64_t *priority)
{
	const char *name = replay_class_of(ask, job), *classes = ask->options->classes;
	struct element e;

	*priority = 0;
	if (!name || number_read(name, priority))
		return true;
	*priority = 0;
	while (element_next(&classes, &e)) {
		if (!is_of_class(&e, name))
			continue;
		*priority = strtoll(e.value, NULL, 10);
		return true;
	}
	return false;
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

/* ---- times by class: "4h,low=10m" ---- */

/* -1 with err */
static int time_parse(const struct element *e, int64_t *ns, char *err, size_t size)
{
	size_t len = e->len - (size_t) (e->value - e->text);
	char time[64], why[160];

	snprintf(time, sizeof(time), "%.*s", (int) len, e->value);
	if ((!e->named || e->class) && len < sizeof(time)
	    && !duration_parse(time, ns, why, sizeof(why)) && time[strspn(time, "0123456789")])
		return 0;
	snprintf(err, size, "\"%.*s\" is not a time with a unit, or CLASS=TIME (30s, 10m, 1h, "
		 "low=10m)", e->len > 60 ? 60 : (int) e->len, e->text);
	return -1;
}

/* Does an element before this one have the same class? */
static bool is_told(const char *times, const struct element *e)
{
	struct element other;

	while (element_next(&times, &other) && other.text < e->text)
		if (other.class == e->class && !strncmp(other.text, e->text, e->class))
			return true;
	return false;
}

int replay_times_check(const char *times, char *err, size_t size)
{
	const char *all = times;
	struct element e;
	int64_t ns;

	while (element_next(&times, &e)) {
		if (time_parse(&e, &ns, err, size) < 0)
			return -1;
		if (!is_told(all, &e))
			continue;
		snprintf(err, size, "%.*s%s comes twice", (int) (e.named ? e.class : e.len),
			 e.text, e.named ? "" : ": a time for all others");
		return -1;
	}
	return 0;
}

/* The class of the first job that is of the element's class, or (NULL) of any; NULL: no
 * job is */
static const char *class_of_any(const struct replay_ask *ask, const struct trace *trace,
				const struct element *e)
{
	for (size_t i = 0; i < trace->n; i++) {
		const char *class = replay_class_of(ask, &trace->jobs[i]);

		if (class && (!e || is_of_class(e, class)))
			return class;
	}
	return NULL;
}

bool replay_times_fit(const struct replay_ask *ask, const struct trace *trace,
		      const char *option, const char *times)
{
	struct element e;

	while (element_next(&times, &e)) {
		const char *any = class_of_any(ask, trace, NULL);

		if (e.named && !class_of_any(ask, trace, &e))
			return complain("--%s: no job of %.150s is of class \"%.*s\" (the first "
					"one that is of a class: %.60s)", option, trace->file,
					e.class > 60 ? 60 : (int) e.class, e.text,
					any ? any : "none");
	}
	return true;
}

int64_t replay_time_of(const char *times, const char *name)
{
	int64_t all = 0, ns;
	struct element e;
	char err[160];

	while (element_next(&times, &e) && !time_parse(&e, &ns, err, sizeof(err))) {
		if (is_of_class(&e, name))
			return ns;
		if (!e.named)
			all = ns;
	}
	return all;
}
