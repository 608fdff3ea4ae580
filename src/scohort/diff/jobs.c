/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - the jobs that there are, under another configuration
 *
 * What a queue uses now it uses then, but for jobs that come to it or leave it.
 * A job keeps the flavor that it is charged on. Whether a job could be evicted
 * is judged by policies and borrowing; protections that end are not counted.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diff/diff.h"
#include "input/json_members.h"
#include "story/charges.h"
#include "ledger/lookup.h"
#include "value/tres.h"
#include "why/preemptibility.h"

/* What each queue of a configuration uses of each pair:
 * [(queue * nflavors + flavor) * nresources + resource] */
struct side {
	const struct conf *conf;
	int64_t *used;
};

struct comparison {
	struct diff_jobs *d;
	const struct published *p;
	struct side from, to;
};

static int64_t *used_at(const struct side *s, int queue, int flavor,
			int resource)
{
	const struct spec *spec = s->conf->spec;

	return &s->used[((size_t) queue * spec->nflavors + (size_t) flavor)
			* spec->nresources + (size_t) resource];
}

/* The usage that is published, by names; what the side does not have is left
 * out. */
static int side_make(struct side *s, const struct conf *conf,
		     const struct published *p)
{
	const struct spec *spec = conf->spec;

	s->conf = conf;
	s->used = calloc(spec->nqueues * spec->nflavors * spec->nresources + 1,
			 sizeof(*s->used));
	for (size_t i = 0; s->used && i < spec->nqueues; i++) {
		struct json_object *queue = published_queue(
			p, spec->queues[i].name);

		for (size_t k = 0; k < json_items(queue, "quota"); k++) {
			struct json_object *q = json_item(queue, "quota", k);
			int flavor = spec_find_flavor(
				spec, json_text(q, "flavor"));
			int resource = spec_find_resource(
				spec, json_text(q, "resource"));

			if (flavor != SPEC_NONE && resource != SPEC_NONE)
				*used_at(s, (int) i, flavor, resource) =
					json_number(q, "used");
		}
	}
	return s->used ? 0 : -1;
}

static const struct spec_quota *quota_of(const struct conf *conf, int queue,
					 int flavor, int resource)
{
	const struct spec_queue *q = &conf->spec->queues[queue];

	for (size_t i = 0; i < q->nquotas; i++)
		if (q->quotas[i].flavor == flavor
		    && q->quotas[i].resource == resource)
			return &q->quotas[i];
	return NULL;
}

static int64_t borrowed(const struct side *s, int queue, int flavor,
			int resource)
{
	const struct spec_quota *quota = quota_of(s->conf, queue, flavor,
						  resource);
	int64_t now = (int64_t) time(NULL) * SPEC_SEC;
	int64_t over = *used_at(s, queue, flavor, resource)
		       - (quota ? spec_nominal_at(s->conf->spec, false, queue,
						  quota, now, NULL) : 0);

	return quota && over > 0 ? over : 0;
}

/* ---- which queue ---- */

static const char *user_of(const struct view *v, char *buf, size_t size)
{
	struct passwd *pw;

	if (v->user)
		return v->user;
	pw = getpwuid(v->uid);
	if (pw)
		snprintf(buf, size, "%s", pw->pw_name);
	else
		snprintf(buf, size, "%u", v->uid);
	return buf;
}

/* What rules match: the first of several partitions */
struct job_names {
	struct conf_job of;
	char partition[256], user[64];
};

static void names_fill(struct job_names *names, const struct view *v)
{
	snprintf(names->partition, sizeof(names->partition), "%.*s",
		 v->partition ? (int) strcspn(v->partition, ",") : 0,
		 v->partition ? v->partition : "");
	names->of = (struct conf_job) {
		.partition = *names->partition ? names->partition : NULL,
		.qos = v->qos, .account = v->account,
		.user = user_of(v, names->user, sizeof(names->user)),
	};
}

static int queue_of(const struct conf *conf, const struct view *v)
{
	struct job_names names;

	names_fill(&names, v);
	return conf_match_queue(conf, names.of.partition, names.of.qos,
				names.of.account, names.of.user);
}

