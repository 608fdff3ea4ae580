/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test ranking.c, ranking_walk.c, leasts.c - the children of each cohort by how much
 * they borrow, and which of them a search comes to
 */
#include <stdio.h>

#include "holding/trial.h"
#include "quota/history.h"
#include "quota/share.h"
#include "random/draw.h"
#include "candidates/fronts.h"
#include "victims/ranking_walk.h"
#include "victims/target.h"
#include "holding/unit.h"
#include "world.h"

#define TOP "site fair\ncohort top cpu@f=90\n"

/* A search of x, which is in the queue a */
struct look {
	struct world *world;
	struct search s;
	size_t mark;
};

static void look_begin(struct look *l, const char *told)
{
	static const int need[] = { 0 };
	struct engine *e;

	memset(l, 0, sizeof(*l));
	l->world = world_create(told);
	e = l->world->engine;
	if (e->books->history)
		history_see(e->books, e->queues[0].tree->root);
	l->mark = trial_begin(e);
	l->s = (struct search) {
		.e = e, .q = &e->queues[0], .now = 100,
		.w = world_workload(l->world, "x"), .need = need, .nneed = 1,
		.need_pairs = pair_bit(0),
	};
	e->searches->need[0] = true;
	ranking_begin(e, l->s.q->tree, l->s.now);
}

static void look_end(struct look *l)
{
	ranking_end(l->s.e);
	l->s.e->searches->need[0] = false;
	trial_end(l->s.e, l->mark);
	world_destroy(l->world);
}

static void look_renew(struct look *l)
{
	l->s.number = ++l->s.e->searches->made;
	assert_true(streams_begin(&l->s));
	ranking_renew(&l->s);
}

/* ---- where there is one ---- */

static const struct {
	const char *told;
	bool ranked;
} trees[] = {
	{ "cohort top\nqueue a in top cpu@f=1\nwait x in a cpu=1", false },
	{ "site fair\nqueue a cpu@f=1\nwait x in a cpu=1", false },
	{ TOP "queue a in top\nwait x in a", true },
	{ TOP "cohort left in top\nqueue a in top\nwait x in a", true },
	{ "site fair reclaim=9\ncohort top\nqueue a in top cpu@f=1\n"
	  "wait x in a cpu=1", true },
	{ TOP "queue a in top cpu@f=1\nrun r in a cpu@f=1 exempt=200\n"
	  "wait x in a cpu=1", true },
};

static void test_trees(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(trees); i++) {
		struct look l;

		look_begin(&l, trees[i].told);
		if ((l.s.e->searches->nranks > 0) != trees[i].ranked)
			fail_msg("case %zu", i);
		look_renew(&l);
		assert_int_equal(l.s.is_ranked, trees[i].ranked);
		look_end(&l);
	}
}

/* ---- places ---- */

#define QUEUES 9

/* The most that is kept, of all at or below a place */
static struct share most_below(const struct rank_node *place)
{
	const struct rank_node *below[] = { place->left, place->right };
	struct share most = ranked_at(place)->kept, other;

	for (size_t i = 0; i < 2; i++) {
		if (!below[i])
			continue;
		other = most_below(below[i]);
		if (share_compare(&other, &most) > 0)
			most = other;
	}
	assert_int_equal(share_compare(&ranked_at(place)->most_kept, &most),
			 0);
	return most;
}

static void child_check(const struct look *l, const struct ranks *o, const struct ranked *r)
{
	struct engine *e = l->s.e;

	assert_true(share_less(e->books, r->node, NULL, 0).ratio
		    == r->share.ratio);
	if (r->q) {
		assert_true(e->books->nodes[r->node].borrowed);
		assert_ptr_equal(r->front, front_first(e, r->q, r->q->holdings, &o->of));
	} else {
		assert_true(r->share.borrowing);
	}
}

/* Cohorts come before queues, of equal shares. */
static bool in_order(const struct ranked *a, const struct ranked *b)
{
	int order = share_compare(&b->share, &a->share);

	if (order || !a->q != !b->q)
		return order ? order < 0 : !a->q;
	if (!a->q)
		return a->slot > b->slot;
	order = front_order(a->front, b->front);
	return order ? order < 0 : a->q->index < b->q->index;
}

/* The children in their order, each with the share that it has now. How many there
 * are, with those below */
