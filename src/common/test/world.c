/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world.c - engines for tests, described in words
 */
#include <stdio.h>
#include <stdlib.h>

#include "test/terms.h"
#include "world_words.h"

#define PODSETS 4
#define REQUESTS 8
#define FLAVORS 16

void words_confused(const struct words *words, const char *word)
{
	fail_msg("\"%s\" is not understood in \"%s\"", word, words->line);
}

const char *word_next(struct words *words)
{
	return strtok_r(NULL, " \t", &words->rest);
}

const char *word_need(struct words *words)
{
	const char *word = word_next(words);

	if (!word)
		fail_msg("\"%s\" is incomplete", words->line);
	return word;
}

/* "key=value" with that key: its value, else NULL */
const char *value_of(const char *word, const char *key)
{
	size_t n = strlen(key);

	return !strncmp(word, key, n) && word[n] == '=' ? word + n + 1 : NULL;
}

bool number_of(const char *word, const char *key, int64_t *number)
{
	const char *value = value_of(word, key);

	if (value)
		*number = strtoll(value, NULL, 10);
	return value;
}

static size_t workload_index(const struct world *world, const char *name)
{
	size_t i = 0;

	while (i < world->nworkloads && strcmp(world->names[i], name))
		i++;
	return i;
}

struct workload *world_workload(const struct world *world, const char *name)
{
	size_t i = workload_index(world, name);

	if (i == world->nworkloads)
		fail_msg("no workload %s", name);
	return world->workloads[i];
}

struct engine *world_engine(struct world *world)
{
	if (!world->engine)
		world->engine = engine_create(world->spec);
	assert_non_null(world->engine);
	return world->engine;
}

/* A workload as the statements describe it */
struct told {
	struct workload_desc desc;
	struct podset_desc podsets[PODSETS];
	struct request requests[PODSETS][REQUESTS];
	int64_t by_flavor[PODSETS][REQUESTS * FLAVORS];
	bool ineligible[PODSETS][FLAVORS];
	struct charge charges[REQUESTS];
	size_t ncharges;
	int64_t since, pause;
	int64_t cost, exempt, ends, elastic, needs;
	bool evicting, settled, no;
	int flavor;
};

static bool charge_read(const struct world *world, const char *word, struct charge *charge)
{
	char resource[16], flavor[16];
	long long amount;

	if (sscanf(word, "%15[^@=]@%15[^=]=%lld", resource, flavor, &amount) != 3)
		return false;
	charge->flavor = spec_find_flavor(world->spec, flavor);
	charge->resource = spec_find_resource(world->spec, resource);
	charge->amount = amount;
	return true;
}

