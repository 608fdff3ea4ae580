/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test temporary.c - quota for a time
 */
#include "parse.h"
#include "test/outside.h"
#include "value/times.h"

#define WRAP "flavors: [{name: a}, {name: b}]\nclusterQueues:\n" \
	"- {name: q, match: [{user: u}], resourceGroups: [{coveredResources: " \
	"[cpu, mem], flavors: [{name: a, nominalQuota: \"cpu=4,mem=8G\", " \
	"temporaryQuota:\n%s},\n{name: b, nominalQuota: \"cpu=1,mem=1G\"}]}]}\n"
#define NO_TIME " is not a time (2026-12-01T08:00, or Mon 08:00 for each week, would be right)"

static const struct parse_case errors[] = {
	{ "{}", ": a map is not a list of quotas for a time" },
	{ "[cpu]", "[0]: \"cpu\" is not a map (its keys would be begin, end, nominalQuota)" },
	{ "[{end: 2999-01-01}]", "[0]: nominalQuota is missing" },
	{ "[{nominalQuota: cpu=1}]", "[0]: has neither begin nor end: nominalQuota of the flavor "
	  "is for quota that always holds" },
	/* times */
	{ "[{end: soon, nominalQuota: cpu=1}]", "[0].end: \"soon\"" NO_TIME },
	{ "[{begin: 2999-02-29,\nend: 2999-13-01, nominalQuota: cpu=1}]",
	  "[0].begin: \"2999-02-29\"" NO_TIME "\n5: "
	  "clusterQueues[0].resourceGroups[0].flavors[0].temporaryQuota[0].end: \"2999-13-01\""
	  NO_TIME },
	{ "[{begin: Mon 24:00, end: Fun, nominalQuota: cpu=1}]",
	  "[0].begin: \"Mon 24:00\"" NO_TIME "\n[0].end: \"Fun\"" NO_TIME },
	{ "[{begin: 2999-01-02,\nend: 2999-01-01, nominalQuota: cpu=1}]",
	  "5: clusterQueues[0].resourceGroups[0].flavors[0].temporaryQuota[0].end: \"2999-01-01\" "
	  "is not after begin" },
	{ "[{begin: 2999-01-01, end: 2999-01-01T00:00, nominalQuota: cpu=1}]",
	  "[0].end: \"2999-01-01T00:00\" is not after begin" },
	{ "[{begin: Mon, end: 2999-01-01, nominalQuota: cpu=1}]",
	  "[0].end: \"2999-01-01\": begin and end are both dates, or both days of the week" },
	{ "[{begin: Mon, nominalQuota: cpu=1}]",
	  "[0]: end is missing: what holds each week needs both" },
	{ "[{end: Mon, nominalQuota: cpu=1}]",
	  "[0]: begin is missing: what holds each week needs both" },
	{ "[{begin: Mon, end: Monday 00:00, nominalQuota: cpu=1}]",
	  "[0].end: \"Monday 00:00\" is when it begins, too" },
	/* overlaps: by resource; a date and a week are none */
	{ "[{begin: 2999-01-01, end: 2999-01-05, nominalQuota: cpu=1},\n{begin: 2999-01-04, "
	  "nominalQuota: cpu=1},\n{begin: 2999-01-04, nominalQuota: mem=1G}]",
	  "5: clusterQueues[0].resourceGroups[0].flavors[0].temporaryQuota[1]: has another amount "
	  "of cpu for a time that line 4 has, too" },
	{ "[{begin: Fri, end: Mon 08:00, nominalQuota: cpu=1},\n{begin: Mon, end: Tue, "
	  "nominalQuota: cpu=2}]",
	  "5: clusterQueues[0].resourceGroups[0].flavors[0].temporaryQuota[1]: has another amount "
	  "of cpu for a time that line 4 has, too" },
	{ "[{end: 2020-01-01, nominalQuota: cpu=1}]",
	  "4: warning: clusterQueues[0].resourceGroups[0].flavors[0].temporaryQuota[0].end: is "
	  "past: it has no effect any more" },
};

TEST_PARSE(test_errors, WRAP, "4: clusterQueues[0].resourceGroups[0].flavors[0].temporaryQuota",
	   errors)

static const struct parse_case good[] = {
	{ "[]", "" },
	{ "[{end: 2999-01-01T08:00:01, nominalQuota: cpu=0}]", "" },
	{ "[{begin: 2999-01-01 08:00, nominalQuota: {mem: 1G, cpu: 0}}]", "" },
	{ "[{begin: 2999-01-01, end: 2999-01-05, nominalQuota: cpu=1},\n{begin: 2999-01-05, "
	  "nominalQuota: cpu=2},\n{begin: Fri 18:00, end: mon, nominalQuota: cpu=1},\n{begin: Mon, "
	  "end: Friday 18:00, nominalQuota: cpu=2}]", "" },
};

TEST_PARSE(test_good, WRAP, "", good)

/* ---- what the engine gets ---- */

#define HOUR INT64_C(3600)

static struct conf *laid_out(const char *list, const char *zone, time_t now)
{
	char text[2048];
	struct conf *conf;

