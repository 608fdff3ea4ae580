/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test tres.c - resources, amounts and TRES strings
 */
#include "parse.h"
#include "value/tres.h"

#define UNKNOWN "is not a resource (one of Slurm's TRES, like cpu, mem, " \
	"node, gres/gpu, license/matlab)"
#define FORM "is not a well-formed resource (gres/NAME, gres/NAME:TYPE or " \
	"license/NAME would be right)"
#define AMOUNT "is not an amount (a whole number, with a suffix K, M, G, T " \
	"or P if wanted)"

static const struct {
	const char *name;
	const char *err;
} bad_names[] = {
	{ "", UNKNOWN },
	{ "flux", UNKNOWN },
	{ "gpu", "is not a resource (gres/gpu would be right)" },
	{ "gpus", "is not a resource (gres/gpu would be right)" },
	{ "gpu:a100", "is not a resource (gres/gpu:a100 would be right)" },
	{ "gres:gpu", "is not a resource (gres/gpu would be right)" },
	{ "nvidia.com/gpu", "is not a resource (gres/gpu would be right)" },
	{ "licenses/matlab", "is not a resource (license/matlab would be right)" },
	{ "license:matlab", "is not a resource (license/matlab would be right)" },
	{ "memory", "is not a resource (mem would be right)" },
	{ "nodes", "is not a resource (node would be right)" },
	{ "cpus", "is not a resource (did you mean cpu?)" },
	{ "CPU", "is not a resource (did you mean cpu?)" },
	{ "gpuless", UNKNOWN },
	{ "gres", "needs a name (gres/NAME would be right)" },
	{ "license", "needs a name (license/NAME would be right)" },
	{ "gres/", FORM },
	{ "gres/gpu:", FORM },
	{ "gres/:a100", FORM },
	{ "gres/gpu:a:b", FORM },
	{ "gres/gpu a", FORM },
	{ "gres/gpu/a", FORM },
	{ "license/a:b", FORM },
	{ "bb/x@y", FORM },
	{ "cpu/x", "is not a resource (did you mean cpu?)" },
	{ "gres/a123456789012345678901234567890123456789012345678901234567890",
	  "is too long for a resource (at most 63 characters)" },
};

static const char *const good_names[] = {
	"cpu", "mem", "node", "billing", "energy", "pages", "vmem",
	"gres/gpu", "gres/gpu:a100", "gres/craynetwork", "gres/gpu:tesla_v100",
	"license/matlab", "license/matlab@server", "bb/datawarp", "fs/disk",
	"ic/ofed",
};

static const struct {
	const char *resource;
	const char *text;
	const char *err;
} bad_amounts[] = {
	{ "cpu", "", "is empty, not an amount" },
	{ "cpu", "-1", "is negative" },
	{ "cpu", "1.5", "is not a whole number" },
	{ "cpu", "many", AMOUNT },
	{ "cpu", "500m5", AMOUNT },
	{ "cpu", "1 ", AMOUNT },
	{ "cpu", "+1", AMOUNT },
	{ "cpu", "0x10", AMOUNT },
	{ "cpu", "K", AMOUNT },
	{ "mem", "512Gi", "is not an amount (512G would be right)" },
	{ "mem", "512GB", "is not an amount (512G would be right)" },
	{ "mem", "2TiB", "is not an amount (2T would be right)" },
	{ "mem", "512K", "is not a whole number of MB" },
	{ "mem", "1025K", "is not a whole number of MB" },
	{ "cpu", "9007199254740992", "is over the maximum of 9007199254740991" },
	{ "cpu", "8P", "is over the maximum of 9007199254740991" },
	{ "cpu", "18446744073709551616", "is over the maximum of 9007199254740991" },
	{ "cpu", "99999999999999999999999P", "is over the maximum of 9007199254740991" },
	{ "mem", "9007199254740991P", "is over the maximum of 9007199254740991" },
};