size_t world_charges(const struct world *world, const char *text, struct charge *charges)
{
	char buffer[256], *rest, *word;
	size_t n = 0;

	snprintf(buffer, sizeof(buffer), "%s", text);
	for (word = strtok_r(buffer, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (!charge_read(world, word, &charges[n++]))
			fail_msg("\"%s\" is no charge", word);
	}
	return n;
}

static bool request_read(const struct world *world, struct told *told, const char *word)
{
	struct podset_desc *ps = &told->podsets[told->desc.npodsets - 1];
	struct request *r = &told->requests[told->desc.npodsets - 1]
					   [ps->nrequests];
	char resource[16];
	long long amount;

	if (sscanf(word, "%15[^@=]=%lld", resource, &amount) != 2)
		return false;
	r->resource = spec_find_resource(world->spec, resource);
	r->amount = amount;
	ps->nrequests += r->resource >= 0;
	return r->resource >= 0;
}

/* "cpu@g=8" after "cpu=4": the amount in that flavor */
static bool request_vary(const struct world *world, struct told *told, const char *word)
{
	size_t last = told->desc.npodsets ? told->desc.npodsets - 1 : 0;
	struct podset_desc *ps = &told->podsets[last];
	int64_t *rows = told->by_flavor[last];
	size_t nflavors = world->spec->nflavors;
	struct charge c;

	if (!ps->nrequests || !charge_read(world, word, &c))
		return false;
	for (size_t i = 0; !ps->by_flavor && i < REQUESTS * nflavors; i++)
		rows[i] = ps->requests[i / nflavors].amount;
	ps->by_flavor = rows;
	for (size_t i = 0; i < ps->nrequests; i++) {
		if (ps->requests[i].resource == c.resource)
			rows[i * nflavors + (size_t) c.flavor] = c.amount;
	}
	return true;
}

static void podset_begin(struct told *told)
{
	size_t i = told->desc.npodsets++;

	told->podsets[i] = (struct podset_desc) {
		.count = 1,
		.group = -1,
		.requests = told->requests[i],
		.ineligible = told->ineligible[i],
	};
}

static bool podset_word(const struct world *world, struct told *told, const char *word)
{
	struct podset_desc *ps = &told->podsets[told->desc.npodsets - 1];
	int64_t group;

	if (number_of(word, "count", &ps->count) || number_of(word, "min", &ps->min_count))
		return true;
	if (number_of(word, "group", &group)) {
		ps->group = group;
		return true;
	}
	if (value_of(word, "not")) {
		int flavor = spec_find_flavor(world->spec, value_of(word, "not"));

		assert_true(flavor >= 0);
		told->ineligible[told->desc.npodsets - 1][flavor] = true;
		return true;
	}
	return request_read(world, told, word);
}

static bool desc_word(struct told *told, const char *word)
{
	struct workload_desc *d = &told->desc;
	int64_t local;

	if (number_of(word, "members", &d->fixed_members)) {
		d->nonpreemptible = true;
		d->group = 7;
		return true;
	}
	if (number_of(word, "local", &local)) {
		d->local_queue = local;
		return true;
	}
	if (number_of(word, "times", &d->lost)) {
		d->evictions = d->lost;
		return true;
	}
	return number_of(word, "prio", &d->priority) || number_of(word, "reclaimed", &d->evictions)
	       || number_of(word, "turns", &d->turns) || number_of(word, "at", &d->queue_order_at)
	       || number_of(word, "tasks", &d->tasks) || number_of(word, "starts", &d->max_starts)
	       || number_of(word, "since", &told->since) || number_of(word, "for", &told->pause)
	       || number_of(word, "cost", &told->cost) || number_of(word, "elastic", &told->elastic)
	       || number_of(word, "needs", &told->needs)
	       || number_of(word, "exempt", &told->exempt)
	       || number_of(word, "ends", &told->ends);
}

static void told_word(struct words *words, struct told *told, const char *word)
{
	const struct world *world = words->world;

	if (!strcmp(word, "in"))
		told->desc.queue = spec_find_queue(world->spec, word_need(words));
	else if (!strcmp(word, "|"))
		podset_begin(told);
	else if (!strcmp(word, "evicting"))
		told->evicting = true;
	else if (!strcmp(word, "settled"))
		told->settled = true;
	else if (!strcmp(word, "fixed"))
		told->desc.nonpreemptible = true;
	else if (!strcmp(word, "follower"))
		told->desc.follower = true;
	else if (!strcmp(word, "no"))
		told->no = true;
	else if (spec_find_flavor(world->spec, word) != SPEC_NONE)
		told->flavor = spec_find_flavor(world->spec, word);
	else if (request_vary(world, told, word))
		return;
	else if (charge_read(world, word, &told->charges[told->ncharges]))
		told->ncharges++;
	else if (!desc_word(told, word) && !podset_word(world, told, word))
		words_confused(words, word);
}

static void told_read(struct words *words, struct told *told)
{
	const char *word;

	memset(told, 0, sizeof(*told));
	told->flavor = SPEC_NONE;
	told->desc.tasks = 1;
	told->desc.podsets = told->podsets;
	podset_begin(told);
	while ((word = word_next(words)))
		told_word(words, told, word);
}

static struct workload *submit(struct world *world, struct told *told, const char *name)
{
	struct workload *w;
	size_t i = workload_index(world, name);

	assert_true(i < WORLD_WORKLOADS);
	told->desc.tiebreak = i + 1;
	w = engine_submit(world_engine(world), &told->desc);
	assert_non_null(w);
	snprintf(world->names[i], sizeof(world->names[i]), "%s", name);
	world->workloads[i] = w;
	if (i == world->nworkloads)
		world->nworkloads++;
	return w;
}

static void start(struct world *world, struct told *told, struct workload *w)
{
	const struct eviction_terms terms = {
		.exempt_until = told->exempt < 0 ? INT64_MAX : told->exempt,
		.cost = told->cost,
		.ends_by = told->ends,
		.group = (uint64_t) told->elastic,
		.min_available = told->elastic ? told->needs : -1,
	};

	assert_int_equal(engine_start(world->engine, w, told->charges,
				      told->ncharges, told->since), 0);
	assert_int_equal(engine_set_terms(world->engine, w, &terms), 0);
	if (told->settled)
		engine_keep_settled(world->engine, w, true);
	if (told->evicting)
		engine_evicting(world->engine, w, true);
}

static void tell_event(struct words *words, const char *verb, const char *name)
{
	struct world *world = words->world;
	struct workload *w = world_workload(world, name);
	struct engine *e = world->engine;
	struct told told;

	told_read(words, &told);
	if (!strcmp(verb, "start")) {
		start(world, &told, w);
	} else if (!strcmp(verb, "requeue")) {
		assert_int_equal(engine_requeue(e, w, told.desc.queue_order_at), 0);
	} else if (!strcmp(verb, "remove")) {
		engine_remove(e, w);
		world->workloads[workload_index(world, name)] = NULL;
	} else if (!strcmp(verb, "evicting")) {
		engine_evicting(e, w, !told.no);
	} else if (!strcmp(verb, "fix")) {
		engine_set_nonpreemptible(e, w, !told.no);
	} else if (!strcmp(verb, "keep")) {
		engine_keep_nonpreemptible(e, w, !told.no);
	} else if (!strcmp(verb, "own")) {
		assert_int_equal(engine_own(e, w, told.charges, told.ncharges), 0);
	} else if (!strcmp(verb, "disown")) {
		engine_disown(e, w);
	} else if (!strcmp(verb, "blocked")) {
		engine_blocked(e, w, !told.no);
	} else if (!strcmp(verb, "pause")) {
		engine_pause(e, w, told.pause);
	} else if (!strcmp(verb, "update")) {
		told.desc.tiebreak = workload_index(world, name) + 1;
		assert_int_equal(engine_update(e, w, &told.desc), 0);
	} else {
		words_confused(words, verb);
	}
}

static void tell_bond(struct words *words, enum bond_kind kind)
{
	struct world *world = words->world;
	const char *name = word_need(words);
	struct workload *first = world_workload(world, name);

	while ((name = word_next(words)))
		assert_int_equal(engine_bond(world->engine, world_workload(world, name),
					     first, kind), 0);
}

static void tell_unit(struct words *words)
{
	struct world *world = words->world;
	const char *name = word_need(words);
	struct workload *first = world_workload(world, name);

	while ((name = word_next(words)))
		assert_int_equal(terms_join(world->engine, world_workload(world, name), first), 0);
}

/* exempt NAME N, elastic NAME GROUP NEEDS */
static void tell_terms(struct words *words, bool elastic)
{
	struct workload *w = world_workload(words->world, word_need(words));
	struct engine *e = words->world->engine;
	int64_t number = strtoll(word_need(words), NULL, 10);
	int rc = elastic ? terms_set_elastic(e, w, (uint64_t) number,
					     strtoll(word_need(words), NULL, 10))
			 : terms_set_exempt(e, w, number < 0 ? INT64_MAX : number);

	assert_int_equal(rc, 0);
}

static void tell_line(struct world *world, const char *line)
{
	struct words words = { .world = world, .line = line };
	const char *verb, *name;
	struct told told;

	snprintf(words.buffer, sizeof(words.buffer), "%s", line);
	verb = strtok_r(words.buffer, " \t", &words.rest);
	if (!verb)
		return;
	if (!strcmp(verb, "site")) {
		tell_site(&words);
	} else if (!strcmp(verb, "cohort")) {
		tell_cohort(&words);
	} else if (!strcmp(verb, "queue")) {
		tell_queue(&words);
	} else if (!strcmp(verb, "period")) {
		tell_period(&words);
	} else if (!strcmp(verb, "either")) {
		tell_bond(&words, BOND_EITHER);
	} else if (!strcmp(verb, "together")) {
		tell_bond(&words, BOND_TOGETHER);
	} else if (!strcmp(verb, "unit")) {
		tell_unit(&words);
	} else if (!strcmp(verb, "exempt") || !strcmp(verb, "elastic")) {
		tell_terms(&words, !strcmp(verb, "elastic"));
	} else if (!tell_history(&words, verb) && !tell_question(&words, verb)) {
		name = word_need(&words);
		if (strcmp(verb, "run") && strcmp(verb, "wait")) {
			tell_event(&words, verb, name);
			return;
		}
		told_read(&words, &told);
		if (!strcmp(verb, "run"))
			start(world, &told, submit(world, &told, name));
		else
			submit(world, &told, name);
	}
}

void world_tell(struct world *world, const char *text)
{
	char line[512];

	while (*text) {
		size_t n = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int) n, text);
		tell_line(world, line);
		text += n + (text[n] == '\n');
	}
}

struct world *world_create(const char *text)
{
	struct world *world = calloc(1, sizeof(*world));

	assert_non_null(world);
	world->spec = spec_create();
	assert_non_null(world->spec);
	world_tell(world, text);
	world_engine(world);
	return world;
}

void world_destroy(struct world *world)
{
	engine_destroy(world->engine);
	spec_destroy(world->spec);
	free(world);
}
