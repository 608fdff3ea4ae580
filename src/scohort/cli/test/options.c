/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test options.c - options by tables: what is refused, what is read
 */
#include <getopt.h>
#include <unistd.h>

#include "cli/options.h"
#include "output/exit_status.h"
#include "test/tests.h"

struct values {
	bool local, watch;
	int64_t seconds;
	const char *at;
};

static const struct cli_option options[] = {
	{ "local", 'l', NULL, "by local queue", CLI_FLAG, offsetof(struct values, local), 0 },
	{ "watch", 'w', "[SECONDS]", "again and again", CLI_NUMBER,
	  offsetof(struct values, seconds),
	  offsetof(struct values, watch) + 1 },
	{ "at", 0, "TIME", "then", CLI_TEXT, offsetof(struct values, at), 0 },
	{ .name = NULL }
};

static const struct column columns[] = {
	{ .name = "NAME", .key = "name", .help = "the name" },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "QUEUE", .min = 0, .max = 2, .about = "About it.\n",
	.options = options, .output = CLI_TABLE, .columns = columns,
};
static const struct cli plain = {
	.operands = "JOBID", .min = 1, .max = 1, .about = "About it.\n",
};

#define ARGS_MAX 8

static char words[ARGS_MAX][64];
static char *args[ARGS_MAX + 1];
static struct values values;
static struct call call;

/* "a b c" as argv, after the name of the command */
static bool parse(const struct cli *c, const char *line)
{
	int n = 1;

	strcpy(words[0], "scohort status");
	while (*line && n < ARGS_MAX) {
		size_t len = strcspn(line, " ");

		snprintf(words[n++], sizeof(words[0]), "%.*s", (int) len, line);
		line += len + (line[len] == ' ');
	}
	for (int i = 0; i <= ARGS_MAX; i++)
		args[i] = i < n ? words[i] : NULL;
	optind = 0;
	memset(&values, 0, sizeof(values));
	return cli_parse(c, n, args, &values, &call);
}

/* What cli_parse() writes to file descriptor `fd` */
static const char *said(const struct cli *c, const char *line, int fd)
{
	static char text[4096];
	char path[] = "/tmp/test_cli.XXXXXX";
	int file = mkstemp(path), saved = dup(fd);
	ssize_t n;

	assert_true(file >= 0 && saved >= 0);
	unlink(path);
	fflush(NULL);
	dup2(file, fd);
	assert_false(parse(c, line));
	fflush(NULL);
	dup2(saved, fd);
	n = pread(file, text, sizeof(text) - 1, 0);
	text[n < 0 ? 0 : n] = '\0';
	close(file);
	close(saved);
	return text;
}

static void test_refused(void **state)
{
	static const struct {
		const struct cli *cli;
		const char *line, *message;
	} cases[] = {
		{ &cli, "--nope", "unrecognized option '--nope'" },
		{ &cli, "-x", "invalid option -- 'x'" },
		{ &cli, "--at", "option '--at' requires an argument" },
		{ &cli, "--watch=soon", "--watch: \"soon\" is not a number" },
		{ &cli, "a b c", "unexpected argument \"c\"" },
		{ &cli, "-o nix", "--format: \"nix\" is not a field" },
		{ &plain, "", "JOBID is missing" },
		{ &plain, "--json 1", "unrecognized option '--json'" },
		{ &plain, "-n 1", "invalid option -- 'n'" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *text = said(cases[i].cli, cases[i].line, 2);

		assert_non_null(strstr(text, "scohort status: "));
		assert_non_null(strstr(text, cases[i].message));
		assert_int_equal(call.status, STATUS_USAGE);
	}
}

static void test_help(void **state)
{
	const char *text = said(&cli, "-h", 1);

	assert_int_equal(call.status, STATUS_OK);
	assert_non_null(strstr(text, "Usage: scohort status [OPTION...] QUEUE\n"));
	assert_non_null(strstr(text, "  -l, --local               by local queue\n"));
	assert_non_null(strstr(text, "  -w, --watch[=SECONDS]     again and again\n"));
	assert_non_null(strstr(text, "      --at=TIME             then\n"));
	assert_non_null(strstr(text, "  -o, --format=FORMAT "));
	assert_string_equal(said(&cli, "-e", 1), "NAME  the name\n");
	assert_non_null(strstr(said(&cli, "-V", 1), "scohort "));
	assert_null(strstr(said(&plain, "-h", 1), "--json"));
}

static void test_read(void **state)
{
	assert_true(parse(&cli, "-l a --at=noon -w b"));
	assert_true(values.local && values.watch && !values.seconds);
	assert_string_equal(values.at, "noon");
	assert_int_equal(call.nargs, 2);
	assert_string_equal(call.args[1], "b");
	assert_int_equal(call.out.kind, OUTPUT_TEXT);
	assert_true(parse(&cli, "-w7 --yaml -n"));
	assert_int_equal(values.seconds, 7);
	assert_int_equal(call.out.kind, OUTPUT_YAML);
	assert_true(call.out.no_header);
	assert_true(parse(&cli, "-P -oNAME%3"));
	assert_string_equal(call.out.format, "NAME%3");
	assert_int_equal(call.out.kind, OUTPUT_PARSABLE);
}

static void test_environment(void **state)
{
	setenv("SCOHORT_FORMAT", "name%4", 1);
	assert_true(parse(&cli, ""));
	assert_string_equal(call.out.format, "name%4");
	setenv("SCOHORT_FORMAT", "queue=jobid;status=name%5", 1);
	assert_true(parse(&cli, ""));
	assert_string_equal(call.out.format, "name%5");
	assert_true(parse(&cli, "-o name"));
	assert_string_equal(call.out.format, "name");
	setenv("SCOHORT_FORMAT", "queue=jobid", 1);
	assert_true(parse(&cli, ""));
	assert_null(call.out.format);
	setenv("SCOHORT_FORMAT", "nix", 1);
	assert_non_null(strstr(said(&cli, "", 2), "SCOHORT_FORMAT: \"nix\""));
	unsetenv("SCOHORT_FORMAT");
}

TESTS(cmocka_unit_test(test_refused), cmocka_unit_test(test_help), cmocka_unit_test(test_read),
      cmocka_unit_test(test_environment))
