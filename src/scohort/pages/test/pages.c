/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test html, bar: markup as it is, texts escaped; bars of quota
 */
#include <inttypes.h>

#include <json.h>

#include "pages/pages.h"
#include "pages/html.h"
#include "test/tests.h"

/* ---- html.c ---- */

static char *text;
static size_t size;

static struct html html_open(void)
{
	struct html h = { open_memstream(&text, &size), "" };

	assert_non_null(h.file);
	return h;
}

static void assert_written(struct html *h, const char *expected)
{
	assert_int_equal(fclose(h->file), 0);
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
		{ "\xc3\xbc", "\xc3\xbc" },
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },	/* right to left from here */
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct html h = html_open();

		html_text(&h, cases[i].text);
		assert_written(&h, cases[i].html);
	}
}

static void test_address_has_only_safe_characters(void **state)
{
	struct html h = html_open();

	html_address(&h, "a-Z_0.~/ %\"<\xc3\xbc?#");
	assert_written(&h, "a-Z_0.~%2F%20%25%22%3C%C3%BC%3F%23");
}

static void test_amounts_are_those_of_status(void **state)
{
	struct html h = html_open();

	html_amount(&h, "Used", "mem", 524288);
	html_amount(&h, "Used", "cpu", 524288);
	assert_written(&h, "<td data-label=\"Used\">512G</td><td data-label=\"Used\">524288</td>");
}

static void test_values_are_escaped(void **state)
{
	struct html h = html_open();

	html_printf(&h, "<i>%s</i> %d %" PRId64 " %zu %c %.1f %.3f %g %% <b>", "<&", -7,
		    INT64_MAX, (size_t) 8, 'x', 0.25, 2.0, 1e9);
	assert_written(&h, "<i>&lt;&amp;</i> -7 9223372036854775807 8 x 0.2 2.000 1e+09 % <b>");
}

/* ---- bar.c ---- */

static struct parts parts_of(const char *json)
{
	struct json_object *quota = json_tokener_parse(json);
	struct parts parts;

	assert_non_null(quota);
	parts = quota_parts(quota);
	json_object_put(quota);
	return parts;
}

static void assert_parts(const char *json, int64_t own, int64_t lent,
			 int64_t unused, int64_t borrowed)
{
	struct parts p = parts_of(json);

	assert_int_equal(p.own, own);
	assert_int_equal(p.lent, lent);
	assert_int_equal(p.unused, unused);
	assert_int_equal(p.borrowed, borrowed);
}

static void test_parts_add_up(void **state)
{
	assert_parts("{\"nominal\":8,\"used\":3,\"borrowed\":0,\"lent\":2}", 3, 2, 3, 0);
	assert_parts("{\"nominal\":8,\"used\":11,\"borrowed\":3,\"lent\":0}", 8, 0, 0, 3);
	assert_parts("{\"nominal\":0,\"used\":4,\"borrowed\":4,\"lent\":0}", 0, 0, 0, 4);
}

/* A cohort has what its members lend to it. */
static void test_cohort_counts_its_subtree(void **state)
{
	assert_parts("{\"nominal\":2,\"subtree\":10,\"used\":6,\"borrowed\":0,"
		     "\"lent\":1}", 6, 1, 3, 0);
}

/* A document that slurmctld did not write: no part is below nothing. */
static void test_nonsense_has_no_negative_part(void **state)
{
	assert_parts("{\"nominal\":-5,\"used\":1,\"borrowed\":3,\"lent\":0}", 0, 0, 0, 3);
	assert_parts("{}", 0, 0, 0, 0);
}

static void test_bar_has_a_rectangle_for_each_part(void **state)
{
	struct json_object *quota = json_tokener_parse(
		"{\"resource\":\"cpu\",\"nominal\":8,\"used\":10,\"borrowed\":2,\"lent\":0}");
	struct html h = html_open();

	bar_write(&h, quota, NULL);
	assert_int_equal(fclose(h.file), 0);
	assert_non_null(strstr(text, "class=\"own\" x=\"0.0\" width=\"800.0\""));
	assert_non_null(strstr(text, "class=\"borrowed\" x=\"800.0\" width=\"200.0\""));
	assert_null(strstr(text, "class=\"lent\""));
	assert_non_null(strstr(text, "own use 8, lent 0, unused 0, borrowed 2"));
	free(text);
	json_object_put(quota);
}

TESTS(cmocka_unit_test(test_text_is_escaped),
      cmocka_unit_test(test_address_has_only_safe_characters),
      cmocka_unit_test(test_amounts_are_those_of_status),
      cmocka_unit_test(test_values_are_escaped), cmocka_unit_test(test_parts_add_up),
      cmocka_unit_test(test_cohort_counts_its_subtree),
      cmocka_unit_test(test_nonsense_has_no_negative_part),
      cmocka_unit_test(test_bar_has_a_rectangle_for_each_part))
