/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world_ask.c - the answers of engines for tests, in words
 */
#include <stdio.h>
#include <stdlib.h>

#include "holding/settled.h"
#include "core/tree_state.h"
#include "query.h"
#include "world_words.h"

const char *world_name(const struct world *world, const struct workload *w)
{
	for (size_t i = 0; i < world->nworkloads; i++) {
		if (world->workloads[i] == w)
			return world->names[i];
	}
	return "?";
}

static void say(struct world *world, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct world *world, const char *fmt, ...)
{
	size_t n = strlen(world->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(world->text + n, sizeof(world->text) - n, fmt, ap);
	va_end(ap);
}

const struct verdict *world_verdict(const struct world *world, const char *name)
{
	return engine_verdict(world->engine, world_workload(world, name));
}

int64_t world_used(const struct world *world, bool is_cohort, int node, int flavor, int resource)
{
	struct ledger l;

	assert_int_equal(engine_ledger(world->engine, is_cohort, node, flavor, resource, &l), 0);
	return l.used;
}

const char *world_names(struct world *world, bool (*is)(const struct workload *w))
{
	world->text[0] = '\0';
	for (size_t i = 0; i < world->nworkloads; i++) {
		if (!world->workloads[i] || !is(world->workloads[i]))
			continue;
		strcat(world->text, *world->text ? " " : "");
		strcat(world->text, world->names[i]);
	}
	return world->text;
}

static const char *pair_name(const struct world *world, int flavor,
			     int resource, char *buffer, size_t size)
{
	const struct spec *spec = world->spec;

	snprintf(buffer, size, "%s@%s", resource < 0 ? "?" : spec->resources[resource],
		 flavor < 0 ? "?" : spec->flavors[flavor]);
	return buffer;
}

static void say_wait(struct world *world, const struct verdict *v)
{
	char pair[64];

	pair_name(world, v->flavor, v->resource, pair, sizeof(pair));
	switch (v->reason) {
	case WAIT_IS_QUOTA:
		say(world, "quota(%s,need=%lld,free=%lld)", pair,
		    (long long) v->need, (long long) v->free);
		break;
	case WAIT_IS_PREEMPTING:
		say(world, "preempting(%zu)", v->nvictims);
		break;
	case WAIT_IS_PROTECTED:
		if (v->delayed)
			say(world, "delayed(%lld)", (long long) v->until);
		else if (v->spent)
			say(world, "spent");
		else if (v->fixed)
			say(world, "fixed");
		else
			say(world, "protected(%lld)", (long long) v->until);
		break;
	case WAIT_IS_YIELDING:
		say(world, "yields");
		break;
	case WAIT_IS_ORDER:
		say(world, "order");
		break;
	case WAIT_IS_HELD:
		say(world, "held");
		break;
	case WAIT_IS_NEVER:
		say(world, "never(%s,need=%lld,max=%lld)", pair,
		    (long long) v->need, (long long) v->max);
		break;
	case WAIT_IS_NONPREEMPTIBLE:
		say(world, "capped(%s,need=%lld,cap=%lld,used=%lld)", pair,
		    (long long) v->need, (long long) v->max, (long long) v->used);
		break;
	}
}

/* Ranks become 1, 2, 3.. among all that have one */
static size_t rank_place(const struct world *world, uint64_t rank)
{
	size_t place = 1;

	for (size_t i = 0; i < world->nworkloads; i++) {
		const struct verdict *v;

		if (!world->workloads[i] || world->workloads[i]->runs)
			continue;
		v = engine_verdict(world->engine, world->workloads[i]);
		place += (v->kind == VERDICT_START || v->kind == VERDICT_PREEMPT) && v->rank < rank;
	}
	return place;
}

static void say_verdict(struct world *world, const struct verdict *v)
{
	switch (v->kind) {
	case VERDICT_NONE:
		say(world, "none");
		break;
	case VERDICT_START:
		say(world, "start#%zu", rank_place(world, v->rank));
		if (v->starts != 1)
			say(world, "x%lld", (long long) v->starts);
		break;
	case VERDICT_PREEMPT:
		say(world, "preempt#%zu(%zu)", rank_place(world, v->rank), v->nvictims);
		break;
	case VERDICT_WAIT:
		say_wait(world, v);
		break;
	}
	if (v->borrowing)
		say(world, "+");
}

const char *world_plan(struct world *world, int64_t now)
{
	uint64_t before;

	trees_date(world->engine, now);
	settled_follow(world->engine);
	before = engine_digest(world->engine);
	engine_plan(world->engine, now);
	assert_true(engine_digest(world->engine) == before);
	world->text[0] = '\0';
	for (size_t i = 0; i < world->nworkloads; i++) {
		const struct workload *w = world->workloads[i];

		if (!w || w->runs)
			continue;
		say(world, "%s%s=", world->text[0] ? " " : "", world->names[i]);
		say_verdict(world, engine_verdict(world->engine, w));
	}
	return world->text;
}

static void say_victims(struct world *world, const struct victim *victims, size_t n)
{
	for (size_t i = 0; i < n; i++)
		say(world, "%s%s/%s", i ? " " : "", world_name(world, victims[i].workload),
		    victim_reason_name(victims[i].reason));
}

const char *world_victims(struct world *world, const struct victim *victims, size_t n)
{
	world->text[0] = '\0';
	say_victims(world, victims, n);
	return world->text;
}

const char *world_targets(struct world *world, const char *name, const char *charges, int64_t now)
{
	uint64_t before = engine_digest(world->engine);
	const struct victim *victims;
	struct charge demand[8];
	size_t n = world_charges(world, charges, demand);

	n = engine_targets(world->engine, world_workload(world, name), now,
			   demand, n, demand, n, &victims);
	assert_true(engine_digest(world->engine) == before);
	return world_victims(world, victims, n);
}

static const char *world_needless(struct world *world, const char *names,
				  enum victim_reason reason, const char *charges,
				  const bool *keep)
{
	struct victim victims[8];
	struct charge given[8];
	char text[64], *rest = text, *name;
	size_t n = 0, ngiven = world_charges(world, charges, given);

	assert_true(strlen(names) < sizeof(text));
	strcpy(text, names);
	while ((name = strsep(&rest, " "))) {
		assert_true(n < COUNT(victims));
		victims[n++] = (struct victim) {
			.workload = world_workload(world, name),
			.reason = reason,
		};
	}
	n = engine_drop_needless(world->engine, world_workload(world, "x"),
				 given, ngiven, victims, keep, n);
	return world_victims(world, victims, n);
}

/* Whether case i is answered with something else; that is printed */
static bool is_wrong(size_t i, const char *told, const char *answer, const char *should)
{
	if (!strcmp(answer, should))
		return false;
	print_error("case %zu:\n%s\nanswers    %s\nshould say %s\n", i, told, answer, should);
	return true;
}

void needless_cases(const char *told, const char *victims, enum victim_reason reason,
		    const struct needless_case *cases, size_t n)
{
	struct world *world = world_create(told);

	for (size_t i = 0; i < n; i++)
		assert_string_equal(world_needless(world, victims, reason, cases[i].charges,
						   cases[i].keep), cases[i].left);
	world_destroy(world);
}

void target_cases(const struct target_case *cases, size_t n)
{
	size_t wrong = 0;

	for (size_t i = 0; i < n; i++) {
		struct world *world = world_create(cases[i].told);
		const char *answer = world_targets(world, "x", cases[i].charges, cases[i].now);

		wrong += is_wrong(i, cases[i].told, answer, cases[i].answer);
		world_destroy(world);
	}
	assert_int_equal(wrong, 0);
}

const char *world_cycle(struct world *world, int64_t now)
{
	uint64_t before = engine_digest(world->engine);
	const struct head *heads;
	size_t n;

	assert_int_equal(engine_cycle(world->engine, now, &heads, &n), 0);
	assert_true(engine_digest(world->engine) == before);
	world->text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		say(world, "%s%s:%s", i ? " " : "", world_name(world, heads[i].workload),
		    outcome_name(heads[i].outcome));
		if (!heads[i].nvictims)
			continue;
		say(world, "(");
		say_victims(world, heads[i].victims, heads[i].nvictims);
		say(world, ")");
	}
	return world->text;
}

