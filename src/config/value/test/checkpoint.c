/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test checkpoint: words of a comment, and what an eviction loses
 */
#include <string.h>

#include "test/tests.h"
#include "value/checkpoint.h"

static const struct {
	const char *word, *says;
} wrong_times[] = {
	{ "", "is empty, not a time (minutes, 4:00:00, 2-12, or a number with unit like 30s, 10m, "
	      "4h, 2d)" },
	{ "-1h", "is negative (minutes, 4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, "
		 "2d)" },
	{ "hourly", "is not a time (minutes, 4:00:00, 2-12, or a number with unit like 30s, 10m, "
		    "4h, 2d)" },
	{ "0", "is no time between checkpoints" },
	{ "0s", "is no time between checkpoints" },
	{ "9999d", "is over the maximum of 3650d" },
}, wrong_points[] = {
	{ "", "is not a number of seconds since 1970 (date +%s)" },
	{ "0", "is not a number of seconds since 1970 (date +%s)" },
	{ "-5", "is not a number of seconds since 1970 (date +%s)" },
	{ "12x", "is not a number of seconds since 1970 (date +%s)" },
	{ "2026-11-29T12:00:00", "is not a number of seconds since 1970 (date +%s)" },
	{ "99999999999999999999", "is not a number of seconds since 1970 (date +%s)" },
};

static void test_wrong(void **state)
{
	char err[256];
	int64_t n;

	for (size_t i = 0; i < COUNT(wrong_times); i++) {
		assert_int_equal(checkpoint_each_parse(wrong_times[i].word, &n, err, sizeof(err)), -1);
		assert_string_equal(err, wrong_times[i].says);
	}
	for (size_t i = 0; i < COUNT(wrong_points); i++) {
		assert_int_equal(checkpoint_last_parse(wrong_points[i].word, &n, err, sizeof(err)), -1);
		assert_string_equal(err, wrong_points[i].says);
	}
}

static const struct {
	const char *comment;
	int64_t each, last;
} comments[] = {
	{ NULL, 0, 0 },
	{ "", 0, 0 },
	{ "checkpoint=1h", 0, 0 },
	{ "cohort:checkpoint=", 0, 0 },
	{ "cohort:checkpoint=often", 0, 0 },
	{ "cohort:checkpoint=1h", 3600, 0 },
	{ "cohort:checkpoint=90", 5400, 0 },
	{ "by night;cohort:checkpoint=10m,cohort:min-available=2", 600, 0 },
	{ "cohort:checkpointed=1700000000", 0, 1700000000 },
	{ "cohort:checkpointed=soon cohort:checkpoint=30s", 30, 0 },
	{ "cohort:checkpointed=1700000000 cohort:checkpoint=1:00:00", 3600, 1700000000 },
};

static void test_comments(void **state)
{
	for (size_t i = 0; i < COUNT(comments); i++) {
		struct checkpoint c = checkpoint_of(comments[i].comment);

		if (c.each != comments[i].each || c.last != comments[i].last)
			fail_msg("%s: %lld %lld", comments[i].comment, (long long) c.each,
				 (long long) c.last);
	}
}

/* A run that began at 1000 */
static const struct {
	int64_t each, last, now, ran, lost;
} losses[] = {
	{ 0, 0, 1000, 0, 0 },
	{ 0, 0, 990, -10, 0 },
	{ 60, 0, 990, -10, 0 },
	{ 0, 0, 1100, 100, 100 },
	{ 60, 0, 1059, 59, 59 },
	{ 60, 0, 1060, 60, 0 },
	{ 60, 0, 1100, 100, 40 },
	{ 60, 0, 1100, 50, 50 },	/* suspended for half of the time */
	{ 0, 1080, 1100, 100, 20 },
	{ 0, 1100, 1100, 100, 0 },
	{ 0, 1001, 1100, 10, 10 },	/* never more than it ran */
	{ 0, 1000, 1100, 100, 100 },	/* of the run before */
	{ 0, 1101, 1100, 100, 100 },	/* of the future */
	{ 60, 1010, 1100, 100, 90 },	/* what happened counts, not what was planned */
	{ 60, 500, 1100, 100, 40 },
};

static void test_losses(void **state)
{
	for (size_t i = 0; i < COUNT(losses); i++) {
		struct checkpoint c = { losses[i].each, losses[i].last };
		int64_t lost = checkpoint_lost(&c, 1000, losses[i].now, losses[i].ran);

		if (lost != losses[i].lost)
			fail_msg("case %zu: %lld", i, (long long) lost);
	}
}

TESTS(cmocka_unit_test(test_wrong), cmocka_unit_test(test_comments),
      cmocka_unit_test(test_losses))
