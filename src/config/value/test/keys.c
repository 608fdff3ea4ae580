/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test keys.c - maps by tables: unknown keys, keys twice, keys without value
 */
#include "parse.h"
#include "value/keys.h"

struct thing {
	bool flag;
	int64_t number;
	int64_t count;
	int small;
	bool flag_set;
	struct thing *self;
};

#define THING(member) IN(thing, member)

static int count_read(struct value *v)
{
	*(int64_t *) v->dest += 1;
	return 0;
}

static int list_count(struct value *v)
{
	return list_read(v, "a list of things", count_read, v->dest);
}

static const struct key keys[] = {
	{ "flag", value_word, THING(flag), .given = offsetof(struct thing, flag_set) },
	{ "inner", map_read, KEYS(
		{ "number", value_integer, THING(number), .max = 9,
		  .initial = 5, .required = true }) },
	{ "list", list_count, THING(count) },
	{ "pointer", map_read, THING(self), .pointer = true, KEYS(
		{ "small", value_integer, THING(small), .max = 3, .initial = 2 }) },
	NO_KEY
};

static int thing_read(const char *text, struct thing *thing, struct said *said, bool *flag_good)
{
	struct report *report = report_create("cohort.yaml");
	struct document *doc = document_load(text, strlen(text), report);
	struct reader r = { .report = report };
	int rc;

	assert_non_null(doc);
	memset(thing, 0, sizeof(*thing));
	thing->self = thing;
	keys_initial(thing, keys);
	memset(said, 0, sizeof(*said));
	rc = keys_read(&r, document_root(doc), thing, keys);
	*flag_good = node_is_good(node_find(document_root(doc), "flag"));
	report_emit(report, said_add, said);
	assert_int_equal(rc, report_errors(report) ? -1 : 0);
	report_destroy(report);
	document_destroy(doc);
	return rc;
}

static const struct parse_case wrong[] = {
	{ "[1]", "1: a list is not a map (its keys would be flag, inner, list, pointer)" },
	{ "3", "1: \"3\" is not a map (its keys would be flag, inner, list, pointer)" },
	{ "flug: true", "1: flug: unknown key (did you mean flag?)" },
	{ "Flag: true", "1: Flag: unknown key (did you mean flag?)" },
	{ "other: 1", "1: other: unknown key (known here: flag, inner, list, pointer)" },
	{ "flag: true\nflag: false", "2: flag: is there twice (first on line 1)" },
	{ "a: 1\na: 1", "1: a: unknown key (known here: flag, inner, list, pointer)\n2: a: is "
	  "there twice (first on line 1)\n2: a: unknown key (known here: flag, inner, list, "
	  "pointer)" },
	{ "flag:", "1: flag:" NO_VALUE },
	{ "flag: Null", "1: flag:" NO_VALUE },
	{ "flag: yes\ninner: {number: x}", "1: flag: \"yes\" is not true or false\n2: "
	  "inner.number: \"x\" is not a whole number" },
	{ "inner: {}", "1: inner: number is missing" },
	{ "inner: 3", "1: inner: \"3\" is not a map (its keys would be number)" },
	{ "list: 3", "1: list: \"3\" is not a list of things" },
	{ "list: [1, ~, 2]", "1: list[1]: has no value" },
	{ "\"fl\\nag\": 1", "1: fl\\x0aag: unknown key (did you mean flag?)" },
};

static void test_wrong(void **state)
{
	struct thing thing;
	struct said said;
	bool good;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		thing_read(wrong[i].text, &thing, &said, &good);
		assert_string_equal(said.text, wrong[i].says);
	}
}

static void test_many_keys(void **state)
{
	struct thing thing;
	struct said said;
	char text[2048];
	size_t used = 0;
	bool good;

	for (int i = 0; i < 129; i++)
		used += snprintf(text + used, sizeof(text) - used, "k%d: 1\n", i);
	thing_read(text, &thing, &said, &good);
	assert_string_equal(said.text, "1: has more than 128 keys");
}

static void test_right(void **state)
{
	struct thing thing;
	struct said said;
	bool good;

	assert_int_equal(thing_read("{list: [a, {}, []], inner: {number: 7}, flag: "
				    "true}", &thing, &said, &good), 0);
	assert_string_equal(said.text, "");
	assert_true(thing.flag);
	assert_true(good);
	assert_true(thing.flag_set);
	assert_int_equal(thing.number, 7);
	assert_int_equal(thing.small, 2);
	assert_int_equal(thing.count, 3);
	/* errors leave the default, and a mark */
	thing_read("{flag: maybe, inner: {number: 12}}", &thing, &said, &good);
	assert_false(thing.flag);
	assert_false(good);
	assert_int_equal(thing.number, 5);
	thing_read("{list: [], pointer: {small: 3}}", &thing, &said, &good);
	assert_true(good);
	assert_false(thing.flag_set);
	assert_int_equal(thing.small, 3);
}

TESTS(cmocka_unit_test(test_wrong), cmocka_unit_test(test_many_keys), cmocka_unit_test(test_right))
