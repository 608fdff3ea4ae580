/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test suggestion - the nearest of the known words
 */
#include "parse.h"
#include "text/report.h"

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
	{ "a word that is much longer than any that could be meant, so long",
	  NULL },
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
	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char says[96] = "";

		if (cases[i].best)
			snprintf(says, sizeof(says), " (did you mean %s?)", cases[i].best);
		assert_string_equal(did_you_mean(cases[i].word, known, sizeof(*known),
						 SIZE_MAX).text, says);
	}
	assert_string_equal(did_you_mean("match", known, sizeof(*known), 7).text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
