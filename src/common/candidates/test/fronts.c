/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test fronts.c - the queues of a tree in the order of their first candidates
 */
#include <stdio.h>

#include "holding/trial.h"
#include "candidates/fronts.h"
#include "victims/target.h"
#include "holding/unit.h"
#include "world.h"

/* A search for x, which is in the first queue */
struct sample {
	struct world *world;
	struct engine *e;
	struct search s;
	size_t mark;
	char text[256];
};

static void sample_begin(struct sample *p, const char *told)
{
	static const int need[] = { 0 };

	memset(p, 0, sizeof(*p));
	p->world = world_create(told);
	p->e = p->world->engine;
	p->s = (struct search) {
		.e = p->e, .q = &p->e->queues[0], .now = 100,
		.w = world_workload(p->world, "x"), .need = need, .nneed = 1,
		.need_pairs = pair_bit(0), .number = ++p->e->searches->made,
	};
	p->e->searches->need[0] = true;
	p->mark = trial_begin(p->e);
	fronts_begin(p->e, p->s.q->tree, 100);
	assert_true(streams_begin(&p->s));
}

static void sample_end(struct sample *p)
{
	fronts_end(p->e);
	p->e->searches->need[0] = false;
	trial_end(p->e, p->mark);
	world_destroy(p->world);
}

static int node_of(const struct sample *p, const char *cohort)
{
	return *cohort ? spec_find_cohort(p->world->spec, cohort) : SPEC_NONE;
}

/* Those that a walk comes to: "hierarchy/others" */
static const char *walked(struct sample *p, const char *advantage,
			  const char *others)
{
	struct front_walk *walks[] = { &p->s.hierarchy, &p->s.others };
	struct stream *st;
	char *text = p->text;

	p->s.nstreams = 0;
	p->s.number = ++p->e->searches->made;
	assert_true(walks_begin(&p->s, node_of(p, advantage),
				node_of(p, others)));
	for (int i = 0; i < 2; i++) {
		text += sprintf(text, i ? "/" : "");
		while ((st = walk_open(&p->s, walks[i]))) {
			assert_int_equal(st->list, i ? LIST_PRIORITY
						     : LIST_HIERARCHY);
			text += sprintf(text, "%s ", world_name(p->world,
							st->head.h->w));
		}
	}
	return p->text;
}

/* h leaves for the rest of the cycle. */
static void leave(struct sample *p, const char *name)
{
	struct holding *h = world_workload(p->world, name)->held;

	unit_set_gone(h, true);
	target_remove(p->e, h);
	fronts_leave(p->e, h);
}

#define FLAT "cohort org\nqueue a in org reclaim=any cpu@f=4\n" \
	"queue b in org cpu@f=1\nqueue c in org cpu@f=1\n" \
	"queue d in org cpu@f=1\nqueue e in org cpu@f=1\n" \
	"wait x in a cpu=2 prio=5\n"

static void test_order(void **state)
{
	static const struct {
		const char *told, *answer;
	} cases[] = {
		{ "", "/" },
		/* by priority, cost, later start, the order of names */
		{ "run r in b cpu@f=3 prio=3\nrun s in c cpu@f=2 prio=1\n"
		  "run t in d cpu@f=2 prio=2\n", "s t r /" },
		{ "run r in b cpu@f=2 cost=2\nrun s in c cpu@f=2 cost=1\n",
		  "s r /" },
		{ "run r in b cpu@f=2 since=5\nrun s in c cpu@f=2 since=7\n"
		  "run t in d cpu@f=2\n", "t s r /" },
		{ "run r in b cpu@f=2 since=5\nrun s in c cpu@f=2 since=5\n",
		  "r s /" },
		{ "run r in b cpu@f=2\nrun s in c cpu@f=2 prio=9 evicting\n",
		  "s r /" },
		/* each queue by the best that it has */
		{ "run r in b cpu@f=2 prio=1\nrun s in c cpu@f=2 prio=2\n"
		  "run t in c cpu@f=2 prio=0\n", "t r /" },
		/* c does not borrow, nor does the preemptor give to itself */
		{ "run r in b cpu@f=2\nrun s in c cpu@f=1\nrun t in a cpu@f=9\n",
		  "r /" },
	};
	char told[1024];

	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sample p;

		snprintf(told, sizeof(told), FLAT "%s", cases[i].told);
		sample_begin(&p, told);
		assert_string_equal(walked(&p, "org", ""), cases[i].answer);
		sample_end(&p);
	}
}

/* Where the policy names no more of those behind, the walk ends. Those on the way
 * out stand in front, whatever their priority. */
static void test_end(void **state)
{
	struct sample p;

	(void) state;
	sample_begin(&p, "cohort org\nqueue a in org reclaim=lower cpu@f=4\n"
		     "queue b in org cpu@f=1\nqueue c in org cpu@f=1\n"
		     "queue d in org cpu@f=1\nwait x in a cpu=2 prio=5\n"
		     "run r in b cpu@f=2 prio=5\nrun s in c cpu@f=2 prio=4\n"
		     "run t in d cpu@f=2 prio=9 evicting\n");
	assert_string_equal(walked(&p, "org", ""), "s /");
	assert_int_equal(p.s.hierarchy.n, 1);
	assert_string_equal(world_name(p.world,
				       p.s.hierarchy.cursors[0].h->w), "r");
	sample_end(&p);
}

