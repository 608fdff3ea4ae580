/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test html.c - writes a page: markup as it is, texts escaped
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pages/html.h"

static void assert_written(struct html *h, const char *expected)
{
	size_t size;
	char *text = html_close(h, &size);

	assert_non_null(text);
	assert_string_equal(text, expected);
	assert_int_equal(size, strlen(expected));
	free(text);
}

static void test_text_is_escaped(void **state)
{
	static const struct {
		const char *text, *html;
	} cases[] = {
		{ "", "" },
		{ "a & b", "a &amp; b" },
		{ "<script>", "&lt;script&gt;" },
		{ "\"it's\"", "&quot;it&#39;s&quot;" },
		{ "&lt;", "&amp;lt;" },
		{ "\033[31m", "\\x1b[31m" },
		{ "a\nb\tc", "a\\x0ab\\x09c" },
		{ "\xc3\xbc", "\xc3\xbc" },
		{ "\xff", "\\xff" },
		{ "\xc3", "\\xc3" },
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },	/* right to left from here */
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct html h;

		assert_true(html_open(&h, ""));
		html_text(&h, cases[i].text);
		assert_written(&h, cases[i].html);
	}
}

static void test_address_has_only_safe_characters(void **state)
{
	struct html h;

	(void) state;
	assert_true(html_open(&h, ""));
	html_address(&h, "a-Z_0.~/ %\"<\xc3\xbc?#");
	assert_written(&h, "a-Z_0.~%2F%20%25%22%3C%C3%BC%3F%23");
}

static void test_amounts_are_those_of_status(void **state)
{
	struct html h;

	(void) state;
	assert_true(html_open(&h, ""));
	html_amount(&h, "Used", "mem", 524288);
	html_amount(&h, "Used", "cpu", 524288);
	html_number(&h, "Waiting", 7);
	assert_written(&h, "<td data-label=\"Used\">512G</td>"
		       "<td data-label=\"Used\">524288</td>"
		       "<td data-label=\"Waiting\">7</td>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_is_escaped),
		cmocka_unit_test(test_address_has_only_safe_characters),
		cmocka_unit_test(test_amounts_are_those_of_status),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
