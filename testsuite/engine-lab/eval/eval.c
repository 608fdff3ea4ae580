/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eval.c - engine-lab eval: what does the engine answer to these scenarios?
 *
 * Input is one JSON object a line, and so is output; or, with --check, each
 * answer is compared with the one that the scenario expects. A line that cannot
 * be answered is reported with its file and number, and the rest goes on.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "commands.h"
#include "eval/answer.h"
#include "eval/compare.h"
#include "input/lines.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "text/printable.h"

#define JSON_FLAGS (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

/* How to answer the rows of one kind; neither: a kind the engine does not
 * know */
struct kind {
	const char *name;
	answer_f answer;
	bool kai;
};

static const struct kind kinds[] = {
	{ "preempt", answer_preempt, false },
	{ "assign", answer_assign, false },
	{ "cycle", answer_cycle, false },
	{ "min-runtime", NULL, true },
	{ "resolve", NULL, true },
	{ "path", NULL, true },
	{ "filter", NULL, true },
	{ "filter_raw", NULL, true },
	{ "scenario", NULL, true },
	{ "scenario_raw", NULL, true },
	/* about KAI's operator, its command line and running pods */
	{ "config", NULL, false },
	{ "parse_default", NULL, false },
	{ "start_stamp", NULL, false },
	{ "e2e_timeline", NULL, false },
};

struct tally {
	size_t scenarios;
	size_t agree;
	size_t differ;
	size_t excused;
	size_t skipped;
	size_t errors;
};

/* A file that is being read */
struct source {
	const char *name;
	size_t line;
	bool check;
	struct tally tally;
};

static const struct kind *kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

static void complain(struct source *src, const char *message)
{
	src->tally.errors++;
	stderr_line("%s:%zu: %s", src->name, src->line, message);
}

static void difference_print(void *arg, const char *path, const char *expected,
			     const char *got)
{
	(void) arg;
	printf("    %s: expected %s, got %s\n", path, expected, got);
}

static void place_print(const struct source *src, const char *id)
{
	printable_put(src->name, stdout);
	printf(":%zu: ", src->line);
	printable_put(id, stdout);
}

static void check(struct source *src, const char *id, const struct kind *kind,
		  struct json_object *line, struct json_object *got)
{
	struct json_object *expected = compare_view(kind->name, line);
	const char *excuse = compare_excuse(line);

	if (!compare_json(expected, got, NULL, NULL)) {
		src->tally.agree++;
	} else if (excuse) {
		src->tally.excused++;
		place_print(src, id);
		fputs(": excused: ", stdout);
		printable_put(excuse, stdout);
		putchar('\n');
	} else {
		src->tally.differ++;
		place_print(src, id);
		putchar('\n');
		compare_json(expected, got, difference_print, NULL);
	}
	json_object_put(expected);
}

/* The answer with the id in front */
static void print(const char *id, struct json_object *got)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "id", json_object_new_string(id));
	json_object_object_foreach(got, key, value)
		json_object_object_add(o, key, json_object_get(value));
	puts(json_object_to_json_string_ext(o, JSON_FLAGS));
	json_object_put(o);
}

/* NULL if the fault is set, or if there is no answer to this kind. */
static struct json_object *answer(const struct kind *kind,
				  const struct at *root, bool detail)
{
	struct json_object *got = NULL;
	struct scenario *s;

	if (kind->answer) {
		s = scenario_create(root);
		if (s)
			got = kind->answer(s, root, detail);
		scenario_destroy(s);
	} else if (kind->kai) {
		got = json_object_new_object();
		json_object_object_add(got, "expect", answer_kai(kind->name, root));
	}
	if (!at_failed(root))
		return got;
	json_object_put(got);
	return NULL;
}

static void skip(struct source *src, const char *id, const char *kind)
{
	struct json_object *o;

	src->tally.skipped++;
	if (src->check)
		return;
	o = json_object_new_object();
	json_object_object_add(o, "skipped", json_object_new_string(kind));
	print(id, o);
	json_object_put(o);
}

static bool has_expectation(const struct at *root, const struct kind *kind)
{
	const char *key = kind->answer ? "expected" : "expect";
	struct at expected = at_member(root, key);

	if (!at_failed(root) && !expected.json)
		at_fail(root, key, "is missing: there is nothing to compare "
			"with");
	return !at_failed(root);
}

