/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test wait.c - what scohort why and whatif say of a waiting job is what then happens
 *
 * Random small worlds in the engine, played until nothing moves any more. Of each job that
 * still waits the sentence is read, made from a text as the plugin shows it. Then the world
 * is made once more, and changed as the sentence says: does the job start?
 */
#include <inttypes.h>

#include "input/json_members.h"
#include "drawn_world.h"
#include "query.h"
#include "random/draw.h"
#include "whatif/whatif.h"
#include "why/why.h"
#include "test/tests.h"

#define LATER 100000			/* all protections are over */

/* ---- a job, and worlds that differ ---- */

struct asked {
	uint64_t seed;
	size_t job;			/* index in the world */
	const char *sentence;		/* behind its beginning */
	struct json_object *facts;
	struct line *line;
	struct world *w;		/* as it is read */
	struct workload *x;
};

static void wrong(const struct asked *a, const char *what)
{
	print_message("seed %"PRIu64"\n%s%s", a->seed, a->line->d.text, a->line->text);
	fail_msg("%s: \"%s\": %s", a->w->names[a->job],
		 json_object_to_json_string(json_member(a->facts, "sentences")), what);
}

/* The same world once more; to be ended with world_destroy() */
static struct world *again(const struct asked *a, struct workload **x)
{
	struct line line;
	struct world *o = line_draw(&line, a->seed);

	*x = o->workloads[a->job];
	return o;
}

static enum verdict_kind goes(struct world *o, const struct workload *x, int64_t at)
{
	enum verdict_kind kind;

	assert_int_not_equal(engine_plan(o->engine, at), -1);
	kind = engine_verdict(o->engine, x)->kind;
	world_destroy(o);
	return kind;
}

typedef bool (*which)(const struct workload *other, const struct workload *x);

static bool is_running(const struct workload *other, const struct workload *x)
{
	(void) x;
	return workload_running(other);
}

static bool is_waiting(const struct workload *other, const struct workload *x)
{
	return !is_running(other, x);
}

static bool is_leaving(const struct workload *other, const struct workload *x)
{
	return is_running(other, x) && workload_evicting(other);
}

static bool is_fixed(const struct workload *other, const struct workload *x)
{
	return is_running(other, x) && workload_is_nonpreemptible(other);
}

static bool is_lost(const struct workload *other, const struct workload *x)
{
	struct workload_desc d;

	workload_describe(other, &d);
	return is_running(other, x) && d.lost;
}

static void leave(struct world *o, const struct workload *x, which go)
{
	for (size_t i = 0; i < o->nworkloads; i++) {
		struct workload *other = o->workloads[i];

		if (!other || other == x || !go(other, x))
			continue;
		engine_remove(o->engine, other);
		o->workloads[i] = NULL;
	}
}

/* What becomes of the job at that time if these others are gone? */
static enum verdict_kind without(const struct asked *a, which first, which second, int64_t at)
{
	struct workload *x;
	struct world *o = again(a, &x);

	leave(o, x, first);
	if (second)
		leave(o, x, second);
	return goes(o, x, at);
}

enum happens { WAITS, IN_TURN, STARTS };

/* What becomes of it if it asks for just that? And if nobody else was there, with `alone` */
static enum happens asks(const struct asked *a, int64_t amount, const char *resource,
			const char *flavor, bool alone)
{

	struct request request = { spec_find_resource(a->w->spec, resource), amount };
	bool ineligible[4] = { false };
	struct podset_desc podset = {
		.count = 1, .group = -1, .requests = &request, .nrequests = 1,
		.ineligible = ineligible,
	};
	struct workload_desc desc;
	struct verdict v;
	struct workload *x;
	struct world *o = again(a, &x);

	for (int f = 0; f < (int) o->spec->nflavors; f++)
		ineligible[f] = f != spec_find_flavor(o->spec, flavor);
	workload_describe(x, &desc);
	desc.podsets = &podset;
	desc.npodsets = 1;
	assert_int_equal(engine_update(o->engine, x, &desc), 0);
	if (alone) {
		leave(o, x, is_running);
		leave(o, x, is_waiting);
	}
	assert_int_not_equal(engine_plan(o->engine, NOW), -1);
	v = *engine_verdict(o->engine, x);
	world_destroy(o);
	return v.kind == VERDICT_START ? STARTS
	       : v.kind == VERDICT_WAIT && v.reason == WAIT_IS_ORDER ? IN_TURN : WAITS;
}

