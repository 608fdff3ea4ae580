/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.c - scohort status: the ledger, as a tree of cohorts
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/options.h"
#include "input/json_members.h"
#include "ledger/config_state.h"
#include "ledger/lookup.h"
#include "ledger/published.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "status/status.h"

#define WATCH_SECONDS 2

struct options {
	bool watch;
	int64_t seconds;
};

static const struct cli_option options[] = {
	{ "watch", 'w', "[SECONDS]", "show it again every 2 SECONDS, in place",
	  CLI_NUMBER, offsetof(struct options, seconds),
	  offsetof(struct options, watch) + 1 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "[QUEUE...]", .max = CLI_ANY,
	.about = "Quota and usage of all cohorts and cluster queues, or of "
		 "these and the cohorts\nabove them.\n",
	.options = options, .output = CLI_TABLE, .columns = status_columns,
};

/* Names of which there is neither a queue nor a cohort */
static bool names_check(const struct published *p, const struct call *call,
			const char *command)
{
	bool known = true;

	for (int i = 0; i < call->nargs; i++) {
		if (published_queue(p, call->args[i])
		    || published_cohort(p, call->args[i]))
			continue;
		stderr_line("%s: there is no cluster queue or cohort "
			    "\"%s\"", command, call->args[i]);
		known = false;
	}
	return known;
}

static void config_print(const struct output *out, const struct published *p)
{
	char text[2048];

	if (out->kind != OUTPUT_TEXT || out->no_header
	    || config_is_in_force(p->document, time(NULL), text,
				  sizeof(text)))
		return;
	fputs(paint_begin(out, PAINT_RED), out->file);
	output_wrap(out, 0, 2, text);
	fputs(paint_end(out, PAINT_RED), out->file);
}

static void head_print(const struct output *out, const struct published *p)
{
	bool observe = !strcmp(json_text(p->document, "enforcement"),
			       "observe");

	if (observe && out->kind == OUTPUT_TEXT && !out->no_header)
		fprintf(out->file, "%s(observe: nothing is enforced)%s\n",
			paint_begin(out, PAINT_YELLOW),
			paint_end(out, PAINT_YELLOW));
}

static int table_show(const struct output *out, const struct published *p,
		      const struct call *call, const char *command)
{
	char err[256];
	struct table *table = table_create(status_columns, out, err,
					   sizeof(err));
	int rc = table ? status_fill(table, p, call->args, call->nargs) : -1;

	if (rc) {
		stderr_line("%s: %s", command, err);
	} else {
		config_print(out, p);
		head_print(out, p);
		table_print(table, out);
	}
	table_destroy(table);
	return rc ? STATUS_FAILED : STATUS_OK;
}

static int status_show(const struct output *out, const struct call *call,
		       const char *command)
{
	struct json_object *document;
	struct published p;
	struct controller controller;
	int status = published_open_live(&p, &controller, command);

	if (!status && !names_check(&p, call, command))
		status = STATUS_FAILED;
	if (!status && output_is_data(out)) {
		document = status_document(&p, call->args, call->nargs);
		output_document(out, document);
		json_object_put(document);
	} else if (!status) {
		status = table_show(out, &p, call, command);
	}
	published_close(&p);
	controller_close(&controller);
	return status;
}

/* Each round has its time: on a terminal on top of the screen, in a pipe as a
 * line above it. Documents have it in them. */
static void round_begin(const struct call *call, int64_t seconds,
			const char *command)
{
	char when[TEXT_SIZE];

	if (output_is_data(&call->out) || call->out.no_header)
		return;
	text_date(when, sizeof(when), time(NULL));
	if (call->out.kind == OUTPUT_PARSABLE)
		printf("# %s\n", when);
	else
		printf("%s%s: every %ld s, %s\n\n",
		       isatty(STDOUT_FILENO) ? "\033[H\033[J" : "", command,
		       (long) seconds, when);
}

static void round_end(const struct call *call)
{
	if (!output_is_data(&call->out) && !isatty(STDOUT_FILENO))
		putchar('\n');
}

/* One screen at a time, written as a whole so that nothing flickers. A
 * slurmctld that is away for a while may come back. */
static int status_watch(struct call *call, int64_t seconds,
			const char *command)
{
	int status;

	do {
		struct output out = call->out;
		char *text = NULL;
		size_t size;

		out.file = open_memstream(&text, &size);
		if (!out.file)
			return STATUS_FAILED;
		status = status_show(&out, call, command);
		fclose(out.file);
		round_begin(call, seconds, command);
		fputs(text, stdout);
		round_end(call);
		free(text);
		if (fflush(stdout))
			return STATUS_FAILED;
		sleep((unsigned) seconds);
	} while (status == STATUS_OK || status == STATUS_DOWN);
	return status;
}

int cmd_status(int argc, char **argv)
{
	struct options o = { .seconds = WATCH_SECONDS };
	struct call call;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
	if (o.seconds < 1) {
		stderr_line("%s: --watch: 0 seconds is too few; 1 is the "
			    "least", argv[0]);
		return STATUS_USAGE;
	}
	if (o.watch)
		return status_watch(&call, o.seconds, argv[0]);
	return status_show(&call.out, &call, argv[0]);
}