static const char *const modes[] = { "nofit", "preempt", "fit" };

static void say_podset(struct world *world, const struct assigned_podset *ps)
{
	char pair[64];

	say(world, " [");
	for (size_t i = 0; i < ps->nresources; i++) {
		const struct assigned_resource *r = &ps->resources[i];

		say(world, "%s%s%s#%d", i ? " " : "",
		    pair_name(world, r->flavor, r->resource, pair, sizeof(pair)),
		    r->mode == MODE_PREEMPT ? "!" : "", r->tried);
		if (r->borrow)
			say(world, "+%d", r->borrow);
	}
	say(world, "%s]", ps->nofit ? "-" : "");
}

const char *world_assign(struct world *world, int64_t now)
{
	const struct assignment *a
		= engine_assign(world->engine, world_workload(world, "x"), now, NULL);

	assert_non_null(a);
	world->text[0] = '\0';
	say(world, "%s", modes[a->mode]);
	if (a->borrow)
		say(world, "+%d", a->borrow);
	for (size_t i = 0; i < a->npodsets; i++)
		say_podset(world, &a->podsets[i]);
	return world->text;
}

const char *world_nominate(struct world *world, const char *name, int64_t now)
{
	uint64_t before = engine_digest(world->engine);
	struct nomination nom;
	char pair[64];

	assert_int_equal(engine_nominate(world->engine, world_workload(world, name), now,
					 NULL, &nom), 0);
	assert_true(engine_digest(world->engine) == before);
	world->text[0] = '\0';
	say(world, "%s", modes[nom.mode]);
	if (nom.borrow)
		say(world, "+%d", nom.borrow);
	for (size_t i = 0; i < nom.ncharges; i++)
		say(world, " %s=%lld",
		    pair_name(world, nom.charges[i].flavor,
			      nom.charges[i].resource, pair, sizeof(pair)),
		    (long long) nom.charges[i].amount);
	if (nom.nvictims)
		say(world, " for ");
	say_victims(world, nom.victims, nom.nvictims);
	return world->text;
}

