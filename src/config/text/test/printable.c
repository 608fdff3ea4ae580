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
	{ "\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xaf",
	  "\xe2\x80\xa7\\xe2\\x80\\xa8\xe2\x80\xaf" },
	{ "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xaa",
	  "\xe2\x81\xa5\\xe2\\x81\\xa6\xe2\x81\xaa" },
	{ "a\xff\xc3", "a\\xff\\xc3" },
	{ "\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80" },
	{ "", "" },
	{ "gr\xc3\xb6\xc3\x9f" "e \xf0\x9f\x98\x80 \\x41",
	  "gr\xc3\xb6\xc3\x9f" "e \xf0\x9f\x98\x80 \\x41" },
};

static void test_shown(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char appended[80] = "> ", *put = NULL;
		size_t size;
		FILE *f = open_memstream(&put, &size);

		assert_true(printable_append(appended, sizeof(appended),
					     cases[i].text, 78));
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

	(void) state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_cut),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