/* By its word and its names; its priority is known only where it is Slurm's. */
static bool is_nonpreemptible(const struct conf *conf, int queue,
			      const struct view *v)
{
	enum conf_preemptibility chosen = CONF_PREEMPTIBILITY_OPEN;
	int64_t priority = conf->priority == CONF_PRIORITY_JOB
			   ? (int64_t) v->priority : INT64_MIN;
	struct job_names names;
	char word[32];
	bool known;

	names_fill(&names, v);
	if (preemptibility_word(v, word, sizeof(word), &known) && known)
		chosen = *word == 'n' ? CONF_NONPREEMPTIBLE : CONF_PREEMPTIBLE;
	return conf_is_nonpreemptible(conf, queue, &names.of, priority, chosen);
}

static const char *queue_name(const struct conf *conf, int queue)
{
	return queue == SPEC_NONE ? NULL : conf->spec->queues[queue].name;
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* ---- a job that has other queues ---- */

static struct json_object *job_json(const struct view *v)
{
	struct json_object *o = json_object_new_object();
	char buf[256];

	json_add_text(o, "jobId", view_name(v, buf, sizeof(buf)));
	return o;
}

static bool is_charged(const struct view *v)
{
	return v->state == VIEW_RUNNING || v->state == VIEW_SUSPENDED;
}

static struct json_object *charges_of(const struct comparison *c,
				      const struct view *v, int queue)
{
	return job_charges(c->p, published_queue(c->p, queue_name(
				c->from.conf, queue)), v);
}

/* Adds what the job holds, times sign, to the queue's usage. */
static void usage_move(const struct side *s, int queue,
		       struct json_object *charges, int sign)
{
	const struct spec *spec = s->conf->spec;
	char err[160];

	for (size_t i = 0; i < json_object_array_length(charges); i++) {
		struct json_object *c = json_object_array_get_idx(charges, i);
		const char *name = json_text(c, "resource");
		int flavor = spec_find_flavor(spec, json_text(c, "flavor"));
		int resource = spec_find_resource(spec, name);
		int64_t amount;

		if (flavor != SPEC_NONE && resource != SPEC_NONE
		    && !amount_parse(name, json_text(c, "amount"), &amount,
				     err, sizeof(err)))
			*used_at(s, queue, flavor, resource) += sign * amount;
	}
}

static void job_move(struct comparison *c, const struct view *v, int from,
		     int to)
{
	struct json_object *o = job_json(v), *charges;
	const char *name = queue_name(c->from.conf, from);
	int same;

	json_add_text(o, "state", v->state == VIEW_PENDING ? "waiting"
							   : "running");
	json_add_text(o, "from", name);
	json_add_text(o, "to", queue_name(c->to.conf, to));
	json_object_array_add(c->d->moves, o);
	if (!is_charged(v) || !name)
		return;
	charges = charges_of(c, v, from);
	same = spec_find_queue(c->to.conf->spec, name);
	if (same != SPEC_NONE)
		usage_move(&c->to, same, charges, -1);
	if (to != SPEC_NONE)
		usage_move(&c->to, to, charges, 1);
	json_object_put(charges);
}

/* ---- which queues borrow ---- */

static void borrower_add(struct comparison *c, int queue, int flavor,
			 int resource)
{
	const struct spec *spec = c->to.conf->spec, *old = c->from.conf->spec;
	const char *name = spec->queues[queue].name;
	int64_t amount = borrowed(&c->to, queue, flavor, resource);
	int was = spec_find_queue(old, name);
	int old_flavor = spec_find_flavor(old, spec->flavors[flavor]);
	int old_resource = spec_find_resource(old, spec->resources[resource]);
	struct json_object *o;

	if (!amount
	    || (was != SPEC_NONE && old_flavor != SPEC_NONE
		&& old_resource != SPEC_NONE
		&& borrowed(&c->from, was, old_flavor, old_resource)))
		return;
	o = json_object_new_object();
	json_add_text(o, "clusterQueue", name);
	json_add_text(o, "flavor", spec->flavors[flavor]);
	json_add_text(o, "resource", spec->resources[resource]);
	json_add_number(o, "borrowed", amount);
	json_object_array_add(c->d->borrowers, o);
}

static void borrowers_find(struct comparison *c)
{
	const struct spec *spec = c->to.conf->spec;

	for (size_t i = 0; i < spec->nqueues; i++)
		for (size_t k = 0; k < spec->queues[i].nquotas; k++)
			borrower_add(c, (int) i,
				     spec->queues[i].quotas[k].flavor,
				     spec->queues[i].quotas[k].resource);
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
static bool has_reclaimer(const struct conf *conf, int queue, int flavor,
			  int resource)
{
	const struct spec *spec = conf->spec;
	int root = root_of(spec, queue);

	for (size_t i = 0; root != SPEC_NONE && i < spec->nqueues; i++) {
		const struct spec_quota *quota = quota_of(conf, (int) i, flavor,
							  resource);

		if ((int) i != queue && root_of(spec, (int) i) == root && quota
		    && spec_nominal_at(spec, false, (int) i, quota,
				       (int64_t) time(NULL) * SPEC_SEC, NULL)
		    && spec->queues[i].reclaim != POLICY_NEVER
		    && spec->queues[i].stop == STOP_NONE)
			return true;
	}
	return false;
}

/* What is in force tells of PreemptMode: a job with a wrong one has no such time. */
static bool can_be_preempted(const struct comparison *c, const struct side *s,
			     int queue, const struct view *v)
{
	return (v->preemptable || c->from.conf->observe)
	       && !is_nonpreemptible(s->conf, queue, v);
}

static bool is_evictable(const struct comparison *comparison,
			 const struct side *s, int queue, const struct view *v,
			 struct json_object *charges)
{
	const struct spec *spec = s->conf->spec;

	if (s->conf->observe || queue == SPEC_NONE
	    || spec->queues[queue].stop == STOP_HOLD)
		return false;
	if (spec->queues[queue].stop == STOP_HOLD_AND_DRAIN)
		return true;
	if (!can_be_preempted(comparison, s, queue, v))
		return false;
	if (spec->queues[queue].within != POLICY_NEVER)
		return true;
	for (size_t i = 0; i < json_object_array_length(charges); i++) {
		struct json_object *c = json_object_array_get_idx(charges, i);
		int flavor = spec_find_flavor(spec, json_text(c, "flavor"));
		int resource = spec_find_resource(spec,
						  json_text(c, "resource"));

		if (flavor != SPEC_NONE && resource != SPEC_NONE
		    && borrowed(s, queue, flavor, resource)
		    && has_reclaimer(s->conf, queue, flavor, resource))
			return true;
	}
	return false;
}

static void evictable_find(struct comparison *c, const struct view_list *views)
{
	for (size_t i = 0; i < views->n; i++) {
		const struct view *v = &views->views[i];
		int from = queue_of(c->from.conf, v);
		int to = queue_of(c->to.conf, v);
		struct json_object *charges, *o;

		if (!is_charged(v) || to == SPEC_NONE)
			continue;
		charges = from == SPEC_NONE ? json_object_new_array()
					    : charges_of(c, v, from);
		if (!is_evictable(c, &c->from, from, v, charges)
		    && is_evictable(c, &c->to, to, v, charges)) {
			o = job_json(v);
			json_add_text(o, "clusterQueue",
				      queue_name(c->to.conf, to));
			json_object_array_add(c->d->evictable, o);
		}
		json_object_put(charges);
	}
}

int diff_jobs_make(struct diff_jobs *d, const struct conf *from,
		   const struct conf *to, const struct published *p,
		   const struct view_list *views)
{
	struct comparison c = { .d = d, .p = p };
	int rc = -1;

	d->moves = json_object_new_array();
	d->borrowers = json_object_new_array();
	d->evictable = json_object_new_array();
	if (!side_make(&c.from, from, p) && !side_make(&c.to, to, p)) {
		for (size_t i = 0; i < views->n; i++) {
			const struct view *v = &views->views[i];
			int a = queue_of(from, v), b = queue_of(to, v);

			if (v->state != VIEW_DONE
			    && !same_name(queue_name(from, a),
					  queue_name(to, b)))
				job_move(&c, v, a, b);
		}
		borrowers_find(&c);
		evictable_find(&c, views);
		rc = 0;
	}
	free(c.from.used);
	free(c.to.used);
	return rc;
}