/* ---- what the sentences say ---- */

struct amounts {
	long need, most, used;
	char resource[16], flavor[16], queue[16];
};

/* Where quota is kept for others, what a job gets depends on its turn, and that on what it
 * asks: how often that was so */
static int off;

static void quota_check(const struct asked *a)
{
	struct amounts n;

	assert_int_equal(sscanf(a->sentence, "%ld %15s of flavor %15[^,], and %15s can get "
				"%ld now.", &n.need, n.resource, n.flavor, n.queue, &n.most), 5);
	if (n.need <= n.most)
		wrong(a, "it needs no more than that");
	off += (n.most > 0 && asks(a, n.most, n.resource, n.flavor, false) == WAITS)
	       || asks(a, n.most + 1, n.resource, n.flavor, false) == STARTS;
}

static void never_nodes_check(const struct asked *a)
{
	if (without(a, is_running, is_waiting, LATER) == VERDICT_START)
		wrong(a, "it starts if it is alone");
}

static void never_check(const struct asked *a)
{
	struct amounts n;

	never_nodes_check(a);
	assert_int_equal(sscanf(a->sentence, "%ld %15s of flavor %15[^,], and can never get more "
				"than %ld in ", &n.need, n.resource, n.flavor,
				&n.most), 4);
	if (n.need <= n.most)
		wrong(a, "it needs no more than that");
	if (n.most > 0 && asks(a, n.most, n.resource, n.flavor, true) != STARTS)
		wrong(a, "it does not get that");
	if (asks(a, n.most + 1, n.resource, n.flavor, true) == STARTS)
		wrong(a, "it gets more");
}


static void order_check(const struct asked *a)
{
	struct workload *x;
	struct world *o = again(a, &x);

	leave(o, x, is_waiting);
	assert_int_not_equal(engine_plan(o->engine, NOW), -1);
	if (engine_verdict(o->engine, x)->reason == WAIT_IS_ORDER
	    && engine_verdict(o->engine, x)->kind == VERDICT_WAIT)
		wrong(a, "nobody comes first");
	world_destroy(o);
}

static void preempting_check(const struct asked *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->w->nworkloads; i++)
		n += is_leaving(a->w->workloads[i], a->x);
	if ((size_t) atoi(a->sentence) > n)
		wrong(a, "so many are not being evicted");
	if (without(a, is_leaving, NULL, NOW) != VERDICT_START)
		wrong(a, "they have gone, and it does not start");
}


static void some_check(const struct asked *a, which are)
{
	bool any = false;

	for (size_t i = 0; i < a->w->nworkloads; i++)
		any |= are(a->w->workloads[i], a->x);
	if (!any)
		wrong(a, "there are no such jobs");
}

/* 0: it is not */
static int64_t protected_until(struct world *o, const struct workload *x, int64_t at)
{
	const struct verdict *v;

	assert_int_not_equal(engine_plan(o->engine, at), -1);
	v = engine_verdict(o->engine, x);
	return v->kind == VERDICT_WAIT && v->reason == WAIT_IS_PROTECTED ? v->until : 0;
}

static void until_check(const struct asked *a)
{
	int hours, minutes, seconds;
	struct workload *x;
	struct world *o;
	int64_t at;

	assert_int_equal(sscanf(a->sentence, "%d:%d:%d", &hours, &minutes, &seconds), 3);
	at = (hours * 60 + minutes) * 60 + seconds;
	if (at <= NOW)
		wrong(a, "that is over");
	o = again(a, &x);
	leave(o, x, is_waiting);
	if (protected_until(o, x, NOW) == at && protected_until(o, x, at - 1) != at)
		wrong(a, "it ends before");
	if (protected_until(o, x, at) == at)
		wrong(a, "it does not end");
	world_destroy(o);
}