static void line_eval(struct source *src, struct json_object *line)
{
	char err[512] = "";
	struct fault fault = { .buf = err, .size = sizeof(err) };
	struct json_object *got = NULL;
	const struct kind *kind;
	const char *id, *name;
	struct at root;

	at_root(&root, line, &fault);
	id = at_name(&root, "id");
	name = at_name(&root, "kind");
	kind = kind_find(name);
	if (!kind)
		at_fail(&root, "kind", "\"%s\" is not known", name);
	else if (!kind->answer && !kind->kai)
		skip(src, id, name);
	else if (!src->check || has_expectation(&root, kind))
		got = answer(kind, &root, src->check);
	if (fault.set)
		complain(src, err);
	else if (got && src->check)
		check(src, id, kind, line, got);
	else if (got)
		print(id, got);
	json_object_put(got);
}

static bool is_blank(const char *line, size_t len)
{
	while (len && strchr(" \t\r", line[len - 1]) && line[len - 1])
		len--;
	return !len;
}

static void source_line(struct source *src, const char *line, size_t len)
{
	struct json_object *json;
	char err[256];

	if (is_blank(line, len))
		return;
	src->tally.scenarios++;
	json = scenario_parse(line, len, err, sizeof(err));
	if (json)
		line_eval(src, json);
	else
		complain(src, err);
	json_object_put(json);
}

static void source_read(struct source *src, const char *path)
{
	const char *line;
	char err[256];
	struct lines *lines = lines_open(path, err, sizeof(err));
	size_t len;
	int more;

	if (!lines) {
		src->tally.errors++;
		stderr_line("engine-lab: %s: %s", src->name, err);
		return;
	}
	while ((more = lines_next(lines, &line, &len, err, sizeof(err))) > 0) {
		src->line = lines_number(lines);
		source_line(src, line, len);
	}
	if (more < 0) {
		src->line = lines_number(lines);
		complain(src, err);
	}
	lines_close(lines);
}

static void tally_part(size_t n, const char *what)
{
	if (n)
		printf(", %zu %s", n, what);
}

static void tally_print(const struct tally *t, const char *name)
{
	printable_put(name, stdout);
	printf(": %zu scenario%s: %zu agree", t->scenarios,
	       t->scenarios == 1 ? "" : "s", t->agree);
	tally_part(t->differ, t->differ == 1 ? "differs" : "differ");
	tally_part(t->excused, "excused");
	tally_part(t->skipped, "skipped");
	tally_part(t->errors, t->errors == 1 ? "error" : "errors");
	putchar('\n');
}

static void tally_add(struct tally *sum, const struct tally *t)
{
	sum->scenarios += t->scenarios;
	sum->agree += t->agree;
	sum->differ += t->differ;
	sum->excused += t->excused;
	sum->skipped += t->skipped;
	sum->errors += t->errors;
}

static int eval_files(char **files, int n, bool check)
{
	char *standard_input[] = { "-" };
	struct tally sum = { 0 };

	if (!n)
		files = standard_input;
	for (int i = 0; i < (n ? n : 1); i++) {
		bool stdin_too = !strcmp(files[i], "-");
		struct source src = {
			.name = stdin_too ? "standard input" : files[i],
			.check = check,
		};

		source_read(&src, stdin_too ? NULL : files[i]);
		if (check)
			tally_print(&src.tally, src.name);
		tally_add(&sum, &src.tally);
	}
	if (check && n > 1)
		tally_print(&sum, "total");
	return sum.differ || sum.errors ? STATUS_FAILED : STATUS_OK;
}

static void usage_print(FILE *out)
{
	fputs("Usage: engine-lab eval [--check] [FILE...]\n"
	      "\n"
	      "Reads scenarios, one JSON object a line, from each FILE or from\n"
	      "standard input (gzip or plain), asks the engine, and prints one\n"
	      "JSON object a line. A line that is no scenario is reported and\n"
	      "the others are answered all the same.\n"
	      "Exit status 0: all answered; 1: not all, or not as expected.\n"
	      "\n"
	      "  --check        compare with what the scenarios expect, print\n"
	      "                 the differences and totals instead\n"
	      "  -h, --help     this text\n", out);
}

int cmd_eval(int argc, char **argv)
{
	static const struct option options[] = {
		{ "check", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	bool check = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (opt) {
		case 'c':
			check = true;
			break;
		case 'h':
			usage_print(stdout);
			return STATUS_OK;
		default:
			usage_print(stderr);
			return STATUS_USAGE;
		}
	}
	return eval_files(argv + optind, argc - optind, check);
}
