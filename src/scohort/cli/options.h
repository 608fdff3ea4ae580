/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the options of a subcommand, as a table
 *
 *	struct options { bool watch; int64_t seconds; };
 *
 *	static const struct cli_option options[] = {
 *		{ "watch", 'w', "[SECONDS]", "show it again and again",
 *		  OPTION_SEEN(NUMBER, seconds, watch) },
 *		{ .name = NULL }
 *	};
 *	static const struct cli cli = {
 *		.operands = "[QUEUE...]", .max = CLI_ANY,
 *		.about = "The ledger of all cohorts.\n",
 *		.options = options, .output = CLI_TABLE, .columns = columns,
 *	};
 *
 * The usage text, the messages about unknown options and the options that all
 * commands have (-h, -V, and by `output` -n -P -o -e --json --yaml) are made
 * here.
 */
#ifndef SCOHORT_OPTIONS_H
#define SCOHORT_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "output/output.h"
#include "output/table.h"

#define CLI_ANY 1000000		/* operands without bound */

enum cli_kind {
	CLI_FLAG,		/* bool */
	CLI_TEXT,		/* const char * */
	CLI_NUMBER,		/* int64_t, not negative */
	CLI_LIST,		/* struct cli_list: it may be given again */
};

struct cli_option {
	const char *name;	/* long, without the dashes; NULL: the end */
	char letter;		/* or 0 */
	const char *arg;	/* what its value is called; "[X]": it may be
				 * left out; NULL: it takes none */
	const char *help;
	enum cli_kind kind;
	size_t offset;		/* of the value in the command's struct */
	size_t seen;		/* 1 + offset of a bool that is set if the
				 * option was given; 0: there is none */
};

/* The kind of an option and its member of the command's struct options, and with it the bool */
#define OPTION(kind_, member) CLI_ ## kind_, offsetof(struct options, member), 0
#define OPTION_SEEN(kind_, member, bool_) \
	CLI_ ## kind_, offsetof(struct options, member), offsetof(struct options, bool_) + 1

#define CLI_LIST_MAX 15

struct cli_list {
	const char *of[CLI_LIST_MAX];
	size_t n;
};

enum cli_output {
	CLI_PLAIN,		/* prints in one form only */
	CLI_DATA,		/* --json, --yaml */
	CLI_TABLE,		/* and -n, -P, -o, -e */
};

struct cli {
	const char *operands;	/* for the usage: "[QUEUE...]" or "" */
	int min, max;		/* how many there may be */
	const char *about;	/* whole lines, each ending in a newline */
	const struct cli_option *options;	/* or NULL */
	enum cli_output output;
	const struct column *columns;	/* for -e, if CLI_TABLE */
};

struct call {
	struct output out;
	char **args;		/* operands, in argv */
	int nargs;
	int status;		/* return this where cli_parse() is false */
};

/* Reads argv into call and the command's own struct. False if there is nothing more to do: the
 * user asked for help, or something was wrong and was reported. */
bool cli_parse(const struct cli *cli, int argc, char **argv, void *values, struct call *call);

#endif /* SCOHORT_OPTIONS_H */