/* x is in c2, below c1, below org; side is beside c1 */
#define DEEP "cohort org\ncohort c1 in org\ncohort c2 in c1\n" \
	"cohort side in org\ncohort low in c2\n" \
	"queue a in c2 reclaim=any cpu@f=9\nqueue b in c2 cpu@f=1\n" \
	"queue c in low cpu@f=1\nqueue d in c1 cpu@f=1\n" \
	"queue e in org cpu@f=1\nqueue f in side cpu@f=1\n" \
	"queue g in side cpu@f=1\nwait x in a cpu=2 prio=5\n" \
	"run rb in b cpu@f=2 prio=4\nrun rc in c cpu@f=2 prio=3\n" \
	"run rd in d cpu@f=2 prio=2\nrun re in e cpu@f=2 prio=6\n" \
	"run rf in f cpu@f=2 prio=1\n"

static void test_levels(void **state)
{
	static const struct {
		const char *advantage, *others, *more, *answer;
	} cases[] = {
		/* f is within side's quota: nobody outside may have it */
		{ "c2", "", "", "rd rc rb re /" },
		{ "c1", "c2", "", "rd re /rc rb " },
		{ "org", "c1", "", "re /rd rc rb " },
		{ "", "org", "", "/rd rc rb re " },
		{ "", "", "", "/" },
		{ "org", "c1", "run rg in g cpu@f=2\n", "rg rf re /rd rc rb " },
		{ "c1", "", "", "rd re /" },
	};
	char told[1024];

	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sample p;

		snprintf(told, sizeof(told), DEEP "%s", cases[i].more);
		sample_begin(&p, told);
		assert_string_equal(walked(&p, cases[i].advantage,
					   cases[i].others), cases[i].answer);
		/* once more, from the beginning */
		assert_string_equal(walked(&p, cases[i].advantage,
					   cases[i].others), cases[i].answer);
		sample_end(&p);
	}
}

/* A stream is opened when the walk comes to it, no sooner; a cohort that is of
 * no use costs nothing. */
static void test_lazy(void **state)
{
	struct candidate none = { .priority = 7, .list = LIST_HIERARCHY };
	struct sample p;

	(void) state;
	sample_begin(&p, DEEP);
	assert_true(walks_begin(&p.s, node_of(&p, "c2"), SPEC_NONE));
	assert_int_equal(p.s.nstreams, 0);
	assert_string_equal(world_name(p.world,
				walk_open(&p.s, &p.s.hierarchy)->head.h->w),
			    "rd");
	assert_int_equal(p.s.nstreams, 1);
	assert_false(walk_is_behind(&p.s, &p.s.hierarchy, &none));
	none.priority = 2;
	assert_true(walk_is_behind(&p.s, &p.s.hierarchy, &none));
	/* what comes first by its place is no worse than the others */
	none.list = LIST_PRIORITY;
	assert_false(walk_is_behind(&p.s, &p.s.hierarchy, &none));
	assert_true(walk_is_behind(&p.s, &p.s.others, &none));
	sample_end(&p);
}

static void test_changes(void **state)
{
	struct sample p;
	struct queue *q;

	(void) state;
	sample_begin(&p, DEEP "run rg in g cpu@f=2\nrun rf2 in f cpu@f=3 prio=8\n"
		     "run rf3 in f cpu@f=1 prio=9\n");
	assert_string_equal(walked(&p, "org", ""), "rg rf re /");
	/* its next one is worse, */
	leave(&p, "rf");
	assert_string_equal(walked(&p, "org", ""), "rg re rf2 /");
	/* and side's as well */
	leave(&p, "rg");
	assert_string_equal(walked(&p, "org", ""), "re rf2 /");
	/* f is within its quota, though it has one left */
	leave(&p, "rf2");
	assert_string_equal(walked(&p, "org", ""), "re /");
	/* it borrows again, */
	q = world_workload(p.world, "rf3")->held->q;
	books_add(p.e->books, q->node, 0, 2);
	assert_string_equal(walked(&p, "org", ""), "re /");
	fronts_note(p.e, q);
	assert_string_equal(walked(&p, "org", ""), "re rf3 /");
	/* which is known already, */
	fronts_note(p.e, q);
	assert_string_equal(walked(&p, "org", ""), "re rf3 /");
	/* or has nothing to give */
	q = world_workload(p.world, "rg")->held->q;
	books_add(p.e->books, q->node, 0, 9);
	fronts_note(p.e, q);
	assert_string_equal(walked(&p, "org", ""), "re rf3 /");
	leave(&p, "rf3");
	leave(&p, "re");
	assert_string_equal(walked(&p, "org", ""), "/");
	sample_end(&p);
}

