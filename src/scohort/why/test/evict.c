/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test evict.c - what scohort why says of evictions is what then happens
 *
 * Random small worlds in the engine. Of each running job the sentences and facts are read,
 * made from a document as the plugin publishes it. Then jobs of many sizes come to each
 * queue, one at a time: which jobs can go for them?
 */
#include <inttypes.h>

#include "input/json_members.h"
#include "drawn_world.h"
#include "random/draw.h"
#include "why/why.h"
#include "test/tests.h"

#define MOST_ASKED 10			/* of each resource */

/* ---- what is said ---- */

static void view_make(struct view *v, const struct running *r, char *tres,
		      size_t size, char *nodes, size_t nodes_size)
{
	static const char lost[] = "preempted at 1970-01-01T00:00:01 by job 2 (cluster queue a), "
		"rule InClusterQueue, for nodes, ran 1 s, preemption 1, counted 1";

	snprintf(tres, size, r->gpu ? "cpu=%d,gpu=%d" : "cpu=%d", r->cpu, r->gpu);
	snprintf(nodes, nodes_size, "%s1", r->flavor);
	*v = (struct view) {
		.id = 1, .state = VIEW_RUNNING, .state_name = "RUNNING",
		.account = r->queue, .start = r->since, .ran_since = r->since,
		.preemptable = r->since,
		.tres_given = tres, .nodes = nodes, .tasks = 1,
		.priority = (uint32_t) r->priority,
		.system_comment = r->lost ? lost : NULL,
	};
}

/* What is said of the jobs of a queue */
enum told { CANNOT, CAN_LATER, CAN_PERHAPS, CAN };

static const char *sentence_of(struct json_object *facts, const char *begin)
{
	for (size_t i = 0; i < json_items(facts, "sentences"); i++) {
		const char *s = json_object_get_string(json_item(facts, "sentences", i));

		if (!strncmp(s, begin, strlen(begin)))
			return s + strlen(begin);
	}
	return NULL;
}

/* "b, c only together with other jobs, d from 00:02:10." */
static void others_read(const char *s, enum told *told)
{
	while (s && *s) {
		size_t n = strcspn(s, ",");
		char item[128];

		snprintf(item, sizeof(item), "%.*s", (int) n, s);
		told[*item - 'a'] = strstr(item, " from ") ? CAN_LATER
				    : strstr(item, " only together ")
				      || strstr(item, " if that ") ? CAN_PERHAPS
				    : CAN;
		s += n + 2 * (s[n] == ',');
	}
}

static void told_read(struct json_object *facts, int own, enum told *told)
{
	static const char nobody[] = "no other queue can evict it";
	const char *others = sentence_of(facts, "Jobs of these other queues can evict it: ");

	others_read(others, told);
	if (sentence_of(facts, "A job of its own queue can evict it"))
		told[own] = CAN;
	if (!others)
		assert_true(strstr(json_object_to_json_string(facts), nobody));
}

/* ---- what happens ---- */

static void victims_mark(const struct drawn *d, const struct world *w,
			 const struct victim *victims, size_t n, int by,
			 bool happens[][MOST_QUEUES])
{
	for (size_t i = 0; i < n; i++) {
		for (int k = 0; k < d->njobs; k++) {
			if (victims[i].workload == w->workloads[k])
				happens[k][by] = true;
		}
	}
}

/* Those that go for its quota, or could go for its nodes */
static void probe(const struct drawn *d, struct world *w, int64_t at, int by,
		  struct workload *x, bool happens[][MOST_QUEUES])
{
	struct candidates_query query = { .alone = true };
	struct victim list[MOST_JOBS];
	size_t n;
	struct charge charges[8];
	struct candidates found;
	struct nomination nom;

	assert_int_equal(engine_nominate(w->engine, x, at, NULL, &nom), 0);
	if (nom.mode == MODE_NOFIT || (nom.mode == MODE_PREEMPT && !nom.nvictims))
		return;
	victims_mark(d, w, nom.victims, nom.nvictims, by, happens);
	memcpy(charges, nom.charges, nom.ncharges * sizeof(*charges));
	query.charges = charges;
	query.ncharges = nom.ncharges;
	memcpy(list, nom.victims, nom.nvictims * sizeof(*list));
	query.gone = list;
	query.ngone = nom.nvictims;
	assert_int_equal(engine_candidates(w->engine, x, at, &query, &found), 0);
	victims_mark(d, w, found.list, found.n, by, happens);
	if (!query.ngone)
		return;
	query.ngone = 0;
	assert_int_equal(engine_candidates(w->engine, x, at, &query, &found), 0);
	n = found.n;
	memcpy(list, found.list, n * sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		if (engine_fits(w->engine, x, charges, query.ncharges, &list[i], 1)
		    && engine_allowed(w->engine, x, at, charges, query.ncharges, &list[i], 1) == 1)
			victims_mark(d, w, &list[i], 1, by, happens);
	}
}

