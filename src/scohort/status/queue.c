/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - scohort queue: waiting jobs in order
 */
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/options.h"
#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/exit_status.h"
#include "output/watch.h"
#include "slurm/job_views.h"
#include "status/queue.h"

struct options {
	bool local, watch;
	int64_t seconds;
};

static const struct cli_option options[] = {
	{ "local", 'l', NULL, "sort by local queue, and by the position in it",
	  CLI_FLAG, offsetof(struct options, local), 0 },
	{ "watch", 'w', "[SECONDS]", "show it again every 2 SECONDS, in place",
	  CLI_NUMBER, offsetof(struct options, seconds),
	  offsetof(struct options, watch) + 1 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "[QUEUE...]", .max = CLI_ANY,
	.about = "Waiting jobs of all cluster queues, or of those named, in "
		 "order.\n",
	.options = options, .output = CLI_TABLE, .columns = queue_columns,
};

static bool names_check(const struct published *p, const struct call *call,
			const char *command)
{
	bool known = true;

	for (int i = 0; p->document && i < call->nargs; i++) {
		if (published_queue(p, call->args[i]))
			continue;
		stderr_line("%s: there is no cluster queue \"%s\"",
			    command, call->args[i]);
		known = false;
	}
	return known;
}

static int table_show(const struct output *out, const struct pending_list *l)
{
	char err[256];
	struct table *table = table_create(queue_columns, out, err,
					   sizeof(err));
	bool details = table && out->format;
	int64_t now = time(NULL);
	int rc = table ? 0 : -1;

	for (size_t i = 0; !rc && i < l->n; i++) {
		struct json_object *row = pending_job_json(l, &l->jobs[i],
							   details, now);

		json_add_number(row, "time", now);
		rc = table_add(table, row, NULL);
	}
	if (rc)
		stderr_line("scohort queue: %s", err);
	else
		table_print(table, out);
	table_destroy(table);
	return rc ? STATUS_FAILED : STATUS_OK;
}

static int document_show(const struct output *out, const struct pending_list *l)
{
	struct json_object *o = json_object_new_object();
	struct json_object *jobs = json_object_new_array();
	int64_t now = time(NULL);

	for (size_t i = 0; i < l->n; i++)
		json_object_array_add(
			jobs, pending_job_json(l, &l->jobs[i], true, now));
	json_add_number(o, "time", now);
	json_add_number(o, "hidden", l->hidden);
	json_object_object_add(o, "jobs", jobs);
	output_document(out, o);
	json_object_put(o);
	return STATUS_OK;
}

/* A user that sees a job of another user sees all jobs: a job that is missing
 * among them has come or gone between two looks. */
static bool sees_others(const struct view_list *views)
{
	for (size_t i = 0; i < views->n; i++) {
		if (views->views[i].uid != getuid())
			return true;
	}
	return getuid() == 0;
}

static int line_show(const struct output *out, const struct call *call,
		     const struct options *o,
		     const struct controller *controller,
		     const struct published *p, const char *command)
{
	struct view_list views;
	struct pending_list pending;
	char err[256];
	int status = views_load(&views, 0, err, sizeof(err));

	if (status) {
		stderr_line("%s: %s", command, err);
		return status;
	}
	if (pending_list_make(&pending, p, &views,
			      controller->private_jobs && !sees_others(&views),
			      call->args, call->nargs, o->local) < 0) {
		stderr_line("%s: out of memory", command);
		status = STATUS_FAILED;
	} else if (output_is_data(out)) {
		status = document_show(out, &pending);
	} else {
		status = table_show(out, &pending);
	}
	if (!status && pending.hidden)
		stderr_line("%s: PrivateData=jobs hides other users' jobs: %ld "
			    "waiting job(s) show only their position", command,
			    (long) pending.hidden);
	pending_list_free(&pending);
	views_free(&views);
	return status;
}

static int queue_show(const struct output *out, const struct call *call,
		      const struct options *o, const char *command)
{
	struct published p;
	struct controller controller;
	char err[PATH_MAX + 256];
	int status = controller_open_cohort(&controller, command);

	if (status)
		return status;
	/* Without the file, the jobs themselves tell most of it. */
	if (published_open(&p, &controller, err, sizeof(err))) {
		stderr_line("%s: %s", command, err);
		stderr_line("%s: so there are no positions in local queues",
			    command);
	}
	status = names_check(&p, call, command)
		 ? line_show(out, call, o, &controller, &p, command)
		 : STATUS_FAILED;
	published_close(&p);
	controller_close(&controller);
	return status;
}

struct watching {
	const struct call *call;
	const struct options *options;
	const char *command;
};

static int round_show(void *arg, const struct output *out)
{
	const struct watching *w = arg;

	return queue_show(out, w->call, w->options, w->command);
}

int cmd_queue(int argc, char **argv)
{
	struct options o = { .seconds = WATCH_SECONDS };
	struct watching w = { .options = &o, .command = argv[0] };
	struct call call;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
	w.call = &call;
	if (o.watch)
		return watch_run(&call.out, o.seconds, argv[0], round_show, &w);
	return queue_show(&call.out, &call, &o, argv[0]);
}