/* It could evict others now, as it may when the delay is over. */
static void delay_check(const struct asked *a)
{
	int64_t delay = a->w->spec->queues[workload_queue(a->x)].reclaim_delay;
	const char *end = strstr(a->sentence, " before ");
	int hours, minutes, seconds;
	struct nomination nom;
	struct workload *x;
	struct world *o;

	assert_non_null(end);
	assert_int_equal(sscanf(end, " before %d:%d:%d", &hours, &minutes, &seconds), 3);
	if ((hours * 60 + minutes) * 60 + seconds != NOW + delay)
		wrong(a, "the delay ends at another time");
	if (!strstr(json_object_to_json_string(json_member(a->facts, "sentences")),
		    "There is no estimate of its start."))
		wrong(a, "nothing is said of its start");
	o = again(a, &x);
	engine_plan(o->engine, NOW);
	assert_int_equal(engine_nominate(o->engine, x, NOW, NULL, &nom), 0);
	if (nom.nvictims)
		wrong(a, "it evicts now");
	assert_int_equal(engine_nominate(o->engine, x, NOW + delay, NULL, &nom), 0);
	if (nom.mode != MODE_FIT && !nom.nvictims)
		wrong(a, "it does not evict then");
	world_destroy(o);
}

static void spent_check(const struct asked *a)
{
	some_check(a, is_lost);
}

static void fixed_check(const struct asked *a)
{
	some_check(a, is_fixed);
}

static void yields_check(const struct asked *a)
{
	int queue = workload_queue(a->x);
	struct workload_desc d;
	bool more = false;
	struct ledger l;

	workload_describe(a->x, &d);
	for (size_t r = 0; r < d.podsets->nrequests; r++) {
		const struct request *ask = &d.podsets->requests[r];

		for (int f = 0; f < (int) a->w->spec->nflavors; f++) {
			assert_int_equal(engine_ledger(a->w->engine, false, queue, f,
						       ask->resource, &l), 0);
			more |= !d.podsets->ineligible[f] && ask->amount > l.nominal - l.used;
		}
	}
	if (!more || !d.lost)
		wrong(a, "its queue owns that, or it was never evicted");
	if (without(a, is_waiting, is_running, NOW) != VERDICT_START)
		wrong(a, "all is free, and it waits");
}

static void cap_check(const struct asked *a)
{
	struct amounts n;

	assert_int_equal(sscanf(a->sentence, "%15s are limited by nominal quota: of flavor %15s it "
				"needs %ld %15[^,], the limit for all of them together is %ld %*s "
				"and they use %ld", n.queue, n.flavor,
				&n.need, n.resource, &n.most, &n.used), 6);
	if (n.need <= n.most - n.used)
		wrong(a, "there is room");
	if (asks(a, n.need, n.resource, n.flavor, false) == STARTS)
		wrong(a, "it starts");
	if (n.need <= n.most && without(a, is_running, is_waiting, NOW) != VERDICT_START)
		wrong(a, "all have ended, and it waits");
}

static void held_check(const struct asked *a)
{
	if (!a->w->spec->queues[workload_queue(a->x)].stop)
		wrong(a, "it is not");
}

static struct {
	const char *name, *begin;
	void (*check)(const struct asked *a);
	int read;
} kinds[] = {
	{ "quota", "It waits for quota: it needs ", quota_check, 0 },
	{ "never", "It can never start as submitted: it needs ", never_check, 0 },
	{ "never (nodes)", "It can never start as submitted (never(nodes)): ",
	  never_nodes_check, 0 },
	{ "order", "Other jobs come first: ", order_check, 0 },
	{ "protected until", "Jobs that it could evict for quota are protected by a minimum run "
	  "time or a turn. The first protection ends at ", until_check, 0 },
	{ "delayed", "It could evict jobs of other cluster queues for quota, but the reclaimDelay "
	  "of ", delay_check, 0 },
	{ "maxPreemptions", "Jobs that it could evict for quota have reached maxPreemptions. ",
	  spent_check, 0 },
	{ "can't be preempted", "Jobs that it could evict for quota can't be preempted. ",
	  fixed_check, 0 },
	{ "yields", "It was evicted before, so it waits for free quota: it evicts other jobs only "
	  "for the nominal quota of ", yields_check, 0 },
	{ "cap", "Once it runs it can't be preempted. Such jobs of ", cap_check, 0 },
	{ "held", "The cluster queue is stopped", held_check, 0 },
	{ "preempting", "", preempting_check, 0 },
};

