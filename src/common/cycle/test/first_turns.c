/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test first_turns.c - the head that has the first turn, without a look at all others
 *
 * It is the one that a whole cycle gives the first turn, with the same outcome and the same
 * victims. Where it is not told, a whole cycle is made: so that it is told where it matters
 * has cases of its own.
 */
#include <stdio.h>

#include "cycle/first_turns.h"
#include "cycle/queue_heads.h"
#include "holding/trial.h"
#include "random/draw.h"
#include "random/tree_world.h"
#include "victims/target.h"
#include "workload/progress.h"
#include "holding/unit.h"

#define THREE "cohort org\n" \
	"queue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n" \
	"queue c in org within=lower reclaim=any cpu@f=4\n"

static const struct world_case cases[] = {
	{ THREE, 0, "" },
	{ THREE "wait x in a cpu=4", 0, "x:admitted" },
	/* the most urgent one, then the next one */
	{ THREE "wait x in a cpu=4\nwait y in b cpu=4 prio=1\n"
	  "wait z in c cpu=4 at=9", 0, "y:admitted x:admitted z:admitted" },
	/* the next one of the same queue */
	{ THREE "wait x in a cpu=1 at=1\nwait y in b cpu=1 at=3\n"
	  "wait z in a cpu=1 at=2\nwait v in a cpu=1 at=4", 0,
	  "x:admitted z:admitted y:admitted v:admitted" },
	/* what one evicts is gone for the next one */
	{ THREE "run r in b cpu@f=7\nrun s in b cpu@f=5 since=1\n"
	  "wait x in a cpu=4 prio=1\nwait z in c cpu=4", 5,
	  "x:preempting(r) z:preempting(s)" },
	/* the most urgent ones borrow; up to four may */
	{ THREE "wait x in a cpu=5 prio=1\nwait y in b cpu=4", 0,
	  "y:admitted" },
	{ THREE "wait x in a cpu=5 prio=1\nwait y in b cpu=5", 0, "" },
	{ "cohort org cpu@f=99\nqueue a in org cpu@f=0\nqueue b in org cpu@f=0\n"
	  "queue c in org cpu@f=0\nqueue d in org cpu@f=0\n"
	  "queue e in org cpu@f=1\nwait v in a cpu=1 prio=1\n"
	  "wait w in b cpu=1 prio=1 at=1\nwait x in c cpu=1 prio=1 at=2\n"
	  "wait y in d cpu=1 prio=1 at=3\nwait z in e cpu=1", 0, "z:admitted" },
	{ "cohort org cpu@f=99\nqueue a in org cpu@f=0\nqueue b in org cpu@f=0\n"
	  "queue c in org cpu@f=0\nqueue d in org cpu@f=0\n"
	  "queue g in org cpu@f=0\nqueue e in org cpu@f=1\n"
	  "wait v in a cpu=1 prio=1\nwait w in b cpu=1 prio=1 at=1\n"
	  "wait x in c cpu=1 prio=1 at=2\nwait y in d cpu=1 prio=1 at=3\n"
	  "wait u in g cpu=1 prio=1 at=4\nwait z in e cpu=1", 0, "" },
	/* one that fits in no flavor does not borrow */
	{ THREE "wait x in a cpu=13 prio=1\nwait y in b cpu=4", 0, "x:nofit" },
	/* where that is not the order */
	{ "site fair\n" THREE "wait x in a cpu=4", 0, "" },
	{ THREE "queue d in org usage cpu@f=4\nwait x in a cpu=4", 0, "" },
};

/* The turn is taken: the head gets what it was nominated for. */
static void turn_take(struct first_turns *t, struct entry *entry)
{
	const struct draft *d = &entry->final.draft;

	for (size_t i = 0; i < entry->final.ntargets; i++) {
		unit_set_gone(entry->final.targets[i].h, true);
		target_remove(t->e, entry->final.targets[i].h);
	}
	books_add_all(t->e->books, entry->q->node, d->uses,
		      d->public.nusage);
	workload_renew(entry->w);
	entry->w->done = true;
}

static size_t entry_tell(const struct world *world, const struct entry *entry,
			 char *text)
{
	size_t at = (size_t) sprintf(text, "%s:%s", world_name(world, entry->w),
				     outcome_name(entry->outcome));

	for (size_t i = 0; i < entry->final.ntargets; i++)
		at += (size_t) sprintf(text + at, "(%s)",
				       world_name(world, entry->final.targets[i].h->w));
	return at;
}

/* All turns that are told, one after the other: "x:admitted y:preempting(r)" */
static const char *turns(struct world *world, int64_t now)
{
	struct engine *e = world_engine(world);
	size_t mark = trial_begin(e), at = 0;
	struct first_turns t;
	struct entry *entry;

	*world->text = '\0';
	arena_reset(&e->arena);
	assert_int_equal(heads_begin(e, &e->trees[0]), 0);
	if (first_turns_begin(&t, e, &e->trees[0], now)) {
		while ((entry = first_turns_next(&t))) {
			at += (size_t) sprintf(world->text + at, at ? " " : "");
			at += entry_tell(world, entry, world->text + at);
			if (!entry_goes(entry))
				break;
			turn_take(&t, entry);
		}
	}
	trial_end(e, mark);
	return world->text;
}

static void test_cases(void **state)
{
	(void) state;
	world_cases(cases, COUNT(cases), turns);
}

/* ---- at random: as a whole cycle has it ---- */

/* How many turns were told */
static size_t tree_compare(struct world *world, struct tree *tree, int64_t now)
{
	struct engine *e = world->engine;
	char alone[512] = "", whole[512] = "";
	struct entry **entries, *entry;
	struct first_turns t;
	size_t n;

	arena_reset(&e->arena);
	assert_int_equal(heads_begin(e, tree), 0);
	if (!first_turns_begin(&t, e, tree, now))
		return 0;
	entry = first_turns_next(&t);
	if (entry)
		entry_tell(world, entry, alone);
	if (!entry)
		return 0;
	assert_int_equal(cycle_run(e, tree, now, &entries, &n), 0);
	assert_true(n > 0);
	entry_tell(world, entries[0], whole);
	assert_string_equal(alone, whole);
	return 1;
}

static void test_random(void **state)
{
	uint64_t n = seeds_wanted(2000);
	size_t told = 0;

	(void) state;
	for (uint64_t seed = 1; seed <= n; seed++) {
		struct text t;
		struct world *world;

		text_begin(&t, seed);
		tree_world_write(&t, seed);
		world = world_create(t.bytes);
		for (size_t i = 0; i < world_engine(world)->ntrees; i++)
			told += tree_compare(world, &world->engine->trees[i], 100);
		world_destroy(world);
	}
	print_message("# %zu first turns were told in %d worlds\n", told, (int) n);
	assert_true(told > n / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_random),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
