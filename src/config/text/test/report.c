/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test report.c - messages: their form, order, number and cleanliness
 */
#include "parse.h"
#include "text/report.h"

static const struct {
	const char *text;
	const char *quoted;
} quotes[] = {
	{ "", "\"\"" },
	{ "ml", "\"ml\"" },
	{ "a\nb\x7f", "\"a\\x0ab\\x7f\"" },
	{ "123456789012345678901234567890123456789012345678901234567890",
	  "\"123456789012345678901234567890123456789012345678901234567890\"" },
	{ "1234567890123456789012345678901234567890123456789012345678901",
	  "\"123456789012345678901234567890123456789012345678901234567890...\"" },
	/* not cut inside of a character */
	{ "12345678901234567890123456789012345678901234567890123456789\xc3\xb6",
	  "\"12345678901234567890123456789012345678901234567890123456789...\"" },
};

static void test_quote(void **state)
{
	for (size_t i = 0; i < COUNT(quotes); i++)
		assert_string_equal(quote(quotes[i].text).text, quotes[i].quoted);
}

static void test_place(void **state)
{
	const struct place list = { .key = "clusterQueues" };
	const struct place item = { .up = &list, .index = 2 };
	const struct place key = { .up = &item, .key = "name" };
	char buf[64], small[8];

	place_format(NULL, true, buf, sizeof(buf));
	assert_string_equal(buf, "");
	place_format(&key, true, buf, sizeof(buf));
	assert_string_equal(buf, "clusterQueues[2].name");
	place_format(&key, false, buf, sizeof(buf));
	assert_string_equal(buf, "clusterQueues.name");
	place_format(&key, true, small, sizeof(small));
	assert_string_equal(small, "cluster");
}

/* The name of a file comes from outside. */
static void message_compare(void *arg, bool warning, const char *message)
{
	(void) warning;
	assert_string_equal(message, arg);
}

static void test_file_names(void **state)
{
	struct report *report = report_create("a\033[2J\n.yaml");

	report_error(report, NULL, 3, "wrong");
	report_emit(report, message_compare, "a\\x1b[2J\\x0a.yaml:3: wrong");
	report_destroy(report);
}

static void test_order(void **state)
{
	struct report *report = report_create("cohort.yaml");
	const struct place at = { .key = "priority" };
	struct said said = { .text = "" };

	assert_int_equal(report_error(report, &at, 9, "%d is late", 9), -1);
	report_warning(report, NULL, 3, "first of two");
	assert_int_equal(report_error(report, &at, 3, "second\tof two"), -1);
	assert_int_equal(report_error(report, NULL, 0, "no line"), -1);
	assert_int_equal(report_errors(report), 3);
	assert_int_equal(report_warnings(report), 1);
	report_emit(report, said_add, &said);
	assert_string_equal(said.text,
			    "no line\n3: warning: first of two\n3: priority: second\\x09of two\n"
			    "9: priority: 9 is late");
	assert_int_equal(said.errors, 3);
	report_emit(report, NULL, NULL);
	report_destroy(report);
	report_destroy(NULL);
}

struct count {
	size_t n;
	char last[128];
};

static void message_count(void *arg, bool warning, const char *message)
{
	struct count *count = arg;

	assert_false(warning);
	count->n++;
	snprintf(count->last, sizeof(count->last), "%s", message);
}

static void test_many(void **state)
{
	struct report *report = report_create("f");
	struct count count = { .n = 0 };

	for (int i = 0; i < REPORT_MAX + 20; i++) {
		assert_int_equal(report_full(report), i >= REPORT_MAX);
		report_error(report, NULL, i + 1, "wrong");
	}
	assert_int_equal(report_errors(report), REPORT_MAX + 20);
	report_emit(report, message_count, &count);
	assert_int_equal(count.n, REPORT_MAX + 1);
	assert_string_equal(count.last, "f: and 20 more messages");
	report_destroy(report);
}

/* An error is reported however many warnings came before. */
static void test_many_warnings(void **state)
{
	struct report *report = report_create("cohort.yaml");
	struct said said = { .text = "" };

	for (int i = 0; i < 2 * REPORT_MAX; i++)
		report_warning(report, NULL, i + 2, "odd");
	report_error(report, NULL, 1, "wrong");
	report_emit(report, said_add, &said);
	assert_int_equal(strncmp(said.text, "1: wrong\n2: warning: odd\n", 25), 0);
	report_destroy(report);
}

/* ---- the nearest of the known words ---- */

static const char *const known[] = {
	"minAdmitDuration", "nominalQuota", "borrowingLimit", "lendingLimit",
	"cpu", "mem", "node", "match", NULL, "quotas",
};

static const struct {
	const char *word;
	const char *best;
} cases[] = {
	/* too far from all */
	{ "", NULL },
	{ "zzz", NULL },
	{ "quota", NULL },
	{ "completely different", NULL },
	{ "a word that is much longer than any that could be meant, so long", NULL },
	/* the same but for case */
	{ "CPU", "cpu" },
	{ "Match", "match" },
	/* one letter less, more, other, swapped */
	{ "minAdmitDuratin", "minAdmitDuration" },
	{ "matchh", "match" },
	{ "nomimalQuota", "nominalQuota" },
	{ "mme", "mem" },
	/* between two, the nearer */
	{ "lendinLimit", "lendingLimit" },
	{ "borowingLimit", "borrowingLimit" },
};

static void test_best(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		char says[96] = "";

		if (cases[i].best)
			snprintf(says, sizeof(says), " (did you mean %s?)", cases[i].best);
		assert_string_equal(did_you_mean(cases[i].word, known, sizeof(*known),
						 SIZE_MAX).text, says);
	}
	assert_string_equal(did_you_mean("match", known, sizeof(*known), 7).text, "");
}

TESTS(cmocka_unit_test(test_quote), cmocka_unit_test(test_place), cmocka_unit_test(test_file_names),
      cmocka_unit_test(test_order), cmocka_unit_test(test_many),
      cmocka_unit_test(test_many_warnings), cmocka_unit_test(test_best))
