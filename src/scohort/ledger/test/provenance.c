/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test provenance.c - the system comment of preempted jobs, and other texts
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "ledger/provenance.h"

#define BEGIN "preempted at 2026-11-21T09:31:07 by job 8140 (cluster queue audio)"
#define NUMBERS "vision held 38 of 32 gres/gpu@a100, audio held 10 of 16, " \
	"needed 6, free 0"

static void test_provenance(void **state)
{
	struct provenance p;

	(void) state;
	setenv("TZ", "UTC", 1);
	tzset();
	assert_true(provenance_parse(BEGIN ", rule InCohortReclamation, "
				     NUMBERS ", ran 3120 s, preemption 4, turns 1, "
				     "counted 2 of 3", &p));
	assert_string_equal(p.when, "2026-11-21T09:31:07");
	assert_int_equal(p.at, 1795253467);
	assert_int_equal(p.by, 8140);
	assert_string_equal(p.queue, "audio");
	assert_string_equal(p.rule, "InCohortReclamation");
	assert_string_equal(p.numbers, NUMBERS);
	assert_int_equal(p.ran, 3120);
	assert_int_equal(p.count, 4);
	assert_int_equal(p.counted, 2);
	assert_int_equal(p.max, 3);
	assert_true(provenance_parse(BEGIN ", rule InClusterQueue, for nodes, "
				     "ran 0 s, preemption 1, counted 0", &p));
	assert_string_equal(p.numbers, "for nodes");
	assert_int_equal(p.max, 0);
}

static void test_no_provenance(void **state)
{
	static const char *const texts[] = {
		"", "a note", BEGIN, BEGIN ", rule X, numbers",
		BEGIN ", rule X, numbers, ran 5 s",
		BEGIN ", rule X, numbers, ran 5 s, preemption 1",
		"by job 1 (cluster queue q), rule X, n, ran 1 s, preemption 1, counted 1",
	};
	struct provenance p;

	(void) state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_false(provenance_parse(texts[i], &p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_provenance),
		cmocka_unit_test(test_no_provenance),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
