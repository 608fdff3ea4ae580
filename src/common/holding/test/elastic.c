/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test elastic.c - groups that may shrink while they are protected
 */
#include <errno.h>

#include "holding/holding.h"
#include "test/terms.h"
#include "world.h"

/* a has nothing of its own and runs four that are protected until 1050 */
#define LENT "cohort org\nqueue a in org rmin=100 within=lower pmin=100 cpu@f=0\n" \
	"queue b in org reclaim=any within=lower pmin=100 cpu@f=4\n"
#define FOUR "run m1 in a cpu@f=1 since=950\nrun m2 in a cpu@f=1 since=951\n" \
	"run m3 in a cpu@f=1 since=952\nrun m4 in a cpu@f=1 since=953\n"

#define GROUP(needs) "elastic m1 7 " needs "\nelastic m2 7 " needs "\n" \
	"elastic m3 7 " needs "\nelastic m4 7 " needs "\n"

static const char *const members[] = { "m1", "m2", "m3", "m4" };

static const struct {
	const char *text;
	int64_t min_available;
	const char *evicting;		/* a member on its way out */
	int64_t now;
	const char *want;
} cases[] = {
	{ "wait x in b cpu=1", -1, NULL, 1000, "preempt cpu@f=1" },
	{ "wait x in b cpu=1", 4, NULL, 1000, "preempt cpu@f=1" },
	{ "wait x in b cpu=1", 3, NULL, 1000, "preempt cpu@f=1 for m4/InCohortReclamation" },
	{ "wait x in b cpu=2", 3, NULL, 1000, "preempt cpu@f=2" },
	{ "wait x in b cpu=2", 2, NULL, 1000,
	  "preempt cpu@f=2 for m4/InCohortReclamation m3/InCohortReclamation" },
	/* one that leaves is no active member, and is taken at no cost */
	{ "wait x in b cpu=2", 3, "m1", 1000, "preempt cpu@f=2" },
	{ "wait x in b cpu=2", 2, "m1", 1000,
	  "preempt cpu@f=2 for m1/InCohortReclamation m4/InCohortReclamation" },
	/* unprotected ones may all go: m1 is so from 1050 on */
	{ "wait x in b cpu=1", 4, NULL, 1050, "preempt cpu@f=1 for m1/InCohortReclamation" },
	{ "wait x in b cpu=4", 4, NULL, 1060,
	  "preempt cpu@f=4 for m4/InCohortReclamation m3/InCohortReclamation "
	  "m2/InCohortReclamation m1/InCohortReclamation" },
};

static void elastic_set(struct world *world, int64_t min_available)
{
	for (size_t i = 0; i < COUNT(members) && min_available >= 0; i++)
		assert_int_equal(terms_set_elastic(world_engine(world),
				world_workload(world, members[i]), 7, min_available), 0);
}

static void elastic_cases(const char *site)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[1024];
		struct world *world;

		snprintf(text, sizeof(text), "%s%s%s%s", site, LENT, FOUR, cases[i].text);
		world = world_create(text);
		(void) world_engine(world);
		elastic_set(world, cases[i].min_available);
		if (cases[i].evicting)
			engine_evicting(world_engine(world),
					world_workload(world, cases[i].evicting), true);
		assert_string_equal(world_nominate(world, "x", cases[i].now), cases[i].want);
		/* twice: a search leaves nothing behind */
		assert_string_equal(world_nominate(world, "x", cases[i].now), cases[i].want);
		world_destroy(world);
	}
}

static void test_classical(void **state)
{
	elastic_cases("");
}

static void test_fair(void **state)
{
	elastic_cases("site fair\n");
}

static void test_errors(void **state)
{
	struct world *world = world_create(LENT FOUR "wait x in b cpu=1");

	errno = 0;
	assert_int_equal(terms_set_elastic(world_engine(world),
					world_workload(world, "x"), 7, 1), -1);
	assert_int_equal(errno, EINVAL);
	/* no group at all */
	assert_int_equal(terms_set_elastic(world_engine(world), world_workload(world, "m1"), 7, -1),
			 0);
	assert_null(world_workload(world, "m1")->held->elastic);
	world_destroy(world);
}

/* In a cycle the first spare member of a group is found behind many that are protected,
 * with and without fair sharing. */
static void test_behind(void **state)
{
	static const char *const sites[] = { "", "site fair\n" };

	for (size_t i = 0; i < COUNT(sites); i++) {
		char text[2560];
		size_t n = (size_t) sprintf(text, "%ssite reclaim=100\ncohort org\n"
			"queue a in org cpu@f=0\nqueue b in org reclaim=any cpu@f=44\n"
			"run m1 in a cpu@f=1 since=940 elastic=1 needs=1\n"
			"run m2 in a cpu@f=1 since=941 elastic=1 needs=1\n"
			"run s1 in a cpu@f=1 since=939 elastic=2 needs=2\n"
			"run s2 in a cpu@f=1 since=942 elastic=2 needs=2\n"
			"wait x in b cpu=1\n", sites[i]);
		struct world *world;

		for (int k = 0; k < 40; k++)
			n += (size_t) sprintf(text + n, "run r%d in a cpu@f=1 "
					      "since=%d\n", k, 960 + k);
		world = world_create(text);
		assert_string_equal(world_cycle(world, 1000),
				    "x:preempting(m2/InCohortReclamation)");
		world_tell(world, "evicting m2");
		world_tell(world, "remove m2");
		world_tell(world, "run r40 in a cpu@f=1 since=999");
		assert_string_equal(world_cycle(world, 1000), "x:noCandidates");
		world_destroy(world);
	}
}

