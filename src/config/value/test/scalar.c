/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test scalar.c - single values
 */
#include "parse.h"
#include "value/keys.h"

/* Reads the text "v: ..." as the key says; returns what it did. */
static int value_read(const struct key *key, const char *text, void *dest, struct said *said)
{
	static const struct name names[] = { { "a100", 3 }, { "v100", 4 } };
	struct report *report = report_create("cohort.yaml");
	struct document *doc = document_load(text, strlen(text), report);
	struct reader r = { .report = report, .flavors = {
		(struct name *) names, COUNT(names) } };
	struct node *n;
	int rc;

	assert_non_null(doc);
	n = node_find(document_root(doc), "v");
	memset(said, 0, sizeof(*said));
	rc = key->read(&(struct value) { &r, n, dest, key });
	assert_int_equal(n->bad, rc < 0);
	report_emit(report, said_add, said);
	report_destroy(report);
	document_destroy(doc);
	return rc;
}

static const struct parse_case bad_weights[] = {
	{ "v: -1", "1: v: \"-1\"" NO_WEIGHT },
	{ "v: two", "1: v: \"two\"" NO_WEIGHT },
	{ "v: 1.", "1: v: \"1.\"" NO_WEIGHT },
	{ "v: .5", "1: v: \".5\"" NO_WEIGHT },
	{ "v: 1e3", "1: v: \"1e3\"" NO_WEIGHT },
	{ "v: \"1,5\"", "1: v: \"1,5\"" NO_WEIGHT },
	{ "v: 0.0001", "1: v: \"0.0001\"" NO_WEIGHT },
	{ "v: 1000000.001", "1: v: \"1000000.001\"" NO_WEIGHT },
	{ "v: 99999999999999999999", "1: v: \"99999999999999999999\"" NO_WEIGHT },
	{ "v: []", "1: v: a list is not a number" },
};

static const struct {
	const char *text;
	double weight;
} weights[] = {
	{ "v: 0", 0 }, { "v: 1", 1 }, { "v: 2.5", 2.5 }, { "v: 0.125", 0.125 },
	{ "v: 0.001", 0.001 }, { "v: 3.000000", 3 }, { "v: 1000000", 1000000 },
};

static void test_weight(void **state)
{
	static const struct key key = { .read = value_weight };
	double weight = -1;
	struct said said;

	for (size_t i = 0; i < COUNT(bad_weights); i++) {
		assert_int_equal(value_read(&key, bad_weights[i].text, &weight, &said), -1);
		assert_string_equal(said.text, bad_weights[i].says);
		assert_true(weight == -1);
	}
	for (size_t i = 0; i < COUNT(weights); i++) {
		assert_int_equal(value_read(&key, weights[i].text, &weight, &said), 0);
		assert_true(weight == weights[i].weight);
	}
}

static const struct parse_case bad_references[] = {
	{ "v: a10", "1: v: \"a10\" is not in flavors (did you mean a100?)" },
	{ "v: h100x", "1: v: \"h100x\" is not in flavors (did you mean a100?)" },
	{ "v: other", "1: v: \"other\" is not in flavors" },
	{ "v: \"\"", "1: v: \"\" is not in flavors" },
	{ "v: {a: b}", "1: v: a map is not a name" },
};

static void test_reference(void **state)
{
	static const struct key key = { .read = value_flavor };
	struct said said;
	int index = -7;

	for (size_t i = 0; i < COUNT(bad_references); i++) {
		assert_int_equal(value_read(&key, bad_references[i].text, &index, &said), -1);
		assert_string_equal(said.text, bad_references[i].says);
		assert_int_equal(index, -7);
	}
	assert_int_equal(value_read(&key, "v: v100", &index, &said), 0);
	assert_int_equal(index, 4);
}

static const struct key color = {
	"v", value_word, .size = sizeof(int),
	WORDS({ "red", 1 }, { "green", 2 }, { "blue", 5 })
};

static void test_words(void **state)
{
	static const struct key flag = {
		.read = value_word, .size = sizeof(bool)
	};
	struct said said;
	bool truth = true;
	int value = 0;

	assert_int_equal(value_read(&color, "v: geen", &value, &said), -1);
	assert_string_equal(said.text, "1: v: \"geen\" is not red, green or blue (did you mean "
			    "green?)");
	assert_int_equal(value_read(&color, "v: [red]", &value, &said), -1);
	assert_string_equal(said.text, "1: v: a list is not red, green or blue");
	assert_int_equal(value_read(&color, "v: 'blue'", &value, &said), 0);
	assert_int_equal(value, 5);
	assert_int_equal(value_read(&flag, "v: False", &truth, &said), -1);
	assert_string_equal(said.text, "1: v: \"False\" is not true or false (did you mean "
			    "false?)");
	assert_true(truth);
	assert_int_equal(value_read(&flag, "v: false", &truth, &said), 0);
	assert_false(truth);
}

static void test_range(void **state)
{
	static const struct key number = {
		.read = value_integer, .size = sizeof(int64_t),
		.min = INT32_MIN, .max = UINT32_MAX
	};
	static const struct key any_time = { .read = value_time };
	static const struct key half_life = {
		.read = value_time, .min = 60 * SPEC_SEC,
		.max = 120 * SPEC_SEC, .or_zero = true
	};
	int64_t value = 1;
	struct said said;

	assert_int_equal(value_read(&number, "v: -2147483649", &value, &said), -1);
	assert_string_equal(said.text, "1: v: -2147483649 is under the minimum of -2147483648");
	assert_int_equal(value, 1);
	assert_int_equal(value_read(&number, "v: -2147483648", &value, &said), 0);
	assert_int_equal(value, INT32_MIN);
	assert_int_equal(value_read(&any_time, "v: 3650d", &value, &said), 0);
	assert_int_equal(value, INT64_C(315360000) * SPEC_SEC);
	assert_int_equal(value_read(&half_life, "v: 0", &value, &said), 0);
	assert_int_equal(value, 0);
	assert_int_equal(value_read(&half_life, "v: 59s", &value, &said), -1);
	assert_string_equal(said.text, "1: v: 59s is under the minimum of 60s");
}

TESTS(cmocka_unit_test(test_weight), cmocka_unit_test(test_reference), cmocka_unit_test(test_words),
      cmocka_unit_test(test_range))