/* Many have gone for the rest of a plan, or of the cycle. */
static void test_many_gone(void **state)
{
	char told[4096];
	struct sample p;
	int n = 0;

	(void) state;
	n += sprintf(told + n, FLAT);
	for (int i = 0; i < 40; i++)
		n += sprintf(told + n, "run r%d in b cpu@f=1 prio=%d\n", i, i);
	sprintf(told + n, "run s in c cpu@f=2 prio=99\n");
	for (int all = 0; all < 2; all++) {
		sample_begin(&p, told);
		for (int i = 0; i < 39; i++) {
			struct holding *h = p.world->workloads[1 + i]->held;

			if (all || i % 4)
				unit_set_left(h, true);
			else
				unit_set_gone(h, true);
		}
		fronts_end(p.e);
		fronts_begin(p.e, p.s.q->tree, 100);
		assert_string_equal(walked(&p, "org", ""), "r39 s /");
		for (int i = 0; i < 39; i++)
			unit_set_left(p.world->workloads[1 + i]->held, false);
		sample_end(&p);
	}
}

/* ---- the same after any changes as from the beginning ---- */

/* "node:holding" of each child of each cohort, in order */
static void fronts_say(const struct engine *e, char *text)
{
	const struct node *nodes = e->books->nodes;

	*text = '\0';
	for (size_t c = 0; c < e->books->ncohorts; c++) {
		const struct front *all = nodes[c].first_child == SPEC_NONE
			? NULL : &e->searches->fronts[nodes[nodes[c].first_child].slot];

		text += sprintf(text, "| ");
		for (size_t i = 0; i < e->searches->nfronts[c]; i++)
			text += sprintf(text, "%d:%d ", all[i].node,
					(int) all[i].h->tiebreak);
	}
}

static void test_random(void **state)
{
	static char told[4096], is[4096], should[4096];
	uint32_t random = 3;

	(void) state;
	for (int round = 0; round < 300; round++) {
		struct sample p;
		int n = sprintf(told, DEEP);

		for (int i = 0; i < 30; i++) {
			random = random * 1664525 + 1013904223;
			n += sprintf(told + n,
				     "run r%d in %c cpu@f=%d prio=%d since=%d\n",
				     i, 'b' + (int) (random >> 16) % 6,
				     (int) (random >> 20) % 3,
				     (int) (random >> 24) % 3,
				     1 + (int) (random >> 28) % 4);
		}
		sample_begin(&p, told);
		for (int i = 0; i < 30; i++) {
			struct holding *h = p.world->workloads[6 + i]->held;

			random = random * 1664525 + 1013904223;
			if ((random >> 16) % 4 == 0) {
				books_add(p.e->books, h->q->node, 0, 5);
				fronts_note(p.e, h->q);
			} else {
				leave(&p, p.world->names[6 + i]);
			}
		}
		/* queues that still borrow have their fronts, and no others
		 * but those that gave something behind their front */
		fronts_say(p.e, is);
		for (size_t i = 0; i < p.e->nqueues; i++) {
			struct queue *q = &p.e->queues[i];

			if (q->front && !p.e->books->nodes[q->node].borrowed)
				books_add(p.e->books, q->node, 0, 99);
		}
		fronts_end(p.e);
		fronts_begin(p.e, p.s.q->tree, 100);
		fronts_say(p.e, should);
		assert_string_equal(is, should);
		for (int i = 0; i < 30; i++)
			unit_set_gone(p.world->workloads[6 + i]->held, false);
		sample_end(&p);
	}
}

/* Where shares count, a search goes by them. */
static void test_none(void **state)
{
	static const struct {
		const char *told;
		int64_t now;
		bool any;
	} cases[] = {
		{ FLAT, 100, true },
		{ FLAT, -1, false },
		{ "site fair\n" FLAT, 100, false },
		{ "site reclaim=5\n" FLAT, 100, true },
		{ "site preempt=5\n" FLAT, 100, true },
		{ FLAT "run r in b cpu@f=2 exempt=-1\n", 100, true },
		{ FLAT "run r in b cpu@f=2\nrun s in c cpu@f=2\nunit r s\n",
		  100, true },
	};

	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(cases[i].told);
		struct engine *e = world->engine;

		fronts_begin(e, e->queues[0].tree, cases[i].now);
		assert_int_equal(e->searches->fronts != NULL, cases[i].any);
		fronts_end(e);
		assert_null(e->searches->fronts);
		/* nothing to do then */
		fronts_note(e, &e->queues[1]);
		world_destroy(world);
	}
}

/* A queue by itself is a tree, too. */
static void test_lone(void **state)
{
	struct sample p;

	(void) state;
	sample_begin(&p, "queue a cpu@f=4\nwait x in a cpu=2\n"
		     "run r in a cpu@f=5\n");
	assert_non_null(p.e->searches->fronts);
	leave(&p, "r");
	sample_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_lazy),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_many_gone),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_lone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
