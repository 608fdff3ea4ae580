/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test suggestion.c - the nearest of the known words
 */
#include "parse.h"
#include "text/suggestion.h"

static const char *const known[] = {
	"minAdmitDuration", "nominalQuota", "borrowingLimit", "lendingLimit",
	"cpu", "mem", "node", "match",
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
	struct suggestion near;

	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		suggestion_init(&near, cases[i].word);
		for (size_t j = 0; j < COUNT(known); j++)
			suggestion_try(&near, known[j]);
		if (cases[i].best)
			assert_string_equal(near.best, cases[i].best);
		else
			assert_null(near.best);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
