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
#include "books/books.h"

#include "state/json.h"
#include "match/match.h"

#include "query.h"

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

/* A cohort, a cluster queue, or a local queue of one */
struct owner {
	bool is_cohort;
	int node;
	int local;			/* its number, or 0 */
};

/* ---- writing ---- */

static bool _get(const struct owner *of, int resource, struct usage_history *h)
{
	bool any = of->local ?
		engine_local_history(ctld.engine, of->node, of->local, resource, h) :
		engine_history(ctld.engine, of->is_cohort, of->node, resource, h);

	return any && (h->past || h->amount);
}

/* Where its history is; made if it is not there */
static struct json_object *_place(struct json_object *root, const struct owner *of,
				  const char *name)
{
	struct json_object *list = json_member(root, of->is_cohort ? "cohorts" :
					       of->local ? "localQueues" : "clusterQueues");

	if (of->local)
		list = json_member(list, ctld.conf->spec->queues[of->node].name);
	return json_member(list, name);
}

static void _dump(struct json_object *root, const char *name, struct owner of)
{
	struct json_object *item;
	struct usage_history h;

	for (size_t r = 0; r < ctld.conf->spec->nresources; r++) {
		if (!_get(&of, r, &h))
			continue;
		item = json_object_new_array();
		json_object_array_add(item, json_object_new_double(h.past));
		json_object_array_add(item, json_object_new_double(h.amount));
		json_object_array_add(item, json_object_new_int64(h.at));
		json_object_object_add(_place(root, &of, name), ctld.conf->spec->resources[r],
				       item);
	}
}

struct locals {
	struct json_object *root;
	int queue;
};

static void _dump_local(void *arg, int local_queue, double score UNUSED)
{
	const struct locals *locals = arg;
	const char *name = local_queue_name(local_queue);

	if (name)
		_dump(locals->root, name, (struct owner) { false, locals->queue, local_queue });
}

extern struct json_object *history_dump(void)
{
	struct json_object *root = json_object_new_object();
	const struct spec *spec = ctld.conf->spec;

	local_queues_sweep();
	for (size_t i = 0; i < spec->ncohorts; i++)
		_dump(root, spec->cohorts[i].name, (struct owner) { true, i, 0 });
	for (size_t i = 0; i < spec->nqueues; i++) {
		_dump(root, spec->queues[i].name, (struct owner) { false, i, 0 });
		engine_locals(ctld.engine, i, _dump_local, &(struct locals) { root, i });
	}
	if (json_object_object_length(root))
		return root;
	json_object_put(root);
	return NULL;
}

/* ---- reading ---- */

static bool _is_history(struct json_object *item, struct usage_history *h)
{
	if (!json_object_is_type(item, json_type_array) ||
	    (json_object_array_length(item) != 3))
		return false;
	h->past = json_object_get_double(json_object_array_get_idx(item, 0));
	h->amount = json_object_get_double(json_object_array_get_idx(item, 1));
	h->at = json_object_get_int64(json_object_array_get_idx(item, 2));
	return h->at > 0;
}

/* What the engine refuses is no history. */
static void _restore(struct owner to, struct json_object *resources)
{
	struct usage_history h;

	if (!json_object_is_type(resources, json_type_object))
		return;
	json_object_object_foreach(resources, name, item) {
		int r = spec_find_resource(ctld.conf->spec, name);

		if ((r == SPEC_NONE) || !_is_history(item, &h))
			continue;
		if (to.local)
			(void) engine_restore_local(ctld.engine, to.node, to.local, r, &h);
		else
			(void) engine_restore_history(ctld.engine, to.is_cohort, to.node, r, &h);
	}
}

static void _restore_locals(int queue, struct json_object *list)
{
	int number;

	if (!ctld.conf->spec->queues[queue].by_usage ||
	    !json_object_is_type(list, json_type_object))
		return;
	json_object_object_foreach(list, name, of) {
		if ((number = local_queue_hold(queue, name)))
			_restore((struct owner) { false, queue, number }, of);
	}
}

extern void history_restore(struct json_object *histories)
{
	struct json_object *cohorts = json_object_of(histories, "cohorts"),
		*queues = json_object_of(histories, "clusterQueues"),
		*locals = json_object_of(histories, "localQueues");
	const struct spec *spec = ctld.conf->spec;

	history_advance_now();
	for (size_t i = 0; i < spec->ncohorts; i++)
		_restore((struct owner) { true, i, 0 },
			 json_object_object_get(cohorts, spec->cohorts[i].name));
	for (size_t i = 0; i < spec->nqueues; i++) {
		_restore((struct owner) { false, i, 0 },
			 json_object_object_get(queues, spec->queues[i].name));
		_restore_locals(i, json_object_object_get(locals, spec->queues[i].name));
	}
}
