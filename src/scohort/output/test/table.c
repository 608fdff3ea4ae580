/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test table.c - columns chosen, cut, left out, and printed
 */
#include "output/table.h"
#include "test/tests.h"

static void double_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%d", 2 * json_object_get_int(value));
}

static enum paint red(struct json_object *row)
{
	(void) row;
	return PAINT_RED;
}

static const struct column columns[] = {
	{ "NAME", "name", "the name", COLUMN_TREE | COLUMN_ELASTIC, 0, NULL, NULL },
	{ "USED", "used", "how much", COLUMN_RIGHT, 0, NULL, red },
	{ "TWICE", "used", "twice as much", COLUMN_RIGHT, 2, double_text, NULL },
	{ "NOTE", "note", "a note", COLUMN_IF_ANY, 1, NULL, NULL },
	{ "HELD", "held", "is it held", COLUMN_ASKED, 0, NULL, NULL },
	{ .name = NULL }
};

static char err[512];

static struct json_object *row_make(const char *json)
{
	struct json_object *row = json_tokener_parse(json);

	assert_non_null(row);
	return row;
}

static struct table *table_make(const struct output *out)
{
	struct table *t = table_create(columns, out, err, sizeof(err));

	assert_non_null(t);
	assert_int_equal(table_add(t, row_make(
		"{\"name\": \"ml\", \"used\": 7, \"held\": true}"), NULL), 0);
	assert_int_equal(table_add(t, row_make(
		"{\"name\": \"a-queue-with-a-very-long-name\", \"used\": 1234, \"held\": false, "
		"\"note\": \"\"}"), "|- "), 0);
	assert_int_equal(table_add(t, row_make("{\"name\": \"c\"}"), "`- "), 0);
	return t;
}

static char *printed(const struct table *t, struct output out)
{
	char *text = NULL;
	size_t size;

	out.file = open_memstream(&text, &size);
	table_print(t, &out);
	fclose(out.file);
	return text;
}

static void expect(struct output out, const char *expected)
{
	struct table *t = table_make(&out);
	char *text = printed(t, out);

	assert_string_equal(text, expected);
	free(text);
	table_destroy(t);
}

static void test_formats_refused(void **state)
{
	static const struct {
		const char *format, *message;
	} cases[] = {
		{ "", "--format: \"\" is not a field (-e lists the fields)" },
		{ "name,nam", "--format: \"nam\" is not a field (-e lists the fields)" },
		{ "name,,used", "--format: \"\" is not a field (-e lists the fields)" },
		{ "name%", "--format: \"name%\": the width is not a number from 1 to 1000" },
		{ "name%-", "--format: \"name%-\": the width is not a number from 1 to 1000" },
		{ "used%0", "--format: \"used%0\": the width is not a number from 1 to 1000" },
		{ "used%9999999999", "--format: \"used%9999999999\": the width is not a number "
				     "from 1 to 1000" },
		{ "used%4x", "--format: \"used%4x\": the width is not a number from 1 to 1000" },
	};
	struct output out = { .kind = OUTPUT_TEXT };

	for (size_t i = 0; i < COUNT(cases); i++) {
		out.format = cases[i].format;
		assert_int_equal(table_check(columns, &out, err, sizeof(err)), -1);
		assert_string_equal(err, cases[i].message);
	}
	out.format = "x";
	out.format_is_env = true;
	table_check(columns, &out, err, sizeof(err));
	assert_string_equal(err, "SCOHORT_FORMAT: \"x\" is not a field (-e lists the fields)");
}

static void test_text(void **state)
{
	expect((struct output) { .width = 80 }, "NAME                             USED TWICE\n"
						"ml                                  7    14\n"
						"|- a-queue-with-a-very-long-name 1234  2468\n"
						"`- c                                -     -\n");
	expect((struct output) { .no_header = true },
	       "ml                                  7   14\n"
	       "|- a-queue-with-a-very-long-name 1234 2468\n"
	       "`- c                                -    -\n");
}

/* First a little is cut, then a column left out, then more cut */
static void test_narrow(void **state)
{
	expect((struct output) { .width = 40 }, "NAME                          USED TWICE\n"
						"ml                               7    14\n"
						"|- a-queue-with-a-very-long-+ 1234  2468\n"
						"`- c                             -     -\n");
	expect((struct output) { .width = 28 }, "NAME                    USED\n"
						"ml                         7\n"
						"|- a-queue-with-a-very+ 1234\n"
						"`- c                       -\n");
	expect((struct output) { .width = 5 }, "NAME     USED\n"
					       "ml          7\n"
					       "|- a-qu+ 1234\n"
					       "`- c        -\n");
}

