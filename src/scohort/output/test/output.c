/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test output.c, yaml.c - documents, paragraphs, the terminal
 */
#include "output/output.h"
#include "test/tests.h"

static void test_yaml(void **state)
{
	static const struct {
		const char *json, *yaml;
	} cases[] = {
		{ "{\"a\": 1, \"b\": [true, null, 1.5], \"c\": {}}",
		  "a: 1\nb:\n- true\n- null\n- 1.5\nc: {}\n" },
		/* strings stay strings, names need no quotes */
		{ "[\"1\", \"yes\", \"gres/gpu\", \"NO\", \"\", \"~\"]",
		  "- \"1\"\n- \"yes\"\n- gres/gpu\n- \"NO\"\n- \"\"\n- \"~\"\n" },
		{ "{\"14:05\": \"a: b\", \"x\": \"l\\n\\\"q\\\"\"}",
		  "\"14:05\": \"a: b\"\nx: \"l\\n\\\"q\\\"\"\n" },
		{ "{\"l\": []}", "l: []\n" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct json_object *json = json_tokener_parse(cases[i].json);
		char *yaml = yaml_dump(json);

		assert_string_equal(yaml, cases[i].yaml);
		free(yaml);
		json_object_put(json);
	}
}

/* Texts from slurmctld, like names of jobs, need not be UTF-8. */
static void test_documents_are_utf8(void **state)
{
	static const struct {
		enum output_kind kind;
		const char *expected;
	} cases[] = {
		{ OUTPUT_JSON, "{\n  \"name\":\"a\xef\xbf\xbd" "b \xc3\xb6\",\n  "
		  "\"\xef\xbf\xbd\":1\n}\n" },
		{ OUTPUT_YAML, "name: \"a\xef\xbf\xbd" "b \xc3\xb6\"\n"
		  "\"\xef\xbf\xbd\": 1\n" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct json_object *o = json_object_new_object();
		struct output out = { .kind = cases[i].kind };
		char *buf = NULL;
		size_t size;

		json_object_object_add(o, "name", json_object_new_string("a\xff" "b \xc3\xb6"));
		json_object_object_add(o, "\xc3", json_object_new_int(1));
		out.file = open_memstream(&buf, &size);
		output_document(&out, o);
		fclose(out.file);
		assert_string_equal(buf, cases[i].expected);
		free(buf);
		json_object_put(o);
	}
}

static char *wrapped(int width, int first, int rest, const char *text)
{
	char *buf = NULL;
	size_t size;
	struct output out = { .width = width };

	out.file = open_memstream(&buf, &size);
	output_wrap(&out, first, rest, text);
	fclose(out.file);
	return buf;
}

static void test_wrap(void **state)
{
	static const struct {
		int width, first, rest;
		const char *text, *expected;
	} cases[] = {
		{ 12, 0, 2, "one two three four", "one two\n  three four\n" },
		{ 10, 2, 0, "one two three", "  one two\nthree\n" },
		{ 6, 0, 2, "incredible is it", "incredible\n  is\n  it\n" },
		{ 0, 1, 1, "no bound at all", " no bound at all\n" },
		{ 7, 0, 0, "one two", "one two\n" },
		{ 20, 0, 0, "", "" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = wrapped(cases[i].width, cases[i].first, cases[i].rest, cases[i].text);

		assert_string_equal(text, cases[i].expected);
		free(text);
	}
}

static void test_terminal(void **state)
{
	struct output out;

	setenv("COLUMNS", "132", 1);
	output_init(&out);
	assert_int_equal(out.width, 132);
	setenv("COLUMNS", "3", 1);
	output_init(&out);
	assert_int_equal(out.width, 40);
	setenv("NO_COLOR", "1", 1);
	output_init(&out);
	assert_false(out.color);
	assert_string_equal(paint_begin(&out, PAINT_RED), "");
	assert_string_equal(paint_end(&out, PAINT_RED), "");
	out.color = true;
	assert_string_equal(paint_begin(&out, PAINT_RED), "\033[31m");
	assert_string_equal(paint_end(&out, PAINT_NONE), "");
}

TESTS(cmocka_unit_test(test_yaml), cmocka_unit_test(test_documents_are_utf8),
      cmocka_unit_test(test_wrap), cmocka_unit_test(test_terminal))
