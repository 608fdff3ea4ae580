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
		struct json_object *queue = published_queue(p, spec->queues[i].name);
		struct pair pair;

		for (size_t k = 0; k < json_items(queue, "quota"); k++) {
			struct json_object *q = json_item(queue, "quota", k);

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

/* What rules match: the first of several partitions */
struct job_names {
	struct conf_job of;
	char partition[256];
};

static void names_fill(struct job_names *names, const struct view *v)
{
	snprintf(names->partition, sizeof(names->partition), "%.*s",
		 v->partition ? (int) strcspn(v->partition, ",") : 0,
		 v->partition ? v->partition : "");
	names->of = (struct conf_job) {
		.partition = *names->partition ? names->partition : NULL,
		.qos = v->qos, .account = v->account, .user = view_user(v),
	};
}

static int queue_of(const struct side *s, const struct view *v)
{
	struct job_names names;

	names_fill(&names, v);
	return conf_match_queue(s->conf, names.of.partition, names.of.qos, names.of.account,
				names.of.user);
}

/* By its word and its names; its priority is known only where it is Slurm's. */
static bool is_nonpreemptible(const struct conf *conf, int queue, const struct view *v)
{
	enum conf_preemptibility chosen = CONF_PREEMPTIBILITY_OPEN;
	int64_t priority = conf->priority == CONF_PRIORITY_JOB ? (int64_t) v->priority
							       : INT64_MIN;
	struct job_names names;
	char word[32];
	bool known;

	names_fill(&names, v);
	if (preemptibility_word(v, word, sizeof(word), &known) && known)
		chosen = *word == 'n' ? CONF_NONPREEMPTIBLE : CONF_PREEMPTIBLE;
	return conf_is_nonpreemptible(conf, queue, &names.of, priority, chosen);
}

static const char *queue_name(const struct side *s, int queue)
{
	return queue == SPEC_NONE ? NULL : s->spec->queues[queue].name;
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* ---- a job that has other queues ---- */

static struct json_object *job_add(struct json_object *list, const struct view *v)
{
	struct json_object *o = json_append(list);
	char buf[256];

	json_add_text(o, "jobId", view_name(v, buf, sizeof(buf)));
	return o;
}

static bool is_charged(const struct view *v)
{
	return v->state == VIEW_RUNNING || v->state == VIEW_SUSPENDED;
}

/* What the job is charged now, in queue `from` */
static struct json_object *charges_of(const struct comparison *c, const struct view *v, int from)
{
	return job_charges(c->p, published_queue(c->p, queue_name(&c->from, from)), v);
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

static void job_move(struct comparison *c, const struct view *v, int from, int to)
{
	struct json_object *o = job_add(c->moves, v), *charges;
	const char *name = queue_name(&c->from, from);

	json_add_text(o, "state", v->state == VIEW_PENDING ? "waiting" : "running");
	json_add_text(o, "from", name);
	json_add_text(o, "to", queue_name(&c->to, to));
	if (!is_charged(v) || !name)
		return;
	charges = charges_of(c, v, from);
	usage_move(&c->to, spec_find_queue(c->to.spec, name), charges, -1);
	usage_move(&c->to, to, charges, 1);
	json_object_put(charges);
}

static void moves_find(struct comparison *c, const struct view_list *views)
{
	for (size_t i = 0; i < views->n; i++) {
		const struct view *v = &views->views[i];
		int from = queue_of(&c->from, v), to = queue_of(&c->to, v);

		if (v->state != VIEW_DONE
		    && !same_name(queue_name(&c->from, from), queue_name(&c->to, to)))
			job_move(c, v, from, to);
	}
}

/* ---- which queues borrow ---- */

static void borrower_check(struct comparison *c, int queue, struct pair pair)
{
	const struct spec *spec = c->to.spec;
	const char *name = spec->queues[queue].name;
	int was = spec_find_queue(c->from.spec, name);
	int64_t amount = borrowed(&c->to, queue, pair);
	struct json_object *o = json_object_new_object();

	json_add_text(o, "clusterQueue", name);
	json_add_text(o, "flavor", spec->flavors[pair.flavor]);
	json_add_text(o, "resource", spec->resources[pair.resource]);
	json_add_number(o, "borrowed", amount);
	if (amount && (was == SPEC_NONE || !pair_of(c->from.spec, o, &pair)
		       || !borrowed(&c->from, was, pair)))
		json_object_array_add(c->borrowers, o);
	else
		json_object_put(o);
}

static void borrowers_find(struct comparison *c)
{
	for (size_t i = 0; i < c->to.spec->nqueues; i++) {
		const struct spec_queue *q = &c->to.spec->queues[i];

		for (size_t k = 0; k < q->nquotas; k++)
			borrower_check(c, (int) i, (struct pair) { q->quotas[k].flavor,
								   q->quotas[k].resource });
	}
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
static bool can_be_preempted(const struct comparison *c, const struct side *s, int queue,
			     const struct view *v)
{
	return (v->preemptable || c->from.conf->observe) && !is_nonpreemptible(s->conf, queue, v);
}

static bool is_evictable(const struct comparison *comparison, const struct side *s, int queue,
			 const struct view *v, struct json_object *charges)
{
	const struct spec_queue *q = queue == SPEC_NONE ? NULL : &s->spec->queues[queue];
	struct pair pair;

	if (s->conf->observe || !q || q->stop == STOP_HOLD)
		return false;
	if (q->stop == STOP_HOLD_AND_DRAIN)
		return true;
	if (!can_be_preempted(comparison, s, queue, v))
		return false;
	if (q->within != POLICY_NEVER)
		return true;
	for (size_t i = 0; i < json_object_array_length(charges); i++)
		if (pair_of(s->spec, json_object_array_get_idx(charges, i), &pair)
		    && borrowed(s, queue, pair) && has_reclaimer(s->spec, queue, pair))
			return true;
	return false;
}

static void evictable_find(struct comparison *c, const struct view_list *views)
{
	for (size_t i = 0; i < views->n; i++) {
		const struct view *v = &views->views[i];
		int from = queue_of(&c->from, v), to = queue_of(&c->to, v);
		struct json_object *charges;

		if (!is_charged(v) || to == SPEC_NONE)
			continue;
		charges = from == SPEC_NONE ? json_object_new_array() : charges_of(c, v, from);
		if (!is_evictable(c, &c->from, from, v, charges)
		    && is_evictable(c, &c->to, to, v, charges))
			json_add_text(job_add(c->evictable, v), "clusterQueue",
				      queue_name(&c->to, to));
		json_object_put(charges);
	}
}

void diff_jobs(struct json_object *o, const struct conf *from, const struct conf *to,
	       const struct published *p, const struct view_list *views)
{
	struct comparison c = {
		.p = p, .from = side_make(from, p), .to = side_make(to, p),
	};

	c.moves = json_add_list(o, "jobs");
	c.borrowers = json_add_list(o, "borrowers");
	c.evictable = json_add_list(o, "evictable");
	moves_find(&c, views);
	borrowers_find(&c);
	evictable_find(&c, views);
	free(c.from.used);
	free(c.to.used);
}
