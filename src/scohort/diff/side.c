/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side.c - the jobs that there are, in an engine under one configuration
 *
 * The engine is that of the plugin, and decides. It has no usage history, and does not know which
 * runs are settled. A job keeps the flavor that it is charged on.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diff/diff.h"
#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/lookup.h"
#include "lib/sat.h"
#include "must.h"
#include "story/room.h"
#include "why/why.h"

#define FAR (INT64_MAX / 2)	/* when all protected times are over */

/* ---- partitions and QOS, as the plugin has them (match/queue_of_job.c, evict_terms.c) ---- */

/* The index of that name, the first one of a list, or names->n. NULL: of none */
static size_t name_find(const struct cluster_names *names, const char *name)
{
	size_t len = name ? strcspn(name, ",") : 0, i = 0;

	while (i < names->n && !(name && !strncmp(names->names[i], name, len)
				 && !names->names[i][len]))
		i++;
	return i;
}

/* That of the name, 0 if it is not known; v NULL: the highest */
static int64_t number_of(const struct cluster_names *names, const int64_t *numbers,
			 const struct view *v, const char *name)
{
	size_t at = name_find(names, name);
	int64_t most = names->n ? INT64_MIN : INT64_MAX;

	for (size_t i = 0; i < names->n; i++)
		most = max64(most, numbers[i]);
	return !v ? most : at < names->n ? numbers[at] : 0;
}

/* Of the job; NULL: the highest that a job may have */
static int64_t priority_of(const struct side *s, const struct view *v)
{
	const struct cluster *c = s->cluster;
	enum conf_priority by = s->conf->priority;

	if (by == CONF_PRIORITY_DEFAULT && c->qos.n && (!v || v->qos))
		by = CONF_PRIORITY_QOS;
	if (by == CONF_PRIORITY_JOB)
		return v ? (int64_t) v->priority : INT64_MAX;
	return by == CONF_PRIORITY_QOS
	       ? number_of(&c->qos, c->qos_priorities, v, v ? v->qos : NULL)
	       : number_of(&c->partitions, c->tiers, v, v ? v->partition : NULL);
}

/* Does the PreemptMode of its QOS or partition let any job evict it? */
static bool may_evict(const struct cluster *c, const struct view *v)
{
	return name_find(&c->fixed_qos, v->qos) == c->fixed_qos.n
	       && name_find(&c->fixed_partitions, v->partition) == c->fixed_partitions.n;
}

/* ---- a side ---- */

void side_open(struct side *s, const struct conf *conf, const struct published *p,
	       const struct cluster *cluster)
{
	*s = (struct side) {
		.conf = conf, .spec = conf->spec, .p = p, .cluster = cluster,
		.now = (int64_t) time(NULL) * SPEC_SEC,
		.engine = must(engine_create(conf->spec)),
	};
	engine_advance(s->engine, s->now);
}

/* ---- jobs ---- */

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

/* {quota: [{flavor, resource}]}, as a published queue has it. Of a flavor that is new the nodes
 * are not known, unless it is the only one. */
static struct json_object *covers_json(const struct side *s, int queue)
{
	struct json_object *o = json_object_new_object(), *list = json_add_list(o, "quota");
	const struct spec_queue *q = &s->spec->queues[queue];

	for (size_t i = 0; i < q->nquotas; i++) {
		const char *flavor = s->spec->flavors[q->quotas[i].flavor];
		struct json_object *pair;

		if (s->spec->nflavors > 1 && !published_flavor(s->p, flavor))
			continue;
		pair = json_append(list);
		json_add_text(pair, "flavor", flavor);
		json_add_text(pair, "resource", s->spec->resources[q->quotas[i].resource]);
	}
	return o;
}

/* What the running job is charged, the caller's, *n of them */
static struct charge *charges_make(const struct side *s, int queue, const struct view *v,
				   size_t *n)
{
	struct json_object *covers = covers_json(s, queue), *o;
	struct json_object *list = job_charges(s->p, covers, v);
	struct charge *charges = must(calloc(json_object_array_length(list) + 1,
					     sizeof(*charges)));

	*n = 0;
	for (size_t i = 0; (o = json_object_array_get_idx(list, i)); i++) {
		int flavor = spec_find_flavor(s->spec, json_text(o, "flavor"));
		int resource = spec_find_resource(s->spec, json_text(o, "resource"));

		if (flavor != SPEC_NONE)
			charges[(*n)++] = (struct charge) { flavor, resource, charge_amount(o) };
	}
	json_object_put(covers);
	json_object_put(list);
	return charges;
}

static struct workload *job_submit(struct side *s, const struct view *v, struct standing *is)
{
	enum conf_preemptibility chosen = CONF_PREEMPTIBILITY_OPEN;
	const struct podset_desc podset = { .count = 1, .group = -1 };
	char word[32], partition[256];
	struct conf_job names = names_of(v, partition, sizeof(partition));
	struct provenance past;
	bool known;
	struct workload_desc desc = {
		.queue = is->queue, .local_queue = is->queue + 1, .priority = priority_of(s, v),
		.queue_order_at = v->submitted * SPEC_SEC, .tiebreak = v->id, .owner = is,
		.tasks = v->tasks, .podsets = &podset, .npodsets = 1,
	};

