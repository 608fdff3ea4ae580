/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outside.h - what tests need of the system: a file, the zone of the clocks
 */
#ifndef COHORT_TEST_OUTSIDE_H
#define COHORT_TEST_OUTSIDE_H

#include <time.h>
#include <unistd.h>

#include "test/tests.h"

/* A file of the program, for TESTS_WITH(tests_path_make, tests_path_remove, ..) */
static char tests_path[] = "/tmp/test_cohort.XXXXXX";

static inline int tests_path_make(void **state)
{
	int fd = mkstemp(tests_path);

	return fd < 0 ? -1 : close(fd);
}

static inline int tests_path_remove(void **state)
{
	return unlink(tests_path);
}

/* Clocks show the time of that zone. */
static inline void zone_set(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

/* For TESTS_WITH(tests_in_utc, NULL, ..) */
static inline int tests_in_utc(void **state)
{
	zone_set("UTC");
	return 0;
}

#endif /* COHORT_TEST_OUTSIDE_H */