/* ---- groups ---- */

#define GROUPS 3
#define JOBS 14

/* The members that run, and are not on the way out, by a look at each */
static int64_t active(const struct queue *q, const struct elastic *g)
{
	int64_t n = 0;

	for_each_holding(h, q)
		n += h->elastic == g && !h->evicting;
	return n;
}

/* Each group knows how many members it has, and the queue how many groups may shrink. */
static void groups_check(const struct engine *e)
{
	const struct queue *q = &e->queues[0];
	const struct elastic *any[JOBS];
	size_t nspare = 0, nany = 0;

	for_each_holding(h, q) {
		const struct elastic *g = h->elastic;
		size_t i = 0;

		if (!g)
			continue;
		assert_int_equal(g->active, active(q, g));
		while (i < nany && any[i] != g)
			i++;
		if (i < nany)
			continue;
		any[nany++] = g;
		nspare += g->active > g->min_available;
	}
	assert_int_equal(e->elastics.n, nany);
	assert_int_equal(q->nspare, nspare);
}

static void job_change(struct world *w, const char *name, int what, int number)
{
	static const char *const events[] = {
		"remove %s", "evicting %s", "evicting %s no",
	};
	char words[64];

	if (what < (int) COUNT(events)) {
		snprintf(words, sizeof(words), events[what], name);
		world_tell(w, words);
		return;
	}
	assert_int_equal(terms_set_elastic(w->engine, world_workload(w, name),
					   1 + (uint64_t) (number % GROUPS), number / GROUPS), 0);
}

static bool is_there(const struct world *w, const char *name)
{
	for (size_t i = 0; i < w->nworkloads; i++) {
		if (w->workloads[i] && !strcmp(w->names[i], name))
			return true;
	}
	return false;
}

static void test_groups(void **state)
{
	struct world *w = world_create(LENT "wait x in b cpu=4");
	const struct engine *e = world_engine(w);
	uint32_t random = 7;

	for (int step = 0; step < 4000; step++) {
		char name[8], words[64];

		random = random * 1664525 + 1013904223;
		snprintf(name, sizeof(name), "m%u", (random >> 8) % JOBS);
		if (is_there(w, name)) {
			job_change(w, name, (random >> 16) % 6, (random >> 20) % (GROUPS * 5));
		} else {
			snprintf(words, sizeof(words), "run %s in a cpu@f=1 since=%u",
				 name, 901 + (random >> 16) % 90);
			world_tell(w, words);
		}
		groups_check(e);
		world_nominate(w, "x", 1000);
		world_plan(w, 1000);
		groups_check(e);
	}
	world_destroy(w);
}

static const char *const stories[] = {
	/* a group ends with its last member; another one may use its key */
	LENT FOUR "wait x in b cpu=1\n" GROUP("3") "requeue m4\nstart m4 cpu@f=1 since=953\n"
	"nominate x 1000 preempt cpu@f=1\n" GROUP("3")
	"nominate x 1000 preempt cpu@f=1 for m4/InCohortReclamation\n"
	"remove m3\nnominate x 1000 fit cpu@f=1",
	/* protection for good holds for the spare members, too */
	"cohort org\nqueue a in org cpu@f=0\nqueue b in org reclaim=any cpu@f=4\n"
	"run m1 in a cpu@f=2 exempt=-1 elastic=7\nrun m2 in a cpu@f=2 exempt=-1 elastic=7\n"
	"wait x in b cpu=1\nnominate x 1000 preempt cpu@f=1",
	"queue a within=lower max=2 cpu@f=4\nrun m1 in a cpu@f=2 times=2 elastic=7\n"
	"run m2 in a cpu@f=2 times=2 elastic=7\nwait x in a cpu=1 prio=1\n"
	"nominate x 1000 preempt cpu@f=1",
	/* a min-runtime may be passed over, the caller's exemption not: its end is an event */
	LENT FOUR "wait x in b cpu=1\n" GROUP("0")
	"exempt m1 1020\nexempt m2 1021\nexempt m3 1022\nexempt m4 1023\n"
	"plan 1000 x=protected(1020)\nexpiry 1020\nplan 1019 x=protected(1020)\n"
	"nominate x 1020 preempt cpu@f=1 for m1/InCohortReclamation\n"
	"nominate x 1030 preempt cpu@f=1 for m4/InCohortReclamation\n"
	/* one on its way out is exempt no more */
	"evicting m2\nnominate x 1000 preempt cpu@f=1 for m2/InCohortReclamation",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_errors), cmocka_unit_test(test_behind),
      cmocka_unit_test(test_groups), cmocka_unit_test(test_classical), cmocka_unit_test(test_fair))
