/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - the options of a subcommand, as a table
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/options.h"
#include "config.h"
#include "output/exit_status.h"
#include "output/text.h"

/* Values that getopt_long() returns for options without a letter */
#define CODE_OWN 1000		/* of the command: its index above this */
#define CODE_JSON 500
#define CODE_YAML 501

#define OPTIONS_MAX 64

struct common {
	struct option option;
	const char *arg, *help;
	enum cli_output from;	/* only commands that print this way have it */
};

static const struct common commons[] = {
	{ { "noheader", no_argument, NULL, 'n' }, NULL,
	  "no header line", CLI_TABLE },
	{ { "parsable2", no_argument, NULL, 'P' }, NULL,
	  "fields separated by |", CLI_TABLE },
	{ { "format", required_argument, NULL, 'o' }, "FORMAT",
	  "fields to show: NAME[%[-]WIDTH],...", CLI_TABLE },
	{ { "helpformat", no_argument, NULL, 'e' }, NULL,
	  "list the fields", CLI_TABLE },
	{ { "json", no_argument, NULL, CODE_JSON }, NULL,
	  "print one JSON object with all details", CLI_DATA },
	{ { "yaml", no_argument, NULL, CODE_YAML }, NULL,
	  "the same as YAML", CLI_DATA },
	{ { "help", no_argument, NULL, 'h' }, NULL, "this text", CLI_PLAIN },
	{ { "version", no_argument, NULL, 'V' }, NULL, "the version",
	  CLI_PLAIN },
};

#define NCOMMONS (sizeof(commons) / sizeof(commons[0]))

/* The arguments of getopt_long() */
struct getopt_args {
	struct option options[OPTIONS_MAX];
	char letters[3 * OPTIONS_MAX + 2];
	size_t n;
};

/* ---- usage ---- */

static void option_usage(FILE *out, int letter, const char *name,
			 const char *arg, const char *help)
{
	bool maybe = arg && *arg == '[';
	char text[80];

	if (maybe)
		snprintf(text, sizeof(text), "--%s[=%s", name, arg + 1);
	else
		snprintf(text, sizeof(text), "--%s%s%s", name, arg ? "=" : "",
			 arg ? arg : "");
	if (letter)
		fprintf(out, "  -%c, %-22s", letter, text);
	else
		fprintf(out, "      %-22s", text);
	fprintf(out, strlen(text) > 21 ? "\n%28s%s\n" : "%.0s%s\n", "", help);
}

static void usage_print(const struct cli *cli, const char *name, FILE *out)
{
	fprintf(out, "Usage: %s [OPTION...]%s%s\n\n%s\nOptions:\n", name,
		*cli->operands ? " " : "", cli->operands, cli->about);
	for (const struct cli_option *o = cli->options; o && o->name; o++)
		option_usage(out, o->letter, o->name, o->arg, o->help);
	for (size_t i = 0; i < NCOMMONS; i++) {
		const struct common *c = &commons[i];

		if (cli->output >= c->from)
			option_usage(out, c->option.val < 256 ? c->option.val
							      : 0,
				     c->option.name, c->arg, c->help);
	}
}

/* ---- reading ---- */

static void getopt_add(struct getopt_args *g, const char *name, int has_arg,
		       int code)
{
	static const char *const colons[] = { "", ":", "::" };

	g->options[g->n++] = (struct option) { name, has_arg, NULL, code };
	if (code < 256) {
		size_t used = strlen(g->letters);

		snprintf(g->letters + used, sizeof(g->letters) - used, "%c%s",
			 code, colons[has_arg]);
	}
}

static void getopt_fill(const struct cli *cli, struct getopt_args *g)
{
	int index = 0;

	for (const struct cli_option *o = cli->options; o && o->name;
	     o++, index++) {
		int has_arg = !o->arg ? no_argument
			    : *o->arg == '[' ? optional_argument
					     : required_argument;

		getopt_add(g, o->name, has_arg,
			   o->letter ? o->letter : CODE_OWN + index);
	}
	for (size_t i = 0; i < NCOMMONS; i++) {
		if (cli->output >= commons[i].from)
			getopt_add(g, commons[i].option.name,
				   commons[i].option.has_arg,
				   commons[i].option.val);
	}
}