static void size_probe(const struct drawn *d, struct world *w, int64_t at, int by,
		       int cpu, int gpu, bool happens[][MOST_QUEUES])
{
	int cpus = spec_find_resource(w->spec, "cpu");
	int gpus = spec_find_resource(w->spec, "gpu");
	struct request requests[2] = { { cpus, cpu }, { gpus, gpu } };

	for (int only = 0; only < (int) w->spec->nflavors; only++) {
		bool ineligible[4] = { false };
		struct podset_desc podset = {
			.count = 1, .group = -1, .requests = requests,
			.nrequests = gpu ? 2 : 1, .ineligible = ineligible,
		};
		const struct workload_desc desc = {
			.queue = by, .priority = 9, .tiebreak = 1000,
			.tasks = 1, .podsets = &podset, .npodsets = 1,
		};
		struct workload *x;

		for (int f = 0; f < (int) w->spec->nflavors; f++)
			ineligible[f] = f != only;
		x = engine_submit(w->engine, &desc);
		assert_non_null(x);
		probe(d, w, at, by, x, happens);
		engine_remove(w->engine, x);
	}
}

static void queue_probe(const struct drawn *d, struct world *w, int64_t at, int by,
			bool happens[][MOST_QUEUES])
{
	for (int cpu = 1; cpu < MOST_ASKED && !w->spec->queues[by].stop; cpu++) {
		for (int gpu = 0; gpu < MOST_ASKED; gpu++)
			size_probe(d, w, at, by, cpu, gpu, happens);
	}
}

/* ---- both ---- */

static void compare(const struct drawn *d, uint64_t seed, int job,
		    const enum told *told, const bool *happens)
{
	for (int by = 0; by < d->nqueues; by++) {
		if (happens[by] ? told[by] >= CAN_PERHAPS : told[by] < CAN)
			continue;
		print_message("seed %"PRIu64"\n%s", seed, d->text);
		fail_msg("%s of queue %s, jobs of %c: why says they %s, but it %s",
			 d->jobs[job].name, d->jobs[job].queue, 'a' + by,
			 told[by] == CAN ? "can" : "can't",
			 happens[by] ? "goes" : "stays");
	}
}

/* A time that is told: not a second before */
static void times_check(const struct drawn *d, struct world *w, int job, struct json_object *facts)
{
	for (size_t i = 0; i < json_items(facts, "evictors"); i++) {
		struct json_object *o = json_item(facts, "evictors", i);
		int by = *json_text(o, "clusterQueue") - 'a';
		int64_t from = json_number(o, "from");
		bool before[MOST_JOBS][MOST_QUEUES] = { { false } };
		bool then[MOST_JOBS][MOST_QUEUES] = { { false } };

		if (from <= NOW)
			continue;
		queue_probe(d, w, from - 1, by, before);
		assert_false(before[job][by]);
		queue_probe(d, w, from, by, then);
		if (strcmp(json_text(o, "by"), "onlyWithOthers")
		    && strcmp(json_text(o, "by"), "fairSharing")
		    && !then[job][by]) {
			print_message("%s", d->text);
			fail_msg("%s of queue %s, jobs of %c: not from %"PRId64,
				 d->jobs[job].name, d->jobs[job].queue, 'a' + by,
				 from);
		}
	}
}

static void job_check(const struct drawn *d, struct world *w, uint64_t seed, int job,
		      const bool *happens, struct json_object *document)
{
	const struct running *r = &d->jobs[job];
	struct published p = { .document = document };
	enum told told[MOST_QUEUES] = { CANNOT };
	char tres[64], nodes[16];
	struct json_object *facts;
	bool any = false;
	struct view v;

	view_make(&v, r, tres, sizeof(tres), nodes, sizeof(nodes));
	facts = why_tell(&p, &v, NOW);
	told_read(facts, *r->queue - 'a', told);
	compare(d, seed, job, told, happens);
	for (int by = 0; by < d->nqueues; by++)
		any |= told[by] >= CAN_PERHAPS;
	/* what scohort me shows */
	assert_true(any == (json_number(facts, "evictableFrom")
			    && json_number(facts, "evictableFrom") <= NOW));
	if (w)
		times_check(d, w, job, facts);
	json_object_put(facts);
}

/* Also with a document from before the start of one of them */
static void world_check(uint64_t seed)
{
	bool happens[MOST_JOBS][MOST_QUEUES] = { { false } };
	struct json_object *document;
	struct world *w;
	struct drawn d;

	w = world_draw(&d, seed, false);
	for (int by = 0; by < d.nqueues; by++)
		queue_probe(&d, w, NOW, by, happens);
	document = world_publish(w, NOW);
	for (int i = 0; i < d.njobs; i++)
		job_check(&d, w, seed, i, happens[i], document);
	json_object_put(document);
	if (d.njobs) {
		engine_remove(w->engine, w->workloads[0]);
		document = world_publish(w, d.jobs[0].since - 1);
		job_check(&d, NULL, seed, 0, happens[0], document);
		json_object_put(document);
	}
	world_destroy(w);
}

static void test_worlds(void **state)
{
	size_t n = seeds_wanted(200);

	for (uint64_t seed = 1; seed <= n; seed++)
		world_check(seed);
}

TESTS(cmocka_unit_test(test_worlds))
