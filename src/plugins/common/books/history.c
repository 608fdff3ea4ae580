/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  history.c - what was used lately, over restarts and reconfigures
 *
 *	"history": {
 *	  "cohorts": {NAME: {RESOURCE: [past, amount, at]}},
 *	  "clusterQueues": {NAME: {...}},
 *	  "localQueues": {CLUSTER QUEUE: {NAME: {...}}}}
 *
 *  in base units, and nanoseconds since the epoch. From `at` until it is read,
 *  the amount was borrowed (or used) all the time.
\*****************************************************************************/
#include "books/history.h"

#include "state/state.h"
#include "match/queue_of_job.h"

#include "query.h"

static struct json_object *kept;	/* until history_restore() */

static void _weigh(int queue, const struct conf_local *local)
{
	int number = local_queue_hold(queue, local->name);

	if (!number || engine_weigh_local(ctld.engine, queue, number,
					  local->weight))
		error(PREFIX "weight of %s: %m", local->name);
}

extern void history_weigh_locals(void)
{
	for (size_t i = 0; i < ctld.conf->spec->nqueues; i++) {
		const struct conf_queue *queue = &ctld.conf->queues[i];

		for (size_t k = 0; k < queue->nlocals; k++) {
			if (ctld.conf->spec->queues[i].by_usage &&
			    (queue->locals[k].weight != 1))
				_weigh(i, &queue->locals[k]);
		}
	}
}

extern void history_advance_now(void)
{
	if (ctld.engine)
		engine_advance(ctld.engine, ns_of(time(NULL)));
}

/* ---- writing ---- */

static void _add(struct json_object *o, int resource,
		 const struct usage_history *h)
{
	struct json_object *item;

	if (!h->past && !h->amount)
		return;
	item = json_object_new_array();
	json_object_array_add(item, json_object_new_double(h->past));
	json_object_array_add(item, json_object_new_double(h->amount));
	json_object_array_add(item, json_object_new_int64(h->at));
	json_object_object_add(o, ctld.conf->spec->resources[resource], item);
}

/* Adds o to the parent, unless it is empty */
static void _add_object(struct json_object *parent, const char *key,
			struct json_object *o)
{
	if (json_object_object_length(o))
		json_object_object_add(parent, key, o);
	else
		json_object_put(o);
}

static void _dump_node(struct json_object *parent, const char *name,
		       bool is_cohort, int node)
{
	struct json_object *o = json_object_new_object();
	struct usage_history h;

	for (size_t r = 0; r < ctld.conf->spec->nresources; r++) {
		if (engine_history(ctld.engine, is_cohort, node, r, &h))
			_add(o, r, &h);
	}
	_add_object(parent, name, o);
}

struct locals {
	struct json_object *of;
	int queue;
};

static void _dump_local(void *arg, int local_queue, double score UNUSED)
{
	struct locals *locals = arg;
	struct json_object *o = json_object_new_object();
	const char *name = local_queue_name(local_queue);
	struct usage_history h;

	for (size_t r = 0; r < ctld.conf->spec->nresources; r++) {
		if (engine_local_history(ctld.engine, locals->queue,
					 local_queue, r, &h))
			_add(o, r, &h);
	}
	if (name)
		_add_object(locals->of, name, o);
	else
		json_object_put(o);
}

extern struct json_object *history_dump(void)
{
	const struct spec *spec;
	struct json_object *root, *cohorts, *queues, *locals;

	if (!ctld.engine || !ctld.conf)
		return NULL;
	local_queues_sweep();
	spec = ctld.conf->spec;
	root = json_object_new_object();
	cohorts = json_object_new_object();
	queues = json_object_new_object();
	locals = json_object_new_object();
	for (size_t i = 0; i < spec->ncohorts; i++)
		_dump_node(cohorts, spec->cohorts[i].name, true, i);
	for (size_t i = 0; i < spec->nqueues; i++) {
		struct locals of = { json_object_new_object(), i };

		_dump_node(queues, spec->queues[i].name, false, i);
		engine_locals(ctld.engine, i, _dump_local, &of);
		_add_object(locals, spec->queues[i].name, of.of);
	}
	_add_object(root, "cohorts", cohorts);
	_add_object(root, "clusterQueues", queues);
	_add_object(root, "localQueues", locals);
	if (json_object_object_length(root))
		return root;
	json_object_put(root);
	return NULL;
}

/* ---- reading ---- */

static double _number(struct json_object *item, size_t i)
{
	return json_object_get_double(json_object_array_get_idx(item, i));
}

static bool _is_history(struct json_object *item, struct usage_history *h)
{
	if (!json_object_is_type(item, json_type_array) ||
	    (json_object_array_length(item) != 3))
		return false;
	h->past = _number(item, 0);
	h->amount = _number(item, 1);
	h->at = json_object_get_int64(json_object_array_get_idx(item, 2));
	return h->at > 0;
}

typedef void (*restore_f)(void *arg, int resource,
			  const struct usage_history *h);

static void _each_resource(struct json_object *of, restore_f f, void *arg)
{
	struct usage_history h;

	if (!json_object_is_type(of, json_type_object))
		return;
	json_object_object_foreach(of, name, item) {
		int resource = spec_find_resource(ctld.conf->spec, name);

		if ((resource != SPEC_NONE) && _is_history(item, &h))
			f(arg, resource, &h);
	}
}

struct target {
	bool is_cohort;
	int node;
	int local;
};

/* What the engine refuses is no history. */
static void _restore_node(void *arg, int resource, const struct usage_history *h)
{
	struct target *t = arg;

	(void) engine_restore_history(ctld.engine, t->is_cohort, t->node,
				      resource, h);
}

static void _restore_local(void *arg, int resource,
			   const struct usage_history *h)
{
	struct target *t = arg;

	(void) engine_restore_local(ctld.engine, t->node, t->local, resource, h);
}

static void _restore_nodes(struct json_object *list, bool is_cohort)
{
	const struct spec *spec = ctld.conf->spec;

	if (!json_object_is_type(list, json_type_object))
		return;
	json_object_object_foreach(list, name, of) {
		struct target t = { .is_cohort = is_cohort };

		t.node = is_cohort ? spec_find_cohort(spec, name) :
			spec_find_queue(spec, name);
		if (t.node != SPEC_NONE)
			_each_resource(of, _restore_node, &t);
	}
}

static void _restore_locals(int queue, struct json_object *list)
{
	if (!json_object_is_type(list, json_type_object))
		return;
	json_object_object_foreach(list, name, of) {
		struct target t = { .node = queue };

		if ((t.local = local_queue_hold(queue, name)))
			_each_resource(of, _restore_local, &t);
	}
}

extern void history_keep(struct json_object *histories)
{
	json_object_put(kept);
	kept = json_object_get(histories);
}

extern void history_restore(void)
{
	struct json_object *list;

	if (!json_object_is_type(kept, json_type_object) || !ctld.engine) {
		history_keep(NULL);
		return;
	}
	history_advance_now();
	if (json_object_object_get_ex(kept, "cohorts", &list))
		_restore_nodes(list, true);
	if (json_object_object_get_ex(kept, "clusterQueues", &list))
		_restore_nodes(list, false);
	if (json_object_object_get_ex(kept, "localQueues", &list) &&
	    json_object_is_type(list, json_type_object)) {
		json_object_object_foreach(list, name, of) {
			int queue = spec_find_queue(ctld.conf->spec, name);

			if ((queue != SPEC_NONE) &&
			    ctld.conf->spec->queues[queue].by_usage)
				_restore_locals(queue, of);
		}
	}
	history_keep(NULL);
}
