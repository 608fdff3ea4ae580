/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side.c - the jobs that there are, in an engine under one configuration
 *
 * A job keeps the flavor that it is charged on. On a side that has other flavors it is charged
 * on the only one that its queue has for a resource; if there are several, nobody knows.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diff/side.h"
#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/lookup.h"
#include "lib/sat.h"
#include "must.h"
#include "story/room.h"
#include "why/why.h"

#define FAR (INT64_MAX / 2)	/* when all protected times are over */

/* ---- a side ---- */

/* Does slurmctld know the nodes of the flavor, as one of what is in force? */
static bool is_known(const struct side *s, int flavor)
{
	return flavor != SPEC_NONE && published_flavor(s->p, s->spec->flavors[flavor]);
}

/* The pairs of a queue whose flavors are known, or are not */
static void covers_add(const struct side *s, struct json_object *list, const struct spec_queue *q,
		       bool known)
{
	for (size_t i = 0; i < q->nquotas; i++) {
		struct json_object *pair;

		if (is_known(s, q->quotas[i].flavor) != known)
			continue;
		pair = json_append(list);
		json_add_text(pair, "flavor", s->spec->flavors[q->quotas[i].flavor]);
		json_add_text(pair, "resource", s->spec->resources[q->quotas[i].resource]);
	}
}

/* {quota: [{flavor, resource}]}: the first flavor that has the nodes of a job is the job's */
static struct json_object *covers_json(const struct side *s, const struct spec_queue *q)
{
	struct json_object *o = json_object_new_object(), *list = json_add_list(o, "quota");

	covers_add(s, list, q, true);
	covers_add(s, list, q, false);
	return o;
}

void side_open(struct side *s, const struct conf *conf, const struct published *p,
	       const struct classes *classes)
{
	*s = (struct side) {
		.conf = conf, .spec = conf->spec, .p = p, .classes = classes,
		.now = (int64_t) time(NULL) * SPEC_SEC,
		.engine = must(engine_create(conf->spec)),
		.queues = json_object_new_array(),
	};
	engine_advance(s->engine, s->now);
	for (size_t i = 0; i < conf->spec->nqueues; i++)
		json_object_array_add(s->queues, covers_json(s, &s->spec->queues[i]));
}

void side_close(struct side *s)
{
	engine_destroy(s->engine);
	json_object_put(s->queues);
}

const char *side_queue_name(const struct side *s, int queue)
{
	return queue == SPEC_NONE ? "" : s->spec->queues[queue].name;
}

/* ---- its queue, and can it be preempted? ---- */

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

static bool is_nonpreemptible(const struct side *s, int queue, const struct view *v)
{
	enum conf_preemptibility chosen = CONF_PREEMPTIBILITY_OPEN;
	char word[32], partition[256];
	struct conf_job names = names_of(v, partition, sizeof(partition));
	bool known;

	if (preemptibility_word(v, word, sizeof(word), &known) && known)
		chosen = *word == 'n' ? CONF_NONPREEMPTIBLE : CONF_PREEMPTIBLE;
	return conf_is_nonpreemptible(s->conf, queue, &names,
				      class_priority(s->classes, s->conf->priority, v), chosen);
}

/* ---- what a running job is charged ---- */

/* SPEC_NONE: the queue has none, or several */
static int only_flavor(const struct spec_queue *q, int resource)
{
	int flavor = SPEC_NONE;

	for (size_t i = 0; i < q->nquotas; i++) {
		if (q->quotas[i].resource != resource)
			continue;
		if (flavor != SPEC_NONE)
			return SPEC_NONE;
		flavor = q->quotas[i].flavor;
	}
	return flavor;
}

/* The caller's, *n of them */
static struct charge *charges_make(const struct side *s, struct standing *is,
				   const struct view *v, size_t *n)
{
	struct json_object *list = job_charges(
		s->p, json_object_array_get_idx(s->queues, (size_t) is->queue), v);
	struct charge *charges = must(calloc(json_object_array_length(list) + 1,
					     sizeof(*charges)));

	*n = 0;
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		int resource = spec_find_resource(s->spec, json_text(o, "resource"));
		int flavor = spec_find_flavor(s->spec, json_text(o, "flavor"));

		if (!is_known(s, flavor))
			flavor = only_flavor(&s->spec->queues[is->queue], resource);
		is->unknown |= flavor == SPEC_NONE;
		if (flavor != SPEC_NONE)
			charges[(*n)++] = (struct charge) { flavor, resource, charge_amount(o) };
	}
	json_object_put(list);
	return charges;
}

/* ---- jobs ---- */

static struct workload *job_submit(struct side *s, struct job *job, int queue, int64_t tasks)
{
	const struct podset_desc podset = { .count = 1, .group = -1 };
	struct provenance past;
	struct workload_desc desc = {
		.queue = queue, .local_queue = queue + 1,
		.priority = class_priority(s->classes, s->conf->priority, job->v),
		.queue_order_at = job->v->submitted * SPEC_SEC, .tiebreak = job->v->id,
		.tasks = tasks, .podsets = &podset, .npodsets = 1, .owner = job,
		.nonpreemptible = is_nonpreemptible(s, queue, job->v),
	};

	(void) provenance_parse(job->v->system_comment, &past);
	desc.turns = past.turns;
	desc.lost = past.counted;
	desc.evictions = max64(past.count - past.turns, past.counted);
	return must(engine_submit(s->engine, &desc));
}

void side_run(struct side *s, struct job *job, struct standing *is, bool exempt,
	      struct workload *along)
{
	struct eviction_terms terms = {
		.exempt_until = exempt ? INT64_MAX : 0, .min_available = -1, .joined_to = along,
	};
	struct charge *charges;
	size_t n;