static size_t places_check_of(const struct look *l, const struct ranks *o, int cohort)
{
	const struct rankset *set = &o->rankings[cohort].set;
	size_t n = 0;

	for (const struct rank_node *place = rankset_first(set); place;
	     place = rankset_next(place), n++) {
		child_check(l, o, ranked_at(place));
		if (rankset_next(place))
			assert_true(in_order(ranked_at(place),
					     ranked_at(rankset_next(place))));
	}
	if (n)
		(void) most_below(set->root);
	return n;
}

/* All that borrow, queues if they have something of the order that has not gone, and no others */
static void places_check(const struct look *l, const struct ranks *o)
{
	struct engine *e = l->s.e;
	size_t n = 0, wanted = 0;

	for (int cohort = 0; cohort < (int) e->books->ncohorts; cohort++) {
		n += places_check_of(l, o, cohort);
		wanted += share_of(e->books, cohort)->borrowing;
	}
	for (size_t i = 0; i < e->nqueues; i++) {
		wanted += front_first(e, &e->queues[i], e->queues[i].holdings, &o->of) != NULL;
	}
	assert_int_equal(n, wanted);
}

static void change(struct look *l, uint64_t *seed, size_t *marks, size_t *n)
{
	struct engine *e = l->s.e;
	struct queue *q = &e->queues[random_below(seed, QUEUES)];
	struct holding *h = q->holdings;

	while (h && h->gone)
		h = h->next;
	switch (random_below(seed, 5)) {
	case 0:
		books_add(e->books, q->node, (int) random_below(seed, 2),
			  (int64_t) random_below(seed, 5));
		break;
	case 1:
		if (h)
			target_remove(e, h);
		break;
	case 2:
		if (*n < 4)
			marks[(*n)++] = trial_begin(e);
		break;
	case 3:
		if (*n)
			trial_end(e, marks[--*n]);
		break;
	default:
		if (!h || random_below(seed, 9))
			break;
		unit_set_gone(h, true);	/* it may use nothing */
		ranking_leave(e, h);
	}
}

static void told_make(char *told, size_t size, uint64_t *seed)
{
	static const char *const cohorts[] = { "top", "left", "under" };
	size_t n = (size_t) snprintf(told, size, TOP "cohort left in top%s\n"
				     "cohort under in left\n",
				     random_below(seed, 2) ? " cpu@f=4" : "");

	for (int i = 0; i < QUEUES; i++)
		n += (size_t) snprintf(told + n, size - n,
				       "queue %c in %s reclaim=any cpu@f=%d"
				       " mem@f=30 weight=%d\n", 'a' + i,
				       cohorts[random_below(seed, 3)],
				       (int) random_below(seed, 3),
				       1 + (int) random_below(seed, 2));
	for (int i = 0; i < 30; i++)
		n += (size_t) snprintf(told + n, size - n,
				       "run r%d in %c cpu@f=%d mem@f=%d prio=%d\n",
				       i,
				       'a' + (int) random_below(seed, QUEUES),
				       (int) random_below(seed, 4),
				       (int) random_below(seed, 40),
				       (int) random_below(seed, 3));
	snprintf(told + n, size - n, "wait x in a cpu=1 prio=5\n");
}

static void test_places(void **state)
{
	uint64_t seed = 11;

	(void) state;
	for (int i = 0; i < 50; i++) {
		size_t marks[4], n = 0;
		char told[4096];
		struct look l;

		told_make(told, sizeof(told), &seed);
		look_begin(&l, told);
		assert_true(l.s.e->searches->nranks > 0);
		for (int round = 0; round < 60; round++) {
			for (uint64_t k = random_below(&seed, 6); k-- > 0; )
				change(&l, &seed, marks, &n);
			if (round == 20)
				l.s.e->searches->astray = QUEUES;
			look_renew(&l);
			assert_int_equal(l.s.e->searches->nranks, round < 20 ? 1 : 2);
			places_check(&l, &l.s.e->searches->ranks[0]);
			places_check(&l, l.s.ranks);
		}
		while (n)
			trial_end(l.s.e, marks[--n]);
		look_end(&l);
	}
}

/* ---- which queues a search comes to ---- */

