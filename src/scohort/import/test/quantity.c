/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test quantity.c - amounts as Kubernetes writes them
 */
#include "import/import.h"
#include "test/tests.h"

#define MB 1048576

static void wrong(void **state)
{
	static const char *const texts[] = {
		"", "-1", "-", "+", ".", "x", "1x", "1 ", " 1", "1.2.3", "1KiB",
		"1gi", "1K", "e3", "1e", "1e+", "1e99", "1Ei1", "0x10",
		"99999999999999999999", "9007199254740993", "9E", "8Ei",
		"0.0000000000000000001",
	};
	int64_t amount;
	bool exact;

	for (size_t i = 0; i < COUNT(texts); i++)
		if (quantity_parse(texts[i], 1, 1, &amount, &exact) == 0)
			fail_msg("\"%s\" was taken for %lld", texts[i], (long long) amount);
}

static void right(void **state)
{
	static const struct {
		const char *text;
		int64_t unit, amount;
		bool exact;
	} of[] = {
		{ "0", 1, 0, true },
		{ "8", 1, 8, true },
		{ "+8", 1, 8, true },
		{ "008", 1, 8, true },
		{ "500m", 1, 0, false },
		{ "2000m", 1, 2, true },
		{ "1500m", 1, 1, false },
		{ "1.5", 1, 1, false },
		{ "1.5k", 1, 1500, true },
		{ "2e3", 1, 2000, true },
		{ "2E3", 1, 2000, true },
		{ "25e-1", 1, 2, false },
		{ "1u", 1, 0, false },
		{ "5000000000n", 1, 5, true },
		{ "9007199254740992", 1, INT64_C(1) << 53, true },
		{ "0E", 1, 0, true },
		{ "1Ki", 1, 1024, true },
		{ "512Gi", MB, 524288, true },
		{ "1.5Gi", MB, 1536, true },
		{ "1Gi", 1, 1073741824, true },
		{ "1G", MB, 953, false },
		{ "1Mi", MB, 1, true },
		{ "1023Ki", MB, 0, false },
		{ "1Ei", MB, INT64_C(1) << 40, true },
		{ "1E", MB, INT64_C(953674316406), false },
	};
	int64_t amount;
	bool exact;

	for (size_t i = 0; i < COUNT(of); i++) {
		if (quantity_parse(of[i].text, 1, of[i].unit, &amount, &exact) < 0)
			fail_msg("\"%s\" was refused", of[i].text);
		if (amount != of[i].amount || exact != of[i].exact)
			fail_msg("\"%s\": %lld, exact %d", of[i].text, (long long) amount, exact);
	}
}

static void thousandths(void **state)
{
	int64_t amount;
	bool exact;

	assert_int_equal(quantity_parse("1.5", 1000, 1, &amount, &exact), 0);
	assert_int_equal(amount, 1500);
	assert_true(exact);
	assert_int_equal(quantity_parse("250m", 1000, 1, &amount, &exact), 0);
	assert_int_equal(amount, 250);
	assert_int_equal(quantity_parse("500u", 1000, 1, &amount, &exact), 0);
	assert_int_equal(amount, 0);
	assert_false(exact);
	assert_int_equal(quantity_parse("many", 1000, 1, &amount, &exact), -1);
}

TESTS(cmocka_unit_test(wrong), cmocka_unit_test(right), cmocka_unit_test(thousandths))
