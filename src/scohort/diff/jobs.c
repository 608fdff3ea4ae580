/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - the jobs that there are, under another configuration
 *
 * What a queue uses now it uses then, but for jobs that come to it or leave it.
 * A job keeps the flavor that it is charged on. Whether a job could be evicted
 * is judged by policies and borrowing; protections that end are not counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diff/diff.h"
#include "input/json_members.h"
#include "ledger/lookup.h"
#include "must.h"
#include "story/room.h"
#include "why/why.h"

/* A configuration, and what each queue then uses of each pair:
 * [(queue * nflavors + flavor) * nresources + resource] */
struct side {
	const struct conf *conf;
	const struct spec *spec;
	int64_t *used;
};

struct comparison {
	const struct published *p;
	struct side from, to;
	struct json_object *moves, *borrowers, *evictable;
};

struct pair {
	int flavor, resource;
};

static int64_t *used_at(const struct side *s, int queue, struct pair pair)
{
	return &s->used[((size_t) queue * s->spec->nflavors + (size_t) pair.flavor)
			* s->spec->nresources + (size_t) pair.resource];
}

/* The pair of an object with "flavor" and "resource". False: the side does not have it */
static bool pair_of(const struct spec *spec, struct json_object *o, struct pair *pair)
{
	pair->flavor = spec_find_flavor(spec, json_text(o, "flavor"));
	pair->resource = spec_find_resource(spec, json_text(o, "resource"));
	return pair->flavor != SPEC_NONE && pair->resource != SPEC_NONE;
}

/* With the usage that is published, as far as the side has it */
static struct side side_make(const struct conf *conf, const struct published *p)
{
	const struct spec *spec = conf->spec;
	struct side s = { .conf = conf, .spec = spec };

	s.used = must(calloc(spec->nqueues * spec->nflavors * spec->nresources + 1,
			     sizeof(*s.used)));
	for (size_t i = 0; i < spec->nqueues; i++) {
		struct json_object *queue = published_queue(p, spec->queues[i].name), *q;
		struct pair pair;

		for (size_t k = 0; (q = json_item(queue, "quota", k)); k++) {
			if (pair_of(spec, q, &pair))
				*used_at(&s, (int) i, pair) = json_number(q, "used");
		}
	}
	return s;
}

/* The queue's quota of the pair now; -1: it has none */
static int64_t nominal_of(const struct spec *spec, int queue, struct pair pair)
{
	const struct spec_queue *q = &spec->queues[queue];

	for (size_t i = 0; i < q->nquotas; i++)
		if (q->quotas[i].flavor == pair.flavor && q->quotas[i].resource == pair.resource)
			return spec_nominal_at(spec, false, queue, &q->quotas[i],
					       (int64_t) time(NULL) * SPEC_SEC, NULL);
	return -1;
}

static int64_t borrowed(const struct side *s, int queue, struct pair pair)
{
	int64_t nominal = nominal_of(s->spec, queue, pair);
	int64_t over = *used_at(s, queue, pair) - nominal;

	return nominal >= 0 && over > 0 ? over : 0;
}

/* ---- which queue ---- */

/* What rules match; partition: room for the name of the first of several */
static struct conf_job names_of(const struct view *v, char *partition, size_t size)
{
	snprintf(partition, size, "%.*s", v->partition ? (int) strcspn(v->partition, ",") : 0,
		 v->partition ? v->partition : "");
	return (struct conf_job) {
		.partition = *partition ? partition : NULL,
		.qos = v->qos, .account = v->account, .user = view_user(v),
	};
}

static int queue_of(const struct conf *conf, const struct view *v)
{
	char partition[256];
	struct conf_job names = names_of(v, partition, sizeof(partition));

	return conf_match_queue(conf, names.partition, names.qos, names.account, names.user);
}

/* By its word and its names; its priority is known only where it is Slurm's. */
static bool is_nonpreemptible(const struct conf *conf, int queue, const struct view *v)
{
	enum conf_preemptibility chosen = CONF_PREEMPTIBILITY_OPEN;
	int64_t priority = conf->priority == CONF_PRIORITY_JOB ? (int64_t) v->priority
							       : INT64_MIN;
	char word[32], partition[256];
	struct conf_job names = names_of(v, partition, sizeof(partition));
	bool known;

	if (preemptibility_word(v, word, sizeof(word), &known) && known)
		chosen = *word == 'n' ? CONF_NONPREEMPTIBLE : CONF_PREEMPTIBLE;
	return conf_is_nonpreemptible(conf, queue, &names, priority, chosen);
}

/* "": none */
static const char *queue_name(const struct side *s, int queue)
{
	return queue == SPEC_NONE ? "" : s->spec->queues[queue].name;
}

/* ---- a job that has other queues ---- */

/* A job that is not over, and its queue of each side */
struct job {
	const struct view *v;
	int from, to;
};

static struct job *jobs_make(const struct comparison *c, const struct view_list *views, size_t *n)
{
	struct job *jobs = must(calloc(views->n + 1, sizeof(*jobs)));

	*n = 0;
	for (const struct view *v = views->views; v < views->views + views->n; v++) {
		if (v->state != VIEW_DONE)
			jobs[(*n)++] = (struct job) { v, queue_of(c->from.conf, v),
						      queue_of(c->to.conf, v) };
	}
	return jobs;
}

/* What it is charged now, the caller's; empty if it holds nothing */
static struct json_object *charges_of(const struct comparison *c, const struct job *job)
{
	const char *queue = job->v->state == VIEW_PENDING ? "" : queue_name(&c->from, job->from);

	return job_charges(c->p, published_queue(c->p, queue), job->v);
}

