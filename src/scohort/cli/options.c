/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - the options of a subcommand, as a table
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "config.h"
#include "output/exit_status.h"
#include "output/text.h"

/* Values that getopt_long() returns for options without a letter: above this */
#define CODE_LONG 1000
#define OPTIONS_MAX 64

/* Options of all commands; each form of output has those before it in the line, too */
enum common { COMMON_NOHEADER, COMMON_PARSABLE, COMMON_FORMAT, COMMON_HELPFORMAT,
	      COMMON_JSON, COMMON_YAML, COMMON_HELP, COMMON_VERSION, NCOMMONS };

static const struct cli_option commons[NCOMMONS] = {
	[COMMON_NOHEADER] = { "noheader", 'n', NULL, "no header line", CLI_FLAG, 0, 0 },
	[COMMON_PARSABLE] = { "parsable2", 'P', NULL, "fields separated by |", CLI_FLAG, 0, 0 },
	[COMMON_FORMAT] = { "format", 'o', "FORMAT", "fields to show: NAME[%[-]WIDTH],...",
			    CLI_TEXT, 0, 0 },
	[COMMON_HELPFORMAT] = { "helpformat", 'e', NULL, "list the fields", CLI_FLAG, 0, 0 },
	[COMMON_JSON] = { "json", 0, NULL, "print one JSON object with all details", CLI_FLAG,
			  0, 0 },
	[COMMON_YAML] = { "yaml", 0, NULL, "the same as YAML", CLI_FLAG, 0, 0 },
	[COMMON_HELP] = { "help", 'h', NULL, "this text", CLI_FLAG, 0, 0 },
	[COMMON_VERSION] = { "version", 'V', NULL, "the version", CLI_FLAG, 0, 0 },
};

/* All options of a command, its own first, and the arguments of getopt_long() */
struct all {
	const struct cli_option *of[OPTIONS_MAX];
	size_t n, nown;
	struct option options[OPTIONS_MAX];
	char letters[3 * OPTIONS_MAX + 2];
};

/* ---- usage ---- */

static void option_usage(FILE *out, const struct cli_option *o)
{
	bool maybe = o->arg && *o->arg == '[';
	char text[80];

	snprintf(text, sizeof(text), "--%s%s%s", o->name, maybe ? "[=" : o->arg ? "=" : "",
		 maybe ? o->arg + 1 : o->arg ? o->arg : "");
	if (o->letter)
		fprintf(out, "  -%c, %-22s", o->letter, text);
	else
		fprintf(out, "      %-22s", text);
	fprintf(out, strlen(text) > 21 ? "\n%28s%s\n" : "%.0s%s\n", "", o->help);
}

static void usage_print(const struct cli *cli, const struct all *all, const char *name)
{
	printf("Usage: %s [OPTION...]%s%s\n\n%s\nOptions:\n", name, *cli->operands ? " " : "",
	       cli->operands, cli->about);
	for (size_t i = 0; i < all->n; i++)
		option_usage(stdout, all->of[i]);
}

/* ---- reading ---- */

static void option_add(struct all *all, const struct cli_option *o)
{
	static const char *const colons[] = { "", ":", "::" };
	int has_arg = !o->arg ? no_argument
		      : *o->arg == '[' ? optional_argument : required_argument;
	size_t used = strlen(all->letters), i = all->n++;

	all->of[i] = o;
	all->options[i] = (struct option) { o->name, has_arg, NULL,
					    o->letter ? o->letter : CODE_LONG + (int) i };
	if (o->letter)
		snprintf(all->letters + used, sizeof(all->letters) - used, "%c%s", o->letter,
			 colons[has_arg]);
}

static void all_fill(struct all *all, const struct cli *cli)
{
	static const enum common first[] = {
		[CLI_PLAIN] = COMMON_HELP, [CLI_DATA] = COMMON_JSON,
		[CLI_TABLE] = COMMON_NOHEADER,
	};

	for (const struct cli_option *o = cli->options; o && o->name; o++)
		option_add(all, o);
	all->nown = all->n;
	for (size_t i = first[cli->output]; i < NCOMMONS; i++)
		option_add(all, &commons[i]);
}

