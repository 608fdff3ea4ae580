/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test printable.c - what is shown as it is, and what as \xNN
 */
#include "parse.h"
#include "text/printable.h"

static const struct {
	const char *text;
	const char *shown;
} cases[] = {
	{ "\x1b[31m\n\t\x7f", "\\x1b[31m\\x0a\\x09\\x7f" },
	{ "\xc2\x85\xc2\x9b\xc2\xa0", "\\xc2\\x85\\xc2\\x9b\xc2\xa0" },
	{ "\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xaf", "\xe2\x80\xa7\\xe2\\x80\\xa8\xe2\x80\xaf" },
	{ "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xaa", "\xe2\x81\xa5\\xe2\\x81\\xa6\xe2\x81\xaa" },
	{ "a\xff\xc3", "a\\xff\\xc3" },
	{ "\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80" },
	{ "", "" },
	{ "gr\xc3\xb6\xc3\x9f" "e \xf0\x9f\x98\x80 \\x41",
	  "gr\xc3\xb6\xc3\x9f" "e \xf0\x9f\x98\x80 \\x41" },
};

static void test_shown(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		char appended[80] = "> ", *put = NULL;
		size_t size;
		FILE *f = open_memstream(&put, &size);

		assert_true(printable_append(appended, sizeof(appended), cases[i].text, 78));
		assert_string_equal(appended + 2, cases[i].shown);
		printable_put(cases[i].text, f);
		fclose(f);
		assert_string_equal(put, cases[i].shown);
		free(put);
	}
}

/* Cut by the buffer or by max, whichever is less; no half characters */
static void test_cut(void **state)
{
	char buf[8] = "";

	assert_false(printable_append(buf, sizeof(buf), "123456\xc3\xb6", 99));
	assert_string_equal(buf, "123456");
	assert_false(printable_append(buf, sizeof(buf), "\n", 99));
	assert_true(printable_append(buf, sizeof(buf), "7", 99));
	assert_string_equal(buf, "1234567");
	buf[0] = '\0';
	assert_false(printable_append(buf, sizeof(buf), "abc\n", 6));
	assert_string_equal(buf, "abc");
	assert_false(printable_append(buf, sizeof(buf), "de", 1));
	assert_string_equal(buf, "abcd");
}

/* ---- how far a text is UTF-8 ---- */

static const struct {
	const char *text;
	size_t len;
	size_t span;
} cases_utf8[] = {
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
	for (size_t i = 0; i < COUNT(cases_utf8); i++)
		assert_int_equal(utf8_span(cases_utf8[i].text, cases_utf8[i].len),
				 cases_utf8[i].span);
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

	for (size_t i = 0; i < COUNT(texts); i++) {
		char *mended = utf8_mend(texts[i].text);

		assert_string_equal(mended, texts[i].mended);
		free(mended);
	}
}

TESTS(cmocka_unit_test(test_shown), cmocka_unit_test(test_cut), cmocka_unit_test(test_span),
      cmocka_unit_test(test_mend))
