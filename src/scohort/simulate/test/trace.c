/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test trace.c - traces with bytes that are no text
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "simulate/trace.h"

static char path[64];

static int path_make(void **state)
{
	int fd;

	(void) state;
	strcpy(path, "/tmp/test_trace.XXXXXX");
	fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int path_remove(void **state)
{
	(void) state;
	return unlink(path);
}

static void first_keep(void *arg, bool warning, const char *message)
{
	char *said = arg;

	(void) warning;
	if (!*said)
		snprintf(said, 256, "%s", message + strlen(path));
}

#define HEAD "submit,duration,request\n"
#define NUL_LINE "contains a NUL byte"

/* A line that begins with NUL is no empty line, and one with NUL in it does
 * not end there. */
static const struct {
	const char *text;
	size_t len;
	const char *said;
} files[] = {
	{ "\0\n", 2, ":1: " NUL_LINE },
	{ "\0", 1, ":1: " NUL_LINE },
	{ HEAD "\0\n", sizeof(HEAD) + 1, ":2: " NUL_LINE },
	{ HEAD "0,1,cpu=1\0,2\n", sizeof(HEAD) + 12, ":2: " NUL_LINE },
	{ HEAD "0,1,cpu=1\r\n \r\n\r\n", sizeof(HEAD) + 15, "" },
};

static void test_nul(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		FILE *f = fopen(path, "w");
		char said[256] = "";

		assert_non_null(f);
		assert_int_equal(fwrite(files[i].text, 1, files[i].len, f),
				 files[i].len);
		fclose(f);
		trace_free(trace_load(path, false, first_keep, said));
		assert_string_equal(said, files[i].said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nul),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, path_make, path_remove);
}