	if (preemptibility_word(v, word, sizeof(word), &known) && known)
		chosen = *word == 'n' ? CONF_NONPREEMPTIBLE : CONF_PREEMPTIBLE;
	desc.nonpreemptible = conf_is_nonpreemptible(s->conf, is->queue, &names, desc.priority,
						     chosen);
	(void) provenance_parse(v->system_comment, &past);
	desc.turns = max64(past.turns, 0);
	desc.lost = max64(past.counted, 0);
	desc.evictions = max64(past.count - desc.turns, desc.lost);
	return must(engine_submit(s->engine, &desc));
}

/* Of a job in a queue that is enforced slurmctld tells when it may be preempted. */
void side_add(struct side *s, const struct view *v, struct standing *is, bool told_preemptable)
{
	bool may = told_preemptable ? v->preemptable : may_evict(s->cluster, v);
	const struct eviction_terms terms = { .exempt_until = may ? 0 : INT64_MAX,
					      .min_available = -1 };
	char partition[256];
	struct conf_job names = names_of(v, partition, sizeof(partition));
	struct charge *charges;
	size_t n;

	*is = (struct standing) { .by = SPEC_NONE };
	is->queue = conf_match_queue(s->conf, names.partition, names.qos, names.account,
				     names.user);
	if (is->queue == SPEC_NONE || v->state == VIEW_PENDING)
		return;
	/* nobody evicts it then, but its queue sends it away */
	is->evictable = !s->conf->observe
			&& s->spec->queues[is->queue].stop == STOP_HOLD_AND_DRAIN;
	charges = charges_make(s, is->queue, v, &n);
	is->work = job_submit(s, v, is);
	if (engine_start(s->engine, is->work, charges, n, v->ran_since * SPEC_SEC)
	    || engine_set_terms(s->engine, is->work, &terms))
		must(NULL);
	free(charges);
}

/* ---- who could be evicted for a queue ---- */

/* Are these candidates of use together? One alone need not be enough. */
static void candidates_mark(struct side *s, const struct workload *probe,
			    const struct charge *charge, const struct victim *list, size_t n)
{
	if (!n || !engine_fits(s->engine, probe, charge, 1, list, n))
		return;
	for (size_t i = 0; i < n; i++) {
		struct standing *is = workload_owner(list[i].workload);

		is->evictable = true;
		is->by = workload_queue(probe);
	}
}

/* For a job that asks for some of that pair */
static void pair_survey(struct side *s, struct workload *probe, struct charge charge)
{
	const struct candidates_query query = { .charges = &charge, .ncharges = 1, .alone = true };
	struct candidates found;
	struct victim *list;
	size_t others = 0, end;

	if (engine_candidates(s->engine, probe, FAR, &query, &found))
		must(NULL);
	end = found.n;
	list = must(calloc(end + 1, sizeof(*list)));
	for (size_t i = 0; i < found.n; i++) {
		const struct victim *v = &found.list[i];

		list[workload_queue(v->workload) == workload_queue(probe) ? --end : others++] = *v;
	}
	candidates_mark(s, probe, &charge, list, others);
	candidates_mark(s, probe, &charge, list + others, found.n - others);
	free(list);
}

void side_survey(struct side *s, int queue)
{
	const struct spec_queue *q = &s->spec->queues[queue];
	const struct podset_desc podset = { .count = 1, .group = -1 };
	const struct workload_desc desc = {
		.queue = queue, .local_queue = queue + 1, .tiebreak = UINT64_MAX, .tasks = 1,
		.priority = priority_of(s, NULL), .podsets = &podset, .npodsets = 1,
	};
	struct workload *probe = must(engine_submit(s->engine, &desc));
	const struct verdict *v;

	if (engine_plan(s->engine, s->now) < 0)
		must(NULL);
	v = engine_verdict(s->engine, probe);
	for (size_t i = 0; i < q->nquotas && (v->kind != VERDICT_WAIT
					      || v->reason != WAIT_IS_HELD); i++) {
		const struct spec_quota *quota = &q->quotas[i];

		pair_survey(s, probe, (struct charge) { quota->flavor, quota->resource, 1 });
	}
	engine_remove(s->engine, probe);
}

/* ---- the line ---- */

/* As far as the record shows: neither held, nor for later, nor for after other jobs */
void side_wait(struct side *s, const struct view *v, struct standing *is)
{
	if (is->queue != SPEC_NONE && v->state == VIEW_PENDING && v->priority && !v->dependency
	    && v->eligible && v->eligible <= s->now / SPEC_SEC && !(v->het_id && v->het_offset))
		is->work = job_submit(s, v, is);
}

void side_place(const struct side *s, struct standing *is)
{
	int64_t total;

	if (is->work)
		is->place = engine_place(s->engine, is->work, &total);
}