#define HISTORY "site fair half=6400 k=1 margin=0\ncohort top cpu@f=90\n" \
	"queue a in top reclaim=any cpu@f=0\nqueue b in top cpu@f=0\n" \
	"wait x in a cpu=4 prio=5\n"

/* a borrows what x asks for: 4 of 90. */
#define A TOP "queue a in top reclaim=any cpu@f=0\n" \
	"queue b in top cpu@f=0\nqueue c in top cpu@f=0\n" \
	"queue d in top cpu@f=0\nwait x in a cpu=4 prio=5\n"

/* The same in a tree: b and c below left, d beside it, e beside a */
#define TREE TREE_WITH("")
#define KEEPS TREE_WITH("queue f in left cpu@f=4-0\n")
#define TREE_WITH(more) TOP "cohort left in top\ncohort right in top\n" \
	"queue a in right reclaim=any cpu@f=0\nqueue b in left cpu@f=0\n" \
	"queue c in left cpu@f=0\nqueue d in top cpu@f=0\n" \
	"queue e in right cpu@f=0\n" more "wait x in a cpu=4 prio=5\n"

static const struct {
	const char *told, *plain, *judged, *again;
	int64_t demand;
} walks[] = {
	{ A, "", "", "", 4 },
	/* the largest share first; of equal shares, the better candidate */
	{ A "run b1 in b cpu@f=9\nrun c1 in c cpu@f=19", "cb", "", "cb", 4 },
	{ A "run b1 in b cpu@f=9 prio=1\nrun c1 in c cpu@f=9", "cb", "", "cb", 4 },
	/* x may have b1, and b2; without c1 or d1 their queues have less than it */
	{ A "run b1 in b cpu@f=5\nrun b2 in b cpu@f=4\nrun c1 in c cpu@f=9",
	  "bc", "b", "c", 4 },
	{ A "run b1 in b cpu@f=4\nrun b2 in b cpu@f=4\nrun c1 in c cpu@f=9\n"
	  "run d1 in d cpu@f=5\nrun d2 in d cpu@f=4\n", "cdb", "db", "c", 4 },
	/* those that borrow as much: refused now, and again */
	{ A "run b1 in b cpu@f=4\nrun c1 in c cpu@f=4", "bc", "", "", 4 },
	{ A "run b1 in b cpu@f=4\nrun c1 in c cpu@f=5", "cb", "", "c", 4 },
	/* those that borrow less: the cohort is closed there */
	{ A "run b1 in b cpu@f=3\nrun c1 in c cpu@f=5\nrun d1 in d cpu@f=2",
	  "cbd", "bd", "c", 4 },
	/* where usage counts it may have another candidate first, which has the same to
	 * leave */
	{ TOP "queue a in top reclaim=any cpu@f=0\n"
	  "queue b in top usage cpu@f=0\nwait x in a cpu=4 prio=5\n"
	  "run b1 in b cpu@f=9", "b", "", "b", 4 },
	/* a cohort that is refused as a whole is there again as a whole; one that keeps
	 * enough without its smallest job is not passed over */
	{ TREE "run b1 in b cpu@f=5\nrun c1 in c cpu@f=4", "bc", "", "bc", 6 },
	{ TREE "run b1 in b cpu@f=5\nrun c1 in c cpu@f=1", "bc", "bc", "", 4 },
	{ TREE "run b1 in b cpu@f=3\nrun d1 in d cpu@f=5", "db", "b", "d", 4 },
	{ TREE "run e1 in e cpu@f=3\nrun b1 in b cpu@f=9", "eb", "", "eb", 2 },
	/* of what goes, a part may be the queue's own: without f2 left uses 5, or 4 */
	{ TREE_WITH("queue f in left usage cpu@f=0\n") "run f1 in f cpu@f=9", "f", "", "f", 4 },
	{ KEEPS "run f1 in f cpu@f=9\nrun f2 in f cpu@f=1", "f", "f", "", 4 },
	{ KEEPS "run f1 in f cpu@f=9\nrun f2 in f cpu@f=2", "f", "", "f", 6 },
	/* two of 1000: without one of them, b grows to more than 1005 */
	{ HISTORY "run b1 in b cpu@f=1000\nrun b2 in b cpu@f=1000", "b", "b",
	  "", 1005 },
	{ HISTORY "run b1 in b cpu@f=1000\nrun b2 in b cpu@f=1000", "b", "",
	  "b", 1100 },
	/* as much now, but x is at 4 + 100 because of its past, and b is not:
	 * later it may */
	{ HISTORY "run b1 in b cpu@f=104\npast a cpu=100", "b", "", "b", 4 },
	{ HISTORY "run b1 in b cpu@f=104\npast b cpu=104", "b", "", "", 208 },
};