	*is = (struct standing) { .queue = queue_of(s->conf, job->v), .side = s };
	if (is->queue == SPEC_NONE || job->v->state == VIEW_PENDING)
		return;
	is->drained = s->spec->queues[is->queue].stop == STOP_HOLD_AND_DRAIN && !s->conf->observe;
	charges = charges_make(s, is, job->v, &n);
	is->work = job_submit(s, job, is->queue, 1);
	if (engine_start(s->engine, is->work, charges, n, job->v->ran_since * SPEC_SEC)
	    || engine_set_terms(s->engine, is->work, &terms))
		must(NULL);
	free(charges);
}

/* Some that nobody can evict */
static void rest_run(struct side *s, int queue, struct charge charge)
{
	const struct workload_desc desc = { .queue = queue, .local_queue = queue + 1, .tasks = 1 };
	const struct eviction_terms terms = { .exempt_until = INT64_MAX, .min_available = -1 };
	struct workload *w = must(engine_submit(s->engine, &desc));

	if (engine_start(s->engine, w, &charge, 1, s->now)
	    || engine_set_terms(s->engine, w, &terms))
		must(NULL);
}

static void quota_add_rest(struct side *s, const struct side *from, int queue,
			   struct json_object *quota)
{
	const char *flavor = json_text(quota, "flavor"), *resource = json_text(quota, "resource");
	int to = spec_find_queue(s->spec, side_queue_name(from, queue));
	struct charge charge = { spec_find_flavor(s->spec, flavor),
				 spec_find_resource(s->spec, resource), 0 };
	struct ledger known, has;

	if (to == SPEC_NONE
	    || engine_ledger(from->engine, false, queue, spec_find_flavor(from->spec, flavor),
			     spec_find_resource(from->spec, resource), &known)
	    || engine_ledger(s->engine, false, to, charge.flavor, charge.resource, &has))
		return;
	charge.amount = sat_sub(json_number(quota, "used"), known.used);
	if (charge.amount > 0)
		rest_run(s, to, charge);
}

void side_add_rest(struct side *s, const struct side *from)
{
	for (size_t i = 0; i < from->spec->nqueues; i++) {
		struct json_object *q = published_queue(from->p, from->spec->queues[i].name);

		for (size_t k = 0; k < json_items(q, "quota"); k++)
			quota_add_rest(s, from, (int) i, json_item(q, "quota", k));
	}
}

/* ---- who could be evicted for a queue ---- */

/* The candidates of other queues, or of its own, which may be there with them: are they of use?
 * One alone need not be enough, as several may go. */
static void candidates_tell(struct side *s, struct workload *probe, const struct charge *charge,
			    struct workload *const *list, size_t first, size_t n,
			    side_found_f f, void *arg)
{
	if (first < n && engine_fits(s->engine, probe, charge, 1, list, n))
		for (size_t i = first; i < n; i++)
			if (workload_owner(list[i]))
				f(arg, workload_owner(list[i]), workload_queue(probe));
}

/* For some of that pair */
static void pair_survey(struct side *s, struct workload *probe, struct charge charge,
			side_found_f f, void *arg)
{
	const struct candidates_query query = { .charges = &charge, .ncharges = 1, .alone = true };
	struct candidates found;
	struct workload **list;
	size_t others = 0, end;

	if (engine_candidates(s->engine, probe, FAR, &query, &found))
		must(NULL);
	list = must(calloc(found.n + 1, sizeof(*list)));
	end = found.n;
	for (size_t i = 0; i < found.n; i++) {
		struct workload *w = found.list[i].workload;

		list[workload_queue(w) == workload_queue(probe) ? --end : others++] = w;
	}
	candidates_tell(s, probe, &charge, list, 0, others, f, arg);
	candidates_tell(s, probe, &charge, list, others, found.n, f, arg);
	free(list);
}

void side_survey(struct side *s, int queue, side_found_f f, void *arg)
{
	const struct spec_queue *q = &s->spec->queues[queue];
	const struct podset_desc podset = { .count = 1, .group = -1 };
	const struct workload_desc desc = {
		.queue = queue, .local_queue = queue + 1, .tiebreak = UINT64_MAX, .tasks = 1,
		.priority = class_priority_most(s->classes, s->conf->priority),
		.podsets = &podset, .npodsets = 1,
	};
	struct workload *probe = must(engine_submit(s->engine, &desc));
	const struct verdict *v;

	if (engine_plan(s->engine, s->now) < 0)
		must(NULL);
	v = engine_verdict(s->engine, probe);
	if (v->kind != VERDICT_WAIT || v->reason != WAIT_IS_HELD)
		for (size_t i = 0; i < q->nquotas; i++)
			pair_survey(s, probe, (struct charge) { q->quotas[i].flavor,
								q->quotas[i].resource, 1 }, f, arg);
	engine_remove(s->engine, probe);
}

/* ---- the line ---- */

/* As far as the record shows: neither held, nor for later, nor for after other jobs */
static bool is_in_line(const struct side *s, const struct view *v)
{
	return v->state == VIEW_PENDING && v->priority && !v->dependency && v->eligible
	       && v->eligible <= s->now / SPEC_SEC && !(v->het_id && v->het_offset);
}

void side_wait(struct side *s, struct job *job, struct standing *is)
{
	if (is->queue != SPEC_NONE && is_in_line(s, job->v))
		is->work = job_submit(s, job, is->queue, job->v->tasks);
}

void standing_place(struct standing *is)
{
	int64_t total;

	if (is->work && !workload_running(is->work))
		is->place = engine_place(is->side->engine, is->work, &total);
}