static bool own_store(const struct cli_option *o, const char *value, char *values)
{
	void *to = values + o->offset;
	struct cli_list *list = to;

	if (o->seen)
		*(bool *) (void *) (values + o->seen - 1) = true;
	if (o->kind == CLI_FLAG)
		*(bool *) to = true;
	else if (value && o->kind == CLI_TEXT)
		*(const char **) to = value;
	else if (value && o->kind == CLI_LIST && list->n == CLI_LIST_MAX)
		return complain("--%s: more than %d of them", o->name, CLI_LIST_MAX);
	else if (value && o->kind == CLI_LIST)
		list->of[list->n++] = value;
	else if (value && !text_number(value, to))
		return complain("--%s: \"%s\" is not a number", o->name, value);
	return true;
}

enum step { STEP_ON, STEP_DONE, STEP_WRONG };

static enum step common_store(const struct cli *cli, const struct all *all, const char *name,
			      enum common which, struct output *out)
{
	static const enum output_kind kinds[NCOMMONS] = {
		[COMMON_PARSABLE] = OUTPUT_PARSABLE, [COMMON_JSON] = OUTPUT_JSON,
		[COMMON_YAML] = OUTPUT_YAML,
	};

	if (which == COMMON_HELPFORMAT)
		table_help(cli->columns, out);
	else if (which == COMMON_HELP)
		usage_print(cli, all, name);
	else if (which == COMMON_VERSION)
		puts("scohort " PACKAGE_VERSION);
	else if (which == COMMON_FORMAT)
		out->format = optarg;
	else if (which == COMMON_NOHEADER)
		out->no_header = true;
	else
		out->kind = kinds[which];
	if (which == COMMON_FORMAT)
		out->format_is_env = false;
	return which == COMMON_HELPFORMAT || which >= COMMON_HELP ? STEP_DONE : STEP_ON;
}

static enum step option_store(const struct cli *cli, const struct all *all, const char *name,
			      int code, void *values, struct output *out)
{
	size_t i = 0;

	while (i < all->n && all->options[i].val != code)
		i++;
	if (i == all->n) {	/* getopt_long() has printed the message */
		stderr_line("Try \"%s --help\".", name);
		return STEP_WRONG;
	}
	if (i >= all->nown)
		return common_store(cli, all, name, (enum common) (all->of[i] - commons), out);
	return own_store(all->of[i], optarg, values) ? STEP_ON : STEP_WRONG;
}

/* SCOHORT_FORMAT: "FORMAT" for every table, or "status=FORMAT;queue=FORMAT" */
static void format_from_env(const char *name, struct output *out)
{
	const char *env = getenv("SCOHORT_FORMAT"), *part, *end;
	const char *command = strchr(name, ' ');
	static char copy[1024];
	size_t len = command ? strlen(++command) : 0;

	if (!env || !*env)
		return;
	out->format_is_env = true;
	if (!strchr(env, '=')) {
		out->format = env;
		return;
	}
	for (part = env; part; part = end ? end + 1 : NULL) {
		end = strchr(part, ';');
		if (!len || strncmp(part, command, len) || part[len] != '=')
			continue;
		part += len + 1;
		snprintf(copy, sizeof(copy), "%.*s", (int) strcspn(part, ";"), part);
		out->format = copy;
	}
}

static bool operands_check(const struct cli *cli, const char *name, const struct call *call)
{
	if (call->nargs >= cli->min && call->nargs <= cli->max)
		return true;
	if (call->nargs > cli->max)
		complain("unexpected argument \"%s\"", call->args[cli->max]);
	else
		complain("%s is missing", cli->operands);
	stderr_line("Try \"%s --help\".", name);
	return false;
}

bool cli_parse(const struct cli *cli, int argc, char **argv, void *values, struct call *call)
{
	struct all all = { .n = 0 };
	enum step step = STEP_ON;
	char err[512];
	int code;

	output_command(argv[0]);
	all_fill(&all, cli);
	output_init(&call->out);
	if (cli->output == CLI_TABLE)
		format_from_env(argv[0], &call->out);
	while (step == STEP_ON
	       && (code = getopt_long(argc, argv, all.letters, all.options, NULL)) != -1)
		step = option_store(cli, &all, argv[0], code, values, &call->out);
	call->status = step == STEP_DONE ? STATUS_OK : STATUS_USAGE;
	call->args = argv + optind;
	call->nargs = argc - optind;
	return step == STEP_ON && operands_check(cli, argv[0], call)
	       && (cli->output < CLI_TABLE || !call->out.format
		   || !table_check(cli->columns, &call->out, err, sizeof(err))
		   || complain("%s", err));
}
