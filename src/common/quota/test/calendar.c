/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test calendar.c - quotas that are other ones for a time
 */
#include "quota/calendar.h"
#include "quota/fixed.h"
#include "random/draw.h"
#include "world.h"

/* ---- turning points ---- */

static int64_t nominal_at(struct books *b, int64_t now)
{
	while (calendar_step(b, now) != SPEC_NONE)
		;
	return books_quota(b, 0, 0)->nominal;
}

/* Also when time goes back. One begins when another one ends. */
static void test_times(void **state)
{
	static const struct {
		int64_t now, nominal, next, most;
	} cases[] = {
		{ 4, 8, 5, 9 }, { 5, 3, 7, 9 }, { 6, 3, 7, 9 }, { 7, 9, 8, 9 },
		{ 8, 8, 0, 8 }, { 99, 8, 0, 8 }, { 7, 9, 8, 9 }, { 4, 8, 5, 9 },
		{ 50, 8, 0, 8 }, { 0, 8, 5, 9 },
	};
	struct world *world = world_create("queue q cpu@f=8\nperiod q cpu@f=9 from=7 until=8\n"
		"period q cpu@f=3 from=5 until=7\n");
	struct books *b = books_create(world->spec);

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(nominal_at(b, cases[i].now), cases[i].nominal);
		assert_int_equal(calendar_next(b), cases[i].next);
		assert_int_equal(calendar_largest(b, 0, 0)->potential, cases[i].most);
		assert_int_equal(calendar_changes(b, 0), cases[i].next != 0);
	}
	books_destroy(b);
	world_destroy(world);
}

static void test_none(void **state)
{
	struct world *world = world_create("queue q cpu@f=8\n");
	struct books *b = books_create(world->spec);

	assert_null(b->calendar);
	assert_int_equal(calendar_next(b), 0);
	assert_int_equal(calendar_step(b, 9), SPEC_NONE);
	assert_int_equal(calendar_largest(b, 0, 0)->potential, 8);
	assert_false(calendar_changes(b, 0));
	books_destroy(b);
	world_destroy(world);
}

/* Limits hold for the quota of the time. */
static void test_most(void **state)
{
	struct world *world = world_create("cohort org\nqueue a in org cpu@f=4+1\n"
		"queue b in org cpu@f=4-2\nqueue c in org cpu@f=1\n"
		"period b cpu@f=9 from=5 until=9\nperiod a cpu@f=6 from=7 until=8\n");
	struct books *b = books_create(world->spec);

	assert_int_equal(calendar_largest(b, 1, 0)->potential, 6 + 1);
	assert_int_equal(calendar_largest(b, 2, 0)->potential, 7 + (6 + 2 + 1));
	assert_int_equal(calendar_largest(b, 3, 0)->potential, 6 + 2 + 1);
	assert_int_equal(books_quota(b, 2, 0)->potential, 2 + 7);
	nominal_at(b, 8);
	assert_int_equal(calendar_largest(b, 1, 0)->potential, 4 + 1);
	assert_int_equal(calendar_largest(b, 2, 0)->potential, 7 + (4 + 2 + 1));
	assert_int_equal(books_quota(b, 2, 0)->potential, 7 + 7);
	books_destroy(b);
	world_destroy(world);
}

/* ---- look-ups ---- */

static void test_find(void **state)
{
	static const struct {
		const char *node;
		int64_t now;
		int64_t nominal;		/* -1: none */
	} cases[] = {
		{ "q", 0, 3 }, { "q", 6, 3 }, { "q", 7, 9 }, { "q", 8, -1 },
		{ "r", 0, 5 }, { "r", 9, -1 }, { "s", 0, -1 },
	};
	struct world *world = world_create("queue q cpu@f=8\nqueue r cpu@f=8\nqueue s cpu@f=8\n"
		"period q cpu@f=9 from=7 until=8\nperiod r cpu@f=5 from=1 until=9\n"
		"period q cpu@f=3 from=5 until=7\n");

	spec_sort_periods(world->spec);
	for (size_t i = 0; i < COUNT(cases); i++) {
		int q = spec_find_queue(world->spec, cases[i].node);
		const struct spec_period *p = spec_find_period(
			world->spec, false, q, world->spec->queues[q].quotas, cases[i].now);

		assert_int_equal(p ? p->nominal : -1, cases[i].nominal);
		assert_int_equal(spec_nominal_at(world->spec, false, q,
						 world->spec->queues[q].quotas, cases[i].now, NULL),
				 p && p->from <= cases[i].now ? p->nominal : 8);
	}
	world_destroy(world);
}

