/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.h - the frame of a unit test program: its tests, and a main for them
 *
 * A test enters itself into the list of its program. Tests run in the order of the
 * source.
 */
#ifndef COHORT_TEST_FRAME_H
#define COHORT_TEST_FRAME_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* A place in the list without a test is passed over. */
static struct CMUnitTest tests_list[64];
static size_t tests_count;

static inline void tests_enter(struct CMUnitTest test)
{
	if (tests_count == COUNT(tests_list))
		abort();
	tests_list[tests_count++] = test;
}

/* TEST(name) { .. } is a test. */
#define TEST(name) \
	static void name(void **state); \
	__attribute__((constructor(1000 + __LINE__))) static void name##_enter(void) \
	{ \
		tests_enter((struct CMUnitTest) cmocka_unit_test(name)); \
	} \
	static void name(__attribute__((unused)) void **state)

static inline int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests_list, setup, teardown);
}

#define TESTS_MAIN(setup, teardown) \
	int main(void) \
	{ \
		return tests_run(setup, teardown); \
	}

/* A file of the program, for TESTS_MAIN(tests_path_make, tests_path_remove) */
static char tests_path[] = "/tmp/test_cohort.XXXXXX";

static inline int tests_path_make(__attribute__((unused)) void **state)
{
	int fd = mkstemp(tests_path);

	return fd < 0 ? -1 : close(fd);
}

static inline int tests_path_remove(__attribute__((unused)) void **state)
{
	return unlink(tests_path);
}

/* Clocks show the time of that zone. */
static inline void zone_set(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

/* For TESTS_MAIN(tests_in_utc, NULL) */
static inline int tests_in_utc(__attribute__((unused)) void **state)
{
	zone_set("UTC");
	return 0;
}

#endif /* COHORT_TEST_FRAME_H */