/* ---- how they are made ---- */

static size_t kind_of(const char *sentence)
{
	size_t i = 0;

	while (strncmp(sentence, kinds[i].begin, strlen(kinds[i].begin)))
		i++;
	return i < COUNT(kinds) - 1
	       || strstr(sentence, " being evicted. It starts, at the latest, ")
	       ? i : COUNT(kinds);
}

/* Which sentence says what it waits for? */
static size_t story_find(struct json_object *facts, const char **sentence)
{
	for (size_t i = 0; i < json_items(facts, "sentences"); i++) {
		size_t kind;

		*sentence = json_object_get_string(json_item(facts, "sentences", i));
		kind = kind_of(*sentence);
		if (kind < COUNT(kinds))
			return kind;
	}
	return COUNT(kinds);
}

/* What whatif says of a job that would wait is the same. */
static void whatif_check(const struct asked *a, const struct published *p, const char *text,
			 const char *sentence)
{
	const struct sbatch_answer said = { .starts = false };
	struct json_object *answer = json_object_new_object(), *facts;
	const char *there;

	json_add_text(answer, "verdict", "wait");
	json_add_text(answer, "clusterQueue", a->w->spec->queues[workload_queue(a->x)].name);
	json_add_text(answer, "reason", text);
	facts = whatif_tell(p, &said, answer, NOW);
	assert_true(story_find(facts, &there) < COUNT(kinds));
	assert_string_equal(there, sentence);
	json_object_put(facts);
	json_object_put(answer);
}

static void job_check(struct asked *a, const struct published *p)
{
	char text[192];
	struct view v = {
		.id = 1, .state = VIEW_PENDING, .state_name = "PENDING", .text = text,
		.tasks = 1,
	};
	const char *sentence;
	size_t kind;

	shown_text(a->w, a->x, text, sizeof(text));
	a->facts = why_tell(p, &v, NOW);
	kind = story_find(a->facts, &sentence);
	if (kind == COUNT(kinds))
		wrong(a, text);
	a->sentence = sentence + strlen(kinds[kind].begin);
	whatif_check(a, p, text, sentence);
	kinds[kind].read++;
	kinds[kind].check(a);
	json_object_put(a->facts);
}

static void world_check(uint64_t seed)
{
	struct line line;
	struct asked a = { .seed = seed, .line = &line };
	struct published p = { 0 };

	a.w = line_draw(&line, seed);
	assert_int_not_equal(engine_plan(a.w->engine, NOW), -1);
	p.document = world_publish(a.w, NOW);
	for (a.job = next_to_go(a.w) ? a.w->nworkloads : 0; a.job < a.w->nworkloads; a.job++) {
		a.x = a.w->workloads[a.job];
		if (!workload_running(a.x)
		    && engine_verdict(a.w->engine, a.x)->kind == VERDICT_WAIT)
			job_check(&a, &p);
	}
	json_object_put(p.document);
	world_destroy(a.w);
}

static void test_worlds(void **state)
{
	size_t n = seeds_wanted(400);

	for (uint64_t seed = 1; seed <= n; seed++)
		world_check(seed);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		print_message("# %s: %d read\n", kinds[i].name, kinds[i].read);
		assert_true(kinds[i].read > 0 || getenv("COHORT_SEEDS"));
	}
	print_message("# quota: %d off\n", off);
	assert_true(100 * off <= kinds[0].read);
}

TESTS(cmocka_unit_test(test_worlds))