/* The queues that a walk opens, cohort by cohort as it comes to them; c0 is the root */
static void opened_below(struct search *s, int cohort, char *names)
{
	const struct leader nobody = { .share = NULL };
	const struct books *b = s->e->books;
	int child;

	while ((child = ranking_next(s, cohort, &nobody)) != SPEC_NONE) {
		size_t n = strlen(names);

		if (!b->nodes[child].is_queue) {
			opened_below(s, child, names);
			continue;
		}
		names[n] = (char) ('a' + child - (int) b->ncohorts);
		names[n + 1] = '\0';
	}
}

/* In the cohorts above the preemptor first */
static const char *opened(struct search *s)
{
	static char names[QUEUES + 1];
	const struct node *nodes = s->e->books->nodes;

	names[0] = '\0';
	if (!s->again)
		ranking_enter(s);
	for (int node = nodes[s->q->node].parent; node != SPEC_NONE;
	     node = nodes[node].parent)
		opened_below(s, node, names);
	return names;
}

static void walk_check(const char *told, int64_t amount, bool judges,
		       const char *first, const char *again)
{
	struct use demand = { 0, amount };
	struct look l;

	look_begin(&l, told);
	look_renew(&l);
	books_add_all(l.s.e->books, l.s.q->node, &demand, 1);
	l.s.judges = judges;
	assert_string_equal(opened(&l.s), first);
	ranking_rewind(&l.s, false);
	assert_string_equal(opened(&l.s), again);
	look_end(&l);
}

/* Nothing is refused to the preemptor of its own queue, or of the cohorts above it: here it
 * has given as much itself as it asks for. */
static void test_own_branch(void **state)
{
	struct look l;

	(void) state;
	look_begin(&l, TREE "run a1 in a cpu@f=3\nrun a2 in a cpu@f=2");
	look_renew(&l);
	l.s.judges = true;
	assert_string_equal(opened(&l.s), "");
	assert_false(l.s.refused || l.s.refused_inner);
	look_end(&l);
}

static void test_walks(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(walks); i++) {
		walk_check(walks[i].told, walks[i].demand, false,
			   walks[i].plain, "");
		walk_check(walks[i].told, walks[i].demand, true,
			   walks[i].judged, walks[i].again);
	}
}

/* ---- the own queue among the others ---- */

/* a borrows with what x asks for as much as b. a1 is evicting, so it goes before b1;
 * then a borrows less, and may have b1. What is evicting of b is no candidate: its
 * priority is too high. */
#define AS_MUCH "queue a in top within=lower reclaim=lower cpu@f=0\n" \
	"queue b in top cpu@f=0\nqueue c in top cpu@f=0\nrun a1 in a cpu@f=4 prio=1 evicting\n" \
	"run b1 in b cpu@f=2 prio=1\nrun b9 in b cpu@f=8 prio=9 evicting\n" \
	"wait x in a cpu=6 prio=5\n"

static const char *const as_much[] = {
	"site fair kueue second=none\ncohort top cpu@f=14\n" AS_MUCH,
	"site fair kueue\ncohort top cpu@f=22\n" AS_MUCH
	"run c1 in c cpu@f=2 prio=1\nrun c2 in c cpu@f=6 prio=9\n",
	"site fair kueue first=initial second=none\ncohort top cpu@f=14\n" AS_MUCH,
};

static void test_own_gives_first(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(as_much); i++) {
		struct world *w = world_create(as_much[i]);
		const struct verdict *v;

		assert_true(engine_plan(w->engine, 0) >= 0);
		v = engine_verdict(w->engine, world_workload(w, "x"));
		if (v->kind != VERDICT_PREEMPT || v->nvictims != 2
		    || v->victims[0].workload != world_workload(w, "a1")
		    || v->victims[1].workload != world_workload(w, "b1"))
			fail_msg("case %zu", i);
		world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_walks),
		cmocka_unit_test(test_own_branch),
		cmocka_unit_test(test_own_gives_first),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