static void test_chosen(void **state)
{
	expect((struct output) { .width = 5, .format = "used%-6,NAME%5,held" },
	       "USED    NAME HELD\n"
	       "7         ml yes\n"
	       "1234   |- a+ no\n"
	       "-       `- c -\n");
	expect((struct output) { .format = "all", .no_header = true },
	       "ml                                  7   14 - yes\n"
	       "|- a-queue-with-a-very-long-name 1234 2468   no\n"
	       "`- c                                -    - - -\n");
}

static void test_parsable(void **state)
{
	expect((struct output) { .kind = OUTPUT_PARSABLE, .width = 10 },
	       "NAME|USED|TWICE|NOTE\n"
	       "ml|7|14|-\n"
	       "a-queue-with-a-very-long-name|1234|2468|\n"
	       "c|-|-|-\n");
	expect((struct output) { .kind = OUTPUT_PARSABLE, .no_header = true, .format = "held" },
	       "yes\nno\n-\n");
}

static void test_color(void **state)
{
	expect((struct output) { .color = true, .format = "used%4" }, "\033[1mUSED\033[0m\n"
								      "   \033[31m7\033[0m\n"
								      "\033[31m1234\033[0m\n"
								      "   \033[31m-\033[0m\n");
}

static void test_if_any(void **state)
{
	const struct output out = { .width = 0 };
	struct table *t = table_make(&out);
	char *text;

	table_add(t, row_make("{\"name\": \"d\033\", \"note\": \"x\"}"), NULL);
	text = printed(t, out);
	assert_non_null(strstr(text, " TWICE NOTE\n"));
	assert_non_null(strstr(text, "d? "));
	free(text);
	table_destroy(t);
}

/* The one that is to stay whole is cut when nothing else is left to cut. */
static void test_whole(void **state)
{
	static const struct column of[] = {
		{ "NAME", "name", "", COLUMN_ELASTIC, 0, NULL, NULL },
		{ "CLASS", "class", "", COLUMN_ELASTIC, 8, NULL, NULL },
		{ "AGE", "age", "", COLUMN_RIGHT, 4, NULL, NULL },
		{ "WHY", "why", "", COLUMN_WHOLE, 0, NULL, NULL },
		{ .name = NULL }
	};
	static const struct {
		int width;
		const char *text;
	} cases[] = {
		{ 66, "a-long-name a-class-with-a-long-name+ 7 quota(gres/gpu@a100-nodes)\n" },
		{ 60, "a-long-name 7 quota(gres/gpu@a100-nodes)\n" },
		{ 38, "a-long-name quota(gres/gpu@a100-nodes)\n" },
		{ 36, "a-long-n+ quota(gres/gpu@a100-nodes)\n" },
		{ 30, "a-long-+ quota(gres/gpu@a100-+\n" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct output out = { .width = cases[i].width, .no_header = true };
		struct table *t = table_create(of, &out, err, sizeof(err));
		char *text;

		table_add(t, row_make("{\"name\": \"a-long-name\", \"class\": "
				      "\"a-class-with-a-long-name-too\", \"age\": 7, \"why\": "
				      "\"quota(gres/gpu@a100-nodes)\"}"), NULL);
		text = printed(t, out);
		assert_string_equal(text, cases[i].text);
		free(text);
		table_destroy(t);
	}
}

static void test_list(void **state)
{
	static const struct {
		const char *list;
		size_t most;
		const char *text;
	} cases[] = {
		{ "[]", 2, "" },
		{ "[{\"name\": \"a\", \"used\": 1}]", 2, "NAME USED TWICE\na       1     2\n" },
		{ "[{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}]", 1,
		  "NAME USED TWICE\na       -     -\nand 2 more (--json has all)\n" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct json_object *list = row_make(cases[i].list);
		struct output out = { .kind = OUTPUT_TEXT };
		char *text = NULL;
		size_t size;

		out.file = open_memstream(&text, &size);
		table_print_list(columns, &out, list, cases[i].most);
		fclose(out.file);
		assert_string_equal(text, cases[i].text);
		free(text);
		json_object_put(list);
	}
}

TESTS(cmocka_unit_test(test_formats_refused), cmocka_unit_test(test_text),
      cmocka_unit_test(test_narrow), cmocka_unit_test(test_chosen), cmocka_unit_test(test_parsable),
      cmocka_unit_test(test_color), cmocka_unit_test(test_if_any), cmocka_unit_test(test_whole),
      cmocka_unit_test(test_list))