const char *world_nominate_x(struct world *world, int64_t now)
{
	return world_nominate(world, "x", now);
}

void world_cases(const struct world_case *cases, size_t n,
		 const char *(*ask)(struct world *world, int64_t now))
{
	size_t wrong = 0;

	for (size_t i = 0; i < n; i++) {
		struct world *world = world_create(cases[i].told);
		const char *answer = ask(world, cases[i].now);

		wrong += is_wrong(i, cases[i].told, answer, cases[i].answer);
		world_destroy(world);
	}
	assert_int_equal(wrong, 0);
}

/* ---- questions among the statements ---- */

static int64_t number_need(struct words *words)
{
	return strtoll(word_need(words), NULL, 10);
}

/* The rest of the line; it may be empty */
static void says(struct words *words, const char *answer)
{
	const char *wanted = words->rest + strspn(words->rest, " ");

	if (strcmp(answer, wanted))
		fail_msg("\"%s\": the answer is \"%s\"", words->line, answer);
}

/* What it would evict by the plan */
static const char *victims_of(struct world *world, const char *name)
{
	const struct verdict *v = world_verdict(world, name);

	return world_victims(world, v->victims, v->nvictims);
}

static bool is_fixed(const struct workload *w)
{
	return workload_running(w) && workload_is_nonpreemptible(w);
}

static void expires(struct words *words, int64_t at)
{
	struct engine *e = words->world->engine;

	if (engine_next_expiry(e) != at)
		fail_msg("\"%s\": it is %lld", words->line, (long long) engine_next_expiry(e));
	if (!at)
		return;
	assert_false(engine_stale(e, at - 1));
	assert_true(engine_stale(e, at));
}

bool tell_question(struct words *words, const char *verb)
{
	struct world *world = words->world;
	const char *name;

	(void) world_engine(world);
	if (!strcmp(verb, "plan")) {
		says(words, world_plan(world, number_need(words)));
	} else if (!strcmp(verb, "cycle")) {
		says(words, world_cycle(world, number_need(words)));
	} else if (!strcmp(verb, "nominate")) {
		name = word_need(words);
		says(words, world_nominate(world, name, number_need(words)));
	} else if (!strcmp(verb, "victims")) {
		says(words, victims_of(world, word_need(words)));
	} else if (!strcmp(verb, "fixed")) {
		says(words, world_names(world, is_fixed));
	} else if (!strcmp(verb, "owners")) {
		says(words, world_names(world, workload_owns));
	} else if (!strcmp(verb, "settled")) {
		says(words, world_names(world, workload_settled));
	} else if (!strcmp(verb, "expiry")) {
		expires(words, number_need(words));
	} else {
		return false;
	}
	return true;
}

void world_stories(const char *const *stories, size_t n)
{
	for (size_t i = 0; i < n; i++)
		world_destroy(world_create(stories[i]));
}