static const struct {
	const char *resource;
	const char *text;
	int64_t amount;
	const char *back;	/* as formatted */
} good_amounts[] = {
	{ "cpu", "0", 0, "0" },
	{ "cpu", "64", 64, "64" },
	{ "cpu", "007", 7, "7" },
	{ "cpu", "2K", 2048, "2048" },
	{ "gres/gpu", "1M", 1048576, "1048576" },
	{ "cpu", "7P", INT64_C(7881299347898368), "7881299347898368" },
	{ "cpu", "9007199254740991", AMOUNT_MAX, "9007199254740991" },
	{ "mem", "0", 0, "0" },
	{ "mem", "4000", 4000, "4000M" },
	{ "mem", "4000M", 4000, "4000M" },
	{ "mem", "2048K", 2, "2M" },
	{ "mem", "512G", 524288, "512G" },
	{ "mem", "512g", 524288, "512G" },
	{ "mem", "2T", 2097152, "2T" },
	{ "mem", "3P", INT64_C(3221225472), "3P" },
	{ "mem", "1025G", 1049600, "1025G" },
};

static const struct {
	const char *text;
	const char *elements;	/* "[name=value]", "!" for an error */
} strings[] = {
	{ "", "" },
	{ "cpu", "!" },
	{ ",", "!" },
	{ "cpu=4,", "!" },
	{ ",cpu=4", "![cpu=4]" },
	{ "cpu=4,,mem=1", "[cpu=4]![mem=1]" },
	{ "a,b,cpu=4", "!![cpu=4]" },
	{ "cpu=123456789012345678901234567890123", "!" },
	{ "cpu=4", "[cpu=4]" },
	{ "cpu=", "[cpu=]" },
	{ "=4", "[=4]" },
	{ "cpu=4,mem=2T,gres/gpu:a100=3", "[cpu=4][mem=2T][gres/gpu:a100=3]" },
	{ " cpu = 4 , mem = 2T ", "[cpu=4][mem=2T]" },
	{ "a=b=c", "[a=b=c]" },
};

static void test_bad_names(void **state)
{
	char err[160];

	for (size_t i = 0; i < COUNT(bad_names); i++) {
		assert_int_equal(resource_check(bad_names[i].name, err, sizeof(err)), -1);
		assert_string_equal(err, bad_names[i].err);
	}
}

static void test_good_names(void **state)
{
	char err[160];

	for (size_t i = 0; i < COUNT(good_names); i++)
		assert_int_equal(resource_check(good_names[i], err, sizeof(err)), 0);
}

static void test_bad_amounts(void **state)
{
	int64_t amount = 42;
	char err[160];

	for (size_t i = 0; i < COUNT(bad_amounts); i++) {
		assert_int_equal(amount_parse(bad_amounts[i].resource, bad_amounts[i].text, &amount,
					      err, sizeof(err)), -1);
		assert_string_equal(err, bad_amounts[i].err);
		assert_int_equal(amount, 42);
	}
}

static void test_good_amounts(void **state)
{
	char err[160], back[32];
	int64_t amount;

	for (size_t i = 0; i < COUNT(good_amounts); i++) {
		const char *resource = good_amounts[i].resource;

		assert_int_equal(amount_parse(resource, good_amounts[i].text,
					      &amount, err, sizeof(err)), 0);
		assert_int_equal(amount, good_amounts[i].amount);
		amount_format(resource, amount, back, sizeof(back));
		assert_string_equal(back, good_amounts[i].back);
	}
}

static void test_strings(void **state)
{
	char all[256], err[256];
	struct tres tres;
	int got;

	for (size_t i = 0; i < COUNT(strings); i++) {
		const char *cursor = strings[i].text;
		size_t used = 0;

		all[0] = '\0';
		while ((got = tres_next(&cursor, &tres, err, sizeof(err)))) {
			assert_true(used < sizeof(all));
			used += got < 0 ? snprintf(all + used, sizeof(all) - used, "!") :
				snprintf(all + used, sizeof(all) - used,
					 "[%s=%s]", tres.name, tres.value);
		}
		assert_string_equal(all, strings[i].elements);
	}
}

TESTS(cmocka_unit_test(test_bad_names), cmocka_unit_test(test_good_names),
      cmocka_unit_test(test_bad_amounts), cmocka_unit_test(test_good_amounts),
      cmocka_unit_test(test_strings))
