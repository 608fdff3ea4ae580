/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test bonds: rules that hold for bonds and units in random worlds
 */
#include <stdlib.h>

#include "query.h"
#include "test/terms.h"
#include "workload/bond.h"
#include "play.h"
#include "random/draw.h"

#define EVENTS 60

static const struct bond_odds odds = {
	.undone = 3,
	.rare = 2, .rare_kind = BOND_TOGETHER, .usual_kind = BOND_EITHER,
};

static bool goes(struct play *play, const struct workload *w)
{
	const struct verdict *v = engine_verdict(play->engine, w);

	return v->kind == VERDICT_START || v->kind == VERDICT_PREEMPT;
}

/* At most one goes, not counting those that have quota and found no nodes; and
 * none evicts while another can start. */
static void either_check(struct play *play, const struct bond *b)
{
	int starts = 0, preempts = 0;

	for (const struct workload *m = b->members; m; m = m->rare->bond_next) {
		const struct verdict *v = engine_verdict(play->engine, m);

		starts += v->kind == VERDICT_START && !m->blocked;
		preempts += v->kind == VERDICT_PREEMPT;
	}
	assert_true(starts + preempts <= 1);
}

/* All may start or evict, or wait for victims of the others; or none goes. */
static void together_check(struct play *play, const struct bond *b)
{
	bool any = false, all = true;

	for (const struct workload *m = b->members; m; m = m->rare->bond_next) {
		const struct verdict *v = engine_verdict(play->engine, m);

		any |= goes(play, m);
		all &= goes(play, m) || (v->kind == VERDICT_WAIT
					 && v->reason == WAIT_IS_PREEMPTING);
	}
	assert_true(all || !any);
}

static void plan_check(struct play *play)
{
	uint64_t digest = engine_digest(play->engine);

	engine_plan(play->engine, play->now);
	assert_true(engine_digest(play->engine) == digest);
	assert_false(engine_stale(play->engine, play->now));
	assert_false(engine_plan(play->engine, play->now));
	for (const struct bond *b = play->engine->bonds; b; b = b->next) {
		assert_true(b->nmembers > 1);
		if (b->kind == BOND_EITHER)
			either_check(play, b);
		else
			together_check(play, b);
	}
}

static void test_plans(void **state)
{
	uint64_t n = seeds_wanted(60);

	(void) state;
	for (uint64_t seed = 1; seed <= n; seed++) {
		uint64_t random = seed;
		struct play play;

		play_begin(&play, seed);
		for (int i = 0; i < EVENTS; i++) {
			play_event(&play);
			play_bond_event(&play, &random, &odds);
			play_bond_event(&play, &random, &odds);
			plan_check(&play);
		}
		play_end(&play);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
