/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test conf_path.c - lines and pairs, as Slurm's parse_config.c reads them
 */
#include "slurm/conf_path.h"
#include "test/tests.h"

/* All pairs of a file as "key=value;", a line for each line */
static void pairs_are(const char *text, const char *expected)
{
	FILE *file = fmemopen((void *) text, strlen(text), "r");
	struct conf_line line = { .text = NULL };
	char got[512] = "", *rest, *key, *value;

	assert_non_null(file);
	while (conf_line_read(&line, file)) {
		for (rest = line.text; conf_line_pair(&rest, &key, &value);) {
			size_t n = strlen(got);

			snprintf(got + n, sizeof(got) - n, "%s=%s;", key, value);
		}
		strncat(got, "\n", sizeof(got) - strlen(got) - 1);
	}
	free(line.text);
	fclose(file);
	assert_string_equal(got, expected);
}

static void test_no_pair(void **state)
{
	pairs_are("\n", "\n");
	pairs_are("  # a=b\n", "\n");
	pairs_are("Include file\n", "\n");
	pairs_are("=b\n", "\n");
	pairs_are("a=\n", "\n");
	pairs_are("a\n", "\n");
	pairs_are("a b=c\n", "\n");
	pairs_are("\\", "\n");
}

static void test_pairs(void **state)
{
	pairs_are("a=b", "a=b;\n");
	pairs_are("\ta = b # c=d\r\n", "a=b;\n");
	pairs_are("a=b c=d\te.f_1 =g\n", "a=b;c=d;e.f_1=g;\n");
	pairs_are("a=b=c d=e\n", "a=b=c;d=e;\n");
	pairs_are("a=\"b c=d\" e=\"\"  f=g\n", "a=b c=d;e=;f=g;\n");
	pairs_are("a=\"b c=d\n", "a=\"b;c=d;\n");
	pairs_are("a+=b c-=d\n", "a=b;c=d;\n");
	pairs_are("a=b stray c=d\n", "a=b;\n");
}

static void test_lines(void **state)
{
	pairs_are("a=b\nc=d\n", "a=b;\nc=d;\n");
	pairs_are("a=b\\\nc d=e\n", "a=bc;d=e;\n");
	pairs_are("a=b \\ \n\\\nc=d\n", "a=b;c=d;\n");
	pairs_are("# \\\na=b\n", "\na=b;\n");
	pairs_are("a=b\\\\\nc=d\n", "a=b\\;\nc=d;\n");
	pairs_are("a=b\\#c \\\\# d=e\n", "a=b#c;\n");
	pairs_are("a=b\\", "a=b;\n");
}

TESTS(cmocka_unit_test(test_no_pair), cmocka_unit_test(test_pairs), cmocka_unit_test(test_lines))
