/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario.h - a conformance scenario: JSON in, a spec and an engine out
 *
 * One JSON object describes cohorts, cluster queues, and running and waiting
 * workloads. scenario_create() turns it into a struct spec and an engine with
 * these books; the answers are then asked of that engine, which is the one that
 * the plugins use. doc/conformance.md has the format.
 */
#ifndef LAB_SCENARIO_H
#define LAB_SCENARIO_H

#include <json.h>

#include "eval/json_reader.h"
#include "test/inside/steps.h"

/* A workload of the scenario; the workload's owner in the engine */
struct scenario_item {
	const char *name;		/* belongs to the JSON */
	const char *uid;
	int queue;
	struct workload *workload;
	struct json_object *json;
};

struct scenario {
	int64_t now;			/* ns */
	struct spec *spec;
	size_t nflavors;		/* declared ones; those with a higher
					 * index are unknown */
	struct engine *engine;
	struct scenario_item *items;	/* admitted ones, then pending ones */
	size_t nitems;
	size_t nadmitted;
	struct json_object *queues;	/* name -> index into spec->queues */
	struct json_object *cohorts;
	struct json_object *local_queues;
};

/* Parses one object from text[0..len), which need not end in NUL. NULL with a
 * message in err. */
struct json_object *scenario_parse(const char *text, size_t len, char *err,
				   size_t size);

/* Builds spec and engine from a parsed scenario, which must outlive the
 * result. NULL if there is an error; it is in root->fault. */
struct scenario *scenario_create(const struct at *root);

/* NULL is allowed, errno is kept. */
void scenario_destroy(struct scenario *s);

/* The waiting workload of that name, or NULL */
const struct scenario_item *scenario_pending(const struct scenario *s,
					     const char *name);

const struct scenario_item *scenario_item(const struct workload *w);

/* ---- parts, for scenario_create() ---- */

/* Fills s->spec, s->queues, s->cohorts, s->now. Errors go to root->fault. */
void scenario_read_spec(struct scenario *s, const struct at *root);

/* How usage history counts; and, after the workloads, what there is of it */
void scenario_read_history(struct scenario *s, const struct at *root);
void scenario_read_histories(struct scenario *s, const struct at *root);

/* The number of at's "localQueue"; one that is not there is a name, too. */
int scenario_local_queue(struct scenario *s, const struct at *at);

/* Makes the workloads and charges; s->engine is there. */
void scenario_read_work(struct scenario *s, const struct at *root);

#endif /* LAB_SCENARIO_H */
