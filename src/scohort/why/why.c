/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why.c - scohort why: a job's situation in sentences
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "fit/fit.h"
#include "input/json_members.h"
#include "ledger/published.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "slurm/job_views.h"
#include "why/why.h"

#define RUNNING_MAX 3		/* how many tasks of an array are described */

struct options {
	bool fit;
};

static const struct cli_option options[] = {
	{ "fit", 0, NULL, "also the smallest change with which it would start sooner: asks "
	  "slurmctld", CLI_FLAG, offsetof(struct options, fit), 0 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "JOBID", .min = 1, .max = 1,
	.about = "Why a job waits and until when, what happened to a preempted "
		 "job, and what a\nrunning job is charged. JOBID may be 8123, "
		 "8123_4 or 8123+1.\n",
	.options = options, .output = CLI_DATA,
};

struct asked {
	uint32_t id;
	int64_t task;		/* -1: not said */
	int64_t component;	/* of a heterogeneous job, -1: not said */
};

static bool asked_parse(const char *text, struct asked *a)
{
	char number[24];
	size_t len = strcspn(text, "_+");
	int64_t id;

	*a = (struct asked) { .task = -1, .component = -1 };
	snprintf(number, sizeof(number), "%.*s", (int) len, text);
	if (len >= sizeof(number) || !text_number(number, &id) || id < 1 || id > UINT32_MAX)
		return false;
	a->id = (uint32_t) id;
	if (text[len] == '_')
		return text_number(text + len + 1, &a->task);
	if (text[len] == '+')
		return text_number(text + len + 1, &a->component);
	return true;
}

/* A task that waits is one of those in the record of its array. */
static bool view_is_asked(const struct view *v, const struct asked *a)
{
	if (a->task >= 0)
		return v->task_id == (uint32_t) a->task
		       || (v->task_id == UINT32_MAX && v->state == VIEW_PENDING);
	if (a->component >= 0)
		return v->het_id && v->het_offset == a->component;
	return v->array_id || v->het_id == a->id || v->id == a->id;
}

/* The task itself, if it has a record of its own */
static bool has_own_record(const struct view_list *list, const struct asked *a)
{
	for (size_t i = 0; a->task >= 0 && i < list->n; i++) {
		if (list->views[i].task_id == (uint32_t) a->task)
			return true;
	}
	return false;
}

/* The tasks that wait first, and a few of those that run. controller, or NULL: the first one
 * also tells what would start it sooner. */
static struct json_object *stories(const struct published *p, const struct view_list *list,
				   const struct asked *a, const struct controller *controller,
				   size_t *more)
{
	struct json_object *jobs = json_object_new_array();
	bool own = has_own_record(list, a);
	int64_t now = time(NULL);
	size_t others = 0;

	*more = 0;
	for (int waiting = 1; waiting >= 0; waiting--) {
		for (size_t i = 0; i < list->n; i++) {
			const struct view *v = &list->views[i];

			if ((v->state == VIEW_PENDING) != waiting || !view_is_asked(v, a)
			    || (own && v->task_id == UINT32_MAX))
				continue;
			if (!waiting && v->array_id && ++others > RUNNING_MAX) {
				++*more;
				continue;
			}
			json_object_array_add(jobs, why_tell(p, v, now));
			if (controller)
				fit_tell(json_object_array_get_idx(jobs, 0), p, v, controller);
			controller = NULL;
		}
	}
	return jobs;
}

static void stories_print(const struct output *out, struct json_object *jobs, size_t more)
{
	for (size_t i = 0; i < json_object_array_length(jobs); i++) {
		story_print(out, json_object_array_get_idx(jobs, i));
		fit_print(out, json_object_array_get_idx(jobs, i));
	}
	if (more)
		fprintf(out->file, "And %zu more task%s.\n", more, text_s((int64_t) more));
}

static int unknown_say(const struct controller *controller, const char *text)
{
	complain("Job %s not found. It may have ended%s; try sacct -j %s", text,
		 controller->private_jobs ? ", or PrivateData=jobs hides it from you" : "", text);
	return STATUS_FAILED;
}

static int why_show(const struct call *call, const struct controller *controller,
		    const struct published *p, const struct asked *asked, bool fit)
{
	struct json_object *o, *jobs;
	struct view_list list;
	size_t more;
	char err[256];
	int status = views_load(&list, asked->id, err, sizeof(err));

	if (status) {
		complain("%s", err);
		return status;
	}
	jobs = stories(p, &list, asked, fit ? controller : NULL, &more);
	o = json_object_new_object();
	json_object_object_add(o, "jobs", jobs);
	json_add_number(o, "more", (int64_t) more);
	if (!json_object_array_length(jobs))
		status = unknown_say(controller, call->args[0]);
	else if (output_is_data(&call->out))
		output_document(&call->out, o);
	else
		stories_print(&call->out, jobs, more);
	json_object_put(o);
	views_free(&list);
	return status;
}

int cmd_why(int argc, char **argv)
{
	struct options values = { .fit = false };
	struct published p;
	struct asked asked;
	struct controller controller;
	struct call call;
	char err[PATH_MAX + 256];
	int status;

	if (!cli_parse(&cli, argc, argv, &values, &call))
		return call.status;
	if (!asked_parse(call.args[0], &asked)) {
		complain("\"%s\" is not a job id", call.args[0]);
		return STATUS_USAGE;
	}
	if (values.fit)	/* a command names all tasks of an array, however many there are */
		setenv("SLURM_BITSTR_LEN", "0", 1);
	status = controller_open_cohort(&controller);
	if (status)
		return status;
	/* Without the file, the job itself tells some of it. */
	if (published_open(&p, &controller, err, sizeof(err)))
		complain("%s", err);
	status = why_show(&call, &controller, &p, &asked, values.fit);
	published_close(&p);
	controller_close(&controller);
	return status;
}