static struct json_object *job_add(struct json_object *list, const struct view *v)
{
	struct json_object *o = json_append(list);
	char buf[256];

	json_add_text(o, "jobId", view_name(v, buf, sizeof(buf)));
	return o;
}

/* Adds what the job holds, times sign, to the queue's usage. */
static void usage_move(const struct side *s, int queue, struct json_object *charges, int sign)
{
	struct pair pair;

	for (size_t i = 0; queue != SPEC_NONE && i < json_object_array_length(charges); i++) {
		struct json_object *c = json_object_array_get_idx(charges, i);

		if (pair_of(s->spec, c, &pair))
			*used_at(s, queue, pair) += sign * charge_amount(c);
	}
}

static void move_find(struct comparison *c, const struct job *job)
{
	const char *from = queue_name(&c->from, job->from), *to = queue_name(&c->to, job->to);
	struct json_object *o, *charges;

	if (!strcmp(from, to))
		return;
	o = job_add(c->moves, job->v);
	json_add_text(o, "state", job->v->state == VIEW_PENDING ? "waiting" : "running");
	json_add_text(o, "from", *from ? from : NULL);
	json_add_text(o, "to", *to ? to : NULL);
	charges = charges_of(c, job);
	usage_move(&c->to, spec_find_queue(c->to.spec, from), charges, -1);
	usage_move(&c->to, job->to, charges, 1);
	json_object_put(charges);
}

/* ---- which queues borrow ---- */

static void borrower_find(struct comparison *c, int queue, struct pair pair)
{
	const struct spec *spec = c->to.spec, *before = c->from.spec;
	const char *flavor = spec->flavors[pair.flavor], *resource = spec->resources[pair.resource];
	struct pair then = { spec_find_flavor(before, flavor),
			     spec_find_resource(before, resource) };
	int was = spec_find_queue(before, spec->queues[queue].name);
	int64_t amount = borrowed(&c->to, queue, pair);
	struct json_object *o;

	if (!amount || (was != SPEC_NONE && then.flavor != SPEC_NONE && then.resource != SPEC_NONE
			&& borrowed(&c->from, was, then)))
		return;
	o = json_append(c->borrowers);
	json_add_text(o, "clusterQueue", spec->queues[queue].name);
	json_add_text(o, "flavor", flavor);
	json_add_text(o, "resource", resource);
	json_add_number(o, "borrowed", amount);
}

/* ---- which jobs can be evicted ---- */

static int root_of(const struct spec *spec, int queue)
{
	int cohort = spec->queues[queue].cohort;

	while (cohort != SPEC_NONE && spec->cohorts[cohort].parent != SPEC_NONE)
		cohort = spec->cohorts[cohort].parent;
	return cohort;
}

/* Another queue of the tree that owns some of the pair and may take it back */
static bool has_reclaimer(const struct spec *spec, int queue, struct pair pair)
{
	int root = root_of(spec, queue);

	for (int i = 0; root != SPEC_NONE && i < (int) spec->nqueues; i++)
		if (i != queue && root_of(spec, i) == root && nominal_of(spec, i, pair) > 0
		    && spec->queues[i].reclaim != POLICY_NEVER && spec->queues[i].stop == STOP_NONE)
			return true;
	return false;
}

/* What is in force tells of PreemptMode: a job with a wrong one has no such time. */
static bool is_evictable(const struct comparison *c, const struct side *s, int queue,
			 const struct job *job, struct json_object *charges)
{
	const struct spec_queue *q = queue == SPEC_NONE ? NULL : &s->spec->queues[queue];
	struct pair pair;

	if (s->conf->observe || !q || q->stop == STOP_HOLD)
		return false;
	if (q->stop == STOP_HOLD_AND_DRAIN)
		return true;
	if ((!job->v->preemptable && !c->from.conf->observe)
	    || is_nonpreemptible(s->conf, queue, job->v))
		return false;
	if (q->within != POLICY_NEVER)
		return true;
	for (size_t i = 0; i < json_object_array_length(charges); i++)
		if (pair_of(s->spec, json_object_array_get_idx(charges, i), &pair)
		    && borrowed(s, queue, pair) && has_reclaimer(s->spec, queue, pair))
			return true;
	return false;
}

static void evictable_find(struct comparison *c, const struct job *job)
{
	struct json_object *charges = charges_of(c, job);

	if (job->v->state != VIEW_PENDING && !is_evictable(c, &c->from, job->from, job, charges)
	    && is_evictable(c, &c->to, job->to, job, charges))
		json_add_text(job_add(c->evictable, job->v), "clusterQueue",
			      queue_name(&c->to, job->to));
	json_object_put(charges);
}

void diff_jobs(struct json_object *o, const struct conf *from, const struct conf *to,
	       const struct published *p, const struct view_list *views)
{
	struct comparison c = {
		.p = p, .from = side_make(from, p), .to = side_make(to, p),
	};
	size_t n;
	struct job *jobs = jobs_make(&c, views, &n);

	c.moves = json_add_list(o, "jobs");
	c.borrowers = json_add_list(o, "borrowers");
	c.evictable = json_add_list(o, "evictable");
	for (size_t i = 0; i < n; i++)
		move_find(&c, &jobs[i]);
	for (size_t i = 0; i < to->spec->nqueues; i++) {
		const struct spec_queue *q = &to->spec->queues[i];

		for (size_t k = 0; k < q->nquotas; k++)
			borrower_find(&c, (int) i, (struct pair) { q->quotas[k].flavor,
								   q->quotas[k].resource });
	}
	for (size_t i = 0; i < n; i++)
		evictable_find(&c, &jobs[i]);
	free(jobs);
	free(c.from.used);
	free(c.to.used);
}