	zone_set(zone);
	snprintf(text, sizeof(text), WRAP, list);
	conf = parse_good(text, NULL);
	assert_int_equal(conf_lay_out_periods(conf, now), 0);
	return conf;
}

static void period_is(const struct conf *conf, size_t i, int64_t from,
		      int64_t until, int64_t nominal)
{
	const struct spec_period *p = &conf->spec->periods[i];

	assert_true(i < conf->spec->nperiods);
	assert_int_equal(p->from / SPEC_SEC, from);
	assert_int_equal(p->until / SPEC_SEC, until);
	assert_int_equal(p->nominal, nominal);
	assert_false(p->is_cohort);
}

#define JULY 1782864000		/* 2026-07-01T00:00Z, a Wednesday */

static void test_dates(void **state)
{
	struct conf *conf = laid_out(
		"[{begin: 2026-07-01T02:00, end: 2026-07-02, nominalQuota: cpu=9}, {end: "
		"2026-06-30T02:00, nominalQuota: cpu=7}, {begin: 2026-07-02, nominalQuota: "
		"cpu=8}]", "CET-1CEST,M3.5.0,M10.5.0/3", JULY);

	assert_int_equal(conf->spec->nperiods, 3);
	period_is(conf, 0, 0, JULY - 24 * HOUR, 7);
	period_is(conf, 1, JULY, JULY + 22 * HOUR, 9);
	period_is(conf, 2, JULY + 22 * HOUR, INT64_MAX / SPEC_SEC, 8);
	conf_destroy(conf);
}

/* The engine counts nanoseconds in 64 bits */
static void test_far_years(void **state)
{
	struct conf *conf = laid_out(
		"[{begin: 2026-07-01, end: 2999-01-01, nominalQuota: cpu=9}, {begin: 2999-01-01, "
		"nominalQuota: cpu=7}]", "UTC0", JULY);

	assert_int_equal(conf->spec->nperiods, 1);
	period_is(conf, 0, JULY, INT64_MAX / SPEC_SEC, 9);
	conf_destroy(conf);
}

/* From the week before on; a date takes its part out of it */
static void test_weeks(void **state)
{
	struct conf *conf = laid_out(
		"[{begin: Fri 18:00, end: Mon 08:00, nominalQuota: cpu=2}, {begin: 2026-07-04, "
		"end: 2026-07-05, nominalQuota: cpu=3}]",
		"UTC", JULY);
	int64_t friday = JULY + (2 * 24 + 18) * HOUR, week = WALL_WEEK;

	period_is(conf, 0, friday - week, friday - week + 62 * HOUR, 2);
	period_is(conf, 1, friday, friday + 6 * HOUR, 2);
	period_is(conf, 2, friday + 6 * HOUR, friday + 30 * HOUR, 3);
	period_is(conf, 3, friday + 30 * HOUR, friday + 62 * HOUR, 2);
	period_is(conf, 4, friday + week, friday + week + 62 * HOUR, 2);
	assert_true(conf->spec->periods[conf->spec->nperiods - 1].from
		    > (JULY + 2 * 365 * 24 * HOUR) * SPEC_SEC);
	conf_destroy(conf);
}

/* An hour on Sundays from 02:30 to 03:30. On 2026-03-29 clocks go from 02:00 to
 * 03:00 (01:00Z), on 2026-10-25 from 03:00 to 02:00 (01:00Z). */
static void test_clocks_are_set(void **state)
{
	static const struct {
		time_t now, from, until;
	} cases[] = {
		/* a Sunday before, in winter */
		{ 1774137600, 1774143000, 1774146600 },
		/* 02:30 does not exist: from 01:00Z, to 03:30 = 01:30Z */
		{ 1774742400, 1774746000, 1774747800 },
		/* 02:30 comes twice: the first one, 00:30Z, to 02:30Z */
		{ 1792886400, 1792888200, 1792895400 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct conf *conf = laid_out("[{begin: Sun 02:30, end: Sun 03:30, nominalQuota: "
			"cpu=2}]",
			"CET-1CEST,M3.5.0,M10.5.0/3", cases[i].now);

		period_is(conf, 1, cases[i].from, cases[i].until, 2);
		conf_destroy(conf);
	}
}

/* Whenever clocks are set, later on the wall is never earlier. */
static void test_wall(void **state)
{
	static const char *const zones[] = {
		"UTC", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0",
		"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
	};

	for (size_t z = 0; z < COUNT(zones); z++) {
		time_t before = 0;

		zone_set(zones[z]);
		for (int64_t s = 1767225600; s < 1767225600 + 366 * WALL_DAY; s += 600) {
			time_t at = wall_time(s);

			assert_true(at >= before);
			assert_true(wall_seconds(at) >= s);
			before = at;
		}
	}
}

TESTS(cmocka_unit_test(test_errors), cmocka_unit_test(test_good), cmocka_unit_test(test_dates),
      cmocka_unit_test(test_far_years), cmocka_unit_test(test_weeks),
      cmocka_unit_test(test_clocks_are_set), cmocka_unit_test(test_wall))
