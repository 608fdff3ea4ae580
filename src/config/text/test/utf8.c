/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test utf8.c - how far a text is UTF-8
 */
#include "parse.h"
#include "text/printable.h"

static const struct {
	const char *text;
	size_t len;
	size_t span;
} cases[] = {
	/* ill-formed */
	{ "ab\0c", 4, 2 },
	{ "\x80", 1, 0 },
	{ "a\xff", 2, 1 },
	{ "a\xc0\xaf", 3, 1 },			/* overlong / */
	{ "a\xe0\x9f\xbf", 4, 1 },		/* overlong U+07FF */
	{ "a\xed\xa0\x80", 4, 1 },		/* surrogate */
	{ "a\xf0\x8f\xbf\xbf", 5, 1 },		/* overlong U+FFFF */
	{ "a\xf4\x90\x80\x80", 5, 1 },		/* U+110000 */
	{ "a\xf5\x80\x80\x80", 5, 1 },
	{ "\xc3", 1, 0 },			/* cut */
	{ "ab\xe2\x82", 4, 2 },
	{ "ab\xf0\x9f\x98", 5, 2 },
	{ "\xe2\x28\xa1", 3, 0 },
	{ "\xe2\x82\x28", 3, 0 },
	{ "\xf0\x9f\x98\x28", 4, 0 },
	/* well-formed */
	{ "", 0, 0 },
	{ "plain\n", 6, 6 },
	{ "\xc2\x80\xdf\xbf", 4, 4 },
	{ "\xe0\xa0\x80\xed\x9f\xbf\xef\xbf\xbf", 9, 9 },
	{ "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8, 8 },
};

static void test_span(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(utf8_span(cases[i].text, cases[i].len),
				 cases[i].span);
}

static void test_mend(void **state)
{
	static const struct {
		const char *text, *mended;
	} texts[] = {
		{ "\xff", "\xef\xbf\xbd" },
		{ "a\xe2\x82" "b", "a\xef\xbf\xbd\xef\xbf\xbd" "b" },
		{ "", "" },
		{ "gr\xc3\xb6\xc3\x9f" "e\n", "gr\xc3\xb6\xc3\x9f" "e\n" },
	};

	(void) state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		char *mended = utf8_mend(texts[i].text);

		assert_string_equal(mended, texts[i].mended);
		free(mended);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_span),
		cmocka_unit_test(test_mend),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
