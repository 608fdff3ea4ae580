/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test lines.c - lines of plain and gzip files, whole and broken
 */
#include <zlib.h>

#include "input/lines.h"
#include "test/outside.h"

static void write_file(const void *data, size_t len, const char *mode)
{
	gzFile gz = gzopen(tests_path, mode);

	assert_non_null(gz);
	if (len)
		assert_int_equal(gzwrite(gz, data, len), len);
	assert_int_equal(gzclose(gz), Z_OK);
}

/* Reads all lines as one text, "[line]" each; returns the last result. */
static int read_all(char *out, size_t size, char *err, size_t errsize)
{
	struct lines *l = lines_open(tests_path, err, errsize);
	const char *line;
	size_t len, used = 0, n = 0;
	int more;

	assert_non_null(l);
	out[0] = '\0';
	while ((more = lines_next(l, &line, &len, err, errsize)) > 0) {
		assert_int_equal(lines_number(l), ++n);
		used += snprintf(out + used, size - used, "[%.*s]", (int) len, line);
	}
	lines_close(l);
	return more;
}

static const struct {
	const char *text;
	const char *lines;
} files[] = {
	{ "", "" },
	{ "\n", "[]" },
	{ "a", "[a]" },
	{ "a\n", "[a]" },
	{ "a\nb", "[a][b]" },
	{ "a\n\nb\n", "[a][][b]" },
};

static void test_files(void **state)
{
	static const char *const modes[] = { "wbT", "wb" };
	char out[64], err[128];

	for (size_t i = 0; i < 2 * COUNT(files); i++) {
		write_file(files[i / 2].text, strlen(files[i / 2].text), modes[i % 2]);
		assert_int_equal(read_all(out, sizeof(out), err, sizeof(err)), 0);
		assert_string_equal(out, files[i / 2].lines);
	}
}

static void test_absent(void **state)
{
	char err[128] = "";

	assert_null(lines_open("/nonexistent/file", err, sizeof(err)));
	assert_string_equal(err, "No such file or directory");
	lines_close(NULL);
}

static void test_folder(void **state)
{
	struct lines *l;
	const char *line;
	char err[128] = "";
	size_t len;

	l = lines_open("/", err, sizeof(err));
	assert_non_null(l);
	assert_int_equal(lines_next(l, &line, &len, err, sizeof(err)), -1);
	assert_string_equal(err, "Is a directory");
	lines_close(l);
}

/* Lines before the place where the file is cut are still returned. */
static void test_truncated_gzip(void **state)
{
	static char text[200000], out[8];
	char err[128] = "";
	long size;
	FILE *f;

	srand(1);
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = 'a' + rand() % 26;
	memcpy(text, "x\ny\n", 4);
	write_file(text, sizeof(text), "wb");
	f = fopen(tests_path, "r+");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	assert_int_equal(ftruncate(fileno(f), size / 2), 0);
	fclose(f);
	assert_int_equal(read_all(out, sizeof(out), err, sizeof(err)), -1);
	assert_string_equal(out, "[x][y]");
	assert_string_equal(err, "unexpected end of file");
}

static void test_long_line_and_nul(void **state)
{
	size_t size = 300001, len;
	char *text = malloc(size), err[128];
	const char *line;
	struct lines *l;

	assert_non_null(text);
	memset(text, 'z', size);
	text[1] = '\0';
	text[size - 2] = '\n';
	write_file(text, size, "wb");
	l = lines_open(tests_path, err, sizeof(err));
	assert_non_null(l);
	assert_int_equal(lines_next(l, &line, &len, err, sizeof(err)), 1);
	assert_int_equal(len, size - 2);
	assert_memory_equal(line, text, len);
	assert_int_equal(lines_next(l, &line, &len, err, sizeof(err)), 1);
	assert_int_equal(len, 1);
	assert_int_equal(lines_next(l, &line, &len, err, sizeof(err)), 0);
	lines_close(l);
	free(text);
}

TESTS_WITH(tests_path_make, tests_path_remove, cmocka_unit_test(test_files),
	   cmocka_unit_test(test_absent), cmocka_unit_test(test_folder),
	   cmocka_unit_test(test_truncated_gzip), cmocka_unit_test(test_long_line_and_nul))
