/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test sharing.c - cells of the same quota store it once
 */
#include <stdio.h>

#include "quota/calendar.h"
#include "quota/derive.h"
#include "world.h"

#define QUEUES 40
#define FLAVORS 64
#define RESOURCES 16
/* Of each cell, before any job, with what it shares */
#define BYTES_MAX 17

static void names_add(struct spec *spec, size_t n,
		      int (*add)(struct spec *spec, const char *name))
{
	char name[32];

	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "name%zu", i);
		assert_true(add(spec, name) >= 0);
	}
}

/* QUEUES queues in one cohort. lender: the queue that lends nothing, or
 * SPEC_NONE */
static struct spec *spec_make(int lender)
{
	struct spec *spec = spec_create();
	char name[32];

	names_add(spec, FLAVORS, spec_flavor);
	names_add(spec, RESOURCES, spec_resource);
	spec_add_cohort(spec, "all");
	for (int i = 0; i < QUEUES; i++) {
		struct spec_queue *q;

		snprintf(name, sizeof(name), "queue%d", i);
		q = spec_add_queue(spec, name);
		q->cohort = 0;
		for (int p = 0; p < FLAVORS * RESOURCES; p++) {
			struct spec_quota *quota = spec_add_quota(
				&q->quotas, &q->nquotas, p / RESOURCES,
				p % RESOURCES, 10);

			assert_non_null(quota);
			if (i == lender)
				quota->lending_limit = 0;
		}
	}
	return spec;
}

static size_t bytes_of(const struct books *b)
{
	return b->nnodes * b->npairs * sizeof(*b->cells)
	       + b->nquotas * sizeof(*b->quotas);
}

static void test_alike(void **state)
{
	static const struct {
		int lender;
		size_t nquotas;
	} cases[] = {
		{ SPEC_NONE, 2 },	/* the cohort's, the queues' */
		{ 3, 3 },
	};

	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct spec *spec = spec_make(cases[i].lender);
		struct books *b = books_create(spec);

		assert_int_equal(b->nquotas, cases[i].nquotas);
		assert_in_range(bytes_of(b), 1,
				b->nnodes * b->npairs * BYTES_MAX);
		books_destroy(b);
		spec_destroy(spec);
	}
}

/* Nothing in common: each pair of each queue has a quota of its own */
static void test_different(void **state)
{
	struct spec *spec = spec_make(SPEC_NONE);
	int64_t next = 1, sum = 0;
	struct books *b;

	(void) state;
	for (int i = 0; i < QUEUES; i++) {
		for (size_t p = 0; p < spec->queues[i].nquotas; p++)
			spec->queues[i].quotas[p].nominal = next++;
	}
	b = books_create(spec);
	assert_int_equal(b->nquotas, b->nnodes * b->npairs);
	for (int i = 0; i < QUEUES; i++) {
		int pair = books_pair(b, 5, 7);
		int64_t nominal = spec->queues[i].quotas[5 * RESOURCES + 7]
				  .nominal;

		assert_int_equal(books_quota(b, 1 + i, pair)->nominal, nominal);
		sum += nominal;
	}
	assert_int_equal(books_quota(b, 0, books_pair(b, 5, 7))->subtree, sum);
	assert_int_equal(books_quota(b, 9, books_pair(b, 5, 7))->potential, sum);
	books_destroy(b);
	spec_destroy(spec);
}

/* What changes belongs to one cell, in its pair only, and only once. */
static void test_unshare(void **state)
{
	struct spec *spec = spec_make(SPEC_NONE);
	struct books *b = books_create(spec);

	(void) state;
	assert_int_equal(quotas_unshare(b, 0, 9), 0);
	assert_int_equal(b->nquotas, 2 + 1 + QUEUES);
	assert_int_equal(quotas_unshare(b, 0, 9), 0);
	assert_int_equal(b->nquotas, 2 + 1 + QUEUES);
	books_set_nominal(b, 4, 9, 17);
	assert_int_equal(books_quota(b, 4, 9)->nominal, 17);
	assert_int_equal(books_quota(b, 5, 9)->nominal, 10);
	assert_int_equal(books_quota(b, 4, 8)->nominal, 10);
	assert_int_equal(books_quota(b, 0, 9)->subtree, 10 * QUEUES + 7);
	assert_int_equal(books_quota(b, 5, 9)->potential, 10 * QUEUES + 7);
	assert_int_equal(books_quota(b, 0, 8)->subtree, 10 * QUEUES);
	books_destroy(b);
	spec_destroy(spec);
}

/* Quota for a time: its pair is prepared, and no other one. */
static void test_calendar(void **state)
{
	struct spec *spec = spec_make(SPEC_NONE);
	struct books *b;

	(void) state;
	assert_int_equal(spec_add_period(spec, &(struct spec_period) {
		.node = 2, .flavor = 1, .resource = 1, .from = 5, .until = 9,
		.nominal = 3,
	}), 0);
	b = books_create(spec);
	assert_int_equal(b->nquotas, 2 + 1 + QUEUES);
	assert_true(books_quota(b, 0, books_pair(b, 1, 1))->own);
	assert_false(books_quota(b, 0, books_pair(b, 1, 2))->own);
	assert_int_equal(calendar_step(b, 6), 0);
	assert_int_equal(books_quota(b, 3, books_pair(b, 1, 1))->nominal, 3);
	assert_int_equal(books_quota(b, 4, books_pair(b, 1, 1))->nominal, 10);
	books_destroy(b);
	spec_destroy(spec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_different),
		cmocka_unit_test(test_unshare),
		cmocka_unit_test(test_calendar),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
