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
#include <string.h>

#include <json.h>

#include "commands.h"
#include "eval/answer.h"
#include "eval/compare.h"
#include "eval/source.h"
#include "output/exit_status.h"
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

enum { AGREE, DIFFER, EXCUSED, SKIPPED, ERRORS, NTALLY };

struct tally {
	size_t scenarios;
	size_t n[NTALLY];
};

/* A file that is answered */
struct eval {
	struct source src;
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

static void difference_print(void *arg, const char *path, const char *expected, const char *got)
{
	(void) arg;
	printf("    %s: expected %s, got %s\n", path, expected, got);
}

static void check(struct eval *e, const char *id, const struct kind *kind,
		  struct json_object *line, struct json_object *got)
{
	struct json_object *expected = compare_view(kind->name, line);
	const char *excuse = compare_excuse(line);
	bool agrees = !compare_json(expected, got, NULL, NULL);

	e->tally.n[agrees ? AGREE : excuse ? EXCUSED : DIFFER]++;
	if (!agrees) {
		printable_put(e->src.name, stdout);
		printf(":%zu: ", e->src.line);
		printable_put(id, stdout);
		printf("%s%s\n", excuse ? ": excused: " : "", excuse ? excuse : "");
	}
	if (!agrees && !excuse)
		compare_json(expected, got, difference_print, NULL);
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

/* A new object; NULL if the fault is set. */
static struct json_object *answer(const struct kind *kind, const struct at *root, bool detail)
{
	struct json_object *got = NULL;

	if (kind->answer) {
		struct scenario *s = scenario_create(root);

		if (s)
			got = kind->answer(s, root, detail);
		scenario_destroy(s);
	} else {
		got = json_object_new_object();
		if (kind->kai)
			json_object_object_add(got, "expect", answer_kai(kind->name, root));
		else
			json_object_object_add(got, "skipped",
					       json_object_new_string(kind->name));
	}
	if (!at_failed(root))
		return got;
	json_object_put(got);
	return NULL;
}

static void expectation_find(const struct at *root, const char *key)
{
	struct at expected = at_member(root, key);

	if (!at_failed(root) && !expected.json)
		at_fail(root, key, "is missing: there is nothing to compare "
			"with");
}

static void line_eval(void *arg, const struct at *root, const char *id, const char *name)
{
	const struct kind *kind = kind_find(name);
	struct json_object *got = NULL;
	struct eval *e = arg;
	bool skipped = kind && !kind->answer && !kind->kai;

	if (!kind)
		at_fail(root, "kind", "\"%s\" is not known", name);
	else if (e->check && !skipped)
		expectation_find(root, kind->answer ? "expected" : "expect");
	if (!at_failed(root))
		got = answer(kind, root, e->check);
	e->tally.n[SKIPPED] += got && skipped;
	if (got && !e->check)
		print(id, got);
	else if (got && !skipped)
		check(e, id, kind, root->json, got);
	json_object_put(got);
}

static void tally_print(const struct tally *t, const char *name)
{
	static const char *const what[NTALLY][2] = {
		[AGREE] = { "agree", "agree" },	      [DIFFER] = { "differs", "differ" },
		[EXCUSED] = { "excused", "excused" }, [SKIPPED] = { "skipped", "skipped" },
		[ERRORS] = { "error", "errors" },
	};

	printable_put(name, stdout);
	printf(": %zu scenario%s", t->scenarios, t->scenarios == 1 ? "" : "s");
	for (int i = 0; i < NTALLY; i++) {
		if (i == AGREE || t->n[i])
			printf("%s %zu %s", i == AGREE ? ":" : ",", t->n[i],
			       what[i][t->n[i] != 1]);
	}
	putchar('\n');
}

static int eval_files(char **files, int n, bool check)
{
	struct tally sum = { 0 };

	for (int i = 0; i < n; i++) {
		struct eval e = { .check = check };

		source_read(&e.src, files[i], line_eval, &e);
		e.tally.scenarios = e.src.scenarios;
		e.tally.n[ERRORS] = e.src.errors;
		if (check)
			tally_print(&e.tally, e.src.name);
		sum.scenarios += e.tally.scenarios;
		for (int t = 0; t < NTALLY; t++)
			sum.n[t] += e.tally.n[t];
	}
	if (check && n > 1)
		tally_print(&sum, "total");
	return sum.n[DIFFER] || sum.n[ERRORS] ? STATUS_FAILED : STATUS_OK;
}

static int usage(FILE *out, int status)
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
	return status;
}

int cmd_eval(int argc, char **argv)
{
	static const struct option options[] = { { "check", no_argument, NULL, 'c' },
						 { "help", no_argument, NULL, 'h' },
						 { NULL, 0, NULL, 0 } };
	char *standard_input[] = { "-" };
	bool check = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (opt != 'c')
			return opt == 'h' ? usage(stdout, STATUS_OK)
					  : usage(stderr, STATUS_USAGE);
		check = true;
	}
	if (optind == argc)
		return eval_files(standard_input, 1, check);
	return eval_files(argv + optind, argc - optind, check);
}