/* ---- any change: the books are as if they had been so from the start ---- */

#define COHORTS 4
#define QUEUES 5
#define FLAVORS 2

static uint64_t drawn;

static int64_t draw(int64_t n)
{
	return (int64_t) random_below(&drawn, (uint64_t) n);
}

static int64_t draw_amount(void)
{
	return draw(40) ? draw(20) : SPEC_UNLIMITED;
}

static void quotas_draw(struct spec_quota **quotas, size_t *n)
{
	for (int f = 0; f < FLAVORS; f++) {
		struct spec_quota *q = spec_add_quota(quotas, n, f, 0, draw_amount());

		if (!draw(3))
			q->borrowing_limit = draw_amount();
		if (!draw(3))
			q->lending_limit = draw_amount();
	}
}

static struct spec *spec_draw(void)
{
	struct spec *spec = spec_create();
	char name[16];

	spec_flavor(spec, "f");
	spec_flavor(spec, "g");
	spec_resource(spec, "cpu");
	spec->fair_sharing = true;
	for (int i = 0; i < COHORTS; i++) {
		struct spec_cohort *c;

		snprintf(name, sizeof(name), "c%d", i);
		c = spec_add_cohort(spec, name);
		c->parent = i && draw(4) ? (int) draw(i) : SPEC_NONE;
		quotas_draw(&c->quotas, &c->nquotas);
	}
	for (int i = 0; i < QUEUES; i++) {
		struct spec_queue *q;

		snprintf(name, sizeof(name), "q%d", i);
		q = spec_add_queue(spec, name);
		q->cohort = draw(5) ? (int) draw(COHORTS) : SPEC_NONE;
		quotas_draw(&q->quotas, &q->nquotas);
	}
	return spec;
}

struct charged {
	struct use use;
	int node;
	bool fixed;
};

#define CHARGES 24

static void charge_all(struct books *b, const struct charged *list)
{
	for (size_t i = 0; i < CHARGES; i++)
		books_charge(b, list[i].node, &list[i].use, 1, list[i].fixed, 1);
}

static void same(const struct books *a, const struct books *b)
{
	for (size_t i = 0; i < a->nnodes * a->npairs; i++) {
		const struct quota *p = &a->quotas[i], *q = &b->quotas[i];

		assert_int_equal(p->nominal, q->nominal);
		assert_int_equal(p->subtree, q->subtree);
		assert_int_equal(p->local, q->local);
		assert_int_equal(p->potential, q->potential);
		assert_true(a->cells[i].used == b->cells[i].used);
		assert_true(a->cells[i].fixed == b->cells[i].fixed);
	}
}

static void case_play(uint64_t seed)
{
	struct charged charged[CHARGES];
	struct spec *spec;
	struct books *b;

	drawn = seed;
	spec = spec_draw();
	b = books_create(spec);
	for (size_t i = 0; i < CHARGES; i++)
		charged[i] = (struct charged) {
			{ (int) draw(FLAVORS), draw(12) },
			COHORTS + (int) draw(QUEUES), !draw(3),
		};
	charge_all(b, charged);
	for (int i = 0; i < 12; i++) {
		int node = (int) draw(COHORTS + QUEUES), f = (int) draw(FLAVORS);
		int64_t nominal = draw_amount();
		struct books *fresh;

		if (node < COHORTS)
			spec->cohorts[node].quotas[f].nominal = nominal;
		else
			spec->queues[node - COHORTS].quotas[f].nominal = nominal;
		fresh = books_create(spec);
		charge_all(fresh, charged);
		books_set_nominal(b, node, f, nominal);
		same(b, fresh);
		books_destroy(fresh);
	}
	for (size_t i = 0; i < CHARGES; i++)
		books_charge(b, charged[i].node, &charged[i].use, 1, charged[i].fixed, -1);
	for (size_t i = 0; i < b->nnodes * b->npairs; i++)
		assert_true(!b->cells[i].used && !b->cells[i].fixed);
	books_destroy(b);
	spec_destroy(spec);
}

static void test_any_change(void **state)
{
	for (uint64_t seed = 1; seed <= 2000; seed++)
		case_play(seed);
}

TESTS(cmocka_unit_test(test_times), cmocka_unit_test(test_none), cmocka_unit_test(test_most),
      cmocka_unit_test(test_find), cmocka_unit_test(test_any_change))
