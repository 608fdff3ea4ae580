/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test json_reader.c - errors name the place, and the first one stays
 */
#include <json.h>

#include "test/tests.h"
#include "eval/json_reader.h"

static char err[256];
static struct fault fault;

static const struct word words[] = { { "one", 1 }, { "two", 2 }, { NULL, 0 } };

static struct at root_of(struct json_object *json)
{
	struct at root;

	err[0] = '\0';
	fault = (struct fault) { .buf = err, .size = sizeof(err) };
	at_root(&root, json, &fault);
	return root;
}

/* ---- one reader for each getter, of the member "v" ---- */

static void get_string(const struct at *at) { at_string(at, "v"); }
static void get_name(const struct at *at) { at_name(at, "v"); }
static void get_bool(const struct at *at) { at_bool(at, "v", false); }
static void get_int(const struct at *at) { at_int(at, "v", 7, -3); }
static void get_weight(const struct at *at) { at_weight(at, "v", 1); }
static void get_word(const struct at *at) { at_word(at, "v", words, 9); }
static void get_seconds(const struct at *at) { at_seconds(at, "v", 5); }
static void get_millis(const struct at *at) { at_millis(at, "v", 5); }
static void get_member(const struct at *at) { at_member(at, "v"); }
static void get_list(const struct at *at) { at_list(at, "v"); }

static void get_items(const struct at *at)
{
	struct at list = at_list(at, "v");

	for (size_t i = 0; i < list.n; i++) {
		struct at item = at_item(&list, i);

		at_int(&item, "n", 0, 0);
	}
}

static void get_texts(const struct at *at)
{
	struct at list = at_list(at, "v");

	for (size_t i = 0; i < list.n; i++) {
		struct at item = at_any(&list, i);

		at_text(&item);
	}
}

static const struct {
	const char *json;
	void (*get)(const struct at *at);
	const char *error;		/* "": none */
} reads[] = {
	{ "{'v':3}", get_string, "v: must be a string, not int" },
	{ "{'v':'a\\u0000b'}", get_string, "v: contains a NUL character" },
	{ "{'v':''}", get_name, "v: is empty" },
	{ "{}", get_name, "v: is missing" },
	{ "{'v':null}", get_name, "v: is missing" },
	{ "{'v':1}", get_bool, "v: must be a boolean, not int" },
	{ "{'v':1.5}", get_int, "v: must be an int, not double" },
	{ "{'v':-4}", get_int, "v: -4 is under -3" },
	{ "{'v':-1}", get_weight, "v: -1 is not a weight" },
	{ "{'v':1e999}", get_weight, "v: inf is not a weight" },
	{ "{'v':'1'}", get_weight, "v: must be a number" },
	{ "{'v':'three'}", get_word, "v: \"three\" is not known" },
	{ "{'v':10000000000}", get_seconds, "v: 10000000000 is out of range" },
	{ "{'v':9223372036,'vNs':999999999}", get_seconds,
	  "v: is out of range" },
	{ "{'v':1,'vNs':'x'}", get_seconds, "vNs: must be an int, not string" },
	{ "{'v':-9223372036855}", get_millis,
	  "v: -9223372036855 is out of range" },
	{ "{'v':[]}", get_member, "v: must be an object, not array" },
	{ "{'v':{}}", get_list, "v: must be an array, not object" },
	{ "{'v':[{},7]}", get_items, "v[1]: must be an object" },
	{ "{'v':[{},{'n':-1},{'n':'later'}]}", get_items,
	  "v[1].n: -1 is under 0" },
	{ "{'v':['a',null]}", get_texts, "v[1]: must be a string" },
	{ "{'v':null}", get_int, "" },
	{ "{'v':0.5}", get_weight, "" },
	{ "{'v':9223372036,'vNs':854775807}", get_seconds, "" },
};

static void test_reads(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		struct json_object *json = json_tokener_parse(reads[i].json);
		struct at root = root_of(json);

		assert_non_null(json);
		reads[i].get(&root);
		assert_string_equal(err, reads[i].error);
		assert_int_equal(fault.set, reads[i].error[0] != '\0');
		json_object_put(json);
	}
}

static void test_values(void **state)
{
	struct json_object *json = json_tokener_parse(
		"{'s':'x','n':-3,'t':2,'tNs':5,'ms':3,'w':'two','b':true,"
		"'f':0.25,'big':99999999999999999999}");
	struct at root = root_of(json);

	(void) state;
	assert_string_equal(at_string(&root, "s"), "x");
	assert_int_equal(at_int(&root, "n", 0, -3), -3);
	assert_int_equal(at_int(&root, "absent", 42, 0), 42);
	assert_int_equal(at_int(&root, "big", 0, 0), INT64_MAX);
	assert_true(at_seconds(&root, "t", 0) == 2000000005);
	assert_true(at_seconds(&root, "absent", 17) == 17);
	assert_true(at_millis(&root, "ms", 0) == 3000000);
	assert_int_equal(at_word(&root, "w", words, 9), 2);
	assert_int_equal(at_word(&root, "absent", words, 9), 9);
	assert_true(at_bool(&root, "b", false));
	assert_true(at_weight(&root, "f", 1) == 0.25);
	assert_null(at_string(&root, "absent"));
	assert_false(at_failed(&root));
	json_object_put(json);
}

/* After an error everything reads as absent, and the error stays. */
static void test_first_error_stays(void **state)
{
	struct json_object *json = json_tokener_parse("{'a':[{'b':1}],'n':5}");
	struct at root = root_of(json);
	struct at list = at_list(&root, "a");
	struct at item = at_item(&list, 0);

	(void) state;
	at_fail(&item, "b", "is %s", "odd");
	at_fail(&root, "n", "is worse");
	assert_string_equal(err, "a[0].b: is odd");
	assert_int_equal(at_int(&root, "n", 1, 0), 1);
	assert_int_equal(at_list(&root, "a").n, 0);
	assert_null(at_item(&list, 0).json);
	json_object_put(json);
}

static void test_long_path_is_cut(void **state)
{
	struct json_object *json = json_tokener_parse("{}");
	struct at at[64];

	(void) state;
	at[0] = root_of(json);
	fault.size = 16;
	for (size_t i = 1; i < 64; i++)
		at[i] = (struct at) { .fault = &fault, .up = &at[i - 1], .key = "deep" };
	memset(err, '#', sizeof(err));
	at_fail(&at[63], "end", "is far away");
	assert_string_equal(err, "deep.deep.deep.");
	assert_int_equal(err[16], '#');
	json_object_put(json);
}

static void test_index(void **state)
{
	struct json_object *table = json_object_new_object();
	struct at root = root_of(table);

	(void) state;
	assert_int_equal(at_index(table, "x"), -1);
	at_index_add(table, "x", 3, &root);
	assert_int_equal(at_index(table, "x"), 3);
	assert_false(at_failed(&root));
	at_index_add(table, "x", 4, &root);
	assert_string_equal(err, "name: \"x\" is there twice");
	assert_int_equal(at_index(table, "x"), 3);
	json_object_put(table);
}

TESTS(cmocka_unit_test(test_reads), cmocka_unit_test(test_values),
      cmocka_unit_test(test_first_error_stays), cmocka_unit_test(test_long_path_is_cut),
      cmocka_unit_test(test_index))