static const struct cli_option *own_option(const struct cli *cli, int code)
{
	int index = 0;

	for (const struct cli_option *o = cli->options; o && o->name;
	     o++, index++) {
		if (code == o->letter || code == CODE_OWN + index)
			return o;
	}
	return NULL;
}

static bool list_add(const struct cli_option *o, const char *name,
		     const char *value, struct cli_list *list)
{
	if (list->n == CLI_LIST_MAX) {
		stderr_line("%s: --%s: more than %d of them", name, o->name,
			    CLI_LIST_MAX);
		return false;
	}
	list->of[list->n++] = value;
	return true;
}

static bool own_store(const struct cli_option *o, const char *name,
		      const char *value, char *values)
{
	if (o->seen)
		*(bool *) (void *) (values + o->seen - 1) = true;
	if (o->kind == CLI_FLAG) {
		*(bool *) (void *) (values + o->offset) = true;
	} else if (value && o->kind == CLI_LIST) {
		return list_add(o, name, value, (struct cli_list *) (void *)
				(values + o->offset));
	} else if (value && o->kind == CLI_TEXT) {
		*(const char **) (void *) (values + o->offset) = value;
	} else if (value && !text_number(value, (int64_t *) (void *)
						(values + o->offset))) {
		stderr_line("%s: --%s: \"%s\" is not a number", name,
			    o->name, value);
		return false;
	}
	return true;
}

enum step { STEP_ON, STEP_DONE, STEP_WRONG };

static enum step common_store(const struct cli *cli, const char *name,
			      int code, struct output *out)
{
	switch (code) {
	case 'n':
		out->no_header = true;
		return STEP_ON;
	case 'P':
		out->kind = OUTPUT_PARSABLE;
		return STEP_ON;
	case 'o':
		out->format = optarg;
		out->format_is_env = false;
		return STEP_ON;
	case CODE_JSON:
		out->kind = OUTPUT_JSON;
		return STEP_ON;
	case CODE_YAML:
		out->kind = OUTPUT_YAML;
		return STEP_ON;
	case 'e':
		table_help(cli->columns, out);
		return STEP_DONE;
	case 'h':
		usage_print(cli, name, stdout);
		return STEP_DONE;
	case 'V':
		puts("scohort " PACKAGE_VERSION);
		return STEP_DONE;
	default:	/* getopt_long() has printed the message */
		stderr_line("Try \"%s --help\".", name);
		return STEP_WRONG;
	}
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
		snprintf(copy, sizeof(copy), "%.*s",
			 (int) strcspn(part, ";"), part);
		out->format = copy;
	}
}

static bool operands_check(const struct cli *cli, const char *name,
			   const struct call *call)
{
	if (call->nargs >= cli->min && call->nargs <= cli->max)
		return true;
	if (call->nargs > cli->max)
		stderr_line("%s: unexpected argument \"%s\"", name,
			    call->args[cli->max]);
	else
		stderr_line("%s: %s is missing", name, cli->operands);
	stderr_line("Try \"%s --help\".", name);
	return false;
}

static bool format_check(const struct cli *cli, const char *name,
			 const struct output *out)
{
	char err[512];

	if (cli->output < CLI_TABLE || !out->format
	    || !table_check(cli->columns, out, err, sizeof(err)))
		return true;
	stderr_line("%s: %s", name, err);
	return false;
}

bool cli_parse(const struct cli *cli, int argc, char **argv, void *values,
	       struct call *call)
{
	struct getopt_args g = { .n = 0 };
	const struct cli_option *own;
	enum step step = STEP_ON;
	int code;

	getopt_fill(cli, &g);
	output_init(&call->out);
	if (cli->output == CLI_TABLE)
		format_from_env(argv[0], &call->out);
	call->status = STATUS_USAGE;
	while (step == STEP_ON
	       && (code = getopt_long(argc, argv, g.letters, g.options, NULL))
		  != -1) {
		own = own_option(cli, code);
		if (!own)
			step = common_store(cli, argv[0], code, &call->out);
		else if (!own_store(own, argv[0], optarg, values))
			step = STEP_WRONG;
	}
	if (step == STEP_DONE)
		call->status = STATUS_OK;
	if (step != STEP_ON)
		return false;
	call->args = argv + optind;
	call->nargs = argc - optind;
	return operands_check(cli, argv[0], call)
	       && format_check(cli, argv[0], &call->out);
}
