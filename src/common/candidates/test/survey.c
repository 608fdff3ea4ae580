/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test survey.c - protected holdings are not looked at one by one
 *
 * What a survey finds is tested with the searches (allow.c, candidate.c, the
 * model check). Here: a plan does not take longer because more is protected.
 */
#include <stdio.h>

#include "test/terms.h"
#include "holding/holding.h"
#include "candidates/candidate.h"
#include "single.h"

#define RUNNING 5000
#define WAITING 8

/* Enough for the paths of some searches, far from all that runs */
#define LOOKS_MAX 2000

struct protection {
	const char *site;
	int64_t now;
	int64_t exempt;			/* of all; 0: none */
	bool elastic;			/* they are one group that needs all of them */
	int64_t want;			/* next expiry */
};

static const struct protection protections[] = {
	/* by a min-runtime, distinct ends */
	{ "site reclaim=9000000\n", 6000000, 0, false, 9000001 },
	/* half of them still are */
	{ "site reclaim=9000000\n", 9002500, 0, false, 9002501 },
	/* by exemptions, or nobody any more */
	{ "", 6000000, 7000000, false, 7000000 },
	{ "", 6000000, 5000000, false, 0 },
	/* members may go while their min-runtime goes on, but not before */
	{ "site reclaim=9000000\n", 6000000, 7000000, true, 7000000 },
};

static void one_survey(const struct protection *p, const char *strategy)
{
	char text[512];
	struct world *world;
	struct engine *e;
	uint64_t looks;

	snprintf(text, sizeof(text), "%s%scohort org\nqueue a in org cpu@f=0\n"
		 "queue b in org reclaim=any cpu@f=5000\nwait x in b cpu=9000\n",
		 strategy, p->site);
	world = world_create(text);
	e = world_engine(world);
	for (int64_t i = 0; i < RUNNING; i++) {
		struct workload *w = single_run(e, (struct single) { .amount = 1 }, 0,
						1 + (i * 7919) % RUNNING);

		if (p->exempt)
			assert_int_equal(terms_set_exempt(e, w, p->exempt), 0);
		if (p->elastic)
			assert_int_equal(terms_set_elastic(e, w, 1, RUNNING), 0);
	}
	for (int64_t i = 0; i < WAITING; i++)
		(void) single_submit(e, (struct single) {
			.queue = 1, .at = i, .amount = 1 + i });
	assert_int_equal(engine_plan(e, p->now), 1);
	assert_int_equal(engine_next_expiry(e), p->want);
	(void) single_submit(e, (struct single) {
		.queue = 1, .at = -1, .amount = 2 });
	looks = e->searches->looks;
	assert_int_equal(engine_plan(e, p->now), 1);
	assert_in_range(e->searches->looks - looks, 1, LOOKS_MAX);
	world_destroy(world);
}

static void test_protected(void **state)
{
	for (size_t i = 0; i < COUNT(protections); i++) {
		one_survey(&protections[i], "");
		one_survey(&protections[i], "site fair\n");
	}
}

/* Of those that may be evicted all are exempt, and the others have exemptions that end
 * before, or have ended. */
static void one_mixed(const char *strategy)
{
	struct world *world;
	struct engine *e;
	char text[512];

	snprintf(text, sizeof(text), "%scohort org\nqueue a in org cpu@f=0\n"
		 "queue b in org reclaim=lower cpu@f=5000\n", strategy);
	world = world_create(text);
	e = world_engine(world);
	for (int64_t i = 0; i < RUNNING; i++) {
		struct single single = { .amount = 1, .priority = i % 3 };
		struct workload *w = single_run(e, single, 0, 1 + (i * 7919) % RUNNING);
		static const int64_t ends[] = { 8000000, 7000000, 1000000 };

		assert_int_equal(terms_set_exempt(e, w, ends[i % 3] + i * 31 % 997), 0);
	}
	for (int64_t i = 0; i < WAITING; i++)
		(void) single_submit(e, (struct single) {
			.queue = 1, .priority = 1, .at = i, .amount = 1 + i });
	assert_int_equal(engine_plan(e, 6000000), 1);
	assert_int_equal(engine_next_expiry(e), 8000000);
	world_destroy(world);
}

static void test_mixed(void **state)
{
	one_mixed("");
	one_mixed("site fair\n");
}

/* ---- turns ---- */

static const struct {
	const char *within;
	int64_t at;		/* of those that wait; all that run: 0 */
	int64_t runtime;
	int64_t now;		/* starts: 1..RUNNING */
	int64_t first;		/* the verdict is made again at that time */
} turns[] = {
	/* all turns go on, half of them, none */
	{ "newer", -1, 0, RUNNING + 1, 10002 },
	{ "newer", 1, 0, RUNNING + 1, 10002 },
	{ "newer", -1, 0, 12500, 12501 },
	{ "newer", 1, 0, 12500, 12501 },
	{ "newer", 1, 0, 20000, 0 },
	{ "newer", -1, 0, 20000, 0 },
	{ "lower", -1, 0, 12500, 12501 },
	/* all are protected for longer, or for less time */
	{ "newer", 1, 30000, 12500, 30001 },
	{ "newer", -1, 30000, 12500, 30001 },
	{ "newer", 1, 4000, RUNNING + 1, 10002 },
	{ "newer", 1, 9000, 12500, 12501 },
	{ "newer", -1, 9000, 12500, 12501 },
};

static void turns_check(size_t i)
{
	struct world *world;
	struct engine *e;
	char text[128];

	snprintf(text, sizeof(text), "queue a within=%s turn=10000 pmin=%lld"
		 " cpu@f=%d\nwait x in a cpu=%d prio=1 at=%lld", turns[i].within,
		 (long long) turns[i].runtime, RUNNING, RUNNING + 1, (long long) turns[i].at);
	world = world_create(text);
	e = world_engine(world);
	for (int64_t k = 0; k < RUNNING; k++) {
		(void) single_run(e, (struct single) { .amount = 1 }, 0, 1 + (k * 7919) % RUNNING);
	}
	for (int64_t k = 0; k < WAITING; k++)
		(void) single_submit(e, (struct single) {
			.at = turns[i].at, .amount = 2 + k });
	assert_int_equal(engine_plan(e, turns[i].now), 1);
	assert_int_equal(engine_next_expiry(e), turns[i].first);
	world_destroy(world);
}

static void test_turns(void **state)
{
	for (size_t i = 0; i < COUNT(turns); i++)
		turns_check(i);
}

TESTS(cmocka_unit_test(test_protected), cmocka_unit_test(test_mixed), cmocka_unit_test(test_turns))
